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
        let messages = [
            scene.hasJoins
                ? "Telegram stickers do not blend letters as one; translucent ones are darker where "
                    + "they join" : nil,
            scene.duration.seconds > Self.longestSeconds
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
        let document = try LottieDocument(scene, isSticker: true, context)
        if let (parameter, things) = document.beyondStickers {
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
}
