import Bytes
import EffectInvariants
import Testing

@testable import Motion

@Suite("Blocks at times of their own")
struct TimedScheduleTests {
    private func layout(_ texts: [String], words: [[TimedWord]] = []) -> Layout {
        var layout = TestGlyphs.layout(texts)
        for (block, words) in words.enumerated() {
            let first = layout.blocks[block].glyphs.lowerBound
            layout.blocks[block].changeExtras { extras in
                extras.words = words.map {
                    TimedWord(
                        glyphs: $0.glyphs.lowerBound + first..<$0.glyphs.upperBound + first,
                        start: $0.start, end: $0.end)
                }
            }
        }
        return layout
    }

    private func scene(
        _ layout: Layout, _ times: [(Double, Double?)], exit: Choreography.ExitPolicy = .between,
        effect: any Effect, spoken: SpokenStyle? = nil, hold: Double = 1
    ) throws -> Scene {
        let blocks = times.map { start, end in
            var block = TestGlyphs.block(effect)
            block.time = BlockTime(from: start, to: end, spoken: spoken)
            return block
        }
        return try Choreography(
            blocks: blocks, sequence: .timed, exit: exit, timing: .init(hold: hold)
        ).scene(of: layout, appearance: TestGlyphs.appearance, limits: SceneLimits())
    }

    private func slide() throws -> any Effect {
        try #require(EffectCatalog.standard.entries.first { $0.name == "slide" }).effect()
    }

    private func opacities(_ scene: Scene, _ node: Int, _ seconds: [Double]) -> [Double] {
        seconds.map {
            scene.pose(ofNode: node, at: .instant(Instant(seconds: $0))).opacity
        }
    }

    @Test("an entrance begins at its time, an exit ends at its own, and blocks may overlap")
    func spans() throws {
        let scene = try scene(
            layout(["abc", "de"]), [(1, 4), (2, 3.5)], effect: try slide())
        let first = scene.blocks[0]
        #expect(first.entrance.lowerBound == Instant(seconds: 1))
        #expect(first.exit?.upperBound == Instant(seconds: 4))
        #expect(scene.blocks[1].entrance.lowerBound == Instant(seconds: 2))
        #expect(scene.blocks[1].exit?.upperBound == Instant(seconds: 3.5))
        #expect(scene.duration == Instant(seconds: 4))
        #expect(opacities(scene, 0, [0, 0.9999, 1, 4]) == [0, 0, 0, 0])
        #expect(opacities(scene, 0, [2, 3]) == [1, 1])
    }

    @Test("entrance and exit both play faster, by one factor, where a block is shorter")
    func faster() throws {
        let long = try scene(layout(["abc"]), [(0, 9)], effect: try slide())
        let enter = long.blocks[0].entrance.upperBound.seconds
        let leave = try #require(long.blocks[0].exit)
        let exit = leave.upperBound.seconds - leave.lowerBound.seconds
        let room = (enter + exit) / 4
        let short = try scene(layout(["abc"]), [(1, 1 + room)], effect: try slide())
        #expect(abs(short.blocks[0].entrance.upperBound.seconds - (1 + enter / 4)) < 2e-4)
        #expect(short.blocks[0].exit?.lowerBound == short.blocks[0].entrance.upperBound)
        #expect(short.duration == Instant(seconds: 1 + room))
        // The same motion in a quarter of the time.
        for share in [0.1, 0.4, 0.8] {
            let slow = opacities(long, 1, [share * enter])[0]
            let fast = opacities(short, 1, [1 + share * enter / 4])[0]
            #expect(abs(slow - fast) < 0.01)
        }
    }

    @Test("without an exit a block vanishes at its end, and is never seen outside its time")
    func vanishing() throws {
        let scene = try scene(
            layout(["a", "b"]), [(1, 2), (2, nil)], exit: .none, effect: try Fade())
        #expect(opacities(scene, 0, [0, 1.9999, 2, 2.5]) == [0, 1, 0, 0])
    }

    @Test("a block of no time shows in no instant")
    func empty() throws {
        let scene = try scene(layout(["a", "b"]), [(0, 0), (0, 1)], effect: try Fade())
        #expect(opacities(scene, 0, [0, 0.5, 1]) == [0, 0, 0])
        let none = try self.scene(layout(["a"]), [(0, 0)], effect: try Fade())
        #expect(none.duration == .zero)
    }

    @Test("the last block without an end stands for the hold after its last word")
    func lastEnd() throws {
        let words = [TimedWord(glyphs: 0..<1, start: 1, end: 3)]
        let scene = try scene(
            layout(["a"], words: [words]), [(1, nil)], effect: try Fade(), hold: 2)
        #expect(scene.duration == Instant(seconds: 5))
    }

    @Test("items of effects by word start with the words")
    func followedWords() throws {
        let words = [
            TimedWord(glyphs: 0..<2, start: 0.5, end: 1),
            TimedWord(glyphs: 2..<4, start: 2, end: 2.5),
            TimedWord(glyphs: 4..<5, start: 3.9, end: 4),
        ]
        let word = ParameterValue.string("word")
        for entry in EffectCatalog.standard.entries
        where ["slide", "fade", "typewriter", "reveal", "pop"].contains(entry.name) {
            let scene = try scene(
                layout(["a b c"], words: [words]), [(0, 4.2)], exit: .none,
                effect: try entry.effect(["by": word]))
            for (node, start) in [(0, 0.5), (2, 2), (4, 3.9)] {
                let shown = opacities(scene, node, [start - 0.001, 4.19])
                #expect(shown[0] == 0 && shown[1] > 0.9, "\(entry.name) \(node)")
                // Its own start, not one before it.
                #expect(
                    scene.tracks(ofNode: node).opacity.keyframes.contains {
                        $0.time == Instant(seconds: start)
                    }, "\(entry.name)")
            }
        }
    }
}
