package import Motion

/// Frames of at most 256 colours (GIF89a).
package struct GIFFormat: StreamedFormat {
    package static let name = "gif"
    package static let title = "GIF"
    package static let mediaType = "image/gif"
    package static let fileExtension = "gif"
    package static let isText = false
    package static let isNegotiable = true
    package static let isAnimated = true
    package static let hasDarkColors = false

    private let framesPerSecond: Double
    private let levels: Int
    private let poster: Poster
    private let matte: Color
    private let scale: Double

    package init(_ parameters: inout ParameterReader) {
        framesPerSecond = parameters.framesPerSecond()
        levels = parameters.integer(
            "levels", default: 32, in: 2...255, "Levels of each colour; fewer make it smaller.")
        poster = parameters.poster()
        matte = parameters.color(
            "matte", default: Color(red: 255, green: 255, blue: 255),
            "What partly transparent pixels are blended with.")
        scale = parameters.scale()
    }

    package func begin(
        _ scene: Scene, frameLimit: Int, _ context: EncodingContext
    ) throws(EncodingError) -> StreamedFile {
        var origin = Instant.zero
        if poster == .end, scene.duration > .zero {
            guard scene.loop != .count(1) else { throw .posterWithoutLoop }
            origin = scene.finishedInstant
        }
        let times = try scene.frameTimes(
            framesPerSecond: framesPerSecond, limit: frameLimit, from: origin)
        let background = GIFBackground(scene.appearance.background, matte: matte)
        if let color = scene.inkColor {
            let indexer = RampIndexer(color, over: background, levels: levels)
            return StreamedFile(GIFFile(scene, times, scale: scale, indexer))
        }
        let indexer = try EncodingError.catching { () throws(LibraryFault) in
            try ColorIndexer(scene, over: background, levels: levels, context.painter)
        }
        return StreamedFile(GIFFile(scene, times, scale: scale, indexer))
    }
}
