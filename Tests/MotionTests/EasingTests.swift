import Motion
import Testing

@Suite struct EasingTests {
    @Test("curves pass through the points that CSS gives them")
    func knownPoints() {
        #expect(abs(Easing.ease.value(at: 0.5) - 0.8024) < 1e-4)
        #expect(abs(Easing.easeInOut.value(at: 0.5) - 0.5) < 1e-9)
        #expect(abs(Easing.easeIn.value(at: 0.25) - 0.0935) < 1e-4)
        #expect(Easing.backOut.value(at: 0.6) > 1)
    }

    @Test("every curve begins at 0 and ends at 1")
    func ends() {
        for (_, easing) in Easing.named {
            #expect(easing.value(at: 0) == 0)
            #expect(easing.value(at: 1) == 1)
        }
    }

    @Test(
        "parts of a way stay within 0…1 and are the way there",
        arguments: [.linear, .hold, .easeInOut, .backOut] as [Easing])
    func clampedParts(easing: Easing) {
        for (from, to) in [(0.0, 1.0), (-0.5, 1.25), (1.5, 0.5), (-1, -0.5), (0.2, 1.1)] {
            let parts = easing.clampedParts(from: from, to: to)
            #expect(parts.first?.start == 0 && parts.last?.end == 1)
            for progress in stride(from: 0.005, to: 1, by: 0.01) {
                let part = parts.last { $0.start <= progress } ?? parts[0]
                let share = part.easing.value(
                    at: (progress - part.start) / (part.end - part.start))
                let value = part.from + (part.to - part.from) * share
                let want = from + (to - from) * easing.value(at: progress)
                #expect(abs(value - min(max(want, 0), 1)) < 1e-3, "\(from)…\(to) at \(progress)")
            }
            if easing == .linear { #expect(parts.allSatisfy { $0.easing.isStraight }) }
        }
    }

    @Test("a reversed curve is the same way run backwards")
    func reversal() {
        for (_, easing) in Easing.named {
            for progress in stride(from: 0.1, to: 1, by: 0.2) {
                let back = 1 - easing.reversed.value(at: 1 - progress)
                #expect(abs(easing.value(at: progress) - back) < 1e-6)
            }
        }
    }

    /// The value by bisection alone, as earlier releases had it.
    private func bisected(_ curve: CubicBezier, at x: Double) -> Double {
        func polynomial(_ first: Double, _ second: Double, _ s: Double) -> Double {
            let u = 1 - s
            return 3 * s * u * u * first + 3 * s * s * u * second + s * s * s
        }
        var (low, high) = (0.0, 1.0)
        for _ in 0..<48 {
            let middle = (low + high) / 2
            if polynomial(curve.x1, curve.x2, middle) < x { low = middle } else { high = middle }
        }
        return polynomial(curve.y1, curve.y2, (low + high) / 2)
    }

    @Test("values have the bits that they always had")
    func bits() {
        for x1 in [0, 0.1, 0.25, 1.0 / 3, 0.42, 0.9, 1] {
            for x2 in [0, 0.1, 0.58, 2.0 / 3, 0.9, 1] {
                let curve = CubicBezier(x1: x1, y1: -2, x2: x2, y2: 1.56)
                for sample in 1..<200 {
                    let x = Double(sample) / 200
                    #expect(curve.value(at: x) == bisected(curve, at: x), "\(curve) at \(x)")
                }
            }
        }
    }
}

extension Easing {
    fileprivate var isStraight: Bool { self == .linear || self == .hold }
}
