import Glibc

/// The reader of files that arguments name.
enum InputFile {
    /// Returns the bytes of a file, a pipe or a device.
    ///
    /// - Parameters:
    ///   - path: Its path.
    ///   - limit: The number of bytes that it may have.
    /// - Returns: All bytes.
    /// - Throws: The reason why it is not read.
    static func bytes(at path: String, limit: Int) throws(Fault) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .noInput(StandardStreams.lastError) }
        defer { close(descriptor) }
        return try bytes(of: descriptor, limit: limit)
    }

    /// Returns the bytes of a regular file.
    static func bytes(ofRegularFile path: String, limit: Int) throws(Fault) -> [UInt8] {
        // Opening a pipe would wait for its writer.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .noInput(StandardStreams.lastError) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw .notRegular
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
            guard count >= 0 else { throw .inputOutput(StandardStreams.lastError) }
            guard count > 0 else { return bytes }
            bytes += buffer.prefix(count)
            guard bytes.count <= limit else { throw .tooLarge(limit: limit) }
        }
    }

    /// The reason why a file is not read.
    enum Fault: Error {
        /// It cannot be opened, for the system's reason.
        case noInput(String)
        /// It is a directory, a pipe or a device.
        case notRegular
        /// Reading failed, for the system's reason.
        case inputOutput(String)
        case tooLarge(limit: Int)

        var kind: CommandFailure.Kind {
            switch self {
            case .noInput, .notRegular: .noInput
            case .inputOutput: .inputOutput
            case .tooLarge: .data
            }
        }

        /// Returns the reason in words.
        func message(about file: String) -> String {
            switch self {
            case .noInput(let reason), .inputOutput(let reason): "cannot read \(file): \(reason)"
            case .notRegular: "\(file) is no regular file"
            case .tooLarge(let limit): "\(file) has more than \(limit) bytes"
            }
        }
    }
}
