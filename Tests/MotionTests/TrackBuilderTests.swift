import Testing

@testable import Motion

/// The *Instants* rule of docs/effects.md.
@Suite struct TrackBuilderTests {
    private func track(_ keyframes: [(Double, Double, Easing)]) -> [Keyframe<Instant, Double>] {
        var builder = TrackBuilder<Double>()
        for (seconds, value, easing) in keyframes {
            builder.add(seconds, value: value, easing: easing)
        }
        return Track(keyframes: builder.finish()).keyframes
    }

    private func keyframe(_ ticks: Int, value: Double, easing: Easing = .linear) -> Keyframe<
        Instant, Double
    > {
        Keyframe(Instant(ticks: ticks), value: value, easing: easing)
    }

    @Test("instants are rounded to a tenth of a millisecond")
    func rounding() {
        #expect(
            track([(0.03333, 0, .easeOut), (0.53336, 1, .linear)])
                == [keyframe(333, value: 0, easing: .easeOut), keyframe(5334, value: 1)])
    }

    @Test("a fade of no length at the start is there at once")
    func nothingToFade() {
        #expect(track([(0, 0, .linear), (0, 1, .linear)]) == [keyframe(0, value: 1)])
    }

    @Test("a fade of no length later is a jump")
    func jump() {
        #expect(
            track([(0.3, 0, .linear), (0.3, 1, .linear)])
                == [keyframe(0, value: 0, easing: .hold), keyframe(3000, value: 1)])
    }

    @Test("a ramp that leads to a jump ends one tick before it")
    func rampBeforeJump() {
        #expect(
            track([(0, 0, .linear), (1, 1, .linear), (1, 0, .hold), (2, 1, .linear)]) == [
                keyframe(0, value: 0), keyframe(9999, value: 1, easing: .hold),
                keyframe(10_000, value: 0, easing: .hold),
                keyframe(20_000, value: 1),
            ])
    }

    @Test("a value that stays until a jump stays until there")
    func restBeforeJump() {
        #expect(
            track([(0, 0, .linear), (1, 1, .easeIn), (2, 1, .hold), (2, 0, .hold)]) == [
                keyframe(0, value: 0), keyframe(10_000, value: 1, easing: .hold),
                keyframe(20_000, value: 0),
            ])
    }

    @Test("keyframes at which nothing changes are left out")
    func simplification() {
        #expect(
            track([(0, 0, .hold), (0.2, 0, .hold), (0.5, 0, .linear), (1, 1, .linear)])
                == [keyframe(5000, value: 0), keyframe(10_000, value: 1)])
        #expect(track([(0.5, 1, .hold), (0.7, 1, .linear)]) == [keyframe(0, value: 1)])
    }

    @Test("a track has its first value before and its last value after its keyframes")
    func evaluation() {
        let track = Track(keyframes: [
            keyframe(1000, value: 2), keyframe(2000, value: 4, easing: .hold),
            keyframe(3000, value: 8),
        ])
        let values = [0, 1000, 1500, 2000, 2999, 3000, 9000].map {
            track.value(at: Instant(ticks: $0))
        }
        #expect(values == [2, 2, 3, 4, 4, 8, 8])
    }
}
