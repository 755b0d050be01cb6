import ArgumentParser
import Encoders
import Glibc
import Processes
import Rendering
import Service

/// The command line.
@main
struct Titlecard: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "titlecard",
        abstract: "Text in, animation out.",
        discussion: """
            titlecard render Hello -o hello.svg makes a file, and titlecard serve runs the service.

            For completions of names and values: source <(titlecard completion bash), or source \
            <(titlecard completion zsh), or titlecard completion fish | source.

            The exit status is 0, or one of sysexits.h: 64 wrong usage, 65 wrong data, 66 no such \
            input, 69 no fonts, 71 a system error, 73 a file cannot be created, 74 reading or \
            writing failed.
            """,
        version: Release.version,
        subcommands: [
            Render.self, Captions.self, Serve.self, List.self, Help.self, Completion.self,
            Health.self, Sign.self,
            Import.self, Canonical.self, CacheMetrics.self, Complete.self,
        ])

    /// The commands that the help lists.
    static var listedCommands: [any ParsableCommand.Type] {
        configuration.subcommands.filter { $0.configuration.shouldDisplay }
    }

    /// Returns the command with a name.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - others: Other words that could stand in its place.
    /// - Returns: The command.
    /// - Throws: A failure that says which one may have been meant.
    static func command(
        named name: String, besides others: [String] = []
    ) throws(CommandFailure) -> any ParsableCommand.Type {
        if let command = configuration.subcommands.first(where: { $0._commandName == name }) {
            return command
        }
        let names = listedCommands.map { $0._commandName } + others
        throw CommandFailure(
            .usage, messages: [Suggestion.message("\"\(name)\" is not a command", name, names)])
    }

    static func main() {
        LimitedProgram.becomeOtherProgram()
        StandardStreams.prepare()
        do throws(CommandFailure) {
            try CommandArguments.check()
        } catch {
            exit(withError: StandardStreams.report(error))
        }
        main(nil)
    }
}

/// The arguments of the process, byte for byte.
///
/// `CommandLine.arguments` has them with U+FFFD in place of invalid UTF-8.
enum CommandArguments {
    /// All arguments except for the program's name.
    static let all: [RawArgument] = (1..<max(Int(CommandLine.argc), 1)).compactMap { index in
        CommandLine.unsafeArgv[index].map { pointer in
            RawArgument(
                UnsafeBufferPointer(start: pointer, count: strlen(pointer)).map {
                    UInt8(bitPattern: $0)
                })
        }
    }

    /// Returns the arguments after a command's name.
    static func after(_ command: String) -> [RawArgument] {
        Array(all.drop { $0.text != command }.dropFirst())
    }

    /// Checks that arguments are UTF-8, except for the arguments of commands that read them themselves,
    /// and that there is such a command.
    static func check() throws(CommandFailure) {
        // There are none if Swift cannot read them from the system.
        guard CommandLine.argc > 0 else {
            throw CommandFailure(
                .system, parameter: "arguments",
                message: "cannot be read from /proc/self/cmdline; /proc has to be mounted")
        }
        let ownReaders = [Render._commandName, Captions._commandName, Complete._commandName]
        if let first = all.first, ownReaders.contains(first.text) { return }
        for (index, argument) in all.enumerated() {
            let option = argument.text.prefix { $0 != "=" }
            let isNamed = option.hasPrefix("--") && option.count < argument.text.count
            _ = try argument.value(of: isNamed ? String(option) : "argument \(index + 1)")
        }
        guard let first = all.first, !first.text.hasPrefix("-") else { return }
        _ = try Titlecard.command(named: first.text)
    }
}
