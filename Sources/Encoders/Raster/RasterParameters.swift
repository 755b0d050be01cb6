package import Motion

/// The frame for viewers that do not play animations.
enum Poster: String, CaseIterable, Sendable {
    case start, end
}

// The parameters that several raster formats read; one name means the same in all of them.
extension ParameterReader {
    /// The parameter `scale`: pixels in one CSS pixel.
    package mutating func scale() -> Double {
        number("scale", default: 1, in: 0.5...4, "Pixels in one CSS pixel.")
    }

    /// The parameter `fps`: frames a second.
    mutating func framesPerSecond() -> Double {
        number("fps", default: 25, in: 1...50, "Frames a second while something moves.")
    }

    /// The parameter `levels`; nil where the format decides.
    mutating func levels() -> Int? {
        integer(
            "levels", in: 2...255, or: "auto",
            "Levels of each colour; fewer make it smaller. auto is 32 or more in a GIF, else all.")
    }

    /// The parameter `poster`.
    mutating func poster() -> Poster {
        choice(
            "poster", default: .start,
            "What a viewer that never plays shows; end is the finished text.")
    }
}

extension Scene {
    /// Chooses the frames of the scene.
    ///
    /// - Parameters:
    ///   - unit: What durations are whole numbers of.
    ///   - framesPerSecond: Frames a second while something moves.
    ///   - limit: The most frames.
    ///   - origin: The instant of the first frame.
    /// - Returns: The frames in order.
    /// - Throws: When there are too many.
    func frameTimes(
        in unit: FrameTimes.Unit, framesPerSecond: Double, limit: Int,
        from origin: Instant = .zero
    ) throws(EncodingError) -> FrameTimes {
        let times = FrameTimes(of: self, in: unit, fps: framesPerSecond, from: origin)
        guard times.steps <= limit else {
            throw .tooManyFrames(count: times.steps, limit: limit)
        }
        return times
    }

    /// Returns the instant that a file begins with whose first frame is its poster.
    ///
    /// - Throws: When it would begin with the finished text and never come round to it again.
    func origin(for poster: Poster) throws(EncodingError) -> Instant {
        guard poster == .end, duration > .zero else { return .zero }
        guard loop != .count(1) else { throw .posterWithoutLoop }
        return finishedInstant
    }

    /// The instant from which the finished text is held.
    private var finishedInstant: Instant {
        blocks.map(\.entrance.upperBound).max() ?? .zero
    }
}
