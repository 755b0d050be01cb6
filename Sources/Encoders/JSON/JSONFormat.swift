package import Motion

/// The scene itself: each glyph's rectangle and timelines, as API.md describes them.
package enum JSONFormat: OutputFormat {
    package static let name = "json"
    package static let mediaType = "application/json"
    package static let fileExtension = "json"
    package static let isText = true
    package static let isNegotiable = true

    package static func encode(
        _ scene: Scene, _ options: OutputOptions, _ workshop: Workshop
    ) throws(EncodingError) -> [UInt8] {
        var writer = SceneWriter(scene)
        try writer.write(workshop)
        return writer.bytes()
    }
}
