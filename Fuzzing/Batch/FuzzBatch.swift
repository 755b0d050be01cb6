import Bytes
import Lists
import Rendering
import Service

/// The lines of a list of files.
///
/// No path may leave its directory, and a path that is read again means the same.
enum FuzzBatch: FuzzTarget {
    private static let settings = ServiceSettings()

    static func take(_ input: [UInt8]) {
        guard let line = try? ListLine(input) else { return }
        let path = line.path
        let parts = (path.directories + [path.name]).map(\.text)
        check(
            parts.allSatisfy { part in
                !part.isEmpty && part != "." && part != ".."
                    && !part.utf8.contains { $0 == UInt8(ascii: "/") || $0 < 0x20 }
            }, "\(path.text) stays in the directory")
        check((try? OutputPath(path.text)) == path, "\(path.text) is read as it is written")
        _ = try? line.request(settings)
    }
}
