package import Bytes
package import Motion

/// The path of a file below a directory, which its name cannot leave.
package struct OutputPath: Hashable, Sendable {
    /// The names of the directories that it leads through.
    package let directories: [ByteString]
    /// The name of the file.
    package let name: ByteString

    /// The bytes that a path may have, and each name in it, which common file systems allow.
    private static let (longest, longestName) = (1024, 255)

    /// Reads a path with slashes; `.` and empty parts are left out.
    ///
    /// - Throws: A fault of `output` if the path is absolute, leads upwards, names no file, is too
    ///   long, or has characters that some systems read as another path.
    package init(_ text: String) throws(ParameterFault) {
        guard text.utf8.count <= Self.longest else {
            throw Self.fault("must have at most \(Self.longest) bytes; got \(text.utf8.count)")
        }
        guard text.unicodeScalars.allSatisfy(Self.isAllowed) else {
            throw Self.fault("must not hold control characters, backslashes, or colons")
        }
        guard !text.begins(with: "/") else {
            throw Self.fault("must not be absolute; got \"\(text)\"")
        }
        let parts = text.pieces(separatedBy: "/").map { ByteString($0) }
        guard parts.allSatisfy({ $0.utf8.count <= Self.longestName }) else {
            throw Self.fault("must have names of at most \(Self.longestName) bytes")
        }
        guard !parts.contains("..") else {
            throw Self.fault("must not lead out of the directory; got \"\(text)\"")
        }
        guard let last = parts.last, !last.isEmpty, last != "." else {
            throw Self.fault("must name a file; got \"\(text)\"")
        }
        name = last
        directories = parts.dropLast().filter { !$0.isEmpty && $0 != "." }
    }

    /// The path with slashes.
    package var text: String { (directories + [name]).map(\.text).joined(separator: "/") }

    /// False for what leads elsewhere on Windows, such as `C:x`.
    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value >= 0x20 && scalar != "\u{7F}" && scalar != "\\" && scalar != ":"
    }

    private static func fault(_ message: String) -> ParameterFault {
        ParameterFault(parameter: "output", message: message)
    }
}
