import Bytes
import EffectInvariants
import Testing

@testable import Motion

@Suite("Count")
struct CountTests {
    /// Returns the entrance of a text that counts from a number in evenly spaced steps.
    private func phase(_ text: String, from first: Double, steps: Double = 10) throws -> Phase {
        var parameters = ParameterReader([
            "from": .number(first), "steps": .number(steps), "duration": .number(1),
            "easing": .easing(.easing(.linear)),
        ])
        let glyphs = TestGlyphs.glyphs(text)
        return try Count(&parameters).entrance(
            of: EffectBlock(
                glyphs: glyphs[...], em: 16,
                randomness: PhaseRandomness(seed: 1, block: 0, phase: .entrance),
                keyframes: (used: 0, limit: 10_000)))
    }

    /// Returns the offsets of columns that are not written, with the spans in which they show.
    private func columns(_ phase: Phase) -> [Double: [Double]] {
        var columns: [Double: [Double]] = [:]
        for node in phase.nodes where node.offset != .zero {
            columns[node.offset.x, default: []] += phase.motions[node.motion].spans.map(\.end)
        }
        return columns
    }

    @Test("a first value with more digits than are written has columns before them")
    func more() throws {
        // 10 until half a value has passed.
        let ten = columns(try phase("0", from: 10))
        #expect(ten.keys.sorted() == [-10])
        #expect((ten[-10] ?? []).allSatisfy { 0 < $0 && $0 <= 0.0625 })
        #expect(columns(try phase("7", from: 1007)).keys.sorted() == [-30, -20, -10])
        // The minus has one too.
        #expect(columns(try phase("5", from: -5)).keys.sorted() == [-10])
    }

    @Test("beside other text, in enough columns, or with too many digits there are none")
    func none() throws {
        for text in ["0 left", "x 0", "+0", "0.5", "0\n1"] {
            #expect(columns(try phase(text, from: 10)).isEmpty, "\(text)")
        }
        #expect(columns(try phase("10", from: 42)).isEmpty)
        #expect(columns(try phase("0", from: 1e15)).count == 15)
        #expect(columns(try phase("1234", from: 1e18)).isEmpty)
    }

    @Test("few values all show, of many the steps")
    func values() throws {
        func changes(_ phase: Phase) -> Int {
            Set(phase.motions.flatMap(\.spans).map(\.start)).count
        }
        #expect(changes(try phase("0", from: 10, steps: 10)) == 10)
        #expect(changes(try phase("0", from: 1000, steps: 10)) == 10)
    }
}
