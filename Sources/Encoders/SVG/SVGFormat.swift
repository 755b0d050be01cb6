package import Motion

/// An animated SVG that needs no script and nothing external.
///
/// Its base state is the finished text, which viewers without animation and people who prefer
/// reduced motion see; what moves is CSS.
package enum SVGFormat: OutputFormat {
    package static let name = "svg"
    package static let mediaType = "image/svg+xml"
    package static let fileExtension = "svg"
    package static let isText = true
    package static let isNegotiable = true

    package static func encode(
        _ scene: Scene, _ options: OutputOptions, _ workshop: Workshop
    ) throws(EncodingError) -> [UInt8] {
        try SVGDocument(scene, workshop).bytes(workshop)
    }
}
