import Testing

@testable import Motion

/// Easings as pieces (docs/effects.md, *Easings*).
@Suite struct TimingFunctionTests {
    /// Returns the progress of the value at a progress of the time before the end.
    private func value(_ pieces: [Easing.Part], at share: Double) -> Double {
        guard let piece = pieces.last(where: { $0.start <= share }) else { return 0 }
        let progress = (share - piece.start) / (piece.end - piece.start)
        return piece.from + (piece.to - piece.from) * piece.easing.value(at: progress)
    }

    private func checkGaps(_ pieces: [Easing.Part]) {
        #expect(pieces.first?.start == 0 && pieces.last?.end == 1)
        for (piece, next) in zip(pieces, pieces.dropFirst()) {
            #expect(piece.end == next.start && piece.start < piece.end)
        }
    }

    @Test("springs are off by 0.003 at most and take few pieces")
    func springs() {
        for step in -90...90 {
            let bounce = Double(step) / 100
            let spring = Spring(bounce: bounce)
            let end = spring.settlingTime
            let pieces = TimingFunction.spring(bounce: bounce).pieces
            checkGaps(pieces)
            #expect(pieces.count <= 2 + spring.turns.count, "\(bounce): \(pieces.count)")
            for sample in 0..<1000 {
                let share = Double(sample) / 1000
                let off = value(pieces, at: share) - spring.position(at: share * end)
                #expect(abs(off) <= 0.003, "\(bounce) at \(share): \(off)")
            }
            #expect(pieces.last?.to == 1)
        }
    }

    @Test("a spring is settled at the end and not before")
    func settling() {
        for bounce in [-0.9, -0.3, 0, 0.1, 0.3, 0.6, 0.9] {
            let spring = Spring(bounce: bounce)
            let end = spring.settlingTime
            #expect(abs(spring.position(at: end) - 1) <= 0.001)
            #expect(abs(spring.position(at: end - 0.0015) - 1) > 0.001)
            for later in 1...50 {
                #expect(abs(spring.position(at: end + Double(later) / 10) - 1) <= 0.001)
            }
        }
    }

    @Test("steps jump at the end of each")
    func steps() {
        let pieces = TimingFunction.steps(4).pieces
        checkGaps(pieces)
        #expect(pieces.map(\.from) == [0, 0.25, 0.5, 0.75])
        #expect(pieces.allSatisfy { $0.easing == .hold && $0.from == $0.to })
    }

    @Test("lines go through their stops, and on beyond the first and the last")
    func lines() {
        func stops(_ stops: [(Double, Double?)]) -> [Easing.Part] {
            TimingFunction.stops(
                stops.map { TimingFunction.Stop(value: $0.0, percent: $0.1.map { $0 * 100 }) }
            ).pieces
        }
        let plain = stops([(0, nil), (0.3, 0.2), (0.2, 0.5), (1, nil)])
        checkGaps(plain)
        #expect(plain.map(\.end) == [0.2, 0.5, 1])
        let inner = stops([(0.1, 0.2), (0.9, 0.7)])
        #expect(abs(inner[0].from + 0.22) < 1e-12 && abs(inner[0].to - 1.38) < 1e-12)
        let jump = stops([(0, nil), (0.2, 0.5), (0.8, 0.5), (1, nil)])
        #expect(jump.map(\.from) == [0, 0.8] && jump.map(\.to) == [0.2, 1])
        let falling = stops([(0, 0.5), (1, 0.2)])
        checkGaps(falling)
    }

    @Test("a bounce lands where Penner's does")
    func bounce() {
        let pieces = TimingFunction.bounce.pieces
        checkGaps(pieces)
        #expect(pieces.count == 7)
        // easeOutBounce: 7.5625 t².
        for share in [0.05, 0.1, 0.3] {
            #expect(abs(value(pieces, at: share) - 7.5625 * share * share) < 1e-9)
        }
    }

    @Test("curves at the ends of their ranges are few pieces of finite values, without gaps")
    func extremes() {
        func cubic(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) -> TimingFunction {
            .easing(.cubic(CubicBezier(x1: x1, y1: y1, x2: x2, y2: y2)))
        }
        func stops(_ percent: (Int) -> Double?) -> TimingFunction {
            .stops(
                (0..<64).map {
                    let value = $0.isMultiple(of: 2) ? 10.0 : -10
                    return TimingFunction.Stop(value: value, percent: percent($0))
                })
        }
        let functions = [
            cubic(0, 10, 1, -10), cubic(1, -10, 0, 10), cubic(1, 1, 0, 0), cubic(0, 0, 0, 0),
            cubic(1, 1, 1, 1), cubic(1, 0, 0, 1), cubic(0, 10, 0, 10), cubic(1e-300, 0, 1, 1),
            .steps(1), .steps(100), .spring(bounce: -0.9), .spring(bounce: 0.9),
            stops { _ in nil }, stops { _ in 0 }, stops { _ in 100 }, stops { _ in 50 },
            stops { $0.isMultiple(of: 2) ? 0 : 100 }, stops { Double(63 - $0) },
            stops { $0 == 0 ? 100 : nil }, stops { $0 == 63 ? 0 : nil },
            stops { $0.isMultiple(of: 2) ? 99.999_999_999 : 100 },
        ]
        for function in functions {
            for pieces in [function.pieces, function.clampedPieces] {
                checkGaps(pieces)
                #expect(pieces.count <= 256, "\(function)")
                for share in 0...1000 {
                    let value = value(pieces, at: Double(share) / 1001)
                    #expect(value.isFinite, "\(function) at \(share)")
                }
            }
        }
    }

    @Test("clamped pieces stay within 0 and 1 and equal the curve there")
    func clamping() {
        let functions: [TimingFunction] = [
            .backOut, .spring(bounce: 0.6), .bounce, .linear,
            .easing(.cubic(CubicBezier(x1: 0.5, y1: -2, x2: 0.9, y2: 3))),
            .stops([
                TimingFunction.Stop(value: -1, percent: nil),
                TimingFunction.Stop(value: 2, percent: nil),
            ]),
        ]
        for function in functions {
            let (pieces, clamped) = (function.pieces, function.clampedPieces)
            checkGaps(clamped)
            for sample in 0..<500 {
                let share = Double(sample) / 500
                let wanted = min(max(value(pieces, at: share), 0), 1)
                #expect(abs(value(clamped, at: share) - wanted) < 0.002, "\(function) at \(share)")
            }
        }
    }
}
