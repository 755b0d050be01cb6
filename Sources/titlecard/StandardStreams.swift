import ArgumentParser
import Bytes
import Dispatch
import Glibc
import Logging
import Motion
import Rendering
import Service
import Synchronization

/// Standard input, output and error as bytes.
enum StandardStreams {
    /// The size of standard input that is read; a text has far fewer bytes.
    private static let maximumInputBytes = 1 << 20

    /// Prepares the streams of the process.
    ///
    /// No file gets the descriptor of a closed stream. Writing to a stream without a reader is an
    /// error of the call and not a signal, so that what ffmpeg no longer reads ends nothing; the command
    /// ends as by the signal where the stream is its own output.
    static func prepare() {
        for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) == -1 {
            // The lowest free descriptor; opened so that its use still fails.
            _ = open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
        }
        _ = endsByClosedPipe
        // SIGXFSZ: a file that has reached the largest size that the system allows.
        for number in [SIGPIPE, SIGXFSZ] { signal(number, SIG_IGN) }
    }

    /// Returns all of standard input without one final line break.
    static func input() throws(CommandFailure) -> String {
        let file = InputFile(
            parameter: "text", name: "standard input", limit: maximumInputBytes)
        var bytes = try file.bytes(of: 0)
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        return try RawArgument(bytes).value(of: "text")
    }

    /// Writes a line to standard output, or ends the command.
    static func print(_ line: String) throws {
        try write(whole: Array((line + "\n").utf8))
    }

    /// Writes bytes to standard output, or ends the command.
    static func write(whole bytes: [UInt8]) throws {
        guard write(bytes, descriptor: 1) else { throw report(writeFailure(of: "-o")) }
    }

    /// Returns the failure of the last system call, which did not write to a target.
    static func writeFailure(
        of parameter: String, to target: String = "standard output"
    ) -> CommandFailure {
        guard errno == EPIPE, endsByClosedPipe else {
            return CommandFailure(
                .inputOutput, parameter: parameter,
                message: "cannot write to \(target): \(lastError)")
        }
        return CommandFailure(.closedPipe, messages: [])
    }

    /// True unless the process was started with SIGPIPE ignored. The first use must come before the
    /// program ignores it itself.
    private static let endsByClosedPipe = {
        var action = sigaction()
        sigaction(SIGPIPE, nil, &action)
        return action.__sigaction_handler.sa_handler == nil
    }()

    /// Writes a message to standard error as one line, with any text that it quotes.
    static func writeError(_ message: String) {
        _ = write(Array((LineText.escaped(message) + "\n").utf8), descriptor: 2)
    }

    /// Writes the warnings of a rendering to standard error.
    static func write(_ warnings: [Warning]) {
        for warning in warnings {
            writeError("warning: \(warning.code.rawValue): \(warning.message)")
        }
    }

    /// Writes the reasons why a command fails. For an output that nobody reads any more the process
    /// ends by SIGPIPE, as others do.
    ///
    /// - Returns: The status of the failure.
    static func report(_ failure: CommandFailure) -> ExitCode {
        if failure.kind == .closedPipe {
            signal(SIGPIPE, SIG_DFL)
            raise(SIGPIPE)
        }
        for message in failure.messages { writeError("error: \(message)") }
        return failure.kind.exitCode
    }

    /// The system's description of its last error.
    static var lastError: String { String(cString: strerror(errno)) }

    /// Writes all bytes; returns false if that fails.
    static func write(_ bytes: [UInt8], descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}

/// A queue of lines for standard error, so that logging never waits for the stream's reader.
final class LogLines: Sendable {
    private struct State: Sendable {
        var bytes: [UInt8] = []
        var isScheduled = false
        var dropped = 0
    }

    static let standardError = LogLines()

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "titlecard.log")

    /// The number of bytes that may wait; lines beyond them are dropped and counted.
    private static let maximumBytes = 1 << 20
    /// The time that lines wait for others, to be written together.
    private static let delay = DispatchTimeInterval.milliseconds(5)

    /// Appends a line, which ends with a line break.
    func append(_ line: [UInt8]) {
        let isIdle = state.withLock { state in
            guard state.bytes.count + line.count <= Self.maximumBytes else {
                state.dropped += 1
                return false
            }
            state.bytes += line
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        if isIdle { queue.asyncAfter(deadline: .now() + Self.delay) { [self] in flush() } }
    }

    /// Writes the lines that wait.
    func finish() {
        queue.sync { flush() }
    }

    private func flush() {
        let (bytes, dropped) = state.withLock { state in
            defer { state = State() }
            return (state.bytes, state.dropped)
        }
        _ = StandardStreams.write(bytes, descriptor: 2)
        guard dropped > 0 else { return }
        let line = JSONLogHandler.line(
            at: Self.secondsSince1970(), .warning, "\(dropped) lines dropped")
        _ = StandardStreams.write(line, descriptor: 2)
    }

    static func secondsSince1970() -> Double {
        Double(nanoseconds(of: CLOCK_REALTIME)) / 1e9
    }
}
