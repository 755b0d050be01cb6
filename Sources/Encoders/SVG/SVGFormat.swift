package import Motion

/// An animated SVG that needs no script and nothing external.
///
/// Its base state is the finished text, which viewers without animation and people who prefer
/// reduced motion see; what moves is CSS.
package struct SVGFormat: OutputFormat {
    package static let name = "svg"
    package static let title = "SVG"
    package static let mediaType = "image/svg+xml"
    package static let fileExtension = "svg"
    package static let isText = true
    package static let isNegotiable = true
    package static let isAnimated = true
    package static let hasDarkColors = true

    package init(_ parameters: inout ParameterReader) {}

    package func encode(
        _ scene: Scene, _ context: EncodingContext
    ) throws(EncodingError) -> [UInt8] {
        let document = SVGDocument(scene)
        return try EncodingError.catching { () throws(LibraryFault) in
            try document.bytes(context)
        }
    }
}
