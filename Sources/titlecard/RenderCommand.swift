import ArgumentParser
import Glibc
import Motion
import Service
import Typesetting

/// `titlecard render`: text to a file, without a server.
struct Render: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Render text to a file, without a server.",
        discussion: "titlecard render --help lists the options: they are the request's names.")

    @Argument(parsing: .captureForPassthrough, help: "Texts and options.")
    var arguments: [String] = []

    func run() throws {
        let decoded: ArgumentDecoder
        do {
            decoded = try ArgumentDecoder(arguments, standardInput: StandardStreams.input)
        } catch {
            throw Self.failure([error])
        }
        if decoded.wantsHelp { return print(RenderHelp.text) }
        Environment.forgetLanguage()
        do throws(Problem) {
            let (bytes, warnings) = try OneRendering.bytes(of: decoded, catalog: FontCatalog())
            for warning in warnings {
                StandardStreams.complain("warning: \(warning.message)")
            }
            guard StandardStreams.write(bytes, to: decoded.output) else {
                let reason = String(cString: strerror(errno))
                throw Problem.unwritable(decoded.output ?? "-", reason)
            }
        } catch {
            throw Self.failure(error.faults)
        }
    }

    private static func failure(_ faults: [ParameterFault]) -> any Error {
        for fault in faults {
            StandardStreams.complain("error: \(fault.parameter): \(fault.message)")
        }
        return ExitCode(64)
    }
}

/// Standard input, output and error as bytes.
enum StandardStreams {
    /// All of standard input; what is not UTF-8 becomes U+FFFD, one final line break is dropped.
    static func input() -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(0, &buffer, buffer.count)
            guard count > 0, bytes.count < 1 << 20 else { break }
            bytes += buffer.prefix(count)
        }
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }

    static func complain(_ line: String) {
        _ = write(Array((line + "\n").utf8), descriptor: 2)
    }

    /// Writes a file, whole or not at all; nil and `-` are standard output.
    static func write(_ bytes: [UInt8], to path: String?) -> Bool {
        guard let path, path != "-" else { return write(bytes, descriptor: 1) }
        let unfinished = path + ".unfinished"
        let descriptor = open(unfinished, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { return false }
        let isWritten = write(bytes, descriptor: descriptor)
        guard close(descriptor) == 0, isWritten, rename(unfinished, path) == 0 else {
            let reason = errno
            unlink(unfinished)
            errno = reason
            return false
        }
        return true
    }

    private static func write(_ bytes: [UInt8], descriptor: Int32) -> Bool {
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
