package import Motion

/// What a request says of the file rather than of the scene.
package struct OutputOptions: Equatable, Sendable {
    /// What a viewer shows that never plays.
    package enum Poster: String, CaseIterable, Sendable {
        case start, end
    }

    /// Pixels in one CSS pixel.
    package var scale = 1.0
    /// What a still picture shows.
    package var moment = Moment.finished
    /// Frames a second while something moves.
    package var fps = 25.0
    /// Levels of each colour ramp of a GIF.
    package var levels = 32
    /// What a GIF's partly transparent pixels are blended with.
    package var matte = Color(red: 255, green: 255, blue: 255)
    package var poster = Poster.start
    /// The most frames that a GIF or APNG may have.
    package var frameLimit = 3000

    package init() {}
}

extension OutputOptions {
    /// The frames of a scene, beginning with an instant of the cycle.
    ///
    /// - Throws: When there are too many.
    func frameTimes(
        of scene: Scene, from origin: Instant = .zero
    ) throws(EncodingError) -> FrameTimes {
        let times = FrameTimes(of: scene, fps: fps, from: origin)
        guard times.steps <= frameLimit else {
            throw .tooManyFrames(count: times.steps, limit: frameLimit)
        }
        return times
    }
}

extension Scene {
    /// When the finished text's hold begins.
    var finishedInstant: Instant {
        blocks.map(\.entrance.upperBound).max() ?? .zero
    }
}
