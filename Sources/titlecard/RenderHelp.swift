import Encoders
import Motion
import Rendering

/// `titlecard render --help`, from the same catalogues that check requests.
struct RenderHelp {
    private let schema: RequestSchema
    private let columns: Int

    /// The parameters that most files need.
    private static let common: [(heading: String, names: [String])] = [
        (
            "TEXT",
            [
                "font", "size", "weight", "italic", "align", "letterSpacing", "lineHeight",
                "markup",
                "codeLanguage",
            ]
        ),
        (
            "LOOK",
            [
                "preset", "color", "background", "padding", "cornerRadius", "outlineWidth",
                "shadow", "scheme",
            ]
        ),
        (
            "MOTION",
            ["effect", "speed", "delay", "hold", "loop", "sequence", "gap", "seed"]
        ),
        (
            "PICTURE",
            [
                "for", "format", "width", "height", "maxWidth", "scale", "fps", "time", "maxBytes",
                "title",
            ]
        ),
    ]

    init(_ schema: RequestSchema, columns: Int = Terminal.columns) {
        (self.schema, self.columns) = (schema, columns)
    }

    /// The options that are no parameters of requests.
    var commandOptions: [CommandOption] { fileOptions + Self.ownOptions + Self.batchOptions }

    private var fileOptions: [CommandOption] {
        [
            CommandOption(
                "-o, --output", value: "FILE",
                "The file; its name decides the format (\(schema.formats.extensionList)), and must "
                    + "not contradict --format; - writes to standard output. Without it text goes "
                    + "there too, and binary files do where that is no terminal."),
            CommandOption(
                "--json", value: "FILE",
                "The request in a file of JSON, as POST /render takes it; options take "
                    + "precedence, and - is standard input."),
            CommandOption(
                "--element",
                "Writes a <title-card> with the picture, for a page, instead of a picture."),
            CommandOption(
                "--watch", "Keeps running, and renders again when a file that it reads changes."),
            CommandOption("-q, --quiet", "Neither warnings nor progress; only errors."),
            CommandOption("-h, --help", "This help; with --all every parameter."),
        ]
    }

    private static let ownOptions = [
        CommandOption(
            "--effects", value: "DIR", "A directory with effects of your own, one JSON file each."),
        CommandOption("--presets", value: "FILE", "A JSON file with presets of your own."),
        CommandOption(
            "--pictures", value: "DIR",
            "A directory with pictures of your own, one PNG, WebP or SVG file each."),
        CommandOption(
            "--fonts", value: "DIR",
            "A directory with fonts of your own; may be given several times."),
    ]

    private static let batchOptions = [
        CommandOption(
            "--batch", value: "LIST",
            "The list, with a line for each file: a JSON object with \"output\", or a path with a "
                + "query, or a path and a URL; - reads standard input."),
        CommandOption(
            "--out", value: "DIR",
            "The directory of the files. Only files whose bytes change are written."),
        CommandOption(
            "--check", "Writes nothing, and prints the paths of the files that would change."),
        CommandOption(
            "--shard", value: "I/N",
            "Only the lines whose number modulo N is I; lines count from 1."),
        CommandOption(
            "--workers", value: "N", "Threads that render (the number of processors)."),
    ]

    /// Returns the help.
    ///
    /// - Parameter isWhole: True for every parameter, with all its values; false for common ones.
    /// - Returns: The help in lines.
    func text(isWhole: Bool) -> String {
        var help = HelpText(columns: columns)
        help.add(paragraph: "Renders text to a file, without a server.")
        help.add(paragraph: "USAGE: titlecard render TEXT ... [-o FILE] [--NAME VALUE ...]")
        help.add(
            paragraph: "Parameters are the request's, in kebab case or camel case. Several texts "
                + "are shown one after another; - reads one from standard input.")
        help.add(heading: "EXAMPLES")
        help.add(line: "  titlecard render Hello -o hello.svg")
        help.add(line: "  titlecard render Hello --effect wave --loop infinite -o hello.gif")
        help.add(line: "  titlecard render Hello --preset badge --for slack-emoji -o hello.gif")
        help.add(heading: "FILE")
        help.add(fileOptions)
        for (heading, names) in Self.common {
            help.add(heading: heading)
            help.add(names.compactMap(parameter).map { option($0, isWhole: isWhole) })
        }
        if isWhole { addRest(&help) }
        help.add(heading: "YOUR OWN FILES")
        help.add(Self.ownOptions)
        help.add(heading: "FILES IN BULK")
        help.add(paragraph: "titlecard render --batch LIST --out DIR renders the files of a list.")
        help.add(line: "")
        help.add(Self.batchOptions)
        if isWhole { addEffects(&help) } else { Self.addMore(&help) }
        return help.text
    }

