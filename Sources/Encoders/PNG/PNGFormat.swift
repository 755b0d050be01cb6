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
    ) throws(PaintingError) -> [UInt8] {
        PNGFile.bytes(
            of: try workshop.painter.paint(scene, at: options.moment, scale: options.scale))
    }
}
