package import Motion

/// Advanced SubStation Alpha: the texts with their fonts, places, and colours, and as much of their
/// motion as libass shows.
package struct ASSFormat: OutputFormat {
    package static let name = "ass"
    package static let title = "ASS"
    package static let mediaType = "text/x-ass"
    package static let fileExtension = "ass"
    package static let isText = true
    package static let isTimedText = true
    package static let isNegotiable = false

    package init(_ parameters: inout ParameterReader) {}

    package func unsupported(in scene: Scene) -> [Warning] {
        var document = ASSDocument(scene, writesEvents: false)
        document.addAll { _ in }
        return document.missing.messages.map {
            Warning(code: .unsupported, message: $0, block: nil)
        }
    }

    package func price(of scene: Scene, _ context: EncodingContext) throws(EncodingError) -> Price {
        let events = ASSPrice.bytes(of: scene)
        // A byte of tags takes longer than one of other texts.
        return Price(bytes: events, work: 4 * Price(ofText: events).work)
    }

    package func encode(
        _ scene: Scene, _ context: EncodingContext
    ) throws(EncodingError) -> [UInt8] {
        var document = ASSDocument(scene)
        try document.addAll { (count) throws(EncodingError) in
            try context.check(textBytes: count)
        }
        return document.file()
    }
}

/// What files of ASS cannot say of a scene.
struct ASSMissing: OptionSet {
    let rawValue: Int

    static let letters = ASSMissing(rawValue: 1)
    static let blur = ASSMissing(rawValue: 2)
    static let masks = ASSMissing(rawValue: 4)
    static let gradients = ASSMissing(rawValue: 8)
    static let pictures = ASSMissing(rawValue: 16)
    static let nodes = ASSMissing(rawValue: 32)
    static let paths = ASSMissing(rawValue: 64)
    static let axes = ASSMissing(rawValue: 128)
    static let weights = ASSMissing(rawValue: 256)

    var messages: [String] {
        let all: [(ASSMissing, String)] = [
            (
                .letters,
                "ASS does not move the joined letters of a word apart; the word stands still"
            ),
            (
                .blur,
                "ASS has no blur and no skew of letters that move; they are drawn sharp and upright"
            ),
            (.masks, "ASS does not hide parts of joined letters; they show whole"),
            (.gradients, "ASS has no gradients; their first colour is drawn"),
            (.pictures, "ASS has no pictures and no emoji in colour"),
            (
                .nodes,
                "ASS has no cursors, marks, numbers of lines, or letters that stand in for others"
            ),
            (.paths, "ASS has no text along a path; it stands straight"),
            (.axes, "ASS does not know variations and features of fonts"),
            (.weights, "libass draws weights above 550 of variable fonts too bold"),
        ]
        return all.filter { contains($0.0) }.map(\.1)
    }
}