    /// Returns the help of `titlecard captions`.
    func captionsText(isWhole: Bool) -> String {
        var help = HelpText(columns: columns)
        help.add(
            paragraph:
                "Turns a file of captions into a video of any length, or into another file: a page "
                + "after another, each at its time.")
        help.add(paragraph: "USAGE: titlecard captions FILE [-o FILE] [--NAME VALUE ...]")
        help.add(
            paragraph:
                "Parameters are those of render. Captions have the preset captions unless another is "
                + "given. Videos and files of captions are for 1920 × 1080 where nothing gives a size. "
                + "- reads standard input.")
        help.add(heading: "EXAMPLES")
        help.add(line: "  titlecard captions talk.srt -o talk.mov")
        help.add(
            line: "  titlecard captions talk.json -o talk.webm --preset captions-karaoke --fps 25")
        help.add(line: "  titlecard captions talk.srt --pages json > pages.json")
        help.add(line: "  titlecard captions pages.json -o talk.mov")
        help.add(line: "  titlecard captions talk.srt --split clips --fps 29.97")
        help.add(heading: "OPTIONS")
        help.add(captionsOptions)
        if isWhole {
            var shown = Set<String>()
            help.add(heading: "PARAMETERS")
            help.add(
                (schema.sceneParameters + schema.blockParameters + schema.all).filter {
                    shown.insert($0.name).inserted && $0.name != PictureDirectory.option
                }.map { option($0, isWhole: true) })
            addEffects(&help)
        } else {
            help.add(heading: "MORE")
            help.add([CommandOption("titlecard captions --help --all", "Every parameter.")])
        }
        return help.text
    }

    /// The options of `titlecard captions` that are no parameters of requests.
    var captionsOptions: [CommandOption] {
        let shared = fileOptions.filter {
            !["--element", "--watch", "--json"].contains($0.names.prefix { $0 != " " })
        }
        return [
            CommandOption("--check", "Writes nothing, and lists what is mended in the file."),
            CommandOption(
                "--pages", value: "json",
                "Prints the request of the pages, which render --json and captions take."),
            CommandOption(
                "--split", value: "DIR",
                "Writes a clip of each page, and edit lists (.edl, .fcpxml) that put the clips on a "
                    + "timeline; --format mov unless another is given."),
        ] + shared + Self.ownOptions
    }

    /// Returns the help of an effect.
    func text(on effect: EffectCatalog.Entry) -> String {
        var help = HelpText(columns: columns)
        help.add(paragraph: "The effect \(effect.name): \(effect.title).")
        help.add(
            paragraph: "USAGE: titlecard render TEXT ... --effect \(effect.name) [--NAME VALUE ...]"
        )
        if effect.parameters.isEmpty {
            help.add(paragraph: "It has no parameters of its own.")
        } else {
            help.add(heading: "PARAMETERS")
            help.add(effect.parameters.map { option($0, isWhole: true) })
            Self.addValues(of: effect.parameters, &help)
        }
        return help.text
    }

    /// Returns the option of a parameter, with its values and its default.
    func option(_ parameter: Parameter, isWhole: Bool) -> CommandOption {
        var notes = [Self.values(of: parameter)]
        if !isWhole, let catalog = Catalog.ofValues(of: parameter.name) {
            notes = ["titlecard list \(catalog.rawValue)"]
        }
        if let value = parameter.defaultValue?.node { notes.append("default \(value.plainText)") }
        return CommandOption(parameter, note: notes.joined(separator: "; "))
    }

    private static func values(of parameter: Parameter) -> String {
        parameter.kind == .easing ? "an easing" : parameter.grammar.expectation
    }

    private func parameter(_ name: String) -> Parameter? {
        schema.all.first { $0.name == name }
    }

    /// Adds the parameters that are not common.
    private func addRest(_ help: inout HelpText) {
        var shown = Set(Self.common.flatMap(\.names))
        // The directory takes its place here.
        shown.insert(PictureDirectory.option)
        for (heading, parameters) in [
            ("MORE OF TEXTS", schema.blockParameters), ("MORE OF PICTURES", schema.sceneParameters),
            ("MORE OF FILES", schema.all),
        ] {
            help.add(heading: heading)
            help.add(
                parameters.filter { shown.insert($0.name).inserted }.map {
                    option($0, isWhole: true)
                })
        }
    }

    /// Adds the parameters of all effects.
    private func addEffects(_ help: inout HelpText) {
        help.add(heading: "PARAMETERS OF EFFECTS")
        for effect in schema.effects.entries where !effect.parameters.isEmpty {
            help.add(line: "")
            help.add(line: "--effect \(effect.name)")
            help.add(effect.parameters.map { option($0, isWhole: true) })
        }
        Self.addValues(of: schema.effects.entries.flatMap(\.parameters), &help)
    }

    /// Explains values that take more than a few words.
    private static func addValues(of parameters: [Parameter], _ help: inout HelpText) {
        if let easing = parameters.first(where: { $0.kind == .easing }) {
            help.add(paragraph: "An easing is \(easing.grammar.expectation).")
        }
        let takesKeyframes = parameters.contains { parameter in
            guard case .keyframes = parameter.kind else { return false }
            return true
        }
        guard takesKeyframes else { return }
        help.add(paragraph: "Keyframes are JSON, or @FILE for the JSON in a file:")
        help.add(line: #"  --keyframes '[{"y": "100%", "opacity": 0}]'"#)
    }

    private static func addMore(_ help: inout HelpText) {
        help.add(heading: "MORE")
        help.add([
            CommandOption("titlecard render --help --all", "Every parameter."),
            CommandOption(
                "titlecard help effect typewriter", "The parameters of an effect."),
            CommandOption(
                "titlecard list effects",
                "The effects; also presets, palettes, fonts, targets, and formats."),
            CommandOption(
                "titlecard completion bash",
                "A script for the shell that completes names and values; also zsh and fish."),
        ])
    }
}
