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
        let motions = try phase(duration: duration).motions
        #expect(motions.count == 4)
        for motion in motions {
            let spans = motion.spans
            #expect(spans.count == 2 * count)
            #expect(spans.allSatisfy { 0 < $0.start && $0.start < $0.end })
            #expect(spans.allSatisfy { $0.end < duration })
            #expect(motion.offsets.map(\.time) == spans.map(\.start))
            #expect(motion.offsets.allSatisfy { abs($0.value) <= 10 })
            for (one, other) in zip(spans, spans.dropFirst()) {
                #expect(one.end <= other.start + 1e-9)
            }
            for pair in stride(from: 0, to: spans.count - 2, by: 2) {
                #expect(spans[pair + 2].start - spans[pair].start > 1 / 3.0)
            }
        }
    }

    @Test("its slices and what stands between them are the line")
    func thirds() throws {
        let phase = try phase(duration: 0.8)
        for glyph in 0..<3 {
            let boxes = phase.nodes.filter { $0.glyph == glyph }.compactMap { node -> Rect? in
                if case .box(let box, _) = node.mask { box } else { nil }
            }
            try #require(boxes.count == 2)
            let parts = [boxes[0], try #require(phase.masks?.boxes[glyph]), boxes[1]]
            #expect(parts.map(\.height) == [10, 10, 10])
            #expect(parts.map(\.y) == (glyph < 2 ? [0, 10, 20] : [30, 40, 50]))
        }
        let offsets = phase.motions.map(\.offsets)
        #expect(zip(offsets[0], offsets[1]).allSatisfy { $0.value * $1.value < 0 })
        #expect(offsets[2].allSatisfy { $0.value < 0 })
    }

    @Test("of no length nothing shows once more")
    func nothing() throws {
        let phase = try phase(duration: 0)
        #expect(phase.nodes.isEmpty && phase.masks == nil && phase.duration == 0)
    }
}

extension PhaseMotion {
    fileprivate var offsets: [Keyframe<Double, Double>] {
        moves.first { $0.property == .offsetX }?.keyframes ?? []
    }
}
