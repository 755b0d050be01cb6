package import Motion

/// A Lottie animation (specification 1.0) of one cycle; playing it again is the player's business.
///
/// Its text is outlines, which need no fonts, in layers that move.
package struct LottieFormat: OutputFormat {
    package static let name = "lottie"
    package static let title = "Lottie"
    package static let mediaType = "video/lottie+json"
    package static let fileExtension = "lot"
    package static let isText = true
    package static let isNegotiable = true
    package static let isAnimated = true
    package static let hasDarkColors = false

    package init(_ parameters: inout ParameterReader) {}

    package func encode(
        _ scene: Scene, _ context: EncodingContext
    ) throws(EncodingError) -> [UInt8] {
        let document = LottieDocument(scene)
        return try EncodingError.catching { () throws(LibraryFault) in
            try document.bytes(context)
        }
    }
}
