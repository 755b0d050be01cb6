import ArgumentParser
import Bytes
import Encoders
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
        do {
            try render()
        } catch let failure as CommandFailure {
            throw StandardStreams.report(failure)
        }
    }

    private func render() throws {
        let decoded = try Self.decoded()
        let catalogs = try Self.catalogs(decoded)
        if decoded.wantsHelp {
            let help = RenderHelp(try catalogs.schema())
            return try StandardStreams.print(help.text(isWhole: decoded.wantsWholeHelp))
        }
        guard !decoded.wantsWholeHelp else {
            throw CommandFailure(
                .usage, parameter: ArgumentDecoder.allOption, message: "is an option of --help")
        }
        let paths = try decoded.batch.checked(beside: decoded.raw, output: decoded.output)
        guard paths == nil || !decoded.writesElement else {
            throw CommandFailure(
                .usage, parameter: ArgumentDecoder.elementOption,
                message: "writes one file, and cannot be used with --batch")
        }
        if decoded.batch.isWatching { try decoded.checkWatching() }
        Environment.forgetLanguage()
        let interruption = Interruption(removing: ProgressBar(isQuiet: decoded.isQuiet))
        let batch = paths.map {
            Batch($0, decoded.batch, interruption, isQuiet: decoded.isQuiet)
        }
        guard decoded.batch.isWatching else {
            return try Self.render(decoded, catalogs, batch, interruption)
        }
        var files = WatchedFiles(decoded.inputPaths(catalogs))
        while true {
            do {
                // Values may have come from files.
                try Self.render(Self.decoded(), catalogs, batch, interruption)
            } catch let failure as CommandFailure {
                _ = StandardStreams.report(failure)
            } catch is ExitCode {
                // The faults of lines are reported.
            }
            let changed = files.waitForChange()
            if changed != [decoded.batch.list] { batch?.forgetLines() }
        }
    }

    private static func decoded() throws(CommandFailure) -> ArgumentDecoder {
        try ArgumentDecoder(
            CommandArguments.after("render"), schema: .installed,
            standardInput: StandardStreams.input)
    }

    /// Returns the paths of an operator's own files, from the command line or else the environment.
    static func catalogs(_ decoded: ArgumentDecoder) throws -> CatalogOptions {
        var environment = Environment()
        let catalogs = CatalogOptions(
            effects: environment.optional(decoded.catalogs.effects, EffectDirectory.option),
            presets: environment.optional(
                decoded.catalogs.presets, CatalogOptions.presetsOption),
            pictures: environment.optional(decoded.catalogs.pictures, PictureDirectory.option),
            fonts: environment.paths(decoded.catalogs.fonts, CatalogOptions.fontsOption))
        try environment.finish(passing: ServeOptions.variables)
        return catalogs
    }

    private static func render(
        _ decoded: ArgumentDecoder, _ catalogs: CatalogOptions, _ batch: Batch?,
        _ interruption: Interruption
    ) throws {
        let schema = try catalogs.schema()
        if let batch { return try batch.run(schema, fonts: catalogs.fonts) }
        do {
            try render(decoded, schema, fonts: catalogs.fonts, interruption)
        } catch let error as RenderingError {
            throw CommandFailure(error, hasTexts: decoded.hasTexts, files: decoded.files)
        }
    }

    private static func render(
        _ decoded: ArgumentDecoder, _ schema: RequestSchema, fonts: [String],
        _ interruption: Interruption
    ) throws {
        let bar = interruption.bar
        bar.begin()
        defer { bar.clear() }
        let element =
            decoded.writesElement ? try TitleCardElement(of: decoded.raw, schema: schema) : nil
        var raw = element?.request ?? decoded.raw
        raw.pathFormat = decoded.output.flatMap { schema.formats.entry(ofFile: $0) }?.name
        var rendering = try OneShotRenderer(
            of: raw, schema: schema, fontDirectories: fonts,
            watchedBy: bar.update
        ) { requested throws(ParameterFault) in
            if element != nil, let requested { return requested }
            let format = try decoded.format(requested: requested)
            try decoded.checkTerminal(format)
            return format
        }
        bar.clear()
        if !decoded.isQuiet {
            StandardStreams.write(rendering.warnings)
            if let fitted = rendering.fitted { StandardStreams.writeError("fitted: \(fitted)") }
        }
        var file = try OutputFile(decoded.output, interruption)
        while let piece = try rendering.next() {
            // An SVG is one piece.
            let markup = element?.markup(
                piece, duration: rendering.duration, texts: rendering.texts)
            try file.append(markup ?? piece)
        }
        try file.finish()
    }
}
