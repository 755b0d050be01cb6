package import Bytes
package import Motion

/// The path of a file below a directory, which its name cannot leave on any system.
///
/// It is a path that Linux, macOS and Windows read alike, so that an archive of such files can be
/// unpacked everywhere.
package struct OutputPath: Hashable, Sendable {
    /// The names of the directories that it leads through.
    package let directories: [ByteString]
    /// The name of the file.
    package let name: ByteString

    /// The bytes that a path may have, and each name in it, which common file systems allow.
    private static let (longest, longestName) = (1024, 255)
    /// The most directories that a path may lead through: all directories of a list are remembered.
    private static let mostDirectories = 32

    /// Reads a path with slashes; `.` and empty parts are left out.
    ///
    /// - Throws: A fault of `output` if the path is absolute, leads upwards, names no file, is too
    ///   long, or has names that some systems do not take, or read as others.
    package init(_ text: String) throws(ParameterFault) {
        guard text.utf8.count <= Self.longest else {
            throw Self.fault("must have at most \(Self.longest) bytes; got \(text.utf8.count)")
        }
        guard text.unicodeScalars.allSatisfy(Self.isAllowed) else {
            throw Self.fault(
                "must not hold control characters, marks of direction, or one of \\ : * ? \" < > |")
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
        guard directories.count <= Self.mostDirectories else {
            throw Self.fault("must lead through at most \(Self.mostDirectories) directories")
        }
        for name in names {
            guard !Self.isTrimmed(name) else {
                throw Self.fault(
                    "must have names that neither begin nor end with a space or a dot; "
                        + "got \"\(text)\"")
            }
            guard !Self.isDevice(name) else {
                throw Self.fault(
                    "must not have the name of a Windows device, such as con or com1.svg; "
                        + "got \"\(text)\"")
            }
        }
    }

    /// The path with slashes.
    package var text: String { names.map(\.text).joined(separator: "/") }

    /// The names of the directories and of the file.
    private var names: [ByteString] { directories + [name] }

    /// False for a character that Windows takes in no name, or that leads elsewhere there, such as
    /// in `C:x`.
    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        !scalar.isControl && !"\\:*?\"<>|".unicodeScalars.contains(scalar)
    }

    /// True for a name at whose ends Windows leaves characters out, and for a hidden name.
    private static func isTrimmed(_ name: ByteString) -> Bool {
        [" ", "."].contains { name.text.begins(with: $0) || name.text.ends(with: $0) }
    }

    /// True for a name that means a device on Windows, whatever follows its first dot
    /// (Naming Files, Paths, and Namespaces).
    private static func isDevice(_ name: ByteString) -> Bool {
        let stem = (name.text.pieces(separatedBy: ".").first ?? "")
            .trimmingSpaces.lowercasedASCII
        return ["con", "prn", "aux", "nul", "conin$", "conout$"].includes(stem)
            || ["com", "lpt"].contains { port in
                stem.begins(with: port)
                    && "123456789¹²³".unicodeScalars.contains { stem.isSame(as: "\(port)\($0)") }
            }
    }

    private static func fault(_ message: String) -> ParameterFault {
        ParameterFault(parameter: "output", message: message)
    }
}
