import Dispatch
import Glibc
import Processes
import Synchronization

/// The target of a rendering: standard output, a device or pipe, or a regular file that appears
/// whole or not at all.
///
/// A regular file is written under another name in the same directory, and removed if the writing
/// ends early, by a signal too.
struct OutputFile: ~Copyable {
    /// The path as it was given; nil for standard output.
    private let givenPath: String?
    private var descriptor: Int32
    /// The path of the unfinished file and its final one; nil if the target is written directly.
    private var paths: (unfinished: String, finished: String)?

    /// Opens a path; nil or `-` is standard output.
    ///
    /// - Throws: The reason why it cannot be opened.
    init(_ path: String?, _ interruption: Interruption) throws(CommandFailure) {
        let isStandard = path == nil || path == "-" || path == "/dev/stdout"
        givenPath = isStandard ? nil : path
        (descriptor, paths) = try Self.opened(givenPath, interruption)
    }

    private static func opened(
        _ path: String?, _ interruption: Interruption
    ) throws(CommandFailure) -> (Int32, (unfinished: String, finished: String)?) {
        guard let path else { return (1, nil) }
        var status = stat()
        let exists = stat(path, &status) == 0
        guard !exists || status.st_mode & S_IFMT == S_IFREG else {
            let descriptor = open(path, O_WRONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw cannotCreate(path) }
            return (descriptor, nil)
        }
        // Links are followed, so that they are not replaced.
        let finished = exists ? resolved(path) ?? path : path
        guard let (unfinished, descriptor) = create(beside: finished, interruption) else {
            throw cannotCreate(path)
        }
        if exists { fchmod(descriptor, status.st_mode & 0o777) }
        return (descriptor, (unfinished, finished))
    }

    deinit {
        if descriptor > 1 { close(descriptor) }
        if let paths { unlink(paths.unfinished) }
    }

    func append(_ bytes: [UInt8]) throws(CommandFailure) {
        guard StandardStreams.write(bytes, descriptor: descriptor) else { throw cannotWrite }
    }

    /// Gives the file its name.
    mutating func finish() throws(CommandFailure) {
        guard descriptor != 1 else { return }
        // Some file systems report failed writes only here.
        let isWritten = close(descriptor) == 0
        descriptor = -1
        guard isWritten else { throw cannotWrite }
        guard let paths else { return }
        guard rename(paths.unfinished, paths.finished) == 0 else {
            throw Self.cannotCreate(paths.finished)
        }
        self.paths = nil
    }

    private var cannotWrite: CommandFailure {
        let reason = StandardStreams.lastError
        return CommandFailure(
            .inputOutput, parameter: "-o",
            message: "cannot write to \(givenPath ?? "standard output"): \(reason)")
    }

    private static func cannotCreate(_ path: String) -> CommandFailure {
        CommandFailure(
            .cannotCreate, parameter: "-o",
            message: "cannot create \(path): \(StandardStreams.lastError)")
    }

    /// Creates a hidden file in the directory of another, with a name that only this process has.
    private static func create(
        beside path: String, _ interruption: Interruption
    ) -> (path: String, descriptor: Int32)? {
        // A name that is too long fails here and not after the rendering.
        guard access(path, F_OK) == 0 || errno == ENOENT else { return nil }
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        for attempt in 0..<100 {
            let unfinished = "\(folder).titlecard-\(getpid())-\(attempt)"
            let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC
            if let descriptor = interruption.open(unfinished, in: AT_FDCWD, flags) {
                return (unfinished, descriptor)
            }
            guard errno == EEXIST else { return nil }
        }
        return nil
    }

    /// Returns the path with all links resolved.
    private static func resolved(_ path: String) -> String? {
        guard let pointer = realpath(path, nil) else { return nil }
        defer { free(pointer) }
        return String(cString: pointer)
    }
}

/// Removes the unfinished files when a signal ends the process.
final class Interruption: Sendable {
    private struct Unfinished: Equatable {
        /// The descriptor of the directory.
        let directory: Int32
        let name: String
    }

    private let unfinished = Mutex<[Unfinished]>([])

    /// Handles the signals on a thread of its own.
    ///
    /// Must be called while the process has one thread, since threads inherit the blocked signals.
    init() {
        let numbers = [SIGHUP, SIGINT, SIGTERM].filter { number in
            // A signal that is ignored, as in the background of a shell, stays ignored.
            var action = sigaction()
            sigaction(number, nil, &action)
            return action.__sigaction_handler.sa_handler == nil
        }
        guard !numbers.isEmpty else { return }
        SignalSet(numbers).block()
        DispatchQueue(label: "titlecard.signals").async { [self] in wait(for: numbers) }
    }

    /// Creates an unfinished file.
    ///
    /// - Parameters:
    ///   - name: The name in the directory.
    ///   - directory: The descriptor of the directory, which stays open until the file is forgotten.
    ///   - flags: The flags of `open`.
    /// - Returns: The descriptor of the file; nil, with `errno` set, if it cannot be created.
    func open(_ name: String, in directory: Int32, _ flags: Int32) -> Int32? {
        unfinished.withLock { unfinished in
            let descriptor = openat(directory, name, flags, 0o666)
            guard descriptor >= 0 else { return nil }
            unfinished.append(Unfinished(directory: directory, name: name))
            return descriptor
        }
    }

    /// Leaves a file to itself that has another name by now, or is gone.
    func forget(_ name: String, in directory: Int32) {
        unfinished.withLock { unfinished in
            unfinished.removeAll { $0 == Unfinished(directory: directory, name: name) }
        }
    }

    private func wait(for numbers: [Int32]) {
        let set = SignalSet(numbers)
        var number: Int32 = 0
        guard set.withPointer({ sigwait($0, &number) }) == 0 else { return }
        // Locked to the end, so that no other file is created.
        unfinished.withLock { unfinished in
            for file in unfinished { unlinkat(file.directory, file.name, 0) }
            signal(number, SIG_DFL)
            set.unblock()
            raise(number)
        }
    }
}
