package import Motion

/// The frame for viewers that do not play animations.
enum Poster: String, CaseIterable, Sendable {
    /// The end of an animation that loops, and the start of one that plays once.
    case auto
    case start, end
    /// The end, for one frame before the start.
    case hold

    /// Returns true if it is the finished text of a scene.
    func isEnd(of scene: borrowing Scene) -> Bool {
        switch self {
        case .auto: scene.loop != .count(1)
        case .start: false
        case .end, .hold: true
        }
    }
}

// The parameters that several raster formats read; a name means the same in all of them.
extension ParameterReader {
    /// The parameter `scale`: pixels in one CSS pixel.
    package mutating func scale() -> Double {
        number("scale", default: 1, in: 0.5...4, "Pixels in one CSS pixel.")
    }

    /// The parameter `fps`: frames a second.
    mutating func framesPerSecond() -> Double {
        rate(
            "fps", default: 25, in: 1...60,
            "Frames a second while something moves, also as a fraction: 30000/1001. GIF, APNG and "
                + "WebP have at most 50.")
    }

    /// The parameter `levels`; nil where the format decides.
    mutating func levels() -> Int? {
        automaticInteger(
            "levels", in: 2...255,
            "Levels of each colour; fewer make it smaller. auto is 32 or more in a GIF, else all.")
    }

    /// The parameter `quality`; nil where the format decides.
    mutating func quality() -> Int? {
        automaticInteger(
            "quality", in: 1...100,
            "Fidelity of pictures; less makes them smaller. 100 is exact in a GIF and a WebP, and "
                + "lossless in a WebM; auto is 100 there, 50 in an AVIF, and 75 in an MP4.")
    }

    /// The parameter `matte`.
    mutating func matte() -> Color? {
        optionalColor(
            "matte",
            "Colour to blend partly transparent pixels with. Without it, a GIF draws them fully or "
                + "not at all, and an MP4 has white, or black behind light text.")
    }

    /// The parameter `maxFrames`; nil where a file may have any number of frames.
    mutating func mostFrames() -> Int? {
        optionalInteger(
            "maxFrames", in: 20...3000,
            "GIF, APNG, WebP: the most frames of a file: fps is lowered until it has no more.")
    }

    /// The parameters `maxBytes` and `keepSize`; nil where a file may have any number of bytes.
    mutating func sizeBudget() -> SizeBudget? {
        let most = optionalInteger(
            "maxBytes", in: 1024...16_777_216,
            "Largest size of the file in bytes: levels, quality, or both, then fps, then scale are "
                + "lowered until it fits.")
        let keepsSize = boolean(
            "keepSize", default: false,
            "With maxBytes: scale stays, so the picture keeps its size in pixels.")
        return most.map { SizeBudget(most: $0, keepsSize: keepsSize) }
    }

    /// The parameter `poster`.
    mutating func poster() -> Poster {
        choice(
            "poster", default: .auto, earlier: .start,
            "Picture in a viewer that never plays: the first frame (start), the finished text "
                + "(end), the same for one frame before the start (hold), or the finished text only "
                + "if it loops and is no video (auto).")
    }
}

extension Scene {
    /// Chooses the frames of the scene.
    ///
    /// - Parameters:
    ///   - unit: The unit of durations.
    ///   - framesPerSecond: Frames a second while something moves.
    ///   - most: The number of frames for which the rate is lowered; nil for any.
    ///   - limit: The most frames.
    ///   - poster: The content of the first frame. Before a cycle that is played once, and always
    ///     with `hold`, the finished text is a frame of the shortest duration that browsers honour;
    ///     other cycles begin with its hold.
    /// - Returns: The frames in order.
    /// - Throws: When there are too many.
    func frameTimes(
        in unit: FrameTimes.Unit, framesPerSecond: Double, most: Int? = nil, limit: Int,
        poster: Poster = .start
    ) throws(EncodingError) -> FrameTimes {
        let isPosed = poster.isEnd(of: self) && duration > .zero
        let isBrief = isPosed && (loop == .count(1) || poster == .hold)
        let origin = isPosed && !isBrief ? finishedInstant : .zero
        var times = FrameTimes(of: self, in: unit, fps: framesPerSecond, from: origin)
        if let most {
            let rest = max(isBrief ? most - 1 : most, 2)
            while times.frames.count > rest {
                let step = max(times.step + 1, times.step * times.frames.count / rest)
                times = FrameTimes(of: self, in: unit, step: step, from: origin)
            }
        }
        if isBrief { times.begin(with: finishedInstant) }
        guard times.steps <= limit else {
            throw .tooManyFrames(count: times.steps, limit: limit)
        }
        return times
    }
}
