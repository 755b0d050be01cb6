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
