/// The header fields of a message, in order, with names compared without case (RFC 9110, 5).
///
/// They are held as they stand on the wire, in one byte buffer, and become strings when asked for.
/// A value cannot break out of its line: control characters in it become spaces.
package struct Fields: Equatable, Sendable {
    /// The offsets of one field in `wire`.
    struct Line: Equatable, Sendable {
        var name: Range<Int>
        var value: Range<Int>

        func moved(by offset: Int) -> Line {
            Line(
                name: name.lowerBound + offset..<name.upperBound + offset,
                value: value.lowerBound + offset..<value.upperBound + offset)
        }
    }

    /// Every field as `name: value CR LF`, one after another.
    private(set) var wire: [UInt8] = []
    private(set) var lines: [Line] = []

    /// No fields at all.
    package init() {}

    /// The number of fields, repeated names counted each time.
    package var count: Int { lines.count }

    /// The bytes that they take on the wire.
    package var byteCount: Int { wire.count }

    /// The first value of a name; setting it replaces all values of that name by one, setting nil
    /// removes them.
    ///
    /// Costs O(n) in the number of fields.
    package subscript(_ name: FieldName) -> String? {
        get {
            lines.first { matches($0, name) }.map { text($0.value) }
        }
        set {
            removeAll(name)
            if let newValue { add(name, newValue) }
        }
    }

    /// Returns all values of a name, in their order.
    package func all(_ name: FieldName) -> [String] {
        lines.filter { matches($0, name) }.map { text($0.value) }
    }

    /// Returns all values of a name joined by commas, as a field that is a list may be read
    /// (RFC 9110, 5.3); nil where there is none.
    package func combined(_ name: FieldName) -> String? {
        let values = all(name)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    /// Appends a field; fields of the same name stay.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - value: Any text; bytes that could end the line become spaces.
    package mutating func add(_ name: FieldName, _ value: String) {
        if wire.isEmpty { reserve(bytes: 1024, lines: 16) }
        let start = wire.count
        wire.append(contentsOf: name.bytes)
        endName(start: start)
        let bytes = value.utf8.span
        var position = 0
        appendRun(of: bytes, &position, upTo: bytes.count, ASCII.isFieldValue)
        while position < bytes.count {
            wire.append(ASCII.space)
            position += 1
            appendRun(of: bytes, &position, upTo: bytes.count, ASCII.isFieldValue)
        }
        endValue()
    }

    /// Appends all fields of another head.
    package mutating func add(_ others: Fields) {
        let offset = wire.count
        wire += others.wire
        for line in others.lines { lines.append(line.moved(by: offset)) }
    }

    /// Removes every field of a name.
    package mutating func removeAll(_ name: FieldName) {
        guard lines.contains(where: { matches($0, name) }) else { return }
        var kept = Fields()
        for line in lines where !matches(line, name) {
            let start = kept.wire.count
            kept.wire.append(contentsOf: wire[line.name])
            kept.endName(start: start)
            kept.wire.append(contentsOf: wire[line.value])
            kept.endValue()
        }
        self = kept
    }
}

extension Fields: Sequence {
    /// Runs over the fields in order, names in the case in which they were given.
    package func makeIterator() -> AnyIterator<(name: String, value: String)> {
        var rest = lines[...]
        return AnyIterator { [self] in
            rest.popFirst().map { (text($0.name), text($0.value)) }
        }
    }
}

extension Fields: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral elements: (FieldName, String)...) {
        for (name, value) in elements { add(name, value) }
    }
}

/// Access to the bytes, for the parser and the writer.
extension Fields {
    /// Makes room for a head like the one before it.
    mutating func reserve(bytes: Int, lines count: Int) {
        wire.reserveCapacity(bytes)
        lines.reserveCapacity(count)
    }

    /// Appends the run of bytes that satisfy a condition to the name or value being built.
    @inline(__always)
    mutating func appendRun(
        of input: Span<UInt8>, _ position: inout Int, upTo end: Int,
        _ condition: (UInt8) -> Bool
    ) {
        wire.appendRun(of: input, &position, upTo: end, condition)
    }

    /// The offset of `wire` at which the next line begins.
    var end: Int { wire.count }

    /// Ends a name that began at an offset of `wire`.
    mutating func endName(start: Int) {
        let name = start..<wire.count
        wire.append(ASCII.colon)
        wire.append(ASCII.space)
        lines.append(Line(name: name, value: wire.count..<wire.count))
    }

    /// Ends the value of the last line, without the white space after it.
    mutating func endValue() {
        guard let last = lines.indices.last else { return }
        let start = lines[last].value.lowerBound
        var end = wire.count
        while end > start, ASCII.isWhitespace(wire[end - 1]) { end -= 1 }
        wire.removeLast(wire.count - end)
        lines[last].value = start..<end
        wire.append(ASCII.carriageReturn)
        wire.append(ASCII.lineFeed)
    }

    /// Returns the values of a name as bytes.
    func values(_ name: FieldName) -> [ArraySlice<UInt8>] {
        var values: [ArraySlice<UInt8>] = []
        for line in lines where matches(line, name) { values.append(wire[line.value]) }
        return values
    }

    func contains(_ name: FieldName) -> Bool {
        lines.contains { matches($0, name) }
    }

    /// Returns true if a list-valued field contains a word, compared without case.
    func list(_ name: FieldName, contains word: String) -> Bool {
        values(name).contains { value in
            value.split(separator: ASCII.comma)
                .contains { ASCII.equalIgnoringCase(ASCII.trimmed($0), word.utf8) }
        }
    }

    private func matches(_ line: Line, _ name: FieldName) -> Bool {
        let bytes = name.bytes
        guard line.name.count == bytes.count else { return false }
        for offset in bytes.indices {
            let byte = wire[line.name.lowerBound + offset]
            guard ASCII.lowercased(byte) == ASCII.lowercased(bytes[offset]) else { return false }
        }
        return true
    }

    private func text(_ range: Range<Int>) -> String {
        String(decoding: wire[range], as: UTF8.self)
    }
}

/// The name of a field that the program knows, written as a literal; compared without case.
package struct FieldName: ExpressibleByStringLiteral, Sendable {
    private let text: StaticString

    /// Wraps a token; anything else is a programmer's error.
    package init(stringLiteral text: StaticString) {
        self.text = text
        assert(!bytes.isEmpty && bytes.allSatisfy(ASCII.isToken), "a field name is a token")
    }

    /// Its ASCII characters.
    var bytes: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    }
}
