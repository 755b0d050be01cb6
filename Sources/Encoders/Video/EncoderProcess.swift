import CProcess
import Glibc
import Raster

/// A child process that reads frames from its standard input, and writes a file.
///
/// The process is killed with the value, unless it has ended.
///
/// `@unchecked Sendable`: one thread at a time has it.
final class EncoderProcess: @unchecked Sendable {
    /// The file that it writes, and the most bytes of that file.
    private let file: MemoryFile
    private let fileLimit: Int
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
    /// The most reads of messages between two looks at the deadline: more than a socket holds.
    private static let mostReads = 64
    /// The milliseconds between two looks at the deadline while it does nothing.
    private static let pause: Int32 = 10

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - program: The program.
    ///   - arguments: Its arguments.
    ///   - variables: Its environment.
    ///   - limits: Its limits.
    ///   - writesOutput: True if its standard output is the file; false if the file has a
    ///     descriptor of its own.
    /// - Throws: `EncodingError.videoEncoder` where it cannot be started.
    init(
        _ program: FFmpeg, _ arguments: [String], variables: [String] = [], _ limits: ChildLimits,
        writesOutput: Bool = false
    ) throws(EncodingError) {
        guard program.isUnchanged else {
            throw .videoEncoder("\(program.path) has changed since the service started")
        }
        file = try MemoryFile()
        fileLimit = limits.fileBytes
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
        let started =
            isOpen
            ? ChildLauncher.start(
                program.path, arguments, variables: variables, limits: limits,
                descriptors: [
                    inputs[1], writesOutput ? file.descriptor : null, outputs[1], file.descriptor,
                ]) : nil
        guard let started else {
            let reason = String(cString: strerror(errno))
            close(input)
            close(errors)
            throw .videoEncoder("ffmpeg cannot be started: \(reason)")
        }
        id = started
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

    /// Writes bytes as fast as the process reads them.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - check: Called now and then; the error that it throws ends the attempt.
    /// - Throws: `EncodingError.videoEncoder` where the program has ended, `.videoTooLong` where
    ///   its file has reached the limit, or the error of `check`.
    func write(
        _ bytes: [UInt8], check: () throws(EncodingError) -> Void
    ) throws(EncodingError) {
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
                // The process reads no more, and gives the reason when it ends.
                _ = try end(check: check)
                try fail("did not read all frames")
            }
        }
    }

    /// Tells the process that there are no more frames, and waits until it has ended.
    ///
    /// - Parameter check: As in `write`.
    /// - Returns: Its file.
    /// - Throws: `EncodingError.videoEncoder` where the program has failed, `.videoTooLong` where
    ///   its file has reached the limit, or the error of `check`.
    func finish(check: () throws(EncodingError) -> Void) throws(EncodingError) -> [UInt8] {
        closeInput()
        let status = try end(check: check)
        guard status == 0 else {
            let signal = status & 0x7F
            try fail(
                signal == 0
                    ? "ended with status \(status >> 8 & 0xFF)"
                    : "was ended by signal \(signal)")
        }
        let bytes = try file.bytes()
        guard !bytes.isEmpty else { try fail("wrote nothing") }
        return bytes
    }

    /// Waits until its process has ended, and returns the status.
    private func end(check: () throws(EncodingError) -> Void) throws(EncodingError) -> Int32 {
        var status: Int32 = 0
        var ended = waitpid(id, &status, WNOHANG)
        while ended == 0 || ended < 0 && errno == EINTR {
            try check()
            wait(for: 0)
            ended = waitpid(id, &status, WNOHANG)
        }
        isRunning = false
        guard ended == id else { throw .videoEncoder("ffmpeg ended with an unknown status") }
        readMessages()
        return status
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

    private func closeInput() {
        if input >= 0 { close(input) }
        input = -1
    }

    /// Throws the error for an event, with the last line of the process.
    private func fail(_ event: String) throws(EncodingError) -> Never {
        guard try file.byteCount() < fileLimit else { throw .videoTooLong(limit: fileLimit) }
        let lines = messages.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
        let last = lines.last.map { ": " + String(decoding: $0, as: UTF8.self) } ?? ""
        throw .videoEncoder("ffmpeg \(event)\(last)")
    }
}
