package import Motion

/// The scene itself: each glyph's rectangle and timelines, as API.md describes them.
package struct JSONFormat: OutputFormat {
    package static let name = "json"
    package static let title = "JSON"
    package static let mediaType = "application/json"
    package static let fileExtension = "json"
    package static let isText = true
    package static let isNegotiable = true
    package static let isAnimated = true
    package static let hasDarkColors = false

    package init(_ parameters: inout ParameterReader) {}

    package func encode(
        _ scene: Scene, _ context: EncodingContext
    ) -> [UInt8] {
        var writer = SceneWriter(scene)
        writer.write()
        return writer.bytes()
    }
}
