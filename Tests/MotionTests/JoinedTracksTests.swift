import Testing

@testable import Motion

@Suite struct JoinedTracksTests {
    private func track(_ points: (Int, Double, Easing)...) -> Track<Double> {
        Track(
            keyframes: points.map { ticks, value, easing in
                Keyframe(Instant(ticks: ticks), value: value, easing: easing)
            })
    }

    private static let tracks: [Track<Double>] = {
        func track(_ points: (Int, Double, Easing)...) -> Track<Double> {
            Track(
                keyframes: points.map { ticks, value, easing in
                    Keyframe(Instant(ticks: ticks), value: value, easing: easing)
                })
        }
        return [
            track((0, 0, .easeInOut), (5000, 1, .linear)),
            track((1000, 0.3, .linear), (4000, 1, .linear), (9000, 0, .linear)),
            track((0, 0, .hold), (2500, 1, .hold), (7000, 0.5, .linear)),
            track((2000, 1, .ease), (2001, 0, .easeIn), (8000, 0.8, .linear)),
            track((3000, 0.25, .linear)),
        ]
    }()

    @Test("a product is right at every instant, also where one factor jumps as another moves")
    func product() {
        for first in Self.tracks {
            for second in Self.tracks {
                let product = Track(
                    keyframes: JoinedTracks.product([first.keyframes, second.keyframes]))
                let instants = product.keyframes.map(\.time)
                #expect(zip(instants, instants.dropFirst()).allSatisfy { $0 < $1 })
                for ticks in stride(from: 0, through: 9500, by: 50) {
                    let instant = Instant(ticks: ticks)
                    let want = first.value(at: instant) * second.value(at: instant)
                    #expect(abs(product.value(at: instant) - want) < 0.004, "at \(ticks)")
                }
            }
        }
    }

    @Test("one factor that moves keeps its keyframes")
    func easings() {
        let moving = track((100, 0, .easeInOut), (5000, 0.5, .ease), (7000, 1, .linear))
        #expect(JoinedTracks.product([moving.keyframes, []]) == moving.keyframes)
        let half = track((0, 0.5, .linear))
        let product = JoinedTracks.product([moving.keyframes, half.keyframes])
        #expect(product.map(\.easing) == moving.keyframes.map(\.easing))
        #expect(product.map(\.value) == [0, 0.25, 0.5])
        let later = track((7000, 1, .easeIn), (9000, 0, .linear))
        let joined = JoinedTracks.product([moving.keyframes, later.keyframes])
        #expect(joined.map(\.easing) == [.easeInOut, .ease, .easeIn, .linear])
        #expect(JoinedTracks.product([]).map(\.value) == [1])
    }

    @Test("keyframes are few: at most 32 for two")
    func count() {
        let wild = CubicBezier(x1: 0, y1: 10, x2: 1, y2: -10)
        let first = track((0, 0, .cubic(wild)), (100_000, 1, .linear))
        let second = track((0, 1, .cubic(wild)), (90_000, 0, .linear))
        #expect(JoinedTracks.product([first.keyframes, second.keyframes]).count <= 66)
        let short = track((0, 0, .cubic(wild)), (9, 1, .linear))
        #expect(JoinedTracks.product([short.keyframes, second.keyframes]).count <= 45)
    }

    @Test("a share that is scaled is cut to 0…1 where it arrives there")
    func scaled() {
        for easing in [Easing.linear, .easeInOut, .backOut] {
            let original = track((0, 0, easing), (10_000, 1, .linear))
            let cut = Track(
                keyframes: ShareTrack.keyframes(of: original.keyframes, scale: 2.5))
            for ticks in stride(from: 0, through: 10_000, by: 37) {
                let instant = Instant(ticks: ticks)
                let want = min(max(2.5 * original.value(at: instant), 0), 1)
                #expect(abs(cut.value(at: instant) - want) < 0.01, "at \(ticks)")
                #expect((-1e-4...1.0001).contains(cut.value(at: instant)))
            }
        }
        #expect(
            ShareTrack.keyframes(of: track((0, 1.2, .hold), (5, -0.1, .linear)).keyframes)
                .map(\.value) == [1, 0])
    }
}
