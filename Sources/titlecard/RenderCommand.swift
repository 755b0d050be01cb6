import ArgumentParser
import Glibc
import Motion
import Rendering
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
        do throws(CommandFailure) {
            decoded = try ArgumentDecoder(
                CommandArguments.behind("render"), standardInput: StandardStreams.input)
        } catch {
            throw StandardStreams.end(error)
        }
        if decoded.wantsHelp { return try StandardStreams.print(RenderHelp.text()) }
        Environment.forgetLanguage()
        let interruption = Interruption()
        do throws(CommandFailure) {
            try Self.render(decoded, interruption)
        } catch {
            throw StandardStreams.end(error)
        }
    }

    private static func render(
        _ decoded: ArgumentDecoder, _ interruption: Interruption
    ) throws(CommandFailure) {
        func failure(_ error: RenderingError) -> CommandFailure {
            CommandFailure(error, hasTexts: decoded.hasTexts)
        }
        var rendering: OneShotRenderer
        do throws(RenderingError) {
            rendering = try OneShotRenderer(of: decoded.raw, as: decoded.format)
        } catch {
            throw failure(error)
        }
        for warning in rendering.warnings {
            StandardStreams.complain("warning: \(warning.message)")
        }
        var file = try OutputFile(decoded.output, interruption)
        var bar = ProgressBar()
        defer { bar.finish() }
        while true {
            let piece: [UInt8]?
            do throws(RenderingError) {
                piece = try rendering.next()
            } catch {
                throw failure(error)
            }
            guard let piece else { break }
            try file.append(piece)
            bar.update(rendering.progress)
        }
        try file.finish()
    }
}
