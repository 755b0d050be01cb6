import Testing

@testable import Motion

@Suite struct PhaseTests {
    /// Returns the value of a track between its keyframes, and its last value after them.
    private func value(_ track: [Keyframe<Double, Double>], at time: Double) -> Double {
        guard let next = track.firstIndex(where: { $0.time > time }) else {
            return track.last?.value ?? .nan
        }
        guard next > 0 else { return track[0].value }
        let (from, to) = (track[next - 1], track[next])
        if from.easing == .hold { return from.value }
        let progress = (time - from.time) / (to.time - from.time)
        return from.value + (to.value - from.value) * from.easing.value(at: progress)
    }

    /// Tracks of one to five keyframes, any of which may hold.
    private static func track(_ draw: Int) -> [Keyframe<Double, Double>] {
        let randomness = Randomness(seed: UInt64(draw))
        let easings: [Easing] = [.hold, .linear, .hold, .easeIn]
        var time = draw.isMultiple(of: 3) ? 0 : 0.25
        return (0...Int(5 * randomness.unit(stream: 0, item: 0))).map { item in
            defer { time += 0.125 + randomness.unit(stream: 1, item: item) }
            return Keyframe(
                time, value: (4 * randomness.unit(stream: 2, item: item)).rounded(),
                easing: easings[Int(4 * randomness.unit(stream: 3, item: item))])
        }
    }

    @Test("a phase run backwards shows at each time what it showed as long before its end")
    func mirrored() throws {
        for draw in 0..<2000 {
            let track = Self.track(draw)
            let duration = (track.last?.time ?? 0) + (draw.isMultiple(of: 2) ? 0.5 : 0)
            let phase = Phase(
                tracks: [PhaseTracks(opacity: track)], assignment: [0], duration: duration)
            let mirrored = try #require(phase.mirrored.tracks.first).opacity
            for step in 0..<200 {
                let time = duration * (Double(step) + 0.5) / 200
                let isJump = track.contains { abs($0.time - (duration - time)) < 1e-9 }
                guard !isJump else { continue }
                let expected = value(track, at: duration - time)
                #expect(
                    abs(value(mirrored, at: time) - expected) < 1e-6,
                    "\(draw) at \(time) of \(duration): \(track) \(mirrored)")
            }
            #expect(zip(mirrored, mirrored.dropFirst()).allSatisfy { $0.time <= $1.time })
            #expect(mirrored.allSatisfy { (0...duration).contains($0.time) })
        }
    }

    @Test("a jump run backwards is one jump")
    func jump() throws {
        let phase = Phase(
            tracks: [.appearing(at: 0.3)], assignment: [0], duration: 1)
        #expect(
            phase.mirrored.tracks[0].opacity
                == [Keyframe(0, value: 1, easing: .hold), Keyframe(0.7, value: 0)])
    }
}
