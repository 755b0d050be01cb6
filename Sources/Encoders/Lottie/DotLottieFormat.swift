import Bytes
package import Motion

/// A dotLottie file (version 2): a ZIP archive of Lottie animations with a manifest.
///
/// The animations are `light`, and `dark` where the dark-mode colours differ. Themes replace single
/// values, so they could not express how colours change while a glyph moves.
package struct DotLottieFormat: OutputFormat {
    package static let name = "dotlottie"
    package static let title = "dotLottie"
    package static let mediaType = "application/zip+dotlottie"
    package static let fileExtension = "lottie"

    private let lottie: LottieFormat

    package init(_ parameters: inout ParameterReader) {
        lottie = LottieFormat(&parameters)
    }

    package func unsupported(in scene: Scene) -> [Warning] { lottie.unsupported(in: scene) }

    package func price(of scene: Scene, _ context: EncodingContext) throws(EncodingError) -> Price {
        // Each animation is text before it is compressed.
        let one = try lottie.price(of: scene, context)
        return scene.hasDarkColors ? Price(bytes: 2 * one.bytes, work: 2 * one.work) : one
    }

    package func encode(
        _ scene: Scene, _ context: EncodingContext
    ) throws(EncodingError) -> [UInt8] {
        let hasDark = scene.hasDarkColors
        let deflater = try context.deflater(of: Self.self, .gzip)
        var archive = ZipArchive()
        var bytes: [UInt8] = []
        func add(_ name: String, _ content: [UInt8]) {
            let file = ZipArchive.File(name, .gzip(deflater.deflated(content)))
            archive.add(file)
            bytes += file.bytes
        }
        add("manifest.json", manifest(of: scene, hasDark: hasDark))
        let profile = LottieProfile.animation(lottie.version)
        func document(_ colors: LottieColors) throws(EncodingError) -> [UInt8] {
            try LottieDocument(scene, in: colors, for: profile, context).bytes(context)
        }
        add("a/light.json", try document(.light))
        if hasDark { add("a/dark.json", try document(.dark)) }
        return bytes + archive.end()
    }

    private func manifest(of scene: Scene, hasDark: Bool) -> [UInt8] {
        var sink = ByteSink(capacity: 256)
        sink.append("{\"version\":\"2\",\"generator\":\"Titlecard\",")
        sink.append("\"animations\":[{\"id\":\"light\"}")
        if hasDark { sink.append(",{\"id\":\"dark\"}") }
        sink.append("],\"initial\":{\"animation\":\"light\"}}")
        return sink.bytes()
    }
}
