/// Incremental parser of a section of fields, a head's or a trailer's, to its empty line
/// (RFC 9112, 5).
struct FieldParser: Sendable {
    private enum Stage: Sendable {
        case lineStart
        case name
        case leadingSpace
        case value
        case lineEnd
        case sectionEnd
    }

    private(set) var fields = Fields()
    private var stage = Stage.lineStart
    private var nameStart = 0

    /// Prepares for another section, with room for one like the last, but not for a huge one, since
    /// idle connections keep it.
    mutating func reset() {
        let last = (bytes: min(fields.end, 1024), lines: min(fields.count, 24))
        fields = Fields()
        fields.reserve(bytes: last.bytes, lines: last.lines)
        stage = .lineStart
    }

    /// Reads on from a position; returns true when the section is complete.
    mutating func parse(
        _ input: Span<UInt8>, _ position: inout Int, upTo end: Int, limits: ServerLimits
    ) throws(ProtocolFailure) -> Bool {
        while position < end {
            switch stage {
            case .lineStart:
                try beginLine(input[position], limits: limits)
                if case .sectionEnd = stage { position += 1 }
            case .name:
                try parseName(input, &position, upTo: end)
            case .leadingSpace:
                while position < end, ASCII.isWhitespace(input[position]) { position += 1 }
                if position < end { stage = .value }
            case .value:
                try parseValue(input, &position, upTo: end)
            case .lineEnd:
                try takeLineFeed(input, &position)
                stage = .lineStart
            case .sectionEnd:
                try takeLineFeed(input, &position)
                return true
            }
        }
        return false
    }

    private mutating func beginLine(_ byte: UInt8, limits: ServerLimits) throws(ProtocolFailure) {
        guard byte != ASCII.carriageReturn else {
            stage = .sectionEnd
            return
        }
        guard !ASCII.isWhitespace(byte) else {
            throw .badRequest("a field must not be folded over several lines")
        }
        guard fields.count < limits.fieldCount else {
            throw ProtocolFailure(
                .requestHeaderFieldsTooLarge, "there are more than \(limits.fieldCount) fields")
        }
        nameStart = fields.end
        stage = .name
    }

    private mutating func parseName(
        _ input: Span<UInt8>, _ position: inout Int, upTo end: Int
    ) throws(ProtocolFailure) {
        fields.appendRun(of: input, &position, upTo: end, ASCII.isToken)
        guard position < end else { return }
        guard input[position] == ASCII.colon, fields.end > nameStart else {
            throw .badRequest("a field must be a name, a colon right after it, and a value")
        }
        position += 1
        fields.endName(start: nameStart)
        stage = .leadingSpace
    }

    private mutating func parseValue(
        _ input: Span<UInt8>, _ position: inout Int, upTo end: Int
    ) throws(ProtocolFailure) {
        fields.appendRun(of: input, &position, upTo: end, ASCII.isFieldValue)
        guard position < end else { return }
        guard input[position] == ASCII.carriageReturn else {
            throw .badRequest("a field must not contain control characters")
        }
        position += 1
        fields.endValue()
        stage = .lineEnd
    }
}

/// Moves past a line feed, which must stand at the position.
func takeLineFeed(_ input: Span<UInt8>, _ position: inout Int) throws(ProtocolFailure) {
    guard input[position] == ASCII.lineFeed else {
        throw .badRequest("a line must end with CR LF; found a bare CR")
    }
    position += 1
}

extension [UInt8] {
    /// Appends the bytes that satisfy a condition, from a position up to the first that does not or
    /// to an end, and moves the position past them.
    @inline(__always)
    mutating func appendRun(
        of input: Span<UInt8>, _ position: inout Int, upTo end: Int,
        _ condition: (UInt8) -> Bool
    ) {
        guard position < end else { return }
        let rest = input.extracting(position..<end)
        var length = 0
        while length < rest.count, condition(rest[length]) { length += 1 }
        append(rest, 0..<length)
        position += length
    }

    /// Appends a part of a span.
    mutating func append(_ input: Span<UInt8>, _ range: Range<Int>) {
        guard !range.isEmpty else { return }
        input.extracting(range).withUnsafeBufferPointer { append(contentsOf: $0) }
    }
}
