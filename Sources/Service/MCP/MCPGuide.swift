import Rendering

/// The guide for assistants as a resource.
enum MCPGuide {
    static let address = "titlecard://guide"
    private static let mediaType: JSONNode = "text/markdown"

    /// The resource as `resources/list` has it.
    static let definition: JSONNode = [
        "uri": .string(address), "name": "guide", "title": "How to ask for animated text",
        "description": "Two pages: the few parameters that most wishes need, examples, all names.",
        "mimeType": mediaType,
    ]

    /// Returns the resource as `resources/read` has it.
    static func contents(_ guide: AssistantGuide) -> JSONNode {
        ["uri": .string(address), "mimeType": mediaType, "text": .string(guide.text)]
    }
}
