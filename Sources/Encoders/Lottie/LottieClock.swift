import Motion

/// Where a file's time begins and ends: frames are hundredths of a second, with a fraction where
/// an instant lies between two.
struct LottieClock {
    static let framesPerSecond = 100
    /// Instants in one frame.
    static let ticksPerFrame = Int(Instant.perSecond) / framesPerSecond

    /// Where the animation ends, in instants' ticks.
    let end: Int

    init(_ scene: Scene) {
        let frame = Self.ticksPerFrame
        guard scene.loop != .infinite else {
            end = max(scene.duration.ticks, frame)
            return
        }
        let frames = max((scene.duration.ticks + frame - 1) / frame, 1)
        // A player that stops shows the last frame for good, and that begins before the end.
        let changesLate = scene.tracks.contains { $0.end.ticks > (frames - 1) * frame }
        end = (changesLate ? frames + 1 : frames) * frame
    }

    /// The frame at which layers end: after the animation, for rlottie can be asked for the frame at
    /// its end too.
    var lastFrame: Int {
        (end + Self.ticksPerFrame - 1) / Self.ticksPerFrame + 1
    }

    /// The frame from which a glyph is there whose opacity says no more than that; nil where it says
    /// more, or something between two frames.
    ///
    /// Not the frame until which: rlottie still draws a layer at its end.
    func birth(_ opacity: Track) -> Int? {
        let keyframes = opacity.keyframes
        guard keyframes.last?.value == 1 else { return nil }
        switch keyframes.count {
        case 1: return 0
        case 2 where keyframes[0].value == 0 && keyframes[0].easing == .hold:
            let (frame, rest) = keyframes[1].instant.ticks.quotientAndRemainder(
                dividingBy: Self.ticksPerFrame)
            return rest == 0 ? frame : nil
        default: return nil
        }
    }
}

extension GlyphTracks {
    /// The last instant at which something changes.
    fileprivate var end: Instant {
        var end = Instant.zero
        for property in Property.allCases {
            if let last = self[property]?.keyframes.last { end = max(end, last.instant) }
        }
        return end
    }
}

extension ByteSink {
    /// Appends an instant's frame.
    mutating func append(frame ticks: Int) {
        append(Double(ticks) / Double(LottieClock.ticksPerFrame), decimals: 2)
    }
}
