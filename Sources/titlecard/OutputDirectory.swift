import Bytes
import Glibc
import Lists

/// The directory that holds the files of a list. No path leads out of it, not by links either.
struct OutputDirectory: ~Copyable, Sendable {
    private let root: OpenDirectory?

    /// Opens the directory, which is made if it does not exist, unless `isCheck` is true.
    ///
    /// - Throws: The reason why it cannot be opened or made.
    init(_ path: String, isCheck: Bool) throws(CommandFailure) {
        if !isCheck { _ = try Self.make(path, of: BatchOptions.directoryOption) }
        let descriptor = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 || isCheck && errno == ENOENT else { throw Self.failure(path) }
        root = descriptor >= 0 ? OpenDirectory(descriptor) : nil
    }

    /// Makes a directory if it does not exist.
    ///
    /// - Parameters:
    ///   - path: Its path.
    ///   - option: The option that names it, for messages.
    /// - Returns: True if it did not exist.
    /// - Throws: The reason why it cannot be made.
    static func make(_ path: String, of option: String) throws(CommandFailure) -> Bool {
        guard mkdir(path, 0o777) != 0 else { return true }
        guard errno == EEXIST else { throw failure(path, option) }
        var status = stat()
        if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFDIR { errno = ENOTDIR }
        guard errno == EEXIST else { throw failure(path, option) }
        return false
    }

    private static func failure(
        _ path: String, _ option: String = BatchOptions.directoryOption
    ) -> CommandFailure {
        CommandFailure(
            .cannotCreate, parameter: option,
            message: "cannot open the directory \(path): \(StandardStreams.lastError)")
    }

    /// Opens the directory of a file.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - makes: True if directories that do not exist are made.
    /// - Returns: Nil if it does not exist.
    /// - Throws: The reason why it cannot be opened or made.
    func directory(of path: OutputPath, makes: Bool) throws(CommandFailure) -> OpenDirectory? {
        guard var directory = root?.entry(".") else { return nil }
        for name in path.directories {
            if makes, mkdirat(directory.descriptor, name.text, 0o777) != 0, errno != EEXIST {
                throw path.failure("cannot make the directory of")
            }
            guard let next = directory.entry(name.text) else {
                if errno == ENOENT, !makes { return nil }
                if errno == ENOTDIR || errno == ELOOP {
                    throw path.fault("leads through \(name), which is a link, or not a directory")
                }
                throw path.failure("cannot open the directory of")
            }
            directory = next
        }
        return directory
    }
}

/// A directory that is open.
struct OpenDirectory: ~Copyable, Sendable {
    let descriptor: Int32

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Opens a directory in this one; nil, with `errno` set, if there is none, or a link.
    func entry(_ name: String) -> OpenDirectory? {
        let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
        let entry = openat(descriptor, name, flags)
        return entry >= 0 ? OpenDirectory(entry) : nil
    }
}

extension OutputPath {
    /// Returns the failure of the last system call for the file: of the list, if the path is too
    /// long, or has a directory where another one has a file; of the system otherwise.
    func failure(_ message: String) -> CommandFailure {
        let isPath = [ENAMETOOLONG, EISDIR, ENOTDIR].contains(errno)
        let kind: CommandFailure.Kind = isPath ? .data : .inputOutput
        return CommandFailure(
            kind, parameter: "output", message: "\(message) \(text): \(StandardStreams.lastError)")
    }

    /// Returns the fault of a path for which there is no place.
    func fault(_ message: String) -> CommandFailure {
        CommandFailure(.data, parameter: "output", message: "\(text) \(message)")
    }
}
