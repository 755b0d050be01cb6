import Testing

@testable import Motion

@Suite struct ShareTrackTests {
    private func track(_ values: [Double], _ easing: Easing, length: Int = 10_000) -> Track<Double>
    {
        Track(
            keyframes: values.enumerated().map { index, value in
                Keyframe(Instant(ticks: index * length), value: value, easing: easing)
            })
    }

    @Test(
        "an opacity is the same, cut to 0…1, and so is the way between its keyframes",
        arguments: [
            (0.34, 1.56, 0.64, 1), (0.5, -2, 0.9, 3), (0, -10, 1, 10), (0.2, 10, 0.8, -10),
            (0.9, 1.2, 0.1, 0.9), (0.3, 2, 0.3, 2), (0.42, 0, 0.58, 1),
        ] as [(Double, Double, Double, Double)])
    func cut(x1: Double, y1: Double, x2: Double, y2: Double) {
        let curve = Easing.cubic(CubicBezier(x1: x1, y1: y1, x2: x2, y2: y2))
        for values in [[0, 1], [1, 0], [0.2, 0.7, 0.1], [0, 1, 1, 0]] {
            let original = track(values, curve)
            let cut = Track(keyframes: ShareTrack.keyframes(of: original.keyframes))
            for ticks in stride(from: 0, through: 10_000 * (values.count - 1), by: 37) {
                let instant = Instant(ticks: ticks)
                let (have, want) = (cut.value(at: instant), original.value(at: instant))
                #expect(have > -1e-4 && have < 1.0001)
                #expect(abs(have - min(max(want, 0), 1)) < 0.01, "\(values) at \(ticks)")
            }
        }
    }

    @Test("keyframes keep their order however short the way", arguments: [1, 2, 3, 10, 50])
    func short(length: Int) {
        let curve = Easing.cubic(CubicBezier(x1: 0, y1: -10, x2: 1, y2: 10))
        let original = track([0, 1, 0], curve, length: length)
        let cut = ShareTrack.keyframes(of: original.keyframes)
        #expect(zip(cut, cut.dropFirst()).allSatisfy { $0.time < $1.time })
        #expect(cut.first?.time == .zero && cut.last == original.keyframes.last)
        #expect(cut.allSatisfy { (0...1).contains($0.value) })
    }

    @Test("what stays within 0…1 is left alone")
    func untouched() {
        let original = track([0, 1, 0.5], .easeInOut)
        #expect(ShareTrack.keyframes(of: original.keyframes) == original.keyframes)
    }
}
