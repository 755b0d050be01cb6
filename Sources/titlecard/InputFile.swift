import Glibc

/// A file that an argument names.
struct InputFile {
    /// The beginning of the messages of failures: the argument, or the file's name.
    let parameter: String
    /// The file's name in the messages.
    let name: String
    /// The number of bytes that it may have.
    let limit: Int

    /// Returns the bytes of a file, a pipe or a device.
    ///
    /// - Throws: The reason why it is not read.
    func bytes(at path: String) throws(CommandFailure) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw unreadable(.noInput) }
        defer { close(descriptor) }
        return try bytes(of: descriptor)
    }

    /// Returns a regular file as it is now.
    func operatorFile(
        _ kind: OperatorFile.Kind, at path: String
    ) throws(CommandFailure) -> OperatorFile {
        // Opening a pipe would wait for its writer.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw unreadable(.noInput) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw failure(.noInput, "\(name) is not a regular file")
        }
        return OperatorFile(
            kind: kind, path: path, version: FileVersion(descriptor),
            bytes: try bytes(of: descriptor))
    }

    /// Returns all bytes of an open file.
    func bytes(of descriptor: Int32) throws(CommandFailure) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw unreadable(.inputOutput) }
            guard count > 0 else { return bytes }
            bytes += buffer.prefix(count)
            guard bytes.count <= limit else {
                throw failure(.data, "\(name) has more than \(limit) bytes")
            }
        }
    }

    private func unreadable(_ kind: CommandFailure.Kind) -> CommandFailure {
        failure(kind, "cannot read \(name): \(StandardStreams.lastError)")
    }

    private func failure(_ kind: CommandFailure.Kind, _ message: String) -> CommandFailure {
        CommandFailure(kind, parameter: parameter, message: message)
    }
}
