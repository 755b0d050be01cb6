extension [UInt8] {
    /// Appends the bytes that satisfy a condition, from a position up to the first that does not or
    /// to an end, and moves the position behind them.
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

/// Moves behind a line feed, which must stand at the position.
func takeLineFeed(_ input: Span<UInt8>, _ position: inout Int) throws(ProtocolFailure) {
    guard input[position] == ASCII.lineFeed else {
        throw ProtocolFailure(.badRequest, "a line must end with CR LF; found CR alone")
    }
    position += 1
}
