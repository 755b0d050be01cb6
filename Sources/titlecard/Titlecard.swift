import ArgumentParser
import Service

/// The command line.
@main
struct Titlecard: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "titlecard",
        abstract: "Text in, animation out.",
        version: Release.version,
        subcommands: [Serve.self, Render.self, Health.self, Sign.self],
        defaultSubcommand: Serve.self)
}
