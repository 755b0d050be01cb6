package import Motion

/// A Lottie animation (specification 1.0) of one cycle; playing it again is the player's business.
///
/// Its text is outlines, which need no fonts, in layers that move.
package enum LottieFormat: OutputFormat {
    package static let name = "lottie"
    package static let mediaType = "video/lottie+json"
    package static let fileExtension = "lot"
    package static let isText = true
    package static let isNegotiable = true

    package static func encode(
        _ scene: Scene, _ options: OutputOptions, _ workshop: Workshop
    ) throws(EncodingError) -> [UInt8] {
        try LottieDocument(scene).bytes(workshop)
    }
}
