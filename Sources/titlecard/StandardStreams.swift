import ArgumentParser
import Glibc

/// Standard input, output and error as bytes.
enum StandardStreams {
    /// Bytes of standard input that are read; a text has far fewer.
    private static let mostInput = 1 << 20

    /// Makes sure that no file gets the number of a stream that is closed, and that a stream whose
    /// other end has gone is an error of the call that writes.
    static func prepare() {
        for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) == -1 {
            // The lowest number that is free; opened so that using it fails as before.
            _ = open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
        }
        // The same for a file that has become as large as the system lets it.
        for number in [SIGPIPE, SIGXFSZ] { signal(number, SIG_IGN) }
    }

    /// All of standard input; one final line break is dropped.
    static func input() throws(CommandFailure) -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(0, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw CommandFailure(
                    .inputOutput, "text", "cannot read standard input: \(lastError)")
            }
            guard count > 0 else { break }
            bytes += buffer.prefix(count)
            guard bytes.count <= mostInput else {
                throw CommandFailure(
                    .data, "text", "standard input has more than \(mostInput) bytes")
            }
        }
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        return try RawArgument(bytes).value(of: "text")
    }

    /// Writes a line to standard output, or ends the command.
    static func print(_ line: String) throws {
        guard write(Array((line + "\n").utf8), descriptor: 1) else {
            throw end(
                CommandFailure(.inputOutput, "-o", "cannot write to standard output: \(lastError)"))
        }
    }

    static func complain(_ line: String, end: String = "\n") {
        _ = write(Array((line + end).utf8), descriptor: 2)
    }

    /// Says why a command fails.
    ///
    /// - Returns: What ends the command with the right status.
    static func end(_ failure: CommandFailure) -> ExitCode {
        for message in failure.messages { complain("error: \(message)") }
        return failure.kind.exitCode
    }

    /// What the system says of its last error.
    static var lastError: String { String(cString: strerror(errno)) }

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

extension CommandFailure.Kind {
    var exitCode: ExitCode { ExitCode(rawValue) }
}
