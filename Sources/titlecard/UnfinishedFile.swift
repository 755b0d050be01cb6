import Dispatch
import Glibc
import Processes
import Synchronization

/// A file that gets its name once it is whole.
///
/// Until then it has another name in the same directory, and it is removed if the writing ends
/// early, by a signal too. Nothing is flushed to the disk.
struct UnfinishedFile: ~Copyable {
    /// A failure, whose reason is in `errno`.
    enum Failure {
        case create, write
    }

    /// The directory that names are relative to, which is kept open; nil for the current one.
    private let directory: OpenDirectory?
    /// The descriptor of the directory.
    private let folder: Int32
    private let (name, finalName): (String, String)
    private let interruption: Interruption
    private let failure: (Failure) -> CommandFailure
    private var descriptor: Int32
    private var isFinished = false

    /// Creates the file.
    ///
    /// - Parameters:
    ///   - finalName: Its name once it is whole, which another file may have until then.
    ///   - names: Its names until then; it gets the first one that no other file has.
    ///   - directory: The directory that names are relative to; nil for the current one.
    ///   - mode: Its rights; nil for the rights of new files.
    ///   - interruption: The signals that remove it.
    ///   - failure: Returns the error for a failure.
    /// - Throws: The error where it cannot be created.
    init(
        _ finalName: String, until names: some Sequence<String>,
        in directory: consuming OpenDirectory?, mode: mode_t?, _ interruption: Interruption,
        failure: @escaping (Failure) -> CommandFailure
    ) throws(CommandFailure) {
        folder = directory?.descriptor ?? AT_FDCWD
        var created: (name: String, descriptor: Int32)?
        errno = EEXIST
        for name in names where created == nil && errno == EEXIST {
            created = interruption.create(name, in: folder).map { (name, $0) }
        }
        guard let created else { throw failure(.create) }
        if let mode { fchmod(created.descriptor, mode) }
        (name, descriptor) = created
        (self.finalName, self.interruption, self.failure) = (finalName, interruption, failure)
        self.directory = directory
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
        if !isFinished { unlinkat(folder, name, 0) }
        interruption.forget(name, in: folder)
    }

    /// The file for a program that writes it in place of this process; nil where the system refuses.
    func programFile() -> ProgramFile? { ProgramFile(copying: descriptor) }

    /// Writes the next bytes.
    func append(_ bytes: [UInt8]) throws(CommandFailure) {
        guard StandardStreams.write(bytes, descriptor: descriptor) else { throw failure(.write) }
    }

    /// Gives the file its name.
    mutating func finish() throws(CommandFailure) {
        // Some file systems report failed writes only here.
        let isWritten = close(descriptor) == 0
        descriptor = -1
        guard isWritten else { throw failure(.write) }
        guard renameat(folder, name, folder, finalName) == 0 else { throw failure(.create) }
        isFinished = true
    }
}

/// Removes the unfinished files, and the bar on the terminal, when a signal ends the process.
final class Interruption: Sendable {
    private struct Unfinished: Equatable {
        /// The descriptor of the directory.
        let directory: Int32
        let name: String
    }

    let bar: ProgressBar
    private let unfinished = Mutex<[Unfinished]>([])

    /// Handles the signals on a thread of its own.
    ///
    /// Must be called while the process has one thread, since threads inherit the blocked signals.
    init(removing bar: ProgressBar) {
        self.bar = bar
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
    ///   - name: The name in the directory, which no other file has.
    ///   - directory: The descriptor of the directory, which stays open until the file is forgotten.
    /// - Returns: The descriptor of the file; nil, with `errno` set, if it cannot be created.
    fileprivate func create(_ name: String, in directory: Int32) -> Int32? {
        unfinished.withLock { unfinished in
            let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC
            let descriptor = openat(directory, name, flags, 0o666)
            guard descriptor >= 0 else { return nil }
            unfinished.append(Unfinished(directory: directory, name: name))
            return descriptor
        }
    }

    /// Leaves a file to itself that has another name by now, or is gone.
    fileprivate func forget(_ name: String, in directory: Int32) {
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
            bar.end()
            signal(number, SIG_DFL)
            set.unblock()
            raise(number)
        }
    }
}
