import ArgumentParser
import Encoders
import Glibc
import Processes
import Service

/// The command line.
@main
struct Titlecard: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "titlecard",
        abstract: "Text in, animation out.",
        discussion: "The exit status is 0, or one of sysexits.h: 64 wrong usage, 65 wrong data, "
            + "66 no such input, 69 no fonts, 71 a system error, 73 a file cannot be created, 74 reading or writing failed.",
        version: Release.version,
        subcommands: [
            Serve.self, Render.self, Health.self, Sign.self, Import.self, Canonical.self,
        ],
        defaultSubcommand: Serve.self)

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

    /// Checks that arguments are UTF-8, except for the arguments of `render`, which names their
    /// parameters.
    static func check() throws(CommandFailure) {
        // There are none if Swift cannot read them from the system.
        guard CommandLine.argc > 0 else {
            throw CommandFailure(.system, parameter: "arguments", message: "cannot be read")
        }
        guard all.first?.text != Render._commandName else { return }
        for (index, argument) in all.enumerated() {
            let option = argument.text.prefix { $0 != "=" }
            let isNamed = option.hasPrefix("--") && option.count < argument.text.count
            _ = try argument.value(of: isNamed ? String(option) : "argument \(index + 1)")
        }
    }
}
