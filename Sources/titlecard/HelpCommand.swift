import ArgumentParser
import Motion
import Rendering

/// `titlecard help`: the help of a command, or of an effect.
struct Help: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show the help of a command, or the parameters of an effect.",
        usage: """
            titlecard help [<command>]
            titlecard help effect <name>
            """)

    /// The word before the name of an effect.
    static let effectTopic = "effect"

    @Argument(help: "A command, or the word effect and the name of one.")
    var topic: [String] = []

    @Flag(help: "With render: every parameter.")
    var all = false

    @OptionGroup var catalogs: CatalogArguments

    func run() throws {
        do {
            try StandardStreams.print(text())
        } catch let failure as CommandFailure {
            throw StandardStreams.report(failure)
        }
    }

    private func text() throws -> String {
        guard let name = topic.first else { return Titlecard.helpMessage() }
        guard topic.count == 1 || topic.count == 2 && name == Self.effectTopic else {
            throw CommandFailure(
                .usage, messages: ["help takes a command, or effect and the name of one"])
        }
        if name == Self.effectTopic { return try effectText(topic.dropFirst().first) }
        let command = try Titlecard.command(named: name, besides: [Self.effectTopic])
        if command == Render.self { return RenderHelp(try catalogs.schema()).text(isWhole: all) }
        guard command == Captions.self else { return Titlecard.helpMessage(for: command) }
        return RenderHelp(try catalogs.schema()).captionsText(isWhole: all)
    }

    /// Returns the help of an effect; nil for the list of all.
    private func effectText(_ name: String?) throws -> String {
        let schema = try catalogs.schema()
        let effects = schema.effects.entries
        guard let name else { return try Catalog.effects.lines(schema, fonts: []) }
        guard let effect = effects.first(where: { $0.name == name }) else {
            let names = effects.map(\.name)
            throw CommandFailure(
                .usage, messages: [Suggestion.message("\"\(name)\" is not an effect", name, names)])
        }
        return RenderHelp(schema).text(on: effect)
    }
}

extension Suggestion {
    /// Returns a message about an unknown name, with the name that may have been meant.
    static func message(_ text: String, _ name: String, _ names: [String]) -> String {
        nearest(to: name, among: names).map { "\(text); did you mean \"\($0)\"?" } ?? text
    }
}

/// The options for an operator's own effects, presets and pictures.
struct CatalogArguments: ParsableArguments {
    @Option(help: "Directory with effects of your own, as for serve. (none)")
    var effects: String?

    @Option(help: "JSON file with presets of your own, as for serve. (none)")
    var presets: String?

    @Option(help: "Directory with pictures of your own, as for serve. (none)")
    var pictures: String?

    /// Returns the paths from the command line, or else from the environment.
    func paths(_ environment: inout Environment) -> CatalogOptions {
        CatalogOptions(
            effects: environment.optional(effects, EffectDirectory.option),
            presets: environment.optional(presets, CatalogOptions.presetsOption),
            pictures: environment.optional(pictures, PictureDirectory.option))
    }

    /// Returns the schema with what is in the files.
    ///
    /// - Throws: The reasons why they are not read.
    func schema() throws -> RequestSchema {
        var environment = Environment()
        let paths = paths(&environment)
        try environment.finish(passing: ServeOptions.variables)
        return try paths.schema()
    }
}
