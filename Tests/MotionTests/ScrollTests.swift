import Bytes
import Testing

@testable import Motion

@Suite("Scroll")
struct ScrollTests {
    /// A letter in a box on a canvas of 100 by 60 pixels, of a text among others.
    private func block(
        _ box: Rect, among texts: Rect? = nil, _ direction: Direction = .leftToRight,
        at place: Place? = nil
    ) -> EffectBlock {
        let glyph = Glyph(
            block: 0, line: 0, word: 0, text: "a", start: 0, length: 1, isWhitespace: false,
            paint: .color(Color(red: 0, green: 0, blue: 0)), hasBlockPaint: true, rect: box,
            baseline: box.maxY, size: 20, ink: nil)
        var block = EffectBlock(
            glyphs: [glyph], em: 20,
            randomness: PhaseRandomness(seed: 1, block: 0, phase: .entrance),
            keyframes: (used: 0, limit: 100))
        block.canvas = Rect(x: 0, y: 0, width: 100, height: 60)
        block.drawn = box
        if let place { block.places = [place] }
        block.texts = (texts ?? box, direction)
        return block
    }

    private func effect(_ direction: String, rate: Double = 50) -> Scroll {
        var parameters = ParameterReader([
            "direction": .string(ByteString(direction)), "rate": .number(rate),
        ])
        return Scroll(&parameters)
    }

    /// Returns the first and the last offset of a phase of one motion.
    private func way(_ phase: Phase) throws -> (Property, Double, Double) {
        let (property, keyframes) = try #require(phase.tracks[0].moves.first)
        #expect(keyframes.count == 2 && keyframes[1].time == phase.duration)
        return (property, keyframes[0].value, keyframes[1].value)
    }

    private static let cases: [(String, Property, Double, Double)] = [
        ("up", .offsetY, 60, -40), ("down", .offsetY, -60, 50), ("left", .offsetX, 100, -51),
        ("right", .offsetX, -100, 80),
    ]

    @Test("it comes by the canvas's length and leaves by what it is inside", arguments: cases)
    func ways(direction: String, property: Property, wayIn: Double, wayOut: Double) throws {
        let block = block(Rect(x: 20, y: 10, width: 30.5, height: 30))
        let effect = effect(direction)
        let entrance = try effect.entrance(of: block)
        let (axis, start, end) = try way(entrance)
        #expect(axis == property && start == wayIn && end == 0)
        #expect(entrance.duration == abs(wayIn) / 50)
        let exit = try effect.exit(of: block)
        let (exitAxis, exitStart, exitEnd) = try way(exit)
        #expect(exitAxis == property && exitStart == 0 && exitEnd == wayOut)
        #expect(exit.duration == abs(wayOut) / 50)
        #expect(exit.tracks[0].opacity.map(\.value) == [1, 0])
        let sides: Edges = property == .offsetY ? [.top, .bottom] : [.left, .right]
        #expect(entrance.leavesCanvas == sides && exit.leavesCanvas == sides)
    }

    @Test("a text that reaches beyond the side it runs towards comes from farther away")
    func beyond() throws {
        let wide = block(Rect(x: -20, y: -15, width: 200, height: 90))
        #expect(try way(effect("up").entrance(of: wide)).1 == 75)
        #expect(try way(effect("down").entrance(of: wide)).1 == -75)
        #expect(try way(effect("left").entrance(of: wide)).1 == 120)
        #expect(try way(effect("right").entrance(of: wide)).1 == -180)
    }

    @Test("texts come by one way, each leaves by its own")
    func together() throws {
        let all = Rect(x: 0, y: -30, width: 100, height: 90)
        let low = block(Rect(x: 0, y: 40, width: 50, height: 20), among: all)
        let high = block(Rect(x: 50, y: -30, width: 50, height: 20), among: all)
        let effect = effect("up")
        #expect(try way(effect.entrance(of: low)).1 == 90)
        #expect(try way(effect.entrance(of: high)).1 == 90)
        #expect(try way(effect.exit(of: low)).2 == -60)
        // It is outside already.
        #expect(try effect.exit(of: high).duration == 0)
    }

    @Test("start is the side at which the first text begins")
    func start() throws {
        let box = Rect(x: 20, y: 10, width: 30, height: 30)
        let effect = effect("start")
        #expect(try way(effect.entrance(of: block(box))).1 == 100)
        #expect(try way(effect.entrance(of: block(box, .rightToLeft))).1 == -100)
        #expect(!effect.isUpright)
    }

    @Test("a letter on a path moves straight up, whichever way it is turned")
    func path() throws {
        let box = Rect(x: 20, y: 10, width: 30, height: 30)
        let place = Place(turn: 90, taking: .zero, to: .zero)
        let moves = try effect("up").entrance(of: block(box, at: place)).tracks[0].moves
        let across = try #require(moves.first { $0.property == .offsetX }).keyframes
        #expect(abs(across[0].value - 60) < 1e-9 && abs(across[1].value) < 1e-9)
        for (property, keyframes) in moves where property == .offsetY {
            #expect(keyframes.allSatisfy { abs($0.value) < 1e-9 })
        }
    }
}
