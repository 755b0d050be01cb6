import Bytes

/// Reads Pango markup as a list of events: elements with attributes, references, and CDATA sections.
///
/// Source: GLib's documentation, "Simple XML Subset Parser", which is what Pango reads markup with.
/// Unlike GLib's parser this one needs no root element, so that its messages can name positions in
/// the text as it is written.
struct MarkupScanner {
    enum Event: Equatable {
        /// The element begins at this offset, in bytes.
        case start(element: String, attributes: [Attribute], offset: Int)
        case end
        case text(String)
    }

    struct Attribute: Equatable {
        let name: String
        let value: String
    }

    private let bytes: [UInt8]
    /// The offset of the next byte.
    private var next = 0
    private var events: [Event] = []
    /// The elements that are open, outermost first.
    private var open: [(element: String, offset: Int)] = []

    private init(_ markup: String) {
        bytes = Array(markup.utf8)
    }

    /// Returns the events in the order of the markup; O(length of the markup).
    ///
    /// - Throws: `TypesettingError.markup` with the first error and its position.
    static func events(of markup: String) throws(TypesettingError) -> [Event] {
        var scanner = MarkupScanner(markup)
        try scanner.scan()
        return scanner.events
    }

    /// Returns the line and the character of an offset, both counted from 1; a tab counts as the four
    /// spaces that stand for it.
    static func position(of offset: Int, in markup: String) -> String {
        let before = String(decoding: markup.utf8.prefix(offset), as: UTF8.self)
        let line = before.utf8.count { $0 == newline } + 1
        let start = before.utf8.lastIndex(of: newline).map(before.utf8.index(after:))
        let character = "character \(before[(start ?? before.startIndex)...].count + 1)"
        return markup.utf8.contains(newline) ? "line \(line), \(character)" : character
    }

    private mutating func scan() throws(TypesettingError) {
        while let byte = peek {
            guard byte == UInt8(ascii: "<") else {
                events.append(.text(try content(of: consume { $0 == UInt8(ascii: "<") })))
                continue
            }
            let offset = next
            next += 1
            switch peek {
            case UInt8(ascii: "/"): try scanEnd(at: offset)
            case UInt8(ascii: "!"), UInt8(ascii: "?"): try scanSection(at: offset)
            default: try scanStart(at: offset)
            }
        }
        guard let unclosed = open.last else { return }
        throw fault(unclosed.offset, "<\(Self.shown(unclosed.element))>", "is never closed")
    }

    // MARK: Tags

    private mutating func scanStart(at offset: Int) throws(TypesettingError) {
        guard let first = peek, Self.isNameByte(first), !Self.isDigit(first) else {
            throw fault(offset, "<", "begins no element; write &lt; for the sign itself")
        }
        let element = text(of: consume { !Self.isNameByte($0) })
        var attributes: [Attribute] = []
        while true {
            skipSpace()
            let byte = try nextByte(inTagAt: offset)
            switch byte {
            case UInt8(ascii: ">"):
                events.append(.start(element: element, attributes: attributes, offset: offset))
                open.append((element, offset))
                return
            case UInt8(ascii: "/"):
                guard try nextByte(inTagAt: offset) == UInt8(ascii: ">") else {
                    throw misplaced(next - 2, inTagAt: offset)
                }
                events.append(.start(element: element, attributes: attributes, offset: offset))
                events.append(.end)
                return
            default:
                next -= 1
                guard Self.isNameByte(byte) else { throw misplaced(next, inTagAt: offset) }
                attributes.append(try attribute(inTagAt: offset))
            }
        }
    }

