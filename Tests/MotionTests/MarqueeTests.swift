import Bytes
import EffectInvariants
import Testing

@testable import Motion

@Suite("Marquee")
struct MarqueeTests {
    /// Lines of so many letters of 10 by 30 pixels, from 8 pixels on, on a canvas that is 100 wide.
    private func block(
        _ lengths: [Int], _ direction: Direction = .leftToRight, marked: Set<Int> = [],
        at places: [Place?] = [], margins: Margins = .zero
    ) -> EffectBlock {
        var glyphs: [Glyph] = []
        let lines = lengths.enumerated().map { number, length in
            let y = 30 * Double(number)
            for letter in 0..<length {
                glyphs.append(
                    Glyph(
                        block: 0, line: number, word: 0, text: "a", start: 0, length: 1,
                        isWhitespace: false, paint: .color(Color(red: 0, green: 0, blue: 0)),
                        hasBlockPaint: true,
                        rect: Rect(x: 8 + 10 * Double(letter), y: y, width: 10, height: 30),
                        baseline: y + 20, size: 20, ink: nil))
            }
            return Line(
                rect: Rect(x: 8, y: y, width: 10 * Double(length), height: 30), baseline: y + 20,
                direction: direction, runs: [])
        }
        var block = EffectBlock(
            glyphs: glyphs[...], em: 20,
            randomness: PhaseRandomness(seed: 1, block: 0, phase: .entrance),
            keyframes: (used: 0, limit: 10_000))
        block.places = places[...]
        block.lines = lines
        block.markedLines = marked
        block.canvas = Rect(x: 0, y: 0, width: 100, height: 100)
        block.margins = margins
        return block
    }

    private func phase(
        of block: EffectBlock, rate: Double = 50, gap: Double = 1, isEmphasis: Bool = false
    ) throws -> Phase {
        var parameters = ParameterReader(["rate": .number(rate), "marqueeGap": .number(gap)])
        let effect = Marquee(&parameters)
        return try (isEmphasis ? effect.ofStandingText : effect).entrance(of: block)
    }

    @Test("a line that has room runs, but not of standing text", arguments: [[1], [9], [9, 3]])
    func room(lengths: [Int]) throws {
        let running = try phase(of: block(lengths))
        #expect(running.duration > 0 && running.distances.count == lengths.reduce(0, +))
        let phase = try phase(of: block(lengths), isEmphasis: true)
        #expect(phase.duration == 0 && phase.nodes.isEmpty)
        #expect(phase.tracks.allSatisfy { $0.moves.isEmpty })
    }

    @Test("a line that is too long moves by its width and the gap, and is as far behind itself")
    func running() throws {
        let phase = try phase(of: block([20, 3]), isEmphasis: true)
        #expect(phase.duration == 4.4)
        #expect(phase.distances == [Double](repeating: 220, count: 20))
        let moves = phase.tracks[phase.assignment[0]].moves
        #expect(moves.map(\.property) == [.offsetX])
        #expect(moves[0].keyframes.map(\.value) == [0, -220, 0])
        #expect(phase.tracks[phase.assignment[20]].moves.isEmpty)
    }

    @Test("lines of a block need the time of the longest")
    func oneTime() throws {
        let phase = try phase(of: block([12, 20]))
        #expect(phase.distances == [Double](repeating: 220, count: 32))
        #expect(Set(phase.assignment).count == 1)
    }

    @Test("what is read from right to left runs to the right")
    func rightToLeft() throws {
        let phase = try phase(of: block([20], .rightToLeft))
        #expect(phase.distances == [Double](repeating: -220, count: 20))
        #expect(phase.tracks[phase.assignment[0]].moves[0].keyframes.map(\.value) == [0, 220, 0])
    }

    @Test("a line has left the canvas when it is followed by itself, with its shadows")
    func noGap() throws {
        #expect(try phase(of: block([20]), gap: 0).distances[0] == 208)
        let margins = Margins(left: 3, top: 0, right: 4.5, bottom: 0)
        #expect(try phase(of: block([20], margins: margins), gap: 0).distances[0] == 213)
        // One that is hardly too long comes back from beyond the canvas.
        #expect(try phase(of: block([10]), gap: 0).distances[0] == 108)
    }

    @Test("lines with marks and text along a path stand")
    func others() throws {
        let marked = try phase(of: block([20, 20], marked: [0]))
        #expect(marked.nodes.map(\.glyph) == Array(20..<40) && marked.distances[0] == 220)
        let place = Place(turn: 10, taking: .zero, to: .zero)
        #expect(try phase(of: block([20], at: [Place?](repeating: place, count: 20))).duration == 0)
    }

    @Test("as an emphasis it runs as often as there is time for")
    func emphasis() throws {
        var parameters = ParameterReader(["rate": .number(50)])
        let marquee = Marquee(&parameters)
        let layout = TestGlyphs.layout(["A line of text that runs"])
        var choreography = Choreography(
            blocks: [TestGlyphs.block(try NoEffect())], timing: .init(hold: 16))
        choreography.emphasis = Choreography.Emphasis(marquee, interval: 1)
        let scene = try choreography.scene(
            of: layout, appearance: TestGlyphs.appearance, limits: SceneLimits())
        let offsets = try #require(scene.tracks(ofNode: 0)[.offsetX]).keyframes
        // Of (240 + 2 * 16) / 50 seconds each.
        #expect(offsets.map(\.value) == [0, -272, 0, 0, -272, 0])
        #expect(offsets[3].time.ticks - offsets[2].time.ticks == 10_000)
        #expect(scene.warnings.isEmpty)
    }
}

extension Phase {
    /// The distances at which glyphs are repeated, in their order.
    fileprivate var distances: [Double] { nodes.map(\.offset.x) }
}
