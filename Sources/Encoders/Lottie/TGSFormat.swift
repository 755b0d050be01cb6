package import Motion

/// An animated sticker of Telegram: a Lottie animation of 512 by 512 pixels and 60 frames a second,
/// up to three seconds, compressed, with few of Lottie's features (core.telegram.org/stickers).
///
/// A scene of another size is shown as large as fits, in the middle; a longer one plays faster.
package struct TGSFormat: OutputFormat {
    package static let name = "tgs"
    package static let title = "TGS"
    package static let mediaType = "application/x-tgsticker"
    package static let fileExtension = "tgs"

    private static let mostSeconds = 3.0
    private static let profile = LottieProfile(
        features: [], blendsGlyphs: false, framesPerSecond: 60, mostSeconds: mostSeconds,
        side: 512, endsWithWholeFrame: true, mark: "\"tgs\":1,")
    /// Bytes, compressed.
    private static let mostBytes = 65_536

    private let lottie: LottieFormat

    package init(_ parameters: inout ParameterReader) {
        lottie = LottieFormat(.first)
    }

    package func unsupported(in scene: Scene) -> [Warning] {
        let messages = [
            scene.hasJoins
                ? "Telegram stickers do not blend letters as one; translucent ones are darker where "
                    + "they join" : nil,
            scene.duration.seconds > Self.mostSeconds
                ? "Telegram stickers last three seconds at most; it plays faster" : nil,
        ]
        return lottie.unsupported(in: scene)
            + messages.compactMap { $0 }.map {
                Warning(code: .unsupported, message: $0, block: nil)
            }
    }

    package func price(of scene: Scene, _ context: EncodingContext) throws(EncodingError) -> Price {
        try lottie.price(of: scene, context)
    }

    package func encode(
        _ scene: Scene, _ context: EncodingContext
    ) throws(EncodingError) -> [UInt8] {
        let document = try LottieDocument(scene, for: Self.profile, context)
        if scene.backdropPicture != nil {
            throw .notInFormat(
                parameter: "backdrop", message: "is a picture, which Telegram stickers cannot have")
        }
        if let (parameter, things) = document.missingFeatures.first.map(Self.cause) {
            throw .notInFormat(
                parameter: parameter,
                message: "needs \(things), which Telegram stickers cannot have")
        }
        let bytes = try context.deflater(of: Self.self, .gzip).deflated(document.bytes(context))
        guard bytes.count <= Self.mostBytes else {
            throw .tooManyBytes(
                count: Double(bytes.count), limit: Double(Self.mostBytes), parameter: "text")
        }
        return bytes
    }

    /// Returns the words for a feature, and the parameter that asks for it.
    private static func cause(
        of feature: LottieFeature
    ) -> (parameter: String, things: String) {
        switch feature {
        case .masks: ("effect", "masks")
        case .pictures: ("text", "pictures")
        case .mattes: ("color", "mattes")
        case .gradientLines: ("color", "lines with gradients")
        }
    }
}
