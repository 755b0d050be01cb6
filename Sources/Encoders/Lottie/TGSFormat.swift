package import Motion

/// An animated sticker of Telegram: a Lottie animation of 512 by 512 pixels and 60 frames a second, up to
/// three seconds, compressed, with few of Lottie's features (core.telegram.org/stickers).
///
/// A scene of another size is shown as large as fits, in the middle; one that takes longer plays faster.
package struct TGSFormat: OutputFormat {
    package static let name = "tgs"
    package static let title = "TGS"
    package static let mediaType = "application/x-tgsticker"
    package static let fileExtension = "tgs"

    /// Pixels.
    static let side = 512
    static let longestSeconds = 3.0
    /// Bytes, compressed.
    private static let mostBytes = 65_536

    private let lottie: LottieFormat

    package init(_ parameters: inout ParameterReader) {
        lottie = LottieFormat(&parameters)
    }

    package func unsupported(in scene: Scene) -> [Warning] {
        let warnings = lottie.unsupported(in: scene)
        guard scene.duration.seconds > Self.longestSeconds else { return warnings }
        let message = "stickers of Telegram have three seconds at most; it plays faster"
        return warnings + [Warning(code: .unsupported, message: message, block: nil)]
    }

    package func price(of scene: Scene, _ context: EncodingContext) throws(EncodingError) -> Price {
        try lottie.price(of: scene, context)
    }

    package func encode(
        _ scene: Scene, _ context: EncodingContext
    ) throws(EncodingError) -> [UInt8] {
        let document = try LottieDocument(scene, isSticker: true, context)
        if let (parameter, things) = document.beyondStickers {
            throw .notInFormat(
                parameter: parameter,
                message: "needs \(things), which stickers of Telegram cannot have")
        }
        let bytes = try context.deflater(of: Self.self, .gzip).deflated(document.bytes(context))
        guard bytes.count <= Self.mostBytes else {
            throw .tooManyBytes(
                count: Double(bytes.count), limit: Double(Self.mostBytes), parameter: "text")
        }
        return bytes
    }
}
