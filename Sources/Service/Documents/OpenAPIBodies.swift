import Bytes
import Rendering

/// The bodies of requests in the OpenAPI document.
extension OpenAPIDocument {
    /// The bodies of requests by name: captions are no parameter of a service that takes presets only, and
    /// no text of an element.
    var requestBodies: [(String, JSONNode)] {
        let captions = exampleEffect.isEmpty ? [] : captionContents
        return [("Request", textContents + captions), ("Element", textContents)].map {
            name, contents in
            (
                name,
                [
                    "required": true,
                    "description":
                        "The request. Parameters that are not in it may be in the query, as for GET.",
                    "content": .object(contents),
                ]
            )
        }
    }

    static func reference(toBodyOf name: String) -> JSONNode {
        let body = name.isSame(as: "Element") ? "Element" : "Request"
        return reference(to: body, in: "requestBodies")
    }

    private var textContents: [(String, JSONNode)] {
        [
            (
                "application/json",
                [
                    "schema": .reference("Request"),
                    "example": .object([("text", "Hello")] + exampleEffect),
                ]
            ),
            (
                "application/x-www-form-urlencoded",
                [
                    "schema": .reference("Form"),
                    "example": .object([("text", ["Hello"])] + exampleEffect),
                ]
            ),
            (
                "text/plain",
                ["schema": Self.file("The text to animate."), "example": "Hello"]
            ),
            (
                "application/x-asciicast",
                [
                    "schema": Self.file("A recording of a terminal, version 2 or 3."),
                    "example": .string(Self.exampleRecording),
                ]
            ),
        ]
    }

    private var captionContents: [(String, JSONNode)] {
        zip(RequestDecoder.captionTypes, Self.exampleCaptions).map { type, example in
            (type.text, ["schema": Self.file("Captions."), "example": example])
        }
    }

    /// A file of captions of each type.
    private static let exampleCaptions: [JSONNode] = [
        "WEBVTT\n\n00:00.500 --> 00:02.000\nHello\n",
        "1\n00:00:00,500 --> 00:00:02,000\nHello\n",
        "[Events]\nFormat: Start, End, Text\nDialogue: 0:00:00.50,0:00:02.00,Hello\n",
        "<tt><p begin='0s' end='2s'>Hello</p></tt>",
        [["at": 0, "until": 2, "text": "Hello"]],
    ]

    private static let exampleRecording = """
        {"version": 3, "term": {"cols": 80, "rows": 24}}
        [0.5, "o", "$ echo Hello\\r\\n"]
        [0.1, "o", "Hello\\r\\n"]
        """
}
