import Glibc

/// Reads a file line by line, in memory that its length does not change.
struct LineReader {
    enum Line {
        /// The bytes without the line break.
        case bytes([UInt8])
        /// A line that has more bytes than it may have; none of them are kept.
        case tooLong
    }

    /// The bytes that a line may have.
    static let longest = 1 << 20

    private let descriptor: Int32
    private let name: String
    private var buffer = [UInt8](repeating: 0, count: 65_536)
    /// The part of the buffer that is not read yet.
    private var unread = 0..<0
    private var isAtEnd = false
    /// The bytes that were taken from the file.
    private(set) var byteCount = 0

    /// - Parameters:
    ///   - descriptor: An open file, pipe or device, which stays open.
    ///   - name: The name in failures.
    init(_ descriptor: Int32, name: String) {
        (self.descriptor, self.name) = (descriptor, name)
    }

    /// Returns the next line; nil at the end.
    ///
    /// - Throws: The reason why it cannot be read.
    mutating func next() throws(CommandFailure) -> Line? {
        var line: [UInt8] = []
        var isTooLong = false
        var isEmpty = true
        while true {
            if unread.isEmpty { try fill() }
            guard !unread.isEmpty else {
                guard !isEmpty else { return nil }
                return isTooLong ? .tooLong : .bytes(line)
            }
            isEmpty = false
            let end = buffer[unread].firstIndex(of: UInt8(ascii: "\n"))
            let part = unread.lowerBound..<(end ?? unread.upperBound)
            isTooLong = isTooLong || line.count + part.count > Self.longest
            if isTooLong { line = [] } else { line += buffer[part] }
            unread = (end.map { $0 + 1 } ?? unread.upperBound)..<unread.upperBound
            if end != nil { return isTooLong ? .tooLong : .bytes(line) }
        }
    }

    private mutating func fill() throws(CommandFailure) {
        while !isAtEnd {
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw CommandFailure(
                    .inputOutput, parameter: BatchOptions.listOption,
                    message: "cannot read \(name): \(StandardStreams.lastError)")
            }
            (unread, isAtEnd) = (0..<count, count == 0)
            byteCount += count
            return
        }
    }
}
