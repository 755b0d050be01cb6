import Bytes

/// Reads Pango markup as a list of events: elements with attributes, references, and CDATA sections.
///
/// Source: GLib's documentation, "Simple XML Subset Parser", with which Pango reads markup. Unlike
/// GLib's parser this one needs no root element, so that its messages can name positions in the
/// text as it is written.
package struct MarkupScanner {
    package enum Event: Equatable {
        /// The element begins at this offset, in bytes.
        case start(element: String, attributes: [Attribute], offset: Int)
        case end
        case text(String)
    }

    package struct Attribute: Equatable {
        package let name: String
        package let value: String
    }

    private var scanner: TextScanner
    private var events: [Event] = []
    /// The elements that are open, outermost first.
    private var open: [(element: String, offset: Int)] = []

    /// Returns the events in the order of the markup; O(length of the markup).
    ///
    /// - Throws: `TypesettingError.markup` with the first error and its position.
    package static func events(of markup: String) throws(TypesettingError) -> [Event] {
        var reader = MarkupScanner(scanner: TextScanner(markup))
        try reader.scan()
        return reader.events
    }

    /// Returns the line and the character of an offset, both counted from 1; a tab counts as the four
    /// spaces that stand for it.
    package static func position(of offset: Int, in markup: String) -> String {
        let before = String(decoding: markup.utf8.prefix(offset), as: UTF8.self)
        let line = before.utf8.count { $0 == newline } + 1
        let start = before.utf8.lastIndex(of: newline).map(before.utf8.index(after:))
        let character = "character \(before[(start ?? before.startIndex)...].count + 1)"
        return markup.utf8.contains(newline) ? "line \(line), \(character)" : character
    }

    private mutating func scan() throws(TypesettingError) {
        while !scanner.isAtEnd {
            let offset = scanner.offset
            guard scanner.skip("<") else {
                let text = scanner.consume { $0 != UInt8(ascii: "<") }
                events.append(.text(try content(of: text)))
                continue
            }
            switch scanner.next {
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
        guard let first = scanner.next, Self.isNameByte(first), !first.isASCIIDigit else {
            throw fault(
                offset, "<", "does not begin an element; write &lt; for the character itself")
        }
        let element = scanner.text(scanner.consume(while: Self.isNameByte))
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
                    throw misplaced(scanner.offset - 2, inTagAt: offset)
                }
                events.append(.start(element: element, attributes: attributes, offset: offset))
                events.append(.end)
                return
            default:
                scanner.offset -= 1
                guard Self.isNameByte(byte) else {
                    throw misplaced(scanner.offset, inTagAt: offset)
                }
                attributes.append(try attribute(inTagAt: offset))
            }
        }
    }

    private mutating func attribute(inTagAt tag: Int) throws(TypesettingError) -> Attribute {
        let offset = scanner.offset
        let name = scanner.text(scanner.consume(while: Self.isNameByte))
        skipSpace()
        guard try nextByte(inTagAt: tag) == UInt8(ascii: "=") else {
            throw fault(offset, Self.shown(name), "has no value")
        }
        skipSpace()
        let start = scanner.offset
        let quote = try nextByte(inTagAt: tag)
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            throw fault(start, "the value of \(Self.shown(name))", "has no quotes")
        }
        let value = scanner.consume { $0 != quote }
        guard scanner.take() != nil else {
            throw fault(start, "the value of \(Self.shown(name))", "has no closing quote")
        }
        return Attribute(name: name, value: try content(of: value, isAttribute: true))
    }

    private mutating func scanEnd(at offset: Int) throws(TypesettingError) {
        scanner.offset += 1
        let element = scanner.text(scanner.consume(while: Self.isNameByte))
        skipSpace()
        guard try nextByte(inTagAt: offset) == UInt8(ascii: ">") else {
            throw misplaced(scanner.offset - 1, inTagAt: offset)
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
        scanner.offset = offset
        guard scanner.skip(text: "<![CDATA[") else {
            throw .markup(
                "comments and processing instructions are not supported "
                    + "(at \(position(of: offset)))")
        }
        let start = scanner.offset
        var end = start
        while !scanner.skip(text: "]]>") {
            guard scanner.take() != nil else {
                throw fault(offset, "<![CDATA[", "is never closed with ]]>")
            }
            end += 1
        }
        events.append(.text(scanner.text(start..<end)))
    }

    // MARK: References

    /// Returns text or a value with characters for its references; a line break in a value becomes a
    /// space.
    private func content(
        of range: Range<Int>, isAttribute: Bool = false
    ) throws(TypesettingError) -> String {
        let isPlain = !scanner.bytes[range].contains {
            $0 == UInt8(ascii: "&") || isAttribute && $0 == Self.newline
        }
        if isPlain { return scanner.text(range) }
        var content: [UInt8] = []
        content.reserveCapacity(range.count)
        var index = range.lowerBound
        while index < range.upperBound {
            let byte = scanner.bytes[index]
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

    /// Returns the character that a reference stands for, and the offset after the reference.
    private func reference(
        at offset: Int, before end: Int
    ) throws(TypesettingError) -> (Unicode.Scalar, end: Int) {
        let name = scanner.bytes[(offset + 1)..<end].prefix {
            $0 == UInt8(ascii: "#") || Self.isNameByte($0)
        }
        guard !name.isEmpty, name.endIndex < end,
            scanner.bytes[name.endIndex] == UInt8(ascii: ";")
        else {
            throw fault(
                offset, "&", "does not begin a reference; write &amp; for the character itself")
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
        // The standard library would read a sign too.
        guard digits.utf8.allSatisfy({ $0.hexadecimalValue != nil }),
            let code = UInt32(digits, radix: isHexadecimal ? 16 : 10), code > 0,
            let scalar = Unicode.Scalar(code), code != 0xFFFE, code != 0xFFFF
        else { throw fault(offset, shown, "stands for no character") }
        return (scalar, name.endIndex + 1)
    }

    private static let named: [ByteString: Unicode.Scalar] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'",
    ]

    // MARK: Bytes

    private static let newline = UInt8(ascii: "\n")

    /// Consumes and returns the next byte of a tag.
    private mutating func nextByte(inTagAt offset: Int) throws(TypesettingError) -> UInt8 {
        guard let byte = scanner.take() else { throw fault(offset, "the tag", "is not finished") }
        return byte
    }

    private mutating func skipSpace() {
        scanner.consume { $0 == UInt8(ascii: " ") || $0 == Self.newline }
    }

    /// Returns true if a name may have a byte; no known name has characters beyond ASCII.
    private static func isNameByte(_ byte: UInt8) -> Bool {
        byte.isASCIILetterOrDigit || byte >= 0x80 || "_-.:".utf8.contains(byte)
    }

    // MARK: Faults

    private func position(of offset: Int) -> String {
        Self.position(of: offset, in: scanner.text(0..<scanner.bytes.count))
    }

    private func fault(_ offset: Int, _ subject: String, _ trouble: String) -> TypesettingError {
        .markup("\(subject) at \(position(of: offset)) \(trouble)")
    }

    private func misplaced(_ offset: Int, inTagAt tag: Int) -> TypesettingError {
        // Another tag begins, so it is this one that lacks its end.
        if scanner.bytes[offset] == UInt8(ascii: "<") {
            return fault(tag, "the tag", "is not finished")
        }
        let character = String(
            scanner.text(offset..<scanner.bytes.count).unicodeScalars.prefix(1))
        return fault(offset, "a \(character)", "has no place in the tag at \(position(of: tag))")
    }

    /// Returns a name, cut to the length that a message has room for.
    private static func shown(_ name: String) -> String {
        name.shortened(to: 60)
    }
}
