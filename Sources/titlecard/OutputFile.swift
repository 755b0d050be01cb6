import Dispatch
import Glibc
import Synchronization

/// The target of a rendering: standard output, a device or pipe, or a regular file that appears
/// whole or not at all.
///
/// A regular file is written under another name beside its place; whatever ends the writing early,
/// a signal too, removes it.
struct OutputFile: ~Copyable {
    /// The path as it was given; nil for standard output.
    private let written: String?
    private var descriptor: Int32
    /// The file that is being made and the one that it becomes; nil where it is written in place.
    private var paths: (unfinished: String, finished: String)?

    /// A path of nil or `-` is standard output.
    ///
    /// - Throws: Why it cannot be written.
    init(_ path: String?, _ interruption: Interruption) throws(CommandFailure) {
        let isStandard = path == nil || path == "-" || path == "/dev/stdout"
        written = isStandard ? nil : path
        (descriptor, paths) = try Self.opened(written, interruption)
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
        // Through links, so that they stay.
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
        // Some file systems say only now what they could not write.
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
            .inputOutput, "-o", "cannot write to \(written ?? "standard output"): \(reason)")
    }

    private static func cannotCreate(_ path: String) -> CommandFailure {
        CommandFailure(.cannotCreate, "-o", "cannot create \(path): \(StandardStreams.lastError)")
    }

    /// A new file in the folder of another, hidden, under a name that no other process takes.
    private static func create(
        beside path: String, _ interruption: Interruption
    ) -> (path: String, descriptor: Int32)? {
        // A name that is too long shall fail here and not when all is drawn.
        guard access(path, F_OK) == 0 || errno == ENOENT else { return nil }
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        for attempt in 0..<100 {
            let unfinished = "\(folder).titlecard-\(getpid())-\(attempt)"
            let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC
            if let descriptor = interruption.open(unfinished, flags) {
                return (unfinished, descriptor)
            }
            guard errno == EEXIST else { return nil }
        }
        return nil
    }

    /// The file that a path leads to, through all links.
    private static func resolved(_ path: String) -> String? {
        guard let pointer = realpath(path, nil) else { return nil }
        defer { free(pointer) }
        return String(cString: pointer)
    }
}

/// The end of the process by a signal, which first removes the file that is being made.
final class Interruption: Sendable {
    /// The file that is being made.
    private let unfinished = Mutex<String?>(nil)

    /// To be called before there is another thread: those made later keep the signals blocked too,
    /// so that none is lost and none comes to a thread that knows nothing of the file.
    init() {
        let numbers = [SIGHUP, SIGINT, SIGTERM].filter { number in
            // Ignored as in the background of a shell, it stays so.
            var action = sigaction()
            sigaction(number, nil, &action)
            return action.__sigaction_handler.sa_handler == nil
        }
        guard !numbers.isEmpty else { return }
        Self.mask(numbers, SIG_BLOCK)
        DispatchQueue(label: "titlecard.signals").async { [self] in wait(for: numbers) }
    }

    /// Opens a file that is to be removed; nil where the opening fails.
    func open(_ path: String, _ flags: Int32) -> Int32? {
        unfinished.withLock { unfinished in
            let descriptor = Glibc.open(path, flags, 0o666)
            guard descriptor >= 0 else { return nil }
            unfinished = path
            return descriptor
        }
    }

    private func wait(for numbers: [Int32]) {
        var set = Self.set(of: numbers)
        var number: Int32 = 0
        guard sigwait(&set, &number) == 0 else { return }
        // Locked until the end, so that no file comes after.
        unfinished.withLock { unfinished in
            if let unfinished { unlink(unfinished) }
            signal(number, SIG_DFL)
            Self.mask(numbers, SIG_UNBLOCK)
            raise(number)
        }
    }

    private static func mask(_ numbers: [Int32], _ how: Int32) {
        var set = set(of: numbers)
        pthread_sigmask(how, &set, nil)
    }

    private static func set(of numbers: [Int32]) -> sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for number in numbers { sigaddset(&set, number) }
        return set
    }
}
