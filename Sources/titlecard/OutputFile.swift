import Glibc
import Processes

/// The target of a rendering: standard output, a device or pipe, or a regular file that appears
/// whole or not at all.
struct OutputFile: ~Copyable {
    /// The path as it was given; nil for standard output.
    private let path: String?
    /// The option that names it, for messages.
    private let option: String
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
        self.option = option
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
            guard descriptor >= 0 else { throw Self.failure(.create, path, option) }
        } else {
            file = try Self.file(
                Self.target(of: path, option), givenAs: path, option,
                mode: exists ? status.st_mode & 0o777 : nil, interruption)
        }
    }

    deinit { if descriptor > 1 { close(descriptor) } }

    /// Returns the regular file for a program that writes it in place of this process.
    ///
    /// - Throws: The reason where there is none: a program seeks in its file.
    func programFile() throws(CommandFailure) -> ProgramFile {
        guard descriptor < 0 else {
            throw CommandFailure(
                .usage, parameter: option, message: "must be a file, in which ffmpeg can seek")
        }
        guard let target = file?.programFile() else { throw Self.failure(.create, path, option) }
        return target
    }

    func append(_ bytes: [UInt8]) throws(CommandFailure) {
        if descriptor >= 0, !StandardStreams.write(bytes, descriptor: descriptor) {
            throw Self.failure(.write, path, option)
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
        guard isWritten else { throw Self.failure(.write, path, option) }
    }

    private static func failure(
        _ failure: UnfinishedFile.Failure, _ path: String?, _ option: String
    ) -> CommandFailure {
        let target = path ?? "standard output"
        switch failure {
        case .create:
            return CommandFailure(
                .cannotCreate, parameter: option,
                message: "cannot create \(target): \(StandardStreams.lastError)")
        case .write: return StandardStreams.writeFailure(of: option, to: target)
        }
    }

    /// Creates a file, hidden in its directory under a name that only this process has.
    private static func file(
        _ path: String, givenAs givenPath: String, _ option: String, mode: mode_t?,
        _ interruption: Interruption
    ) throws(CommandFailure) -> UnfinishedFile {
        // A name that is too long fails here and not after the rendering.
        guard access(path, F_OK) == 0 || errno == ENOENT else {
            throw failure(.create, givenPath, option)
        }
        let folder = folder(of: path)
        let names = (0..<100).lazy.map { "\(folder).titlecard-\(getpid())-\($0)" }
        return try UnfinishedFile(path, until: names, in: nil, mode: mode, interruption) {
            failure($0, givenPath, option)
        }
    }

    /// Returns the path that links lead to, whether a file is there or not: it is replaced in its own
    /// folder, and the links stay.
    private static func target(
        of path: String, _ option: String
    ) throws(CommandFailure) -> String {
        var target = path
        for _ in 0..<mostLinks {
            guard let link = try link(at: target, givenAs: path, option) else { return target }
            target = link.hasPrefix("/") ? link : folder(of: target) + link
        }
        errno = ELOOP
        throw failure(.create, path, option)
    }

    /// Returns what a link names; nil for what is no link.
    private static func link(
        at path: String, givenAs givenPath: String, _ option: String
    ) throws(CommandFailure) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &buffer, buffer.count)
        guard count >= 0 else { return nil }
        let bytes = buffer.prefix(count).map { UInt8(bitPattern: $0) }
        guard let link = String(validating: bytes, as: UTF8.self) else {
            errno = EILSEQ
            throw failure(.create, givenPath, option)
        }
        return link
    }

    /// Returns a path up to its last slash; empty without one.
    private static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    }

    /// As many as the system follows.
    private static let mostLinks = 40
}
