import Glibc

/// The reader of files that arguments name.
enum InputFile {
    /// Returns the bytes of a file, a pipe or a device.
    ///
    /// - Parameters:
    ///   - path: Its path.
    ///   - limit: The number of bytes that it may have.
    /// - Returns: All bytes.
    /// - Throws: A phrase that follows the file's name.
    static func bytes(at path: String, limit: Int) throws(Fault) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Fault(.noInput, "cannot be read: \(lastError)") }
        defer { close(descriptor) }
        return try bytes(of: descriptor, limit: limit)
    }

    /// Returns the bytes of a regular file.
    static func bytes(ofRegularFile path: String, limit: Int) throws(Fault) -> [UInt8] {
        // Opening a pipe would wait for its writer.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw Fault(.noInput, "cannot be read: \(lastError)") }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw Fault(.noInput, "is no file")
        }
        return try bytes(of: descriptor, limit: limit)
    }

    /// Returns all bytes of an open file.
    static func bytes(of descriptor: Int32, limit: Int) throws(Fault) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Fault(.inputOutput, "cannot be read: \(lastError)") }
            guard count > 0 else { return bytes }
            bytes += buffer.prefix(count)
            guard bytes.count <= limit else { throw Fault(.data, "has more than \(limit) bytes") }
        }
    }

    private static var lastError: String { StandardStreams.lastError }

    /// The reason why a file is not read.
    struct Fault: Error {
        let kind: CommandFailure.Kind
        /// A phrase that follows the file's name.
        let message: String

        fileprivate init(_ kind: CommandFailure.Kind, _ message: String) {
            self.kind = kind
            self.message = message
        }
    }
}
