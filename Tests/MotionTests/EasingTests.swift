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
}

extension Easing {
    fileprivate var isStraight: Bool { self == .linear || self == .hold }
}
