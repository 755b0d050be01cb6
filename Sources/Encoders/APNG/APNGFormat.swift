package import Motion

/// Frames with full alpha (PNG third edition).
package enum APNGFormat: StreamedFormat {
    package static let name = "apng"
    /// Not image/apng, which image proxies do not know.
    package static let mediaType = "image/png"
    package static let fileExtension = "apng"
    package static let isText = false
    package static let isNegotiable = false

    package static func begin(
        _ scene: Scene, _ options: OutputOptions
    ) throws(EncodingError) -> any StreamedFile {
        let times = try options.frameTimes(of: scene)
        let background = scene.appearance.background
        guard let color = scene.inkColor else {
            return APNGStream(
                colorful: APNGFile(scene, times, options, TrueColorPixels(over: background)))
        }
        let pixels = PalettePixels(
            color, over: background, used: [Bool](repeating: true, count: 256), needsHole: true)
        return APNGStream(plain: APNGFile(scene, times, options, pixels))
    }
}

/// An APNG of either kind of ink: spelt out, because generic code behind an existential is slow.
private struct APNGStream: StreamedFile {
    var plain: APNGFile<PalettePixels>?
    var colorful: APNGFile<TrueColorPixels>?

    var progress: Double { plain?.progress ?? colorful?.progress ?? 1 }

    mutating func next(_ workshop: Workshop) throws(EncodingError) -> [UInt8]? {
        if plain != nil { return try plain?.next(workshop) }
        return try colorful?.next(workshop)
    }
}
