package import Motion

/// One still frame.
package struct PNGFormat: OutputFormat {
    package static let name = "png"
    package static let title = "PNG"
    package static let mediaType = "image/png"
    package static let fileExtension = "png"
    package static let isText = false
    package static let isNegotiable = true
    package static let isAnimated = false
    package static let hasDarkColors = false

    private let scale: Double
    private let moment: Moment

    package init(_ parameters: inout ParameterReader) {
        scale = parameters.scale()
        let seconds = parameters.number(
            "time", in: 0...120, unit: .seconds, or: "end",
            "The instant in seconds, or end for the finished text.")
        moment = seconds.map { .instant(Instant(seconds: $0)) } ?? .finished
    }

    package func encode(
        _ scene: Scene, _ context: EncodingContext
    ) throws(EncodingError) -> [UInt8] {
        let background = scene.appearance.background
        guard let color = scene.inkColor else {
            let canvas: Canvas<ColorPixel> = try painted(scene, context)
            return PNGFile.bytes(
                of: canvas, as: TrueColorPixels(over: background), try Self.deflater(context))
        }
        let canvas: Canvas<CoveragePixel> = try painted(scene, context)
        var used = [Bool](repeating: false, count: 256)
        for pixel in canvas.pixels { used[Int(pixel.byte)] = true }
        let pixels = PalettePixels(color, over: background, used: used, needsHole: false)
        return PNGFile.bytes(of: canvas, as: pixels, try Self.deflater(context))
    }

    private func painted<Pixel: RasterPixel>(
        _ scene: Scene, _ context: EncodingContext
    ) throws(EncodingError) -> Canvas<Pixel> {
        var painter = FramePainter<Pixel>(scene, scale: scale)
        try EncodingError.catching { () throws(LibraryFault) in
            _ = try painter.paint(moment, context.painter)
        }
        return painter.canvas
    }

    private static func deflater(_ context: EncodingContext) throws(EncodingError) -> Deflater {
        try EncodingError.catching(context.pictures)
    }
}
