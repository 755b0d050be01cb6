package import Encoders
package import Motion

/// A format that only tests know: the scene's texts, one a line.
package struct TextFormat: OutputFormat {
    package static let name = "text"
    package static let title = "Text"
    package static let mediaType = "text/plain; charset=utf-8"
    package static let fileExtension = "txt"
    package static let isText = true
    package static let isNegotiable = true
    package static let isAnimated = false
    package static let hasDarkColors = false

    private let indent: Int

    package init(_ parameters: inout ParameterReader) {
        indent = parameters.integer(
            "indent", default: 0, in: 0...8, "Spaces before each line.")
    }

    package func price(of scene: Scene, _ context: EncodingContext) -> Price {
        let letters = scene.blocks.reduce(0) { $0 + $1.layout.text.utf8.count }
        return Price(bytes: Double((indent + 2) * letters), work: 0)
    }

    package func encode(_ scene: Scene, _ context: EncodingContext) -> [UInt8] {
        let margin = String(repeating: " ", count: indent)
        let lines = scene.blocks.flatMap { $0.layout.text.split(separator: "\n") }
        return Array(lines.map { "\(margin)\($0)\n" }.joined().utf8)
    }
}
