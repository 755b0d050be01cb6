import Motion

/// The frames of a file. An instant between two frames has a fraction.
struct LottieTimeline {
    let framesPerSecond: Int
    /// The number of frames in which a second of the scene plays: fewer where the file plays
    /// faster.
    let framesOfSecond: Double
    /// The end of the animation in frames.
    let end: Double

    init(_ scene: Scene, _ profile: LottieProfile) {
        framesPerSecond = profile.framesPerSecond
        let rate = Double(framesPerSecond)
        let (seconds, most) = (scene.duration.seconds, profile.mostSeconds)
        framesOfSecond = seconds > most ? rate * most / seconds : rate
        let exact = Self.frame(of: scene.duration.ticks, framesOfSecond)
        let frames = max((exact - 1e-6).rounded(.up), 1)
        if profile.endsWithWholeFrame {
            end = frames
            return
        }
        if scene.loop == .infinite {
            end = max(exact, 1)
            return
        }
        // A player stops at the last frame, which begins before the end.
        let changesLate = scene.tracks.contains {
            Double($0.end.ticks) > (frames - 1) * Instant.perSecond / rate
        }
        end = changesLate ? frames + 1 : frames
    }

    /// Returns the frame of an instant, or a number of frames.
    func frame(of ticks: Int) -> Double { Self.frame(of: ticks, framesOfSecond) }

    private static func frame(of ticks: Int, _ framesOfSecond: Double) -> Double {
        Double(ticks) * framesOfSecond / Instant.perSecond
    }

    /// The frame at which layers end, after the animation: a caller can ask rlottie for the frame
    /// at the end too.
    var lastFrame: Int { Int((end - 1e-6).rounded(.up)) + 1 }

    /// Returns the frame at which a glyph appears, if its opacity changes in no other way.
    ///
    /// No frame can make a glyph disappear so: rlottie still draws a layer at its end.
    ///
    /// - Returns: Nil where the opacity changes otherwise, or between two frames.
    func firstFrame(_ opacity: Track<Double>) -> Int? {
        let keyframes = opacity.keyframes
        guard keyframes.last?.value == 1 else { return nil }
        switch keyframes.count {
        case 1: return 0
        case 2 where keyframes[0].value == 0 && keyframes[0].easing == .hold:
            let frame = frame(of: keyframes[1].time.ticks)
            return frame == frame.rounded() ? Int(frame) : nil
        default: return nil
        }
    }
}

extension GlyphTracks {
    /// The last instant at which something changes.
    fileprivate var end: Instant {
        var end = Instant.zero
        for property in Property.allCases {
            if let last = self[property]?.keyframes.last { end = max(end, last.time) }
        }
        if let last = fill?.keyframes.last { end = max(end, last.time) }
        return end
    }
}