    private mutating func attribute(inTagAt tag: Int) throws(TypesettingError) -> Attribute {
        let offset = next
        let name = text(of: consume { !Self.isNameByte($0) })
        skipSpace()
        guard try nextByte(inTagAt: tag) == UInt8(ascii: "=") else {
            throw fault(offset, Self.shown(name), "has no value")
        }
        skipSpace()
        let start = next
        let quote = try nextByte(inTagAt: tag)
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            throw fault(start, "the value of \(Self.shown(name))", "has no quotes")
        }
        let value = consume { $0 == quote }
        guard peek != nil else {
            throw fault(start, "the value of \(Self.shown(name))", "has no closing quote")
        }
        next += 1
        return Attribute(name: name, value: try content(of: value, isAttribute: true))
    }

    private mutating func scanEnd(at offset: Int) throws(TypesettingError) {
        next += 1
        let element = text(of: consume { !Self.isNameByte($0) })
        skipSpace()
        guard try nextByte(inTagAt: offset) == UInt8(ascii: ">") else {
            throw misplaced(next - 1, inTagAt: offset)
        }
        let tag = "</\(Self.shown(element))>"
        guard let last = open.popLast() else { throw fault(offset, tag, "closes nothing") }
        guard last.element.isSame(as: element) else {
            let position = position(of: last.offset)
            throw fault(offset, tag, "does not close <\(Self.shown(last.element))> at \(position)")
        }
        events.append(.end)
    }

    /// Reads a CDATA section; nothing else that begins with `<!` or `<?` is supported.
    private mutating func scanSection(at offset: Int) throws(TypesettingError) {
        let (opening, closing) = ("<![CDATA[", Array("]]>".utf8))
        guard bytes[offset...].starts(with: opening.utf8) else {
            throw .markup(
                "comments and processing instructions are not supported "
                    + "(at \(position(of: offset)))")
        }
        let start = offset + opening.utf8.count
        next = start
        while !bytes[next...].starts(with: closing) {
            guard next < bytes.count else {
                throw fault(offset, opening, "is never closed with ]]>")
            }
            next += 1
        }
        events.append(.text(text(of: start..<next)))
        next += closing.count
    }

    // MARK: References

    /// Returns text or a value with characters for its references; a line break in a value becomes a
    /// space.
    private func content(
        of range: Range<Int>, isAttribute: Bool = false
    ) throws(TypesettingError) -> String {
        let isPlain = !bytes[range].contains {
            $0 == UInt8(ascii: "&") || isAttribute && $0 == Self.newline
        }
        if isPlain { return text(of: range) }
        var content: [UInt8] = []
        content.reserveCapacity(range.count)
        var index = range.lowerBound
        while index < range.upperBound {
            let byte = bytes[index]
            guard byte == UInt8(ascii: "&") else {
                content.append(isAttribute && byte == Self.newline ? UInt8(ascii: " ") : byte)
                index += 1
                continue
            }
            let (character, end) = try reference(at: index, before: range.upperBound)
            content += Array(String(character).utf8)
            index = end
        }
        return String(decoding: content, as: UTF8.self)
    }

    /// Returns the character that a reference stands for, and the offset behind the reference.
    private func reference(
        at offset: Int, before end: Int
    ) throws(TypesettingError) -> (Unicode.Scalar, end: Int) {
        let name = bytes[(offset + 1)..<end].prefix {
            $0 == UInt8(ascii: "#") || Self.isNameByte($0)
        }
        guard !name.isEmpty, name.endIndex < end, bytes[name.endIndex] == UInt8(ascii: ";") else {
            throw fault(offset, "&", "begins no reference; write &amp; for the sign itself")
        }
        let reference = String(decoding: name, as: UTF8.self)
        let shown = "&\(Self.shown(reference));"
        guard reference.begins(with: "#") else {
            guard let scalar = Self.named[ByteString(reference)] else {
                throw fault(
                    offset, shown, "is not known; one of &amp; &lt; &gt; &quot; &apos;, or a number"
                )
            }
            return (scalar, name.endIndex + 1)
        }
        let isHexadecimal = reference.begins(with: "#x")
        let digits = reference.dropping(first: isHexadecimal ? 2 : 1)
        guard let code = UInt32(digits, radix: isHexadecimal ? 16 : 10), code > 0,
            let scalar = Unicode.Scalar(code), code != 0xFFFE, code != 0xFFFF
        else { throw fault(offset, shown, "stands for no character") }
        return (scalar, name.endIndex + 1)
    }

    private static let named: [ByteString: Unicode.Scalar] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'",
    ]

    // MARK: Bytes

    private static let newline = UInt8(ascii: "\n")

    private var peek: UInt8? { next < bytes.count ? bytes[next] : nil }

    /// Consumes and returns the next byte of a tag.
    private mutating func nextByte(inTagAt offset: Int) throws(TypesettingError) -> UInt8 {
        guard let byte = peek else { throw fault(offset, "the tag", "is not finished") }
        next += 1
        return byte
    }

    /// Consumes the bytes up to the end, or up to one for which `isEnd` is true.
    private mutating func consume(until isEnd: (UInt8) -> Bool) -> Range<Int> {
        let start = next
        while let byte = peek, !isEnd(byte) { next += 1 }
        return start..<next
    }

    private mutating func skipSpace() {
        _ = consume { $0 != UInt8(ascii: " ") && $0 != Self.newline }
    }

    /// Returns true if a name may have a byte; no known name has characters beyond ASCII.
    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: ":"), 0x80...0xFF:
            true
        default: isDigit(byte)
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
    }

    private func text(of range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }

    // MARK: Faults

    private func position(of offset: Int) -> String {
        Self.position(of: offset, in: text(of: 0..<bytes.count))
    }

    private func fault(_ offset: Int, _ subject: String, _ trouble: String) -> TypesettingError {
        .markup("\(subject) at \(position(of: offset)) \(trouble)")
    }

    private func misplaced(_ offset: Int, inTagAt tag: Int) -> TypesettingError {
        // Another tag begins, so it is this one that lacks its end.
        if bytes[offset] == UInt8(ascii: "<") { return fault(tag, "the tag", "is not finished") }
        let character = String(text(of: offset..<bytes.count).unicodeScalars.prefix(1))
        return fault(offset, "a \(character)", "has no place in the tag at \(position(of: tag))")
    }

    /// Returns a name, cut to the length that a message has room for.
    private static func shown(_ name: String) -> String {
        name.shortened(to: 60)
    }
}
