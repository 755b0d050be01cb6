package import Rendering

/// A list of files: lines that are read one after another, and the outputs that they have so far.
package struct FileList: Sendable {
    /// A line with the path of a file and its request, or the reason why it has none.
    package struct Entry: Sendable {
        /// The number of the line, from 1.
        package let number: Int
        /// The path; nil where it is unknown.
        package let path: OutputPath?
        package let line: Result<ListLine, RenderingError>
    }

    private var lines: LineReader
    private var outputs: OutputTable
    /// The number of the line that was read last.
    package private(set) var number = 0

    /// - Parameters:
    ///   - bytes: The first bytes of the list.
    ///   - longestLine: The bytes that a line may have.
    ///   - reserved: The names of files that no line may have.
    package init(_ bytes: [UInt8] = [], longestLine: Int, reserving reserved: [String] = []) {
        lines = LineReader(bytes, longest: longestLine)
        outputs = OutputTable(reserving: reserved)
    }

    /// Returns the number of lines in the bytes of a list.
    package static func lineCount(of bytes: [UInt8]) -> Int {
        let breaks = bytes.reduce(0) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
        return breaks + (bytes.last.map { $0 != UInt8(ascii: "\n") } ?? false ? 1 : 0)
    }

    /// Reads the next line that is neither blank nor a comment.
    ///
    /// - Parameters:
    ///   - most: The number of lines after which none is read.
    ///   - more: Returns the bytes that follow the bytes it returned before; none at the end.
    /// - Returns: Nil at the end.
    /// - Throws: The error of `more`.
    package mutating func next<Fault>(
        upTo most: Int = .max, _ more: () throws(Fault) -> [UInt8]
    ) throws(Fault) -> Entry? {
        while number < most, let line = try lines.next(more) {
            number += 1
            if let entry = entry(line) { return entry }
        }
        return nil
    }

    private mutating func entry(_ line: LineReader.Line) -> Entry? {
        var path: OutputPath?
        do throws(RenderingError) {
            guard case .bytes(let bytes) = line else {
                throw .invalid("line", "has more than \(lines.longest) bytes")
            }
            guard let line = try ListLine(bytes) else { return nil }
            path = line.path
            try outputs.add(line.path, of: number)
            return Entry(number: number, path: path, line: .success(line))
        } catch {
            return Entry(number: number, path: path, line: .failure(error))
        }
    }
}
