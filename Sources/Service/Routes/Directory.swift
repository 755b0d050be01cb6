import Glibc

/// A folder of the file system, as far as the service reads one.
enum Directory {
    /// The paths of all files below a folder, sorted; nil when it, or a folder in it, cannot be read.
    ///
    /// Hidden files and folders are left out, links to folders are not followed.
    static func files(below folder: String) -> [String]? {
        guard let stream = opendir(folder) else { return nil }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { start in
                start.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        var paths: [String] = []
        for name in names.sorted() {
            guard isFolder("\(folder)/\(name)") else {
                paths.append(name)
                continue
            }
            guard let below = files(below: "\(folder)/\(name)") else { return nil }
            paths += below.map { "\(name)/\($0)" }
        }
        return paths
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// A file's bytes; nil when it cannot be read or has more than `limit`.
    static func contents(of path: String, limit: Int) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count >= 0, bytes.count + count <= limit else { return nil }
            guard count > 0 else { return bytes }
            bytes += buffer.prefix(count)
        }
    }
}
