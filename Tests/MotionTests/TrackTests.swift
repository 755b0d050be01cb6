import Motion
import Testing

@Suite struct TrackTests {
    private let track = Track(
        keyframes: (0..<40).map { number in
            Keyframe(
                Instant(ticks: 10 + number * number), value: Double(number % 7),
                easing: number % 5 == 0 ? .hold : .linear)
        })

    @Test("the keyframe after an instant is the first that is later")
    func next() {
        for ticks in -1...1700 {
            let first = track.keyframes.firstIndex { $0.time.ticks > ticks }
            #expect(track.index(after: Instant(ticks: ticks)) == first ?? track.keyframes.count)
        }
        #expect(Track<Double>(keyframes: []).index(after: .zero) == 0)
    }

    @Test(
        "a value is that of its keyframe, or between those of two, and stays before and after all")
    func values() {
        for keyframe in track.keyframes {
            #expect(track.value(at: keyframe.time) == keyframe.value)
        }
        #expect(track.value(at: .zero) == 0)
        #expect(track.value(at: Instant(ticks: 1_000_000)) == track.keyframes[39].value)
        // From 2 at 14 to 3 at 19.
        #expect(track.value(at: Instant(ticks: 16)) == 2.4)
        // What is held from 26 to 35 jumps then.
        #expect(track.value(at: Instant(ticks: 45)) == 5)
        #expect(track.value(at: Instant(ticks: 46)) == 6)
    }

    @Test("a motion changes the picture where it moves while the glyph shows")
    func changes() {
        func keyframes(_ pairs: [(Int, Double)], _ easing: Easing) -> [Keyframe<Instant, Double>] {
            pairs.map { Keyframe(Instant(ticks: $0.0), value: $0.1, easing: easing) }
        }
        let shown = (0..<20).map { (100 * $0, $0.isMultiple(of: 2) ? 0.0 : 1.0) }
        var tracks = GlyphTracks(opacity: Track(keyframes: keyframes(shown, .hold)))
        let steps = (0..<100).map { (37 * $0, Double($0)) }
        tracks[.offsetX] = Track(keyframes: keyframes(steps, .linear))
        let seen = Set(tracks.changes.joined())
        // Each jump of the opacity, and the motion where the glyph shows: 100…200, 300…400, …, and from 1900
        // on.
        var expected = Set<Int>()
        for jump in 1..<20 { expected.insert(100 * jump) }
        for span in 0..<9 {
            for tick in 100 + 200 * span...200 + 200 * span { expected.insert(tick) }
        }
        for tick in 1900...3663 { expected.insert(tick) }
        #expect(seen == expected)
    }
}
