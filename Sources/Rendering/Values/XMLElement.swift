import Bytes
import Typesetting

/// An element of XML, with its attributes and what is in it. Files have no entities but those of XML itself, and no
/// declarations in their document types; comments and processing instructions are passed over.
struct XMLElement {
    enum Content {
        case element(XMLElement)
        case text(String)
    }

    let name: String
    let attributes: [MarkupScanner.Attribute]
    private(set) var contents: [Content] = []

    /// The elements in it.
    var elements: [XMLElement] {
        contents.compactMap { content in
            guard case .element(let element) = content else { return nil }
            return element
        }
    }

    /// The most elements within each other.
    private static let mostDepth = 64

    /// Returns the outermost element of a file; O(length of the file).
    ///
    /// - Parameters:
    ///   - text: The file.
    ///   - kind: The name of its format, for messages.
    /// - Returns: The element with all that is in it.
    /// - Throws: The reason why the file is no such XML.
    static func root(of text: String, as kind: String) throws(ValueFault) -> XMLElement {
        let events: [MarkupScanner.Event]
        do {
            events = try MarkupScanner.events(
                of: TextNormalizer.normalized(try withoutPrologue(text, kind)))
        } catch let fault as ValueFault {
            throw fault
        } catch TypesettingError.markup(let message) {
            throw ValueFault("must be \(kind): \(message)")
        } catch {
            throw ValueFault("must be \(kind) without control characters")
        }
        var open: [XMLElement] = []
        for event in events {
            switch event {
            case .start(let name, let attributes, _):
                guard open.count < mostDepth else {
                    throw ValueFault("must nest elements at most \(mostDepth) deep")
                }
                open.append(XMLElement(name: name, attributes: attributes))
            case .end:
                guard let element = open.popLast() else { continue }
                guard let parent = open.indices.last else { return element }
                open[parent].contents.append(.element(element))
            case .text(let text):
                if let parent = open.indices.last { open[parent].contents.append(.text(text)) }
            }
        }
        throw ValueFault("must be \(kind)")
    }

    /// Returns XML without comments, processing instructions, and the type of the document.
    private static func withoutPrologue(
        _ text: String, _ kind: String
    ) throws(ValueFault) -> String {
        var scanner = TextScanner(text)
        var plain: [UInt8] = []
        func skip(to end: StaticString, refusing refused: UInt8? = nil) throws(ValueFault) {
            while !scanner.skip(text: end) {
                guard let byte = scanner.take(), byte != refused else {
                    throw ValueFault("must be whole \(kind) without declarations in its DOCTYPE")
                }
            }
        }
        _ = scanner.skip(text: "\u{FEFF}")
        while !scanner.isAtEnd {
            if scanner.skip(text: "<!--") {
                try skip(to: "-->")
            } else if scanner.skip(text: "<?") {
                try skip(to: "?>")
            } else if scanner.skip(text: "<!DOCTYPE") {
                try skip(to: ">", refusing: UInt8(ascii: "["))
            } else if let byte = scanner.take() {
                plain.append(byte)
            }
        }
        return String(decoding: plain, as: UTF8.self)
    }
}
