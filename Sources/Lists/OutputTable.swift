import Bytes
import CGLib
import Motion
package import Rendering

/// The outputs of a list, each of which is a file of its own on any file system.
///
/// File systems of macOS and Windows do not tell names apart by case, and some of them not by
/// Unicode normalization either: one of two files that differ only in these would be lost. So such
/// paths are one output here, as in the archives of Go's modules.
package struct OutputTable: Sendable {
    private enum Place: Sendable {
        /// The file of a line.
        case file(Int)
        /// A directory that the output of a line leads through.
        case directory(Int)
        /// A file that is not a line's.
        case reserved
    }

    /// The place at each path, by the hash of its folded text: a list has up to a million paths.
    private var places: [Digest: Place] = [:]

    /// Makes a table without outputs.
    ///
    /// - Parameter reserved: The names of files that the outputs of lines must not have.
    package init(reserving reserved: [String] = []) {
        for name in reserved { places[Digest([Self.folded(name)])] = .reserved }
    }

    /// Adds the output of a line.
    ///
    /// - Throws: A fault of `output` if an earlier line has it, leads through it, or has a file where
    ///   it needs a directory. The table then stays as it was.
    package mutating func add(_ path: OutputPath, of line: Int) throws(RenderingError) {
        let names = Self.folded(path.text).split(separator: UInt8(ascii: "/"))
        // Each with its directories, the longest first.
        let digests = names.indices.reversed().map { end in
            Digest([Array(names[...end].joined(separator: [UInt8(ascii: "/")]))])
        }
        switch places[digests[0]] {
        case .file(let line):
            throw Self.fault(
                "must differ from that of line \(line) in more than case and Unicode "
                    + "normalization; got \"\(path.text)\"")
        case .directory(let line):
            throw Self.fault(
                "must not be a directory that line \(line) writes to; "
                    + "got \"\(path.text)\"")
        case .reserved: throw Self.fault(ofReserved: path)
        case nil: break
        }
        let unknown = digests.dropFirst().prefix { places[$0] == nil }
        // The directories of a known one are known.
        switch digests.dropFirst(1 + unknown.count).first.flatMap({ places[$0] }) {
        case .file(let line):
            throw Self.fault(
                "must not lead through the file of line \(line); got \"\(path.text)\"")
        case .reserved: throw Self.fault(ofReserved: path)
        case .directory, nil: break
        }
        places[digests[0]] = .file(line)
        for digest in unknown { places[digest] = .directory(line) }
    }

    private static func fault(ofReserved path: OutputPath) -> RenderingError {
        fault("must not be the file that lists the faults; got \"\(path.text)\"")
    }

    private static func fault(_ message: String) -> RenderingError {
        .invalid([ParameterFault(parameter: "output", message: message)])
    }

    /// Returns one form for all texts that differ only in case and normalization (Unicode, D145).
    private static func folded(_ text: String) -> [UInt8] {
        let decomposed = glib(text) { g_utf8_normalize($0, -1, G_NORMALIZE_NFD) }
        let folded = glib(decomposed) { g_utf8_casefold($0, -1) }
        return Array(glib(folded) { g_utf8_normalize($0, -1, G_NORMALIZE_NFD) }.utf8)
    }

    /// Returns a text that a function of GLib makes of another without U+0000.
    private static func glib(
        _ text: String, _ change: (UnsafePointer<CChar>) -> UnsafeMutablePointer<CChar>?
    ) -> String {
        // Nil only for text that is not UTF-8.
        guard let changed = text.withCString(change) else { return text }
        defer { g_free(changed) }
        return String(cString: changed)
    }
}
