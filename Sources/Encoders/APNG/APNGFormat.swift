package import Motion

/// Frames with full alpha (PNG third edition).
package struct APNGFormat: StreamedFormat {
    package static let name = "apng"
    package static let title = "APNG"
    /// Not image/apng, which image proxies do not know.
    package static let mediaType = "image/png"
    package static let fileExtension = "apng"
    package static let isText = false
    package static let isNegotiable = false
    package static let isAnimated = true
    package static let hasDarkColors = false

    private let framesPerSecond: Double
    private let poster: Poster
    private let scale: Double

    package init(_ parameters: inout ParameterReader) {
        framesPerSecond = parameters.framesPerSecond()
        poster = parameters.poster()
        scale = parameters.scale()
    }

    package func begin(
        _ scene: Scene, frameLimit: Int, _ context: EncodingContext
    ) throws(EncodingError) -> StreamedFile {
        let times = try scene.frameTimes(framesPerSecond: framesPerSecond, limit: frameLimit)
        let background = scene.appearance.background
        guard let color = scene.inkColor else {
            let pixels = TrueColorPixels(over: background)
            return StreamedFile(APNGFile(scene, times, poster: poster, scale: scale, pixels))
        }
        let pixels = PalettePixels(
            color, over: background, used: [Bool](repeating: true, count: 256), needsHole: true)
        return StreamedFile(APNGFile(scene, times, poster: poster, scale: scale, pixels))
    }
}
