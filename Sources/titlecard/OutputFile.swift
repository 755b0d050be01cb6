import Glibc
import Processes

/// The target of a rendering: standard output, a device or pipe, or a regular file that appears
/// whole or not at all.
struct OutputFile: ~Copyable {
    private let target: Target
    /// The regular file; nil if the target is written directly.
    private var file: UnfinishedFile?
    /// The target that is written directly; -1 for a regular file.
    private var descriptor: Int32 = -1

    /// Opens a path; nil or `-` is standard output.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - option: The option that names it, for messages.
    ///   - interruption: The signals that remove an unfinished file.
    /// - Throws: The reason why it cannot be opened.
    init(
        _ path: String?, of option: String = "-o", _ interruption: Interruption
    ) throws(CommandFailure) {
        guard let path, path != "-", path != "/dev/stdout" else {
            target = Target(path: "standard output", option: option)
            file = nil
            descriptor = 1
            return
        }
        target = Target(path: path, option: option)
        var status = stat()
        let exists = stat(path, &status) == 0
        if exists, status.st_mode & S_IFMT != S_IFREG {
            file = nil
            descriptor = open(path, O_WRONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw target.failure(.create) }
        } else {
            file = try target.file(mode: exists ? status.st_mode & 0o777 : nil, interruption)
        }
    }

    deinit { if descriptor > 1 { close(descriptor) } }

    /// Returns the regular file for a program that writes it in place of this process.
    ///
    /// - Throws: The reason where there is none: a program seeks in its file.
    func programFile() throws(CommandFailure) -> ProgramFile {
        guard descriptor < 0 else {
            throw CommandFailure(
                .usage, parameter: target.option,
                message: "must be a file, in which ffmpeg can seek")
        }
        guard let program = file?.programFile() else { throw target.failure(.create) }
        return program
    }

    func append(_ bytes: [UInt8]) throws(CommandFailure) {
        if descriptor >= 0, !StandardStreams.write(bytes, descriptor: descriptor) {
            throw target.failure(.write)
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
        guard isWritten else { throw target.failure(.write) }
    }
}

/// What an option names.
private struct Target {
    /// The path as it was given, or "standard output".
    let path: String
    let option: String

    /// As many links as the system follows.
    private static let mostLinks = 40

    /// Returns the error for a failure of the last system call.
    func failure(_ failure: UnfinishedFile.Failure) -> CommandFailure {
        switch failure {
        case .create:
            CommandFailure(
                .cannotCreate, parameter: option,
                message: "cannot create \(path): \(StandardStreams.lastError)")
        case .write: StandardStreams.writeFailure(of: option, to: path)
        }
    }

    /// Creates the file, hidden in its directory under a name that only this process has.
    func file(
        mode: mode_t?, _ interruption: Interruption
    ) throws(CommandFailure) -> UnfinishedFile {
        let path = try followed()
        // A name that is too long fails here and not after the rendering.
        guard access(path, F_OK) == 0 || errno == ENOENT else { throw failure(.create) }
        let folder = Self.folder(of: path)
        let names = (0..<100).lazy.map { "\(folder).titlecard-\(getpid())-\($0)" }
        return try UnfinishedFile(
            path, until: names, in: nil, mode: mode, interruption, failure: failure)
    }

    /// Returns the path that links lead to, whether a file is there or not: it is replaced in its own
    /// folder, and the links stay.
    private func followed() throws(CommandFailure) -> String {
        var path = path
        for _ in 0..<Self.mostLinks {
            guard let link = try link(at: path) else { return path }
            path = link.hasPrefix("/") ? link : Self.folder(of: path) + link
        }
        errno = ELOOP
        throw failure(.create)
    }

    /// Returns what a link names; nil for what is no link.
    private func link(at path: String) throws(CommandFailure) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &buffer, buffer.count)
        guard count >= 0 else { return nil }
        let bytes = buffer.prefix(count).map { UInt8(bitPattern: $0) }
        guard let link = String(validating: bytes, as: UTF8.self) else {
            errno = EILSEQ
            throw failure(.create)
        }
        return link
    }

    /// Returns a path up to its last slash; empty without one.
    private static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    }
}
