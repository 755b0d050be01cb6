package import Motion

/// One still frame.
package enum PNGFormat: OutputFormat {
    package static let name = "png"
    package static let mediaType = "image/png"
    package static let fileExtension = "png"
    package static let isText = false
    package static let isNegotiable = true

    package static func encode(
        _ scene: Scene, _ options: OutputOptions, _ workshop: Workshop
    ) throws(EncodingError) -> [UInt8] {
        let background = scene.appearance.background
        guard let color = scene.inkColor else {
            let canvas: Canvas<ColorPixel> = try painted(scene, options, workshop)
            return PNGFile.bytes(
                of: canvas, as: TrueColorPixels(over: background), try deflater(workshop))
        }
        let canvas: Canvas<CoveragePixel> = try painted(scene, options, workshop)
        var used = [Bool](repeating: false, count: 256)
        for pixel in canvas.pixels { used[Int(pixel.byte)] = true }
        let pixels = PalettePixels(color, over: background, used: used, needsHole: false)
        return PNGFile.bytes(of: canvas, as: pixels, try deflater(workshop))
    }

    private static func painted<Pixel: RasterPixel>(
        _ scene: Scene, _ options: OutputOptions, _ workshop: Workshop
    ) throws(EncodingError) -> Canvas<Pixel> {
        var painter = FramePainter<Pixel>(scene, scale: options.scale)
        _ = try painter.paint(options.moment, workshop)
        try workshop.checkDeadline()
        return painter.canvas
    }

    private static func deflater(_ workshop: Workshop) throws(EncodingError) -> Deflater {
        try EncodingError.catching(workshop.pictures)
    }
}
