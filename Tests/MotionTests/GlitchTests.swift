import Bytes
import Testing

@testable import Motion

@Suite("Glitch")
struct GlitchTests {
    private func phase(duration: Double, distance: Double = 0.5) throws -> Phase {
        var parameters = ParameterReader([
            "duration": .number(duration), "distance": .number(distance),
        ])
        let glyphs = "ab\nc".enumerated().filter { $1 != "\n" }.map { index, character in
            Glyph(
                block: 0, line: index < 2 ? 0 : 1, word: 0, text: String(character), start: 0,
                length: 1, isWhitespace: false,
                paint: .color(Color(red: 0, green: 0, blue: 0)), hasBlockPaint: true,
                rect: Rect(x: Double(index) * 10, y: index < 2 ? 0 : 30, width: 10, height: 30),
                baseline: 20, size: 20, ink: nil)
        }
        return try Glitch(&parameters).entrance(
            of: EffectBlock(
                glyphs: glyphs[...], em: 20,
                randomness: PhaseRandomness(seed: 1, block: 0, phase: .entrance),
                keyframes: (used: 0, limit: 1000)))
    }

    @Test(
        "jumps in pairs, no more than three a second, and none at either end",
        arguments: [(0.3, 1), (0.8, 2), (1.2, 3), (10, 25)])
    func pairs(duration: Double, count: Int) throws {
        let copies = try phase(duration: duration).copies
        #expect(copies.count == 4)
        for copy in copies {
            #expect(copy.spans.count == 2 * count)
            #expect(copy.spans.allSatisfy { 0 < $0.start && $0.start < $0.end })
            #expect(copy.spans.allSatisfy { $0.end < duration })
            #expect(copy.spans.allSatisfy { abs($0.x) <= 10 })
            for (one, other) in zip(copy.spans, copy.spans.dropFirst()) {
                #expect(one.end <= other.start + 1e-9)
            }
            for pair in stride(from: 0, to: copy.spans.count - 2, by: 2) {
                #expect(copy.spans[pair + 2].start - copy.spans[pair].start > 1 / 3.0)
            }
        }
    }

    @Test("its slices and what stands between them are the line")
    func thirds() throws {
        let phase = try phase(duration: 0.8)
        for glyph in 0..<3 {
            let parts = [
                phase.copies[0].boxes[glyph], try #require(phase.masks?.boxes[glyph]),
                phase.copies[1].boxes[glyph],
            ]
            #expect(parts.map(\.height) == [10, 10, 10])
            #expect(parts.map(\.y) == (glyph < 2 ? [0, 10, 20] : [30, 40, 50]))
        }
        #expect(zip(phase.copies[0].spans, phase.copies[1].spans).allSatisfy { $0.x * $1.x < 0 })
        #expect(phase.copies[2].spans.allSatisfy { $0.x < 0 })
    }

    @Test("of no length nothing shows once more")
    func nothing() throws {
        let phase = try phase(duration: 0)
        #expect(phase.copies.isEmpty && phase.masks == nil && phase.duration == 0)
    }
}
