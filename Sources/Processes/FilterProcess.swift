import Glibc

/// A child process that reads its standard input, and writes a file.
///
/// The process is killed with the value, unless it has ended.
///
/// `@unchecked Sendable`: one thread at a time has it.
package final class FilterProcess: @unchecked Sendable {
    /// The file that it writes.
    package let file: ProgramFile
    private let id: pid_t
    /// True while its process exists.
    private var isRunning = true
    /// This end of its standard input; -1 once that is closed.
    private var input: Int32
    /// This end of its standard errors.
    private let errors: Int32
    /// The last bytes of its standard errors.
    private var messages: [UInt8] = []

    /// The bytes of messages that are kept.
    private static let messageBytes = 1024
    /// The most reads of messages between two checks: more than a socket holds.
    private static let mostReads = 64
    /// The milliseconds between two checks while it does nothing.
    private static let pause: Int32 = 10

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - program: The program.
    ///   - file: The file that it writes; nil for a new one in memory.
    ///   - writesOutput: True if its standard output is the file; false if the file has a
    ///     descriptor of its own.
    /// - Throws: The reason why it cannot be started.
    package init(
        _ program: LimitedProgram, to file: ProgramFile? = nil, writesOutput: Bool = false
    ) throws(StartFault) {
        guard let file = file ?? ProgramFile() else { throw .memory }
        self.file = file
        // Sockets rather than pipes: with them, writing to a process that has ended raises no
        // signal.
        var (inputs, outputs): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        let null = open("/dev/null", O_RDWR | O_CLOEXEC)
        defer { for descriptor in [null, inputs[1], outputs[1]] { close(descriptor) } }
        let isOpen =
            null >= 0
            && socketpair(AF_UNIX, kind, 0, &inputs) == 0
            && socketpair(AF_UNIX, kind, 0, &outputs) == 0
        (input, errors) = (inputs[0], outputs[0])
        let output = writesOutput ? file.descriptor : null
        guard isOpen,
            let started = program.start([inputs[1], output, outputs[1], file.descriptor])
        else {
            let reason = String(cString: strerror(errno))
            close(input)
            close(errors)
            throw .system(reason)
        }
        id = started
    }

    /// The reason why a process cannot be started.
    package enum StartFault: Error {
        /// There is no memory for its file.
        case memory
        /// The system's description of the reason.
        case system(String)
    }

    deinit {
        closeInput()
        close(errors)
        guard isRunning else { return }
        // Its group, because it may be a script that has started others.
        kill(-id, SIGKILL)
        kill(id, SIGKILL)
        waitpid(id, nil, 0)
    }

    /// The last line that it wrote to its standard errors; nil if it wrote none.
    package var lastMessage: String? {
        let lines = messages.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
        return lines.last.map { String(decoding: $0, as: UTF8.self) }
    }

    /// Writes bytes as fast as the process reads them.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - check: Called now and then; the error that it throws ends the attempt.
    /// - Returns: False if the process reads no more.
    /// - Throws: The error of `check`.
    package func write<Fault>(
        _ bytes: [UInt8], check: () throws(Fault) -> Void
    ) throws(Fault) -> Bool {
        var written = 0
        while written < bytes.count {
            try check()
            let count = bytes.withUnsafeBytes { bytes in
                send(
                    input, bytes.baseAddress.map { $0 + written }, bytes.count - written,
                    Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
            }
            if count > 0 {
                written += count
            } else if errno == EAGAIN {
                wait(for: Int16(POLLOUT))
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }

    /// Ends the standard input of the process.
    package func closeInput() {
        if input >= 0 { close(input) }
        input = -1
    }

    /// Waits until the process has ended.
    ///
    /// - Parameter check: As in `write`.
    /// - Returns: How it has ended; nil where the system does not say.
    /// - Throws: The error of `check`.
    package func end<Fault>(check: () throws(Fault) -> Void) throws(Fault) -> Ending? {
        var status: Int32 = 0
        var ended = waitpid(id, &status, WNOHANG)
        while ended == 0 || ended < 0 && errno == EINTR {
            try check()
            wait(for: 0)
            ended = waitpid(id, &status, WNOHANG)
        }
        isRunning = false
        guard ended == id else { return nil }
        readMessages()
        return Ending(status)
    }

    /// Waits for a moment, or until the process can be written to or has written a message.
    private func wait(for inputEvents: Int16) {
        var polled = [
            pollfd(fd: inputEvents == 0 ? -1 : input, events: inputEvents, revents: 0),
            pollfd(fd: errors, events: Int16(POLLIN), revents: 0),
        ]
        poll(&polled, 2, Self.pause)
        // Its messages end a little before its process.
        if !readMessages(), polled[0].revents == 0 { usleep(1000) }
    }

    /// Reads messages of the process, but not forever.
    ///
    /// - Returns: False if there is nothing.
    @discardableResult
    private func readMessages() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        for read in 0..<Self.mostReads {
            let count = recv(errors, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            guard count > 0 else { return read > 0 }
            messages = (messages + buffer[..<count]).suffix(Self.messageBytes)
        }
        return true
    }
}
