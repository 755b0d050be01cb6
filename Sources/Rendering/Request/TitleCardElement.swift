import Bytes
import Encoders
import Motion

/// The markup of a `<title-card>` with its picture in a declarative shadow root, which browsers show
/// before any script has run (docs/component.md, *Drawn by a server*).
package struct TitleCardElement: Sendable {
    /// The request for the picture: as it was sent, with a mark in the place of `currentColor`.
    package private(set) var request: RawRequest
    private let attributes: [(name: String, value: String)]
    private let hasMarkup: Bool
    private var isRecolored = false

    /// The colour that is requested in the place of `currentColor`; the component does the same.
    private static let mark = "#010203"

    /// The parameters that the element decides itself.
    private static let ownNames: [ByteString] = ["format", "boxes"]

    /// - Parameters:
    ///   - request: A request of one or several texts.
    ///   - schema: The parameters of requests.
    /// - Throws: A fault of a value that an element cannot have.
    package init(of request: RawRequest, schema: RequestSchema) throws(RenderingError) {
        self.request = request
        attributes = request.values.keys.sorted().compactMap { name in
            guard !Self.ownNames.contains(name), let value = request.values[name] else {
                return nil
            }
            return (Self.attributeName(name), JSONNode(value).plainText)
        }
        hasMarkup =
            request.values["markup"].map { JSONNode($0).plainText.isSame(as: "true") } ?? false
        var faults = FaultList()
        for name: ByteString in ["blocks", "captions"] where request.values[name] != nil {
            faults.add(name.text, "must not be given for an element; give text")
        }
        if let format = request.values["format"],
            !JSONNode(format).plainText.isSame(as: SVGFormat.name)
        {
            faults.add(
                "format",
                "must be \"\(SVGFormat.name)\" in an element; got \(format.description)")
        }
        if hasMarkup, request.texts.count > 1 {
            faults.add("markup", "takes one text in an element; got \(request.texts.count)")
        }
        try faults.check()
        self.request.values["format"] = .string(SVGFormat.name)
        self.request.values["boxes"] = .boolean(true)
        let effects = schema.effects.entries.flatMap(\.parameters)
        for parameter in schema.parameters + effects where parameter.kind.takesColors {
            guard let value = self.request.values[parameter.key] else { continue }
            self.request.values[parameter.key] = marked(value)
        }
    }

    /// Returns the markup.
    ///
    /// - Parameters:
    ///   - svg: The picture of `request` as SVG.
    ///   - duration: Seconds of one cycle.
    ///   - texts: The texts without markup.
    /// - Returns: HTML in UTF-8.
    package func markup(_ svg: [UInt8], duration: Double, texts: [String]) -> [UInt8] {
        var sink = ByteSink(capacity: svg.count + 1024)
        sink.append("<title-card")
        for (name, value) in attributes { Self.append(name, value, to: &sink) }
        if let text = textAttribute(texts) { Self.append("text", text, to: &sink) }
        sink.append("><template shadowrootmode=\"open\"><svg data-duration=\"")
        sink.append(text: NumberText.of(duration))
        sink.append("\"")
        appendPicture(svg, to: &sink)
        sink.append("</template>")
        for text in texts {
            if texts.count > 1 { sink.append("<p>") }
            for (index, line) in text.pieces(separatedBy: "\n").enumerated() {
                if index > 0 { sink.append("<br>") }
                sink.append(xml: String(line))
            }
            if texts.count > 1 { sink.append("</p>") }
        }
        sink.append("</title-card>\n")
        return sink.bytes()
    }

    /// Returns the text for an attribute, which goes before the content: with its markup, or with the
    /// white space that content does not keep; nil if the content is enough.
    private func textAttribute(_ texts: [String]) -> String? {
        guard texts.count == 1, hasMarkup || !Self.isKept(texts[0]) else { return nil }
        return request.texts.first?.characters
    }

    /// Returns true if the content of an element keeps the white space of a text.
    private static func isKept(_ text: String) -> Bool {
        let lines = text.pieces(separatedBy: "\n")
        return lines.first?.isEmpty == false && lines.last?.isEmpty == false
            && lines.allSatisfy { line in
                !line.begins(with: " ") && !line.ends(with: " ")
                    && line.pieces(separatedBy: "  ").count == 1
                    && !line.utf8.contains { $0 < 0x20 }
            }
    }

    /// Appends the picture from behind `<svg`; of a picture with the mark, with `currentColor` in its
    /// place.
    private func appendPicture(_ svg: [UInt8], to sink: inout ByteSink) {
        let text = String(decoding: svg.dropFirst(4), as: UTF8.self)
        guard isRecolored else { return sink.append(text: text) }
        // The title, and the description behind it, may have text that looks like the mark.
        let end = text.pieces(separatedBy: "</desc>").count > 1 ? "</desc>" : "</title>"
        let parts = text.pieces(separatedBy: end)
        sink.append(text: String(parts[0]))
        for part in parts.dropFirst() {
            sink.append(text: end)
            sink.append(text: part.pieces(separatedBy: Self.mark).joined(separator: "currentColor"))
        }
    }

    private static func append(_ name: String, _ value: String, to sink: inout ByteSink) {
        sink.append(" ")
        sink.append(text: name)
        sink.append("=\"")
        sink.append(xml: value)
        sink.append("\"")
    }

    /// Returns a parameter's name with hyphens, for attributes have no capitals.
    private static func attributeName(_ name: ByteString) -> String {
        var bytes: [UInt8] = []
        for byte in name.text.utf8 {
            let isCapital = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
            bytes += isCapital ? [UInt8(ascii: "-"), byte | 0x20] : [byte]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns a value with the mark in the place of `currentColor`, in whatever case it is written.
    private mutating func marked(_ value: RawValue) -> RawValue {
        switch value {
        case .text(let text): return .text(marked(text))
        case .string(let text): return .string(marked(text))
        case .array(let elements): return .array(elements.map { marked($0) })
        case .object(let members): return .object(members.mapValues { marked($0) })
        case .number, .boolean, .null: return value
        }
    }

    private mutating func marked(_ text: String) -> String {
        let lowercased = text.lowercasedASCII.pieces(separatedBy: "currentcolor")
        guard lowercased.count > 1 else { return text }
        isRecolored = true
        var rest = Substring(text)
        var result = ""
        for part in lowercased {
            result += Substring(rest.utf8.prefix(part.utf8.count))
            rest = Substring(rest.utf8.dropFirst(part.utf8.count))
            guard !rest.isEmpty else { break }
            result += Self.mark
            rest = Substring(rest.utf8.dropFirst("currentcolor".utf8.count))
        }
        return result
    }
}

extension Parameter.Kind {
    /// True if a value may have colours.
    fileprivate var takesColors: Bool {
        switch self {
        case .color, .paint, .shadows, .keyframes: true
        case .auto(let kind): kind.takesColors
        default: false
        }
    }
}
