import Bytes
import Glibc

/// Files and directories whose changes are waited for.
///
/// They are looked at five times a second, which finds changes on every file system, of editors
/// that replace files too. Only the files directly in a directory count.
struct WatchedFiles {
    /// The microseconds between two looks.
    private static let interval: UInt32 = 200_000
    /// The files of a directory that are looked at.
    private static let mostFiles = 1024

    private let paths: [String]
    private var versions: [[FileVersion]]

    init(_ paths: [String]) {
        self.paths = paths
        versions = paths.map(Self.versions)
    }

    /// Waits until something has changed and nothing changes any more.
    ///
    /// - Returns: The paths that have changed.
    mutating func waitForChange() -> [String] {
        let known = versions
        var isSteady = false
        while !isSteady || versions == known {
            usleep(Self.interval)
            let next = paths.map(Self.versions)
            isSteady = next == versions
            versions = next
        }
        return paths.indices.filter { versions[$0] != known[$0] }.map { paths[$0] }
    }

    private static func versions(at path: String) -> [FileVersion] {
        let names = DirectoryNames.sorted(in: path) ?? []
        return [FileVersion(path)] + names.prefix(mostFiles).map { FileVersion("\(path)/\($0)") }
    }
}
