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
            var rendering = try OneRendering(of: decoded, catalog: Self.fonts())
            for warning in rendering.warnings {
                StandardStreams.complain("warning: \(warning.message)")
            }
            try Self.write(&rendering, to: decoded.output)
        } catch {
            throw Self.failure(error.faults)
        }
    }

    private static func fonts() throws(Problem) -> FontCatalog {
        do {
            return try FontCatalog()
        } catch {
            throw Problem(error)
        }
    }

    private static func write(
        _ rendering: inout OneRendering, to path: String?
    ) throws(Problem) {
        let file = try OutputFile(path)
        var bar = ProgressBar()
        defer { bar.finish() }
        do throws(Problem) {
            while let piece = try rendering.next() {
                try file.append(piece)
                bar.update(rendering.progress)
            }
            try file.finish()
        } catch {
            file.abandon()
            throw error
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

    static func complain(_ line: String, end: String = "\n") {
        _ = write(Array((line + end).utf8), descriptor: 2)
    }

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
