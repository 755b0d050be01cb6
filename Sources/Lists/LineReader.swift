/// Divides bytes into lines, in memory that the length of a line does not change.
struct LineReader: Sendable {
    enum Line: Sendable {
        /// The bytes without the line break.
        case bytes([UInt8])
        /// A line that has more bytes than it may have; none of them are kept.
        case tooLong
    }

    /// The bytes that a line may have.
    let longest: Int
    private var buffer: [UInt8]
    /// The part of the buffer that is not read yet.
    private var unread: Range<Int>
    /// True once nothing follows the buffer. A terminal could give more after its end.
    private var isAtEnd = false

    /// - Parameters:
    ///   - bytes: The first bytes.
    ///   - longest: The bytes that a line may have.
    init(_ bytes: [UInt8] = [], longest: Int) {
        (buffer, unread, self.longest) = (bytes, bytes.indices, longest)
    }

    /// Reads the next line.
    ///
    /// - Parameter more: Returns the bytes that follow the bytes it returned before; none at the
    ///   end.
    /// - Returns: Nil at the end.
    /// - Throws: The error of `more`.
    mutating func next<Fault>(_ more: () throws(Fault) -> [UInt8]) throws(Fault) -> Line? {
        var line: [UInt8] = []
        var isTooLong = false
        var isEmpty = true
        while true {
            if unread.isEmpty, !isAtEnd {
                buffer = try more()
                (unread, isAtEnd) = (buffer.indices, buffer.isEmpty)
            }
            guard !unread.isEmpty else {
                guard !isEmpty else { return nil }
                return isTooLong ? .tooLong : .bytes(line)
            }
            isEmpty = false
            let end = buffer[unread].firstIndex(of: UInt8(ascii: "\n"))
            let part = unread.lowerBound..<(end ?? unread.upperBound)
            isTooLong = isTooLong || line.count + part.count > longest
            if isTooLong { line = [] } else { line += buffer[part] }
            unread = (end.map { $0 + 1 } ?? unread.upperBound)..<unread.upperBound
            if end != nil { return isTooLong ? .tooLong : .bytes(line) }
        }
    }
}
