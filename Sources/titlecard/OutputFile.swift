import Glibc

/// The target of a rendering: standard output, a device or pipe, or a regular file that appears
/// whole or not at all.
struct OutputFile: ~Copyable {
    /// The path as it was given; nil for standard output.
    private let path: String?
    /// The regular file; nil if the target is written directly.
    private var file: UnfinishedFile?
    /// The target that is written directly; -1 for a regular file.
    private var descriptor: Int32 = -1

    /// Opens a path; nil or `-` is standard output.
    ///
    /// - Throws: The reason why it cannot be opened.
    init(_ path: String?, _ interruption: Interruption) throws(CommandFailure) {
        guard let path, path != "-", path != "/dev/stdout" else {
            (self.path, descriptor) = (nil, 1)
            file = nil
            return
        }
        self.path = path
        var status = stat()
        let exists = stat(path, &status) == 0
        if exists, status.st_mode & S_IFMT != S_IFREG {
            file = nil
            descriptor = open(path, O_WRONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw Self.failure(.create, path) }
        } else {
            // Links are followed, so that they are not replaced.
            file = try Self.file(
                exists ? Self.resolved(path) ?? path : path, givenAs: path,
                mode: exists ? status.st_mode & 0o777 : nil, interruption)
        }
    }

    deinit { if descriptor > 1 { close(descriptor) } }

    func append(_ bytes: [UInt8]) throws(CommandFailure) {
        if descriptor >= 0, !StandardStreams.write(bytes, descriptor: descriptor) {
            throw Self.failure(.write, path)
        }
        try file?.append(bytes)
    }

    /// Gives the file its name.
    mutating func finish() throws(CommandFailure) {
        try file?.finish()
        guard descriptor > 1 else { return }
        // Some file systems report failed writes only here.
        let isWritten = close(descriptor) == 0
        descriptor = -1
        guard isWritten else { throw Self.failure(.write, path) }
    }

    private static func failure(
        _ failure: UnfinishedFile.Failure, _ path: String?
    ) -> CommandFailure {
        let (kind, verb): (CommandFailure.Kind, String) =
            failure == .create ? (.cannotCreate, "create") : (.inputOutput, "write to")
        let target = path ?? "standard output"
        return CommandFailure(
            kind, parameter: "-o",
            message: "cannot \(verb) \(target): \(StandardStreams.lastError)")
    }

    /// Creates a file, hidden in its directory under a name that only this process has.
    private static func file(
        _ path: String, givenAs givenPath: String, mode: mode_t?, _ interruption: Interruption
    ) throws(CommandFailure) -> UnfinishedFile {
        // A name that is too long fails here and not after the rendering.
        guard access(path, F_OK) == 0 || errno == ENOENT else {
            throw failure(.create, givenPath)
        }
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        let names = (0..<100).lazy.map { "\(folder).titlecard-\(getpid())-\($0)" }
        return try UnfinishedFile(path, until: names, in: nil, mode: mode, interruption) {
            failure($0, givenPath)
        }
    }

    /// Returns the path with all links resolved.
    private static func resolved(_ path: String) -> String? {
        guard let pointer = realpath(path, nil) else { return nil }
        defer { free(pointer) }
        return String(cString: pointer)
    }
}
