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
            return try StandardStreams.print(RenderHelp.text(catalogs.schema()))
        }
        let paths = try decoded.batch.checked(beside: decoded.raw, output: decoded.output)
        guard paths == nil || !decoded.writesElement else {
            throw CommandFailure(
                .usage, parameter: ArgumentDecoder.elementOption,
                message: "writes one file, and cannot be used with --batch")
        }
        if decoded.batch.isWatching { try decoded.checkWatching() }
        Environment.forgetLanguage()
        let interruption = Interruption(removing: ProgressBar())
        let batch = paths.map { Batch($0, decoded.batch, interruption) }
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

    private static func catalogs(_ decoded: ArgumentDecoder) throws -> CatalogOptions {
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
            return try decoded.format(requested: requested)
        }
        bar.clear()
        for warning in rendering.warnings {
            StandardStreams.writeError(
                "warning: \(warning.code.rawValue): \(warning.message)")
        }
        if let fitted = rendering.fitted { StandardStreams.writeError("fitted: \(fitted)") }
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

/// `titlecard render --help`, from the same catalogues that check requests.
enum RenderHelp {
    static func text(_ schema: RequestSchema = .standard) -> String {
        let formats = schema.formats.extensionList
        var text = """
            Renders text to a file, without a server.

            USAGE: titlecard render TEXT ... [-o FILE] [--NAME VALUE ...]

              TEXT    The text to animate; several are shown one after another; - reads
                      standard input.
              -o      The file; its name decides the format (\(formats)), and must not
                      contradict --format; - or none writes to standard output.
              --element
                      Writes a <title-card> with the picture, for a page, instead of a picture.
              --effects DIR
                      A directory with effects of your own, one JSON file each.
              --presets FILE
                      A JSON file with presets of your own.
              --pictures DIR
                      A directory with pictures of your own, one PNG, WebP or SVG file
                      each.
              --fonts DIR
                      A directory with fonts of your own; may be given several times.
              --watch
                      Keeps running, and renders again when a file that it reads changes.

            FILES IN BULK:

            titlecard render --batch LIST --out DIR renders the files of a list.

              --batch LIST
                      The list, with a line for each file: a JSON object with "output", or a
                      path with a query, or a path and a URL; - reads standard input.
              --out DIR
                      The directory of the files. Only files whose bytes change are written.
              --check
                      Writes nothing, and prints the paths of the files that would change.
              --shard I/N
                      Only the lines whose number modulo N is I; lines count from 1.
              --workers N
                      Threads that render (the number of processors).

            PARAMETERS:

            Options are the request's names, in camel case or kebab case.

            """
        // The directory takes its place here.
        text += rows(schema.all.filter { $0.name != PictureDirectory.option })
        for effect in schema.effects.entries where !effect.parameters.isEmpty {
            text += "\n--effect \(effect.name)\n" + rows(effect.parameters)
        }
        let easing = Parameter("", .easing, default: nil, "")
        text += "\n" + wrapped("An easing is \(easing.grammar.expectation).")
        text += "Keyframes are JSON, or @FILE for the JSON in a file:\n"
        text += #"  --keyframes '[{"y": "100%", "opacity": 0}]'"#
        return text
    }

    /// Returns text in lines of at most 80 characters, where its words allow it.
    private static func wrapped(_ text: String) -> String {
        var lines = [""]
        for word in text.split(separator: " ") {
            let line = lines[lines.count - 1]
            if line.isEmpty {
                lines[lines.count - 1] = String(word)
            } else if line.count + 1 + word.count <= 80 {
                lines[lines.count - 1] += " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func rows(_ parameters: [Parameter]) -> String {
        parameters.map { parameter in
            let name = "  --\(parameter.name)"
            let gap = String(repeating: " ", count: max(22 - name.count, 1))
            return name + gap + parameter.summary + note(on: parameter) + "\n"
        }.joined()
    }

    private static func note(on parameter: Parameter) -> String {
        var notes = [kind(of: parameter)]
        if let value = parameter.defaultValue?.node { notes.append("default \(value.plainText)") }
        return " (\(notes.joined(separator: "; ")))"
    }

    private static func kind(of parameter: Parameter) -> String {
        parameter.kind == .easing ? "an easing" : parameter.grammar.expectation
    }
}
