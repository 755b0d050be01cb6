import Glibc

/// The names in a directory of the file system.
package enum DirectoryNames {
    /// Returns the sorted names in a directory, without names that begin with a dot.
    ///
    /// - Returns: Nil, with `errno` set, if it cannot be read.
    package static func sorted(in directory: String) -> [String]? {
        guard let stream = opendir(directory) else { return nil }
        defer { closedir(stream) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else { break }
            let name = withUnsafePointer(to: &entry.pointee.d_name) { start in
                start.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.begins(with: ".") { names.append(name) }
        }
        return errno == 0 ? names.sortedByBytes : nil
    }
}
