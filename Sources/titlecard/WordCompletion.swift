import ArgumentParser
import Bytes
import Motion
import Rendering

/// The words that can stand in place of the last word of a command line, which is being typed.
struct WordCompletion {
    /// A word, with a few words about it.
    private struct Candidate {
        let word: String
        /// The first sentence, or the first part of it.
        let summary: String

        init(_ word: some StringProtocol, _ summary: String = "") {
            self.word = String(word)
            let clause = summary.prefix { $0 != ";" }
            self.summary =
                clause.firstRange(of: ". ").map { String(clause[..<$0.lowerBound]) }
                ?? String(clause)
        }
    }

    /// The lines that a shell's script reads; none where anything may stand.
    let lines: [String]

    /// The line that asks the shell for files.
    private static let files = [":files"]
    /// The options of `render` that name files or directories.
    private static let fileOptions = [
        "-o", "--output", "--effects", "--presets", "--pictures", "--fonts", "--batch", "--out",
        "--json", "--split",
    ]

    /// - Parameter words: The words after the program's name; the last may be empty.
    init(_ words: [String]) {
        guard let word = words.last else {
            lines = []
            return
        }
        let before = Array(words.dropLast())
        guard let command = before.first else {
            lines = Self.lines(Self.commands + Self.options(of: Titlecard.self), beginning: word)
            return
        }
        if command == Render._commandName {
            lines = Self.renderLines(before.dropFirst(), word)
        } else if command == Captions._commandName {
            let found = Self.renderLines(before.dropFirst(), word, isOfCaptions: true)
            lines = found.isEmpty && !word.hasPrefix("-") ? Self.files : found
        } else if word.hasPrefix("-") || before.last?.hasPrefix("-") == true {
            lines = Self.lines(of: command, word)
        } else {
            let arguments = Self.arguments(of: command, after: before.dropFirst())
            lines = Self.lines(arguments, beginning: word)
        }
    }

    private static func candidates(_ words: [String]) -> [Candidate] {
        words.map { Candidate($0) }
    }

    /// Returns the candidates that begin as a word does, each after a prefix.
    private static func lines(
        _ candidates: [Candidate], beginning word: String, after prefix: String = ""
    ) -> [String] {
        candidates.filter { $0.word.hasPrefix(word) }.map { candidate in
            let summary = candidate.summary.isEmpty ? [] : [candidate.summary]
            return ([prefix + candidate.word] + summary).map(LineText.escaped)
                .joined(separator: "\t")
        }
    }

    // MARK: Commands

    private static var commands: [Candidate] {
        Titlecard.listedCommands.map {
            Candidate($0._commandName, $0.configuration.abstract)
        }
    }

    /// Returns the words that a command other than `render` takes after some.
    private static func arguments(
        of command: String, after words: ArraySlice<String>
    ) -> [Candidate] {
        switch (command, words.count) {
        case (List._commandName, 0): candidates(Catalog.allCases.map(\.rawValue))
        case (Completion._commandName, 0): candidates(Shell.allCases.map(\.rawValue))
        case (Help._commandName, 0): commands + [Candidate(Help.effectTopic, "An effect.")]
        case (Help._commandName, 1) where words.first == Help.effectTopic:
            schema(words).effects.entries.map { Candidate($0.name, $0.title) }
        default: []
        }
    }

    /// Returns the options of a command that begin as a word does, or asks for the file that is an
    /// option's value.
    private static func lines(of command: String, _ word: String) -> [String] {
        guard word.hasPrefix("-") else { return files }
        guard let type = try? Titlecard.command(named: command) else { return [] }
        return lines(options(of: type), beginning: word)
    }

    /// Returns the options that the help of a command has.
    private static func options(of command: any ParsableCommand.Type) -> [Candidate] {
        // Wide enough for a sentence to stand in one line: beside its option, or below a long one.
        let help =
            command == Titlecard.self
            ? Titlecard.helpMessage(columns: 1000)
            : Titlecard.helpMessage(for: command, columns: 1000)
        let lines = help.split(separator: "\n")
        return zip(lines, lines.dropFirst() + [""]).flatMap { line, next in
            guard line.hasPrefix("  -") else { return [Candidate]() }
            let label = line.dropFirst(2).prefix { $0 != "<" }
            let names = (label.firstRange(of: "  ").map { label[..<$0.lowerBound] } ?? label)
                .split { " ,".contains($0) }
            let rest = line.dropFirst(sentenceColumn)
            let isBeside = line.dropFirst(sentenceColumn - 1).first == " " && !rest.hasSuffix(">")
            let sentence = isBeside ? rest : next.dropFirst(sentenceColumn)
            return names.filter { $0.hasPrefix("--") }.map { Candidate($0, String(sentence)) }
        }
    }

    /// The column of the sentences in the help of commands.
    private static let sentenceColumn = 26

    // MARK: Options of render

    private static func renderLines(
        _ before: ArraySlice<String>, _ word: String, isOfCaptions: Bool = false
    ) -> [String] {
        guard !before.contains("--") else { return [] }
        if word.hasPrefix("--"), let sign = word.firstIndex(of: "=") {
            let option = String(word[..<sign])
            return valueLines(
                of: option, before, String(word[word.index(after: sign)...]), after: "\(option)=")
        }
        if word.hasPrefix("-") {
            return lines(
                renderOptions(schema(before), before, isOfCaptions: isOfCaptions), beginning: word)
        }
        guard let option = before.last, option.hasPrefix("-"), !["-q", "-h", "--"].contains(option)
        else { return [] }
        return valueLines(of: option, before, word)
    }

    /// Returns the options of `render`, the parameters of the effect that is given among them.
    private static func renderOptions(
        _ schema: RequestSchema, _ before: ArraySlice<String>, isOfCaptions: Bool
    ) -> [Candidate] {
        let help = RenderHelp(schema)
        let options = isOfCaptions ? help.captionsOptions : help.commandOptions
        let own = options.flatMap { option in
            option.names.split(separator: ", ").map { Candidate($0, option.summary) }
        }
        let name = value(of: "--effect", in: before) ?? schema.effects.defaultEntry.name
        let effect = schema.effects.entries.first { $0.name == name }
        let parameters = schema.all.filter { $0.name != PictureDirectory.option }
        return own
            + ((effect?.parameters ?? []) + parameters).map {
                Candidate("--" + ArgumentDecoder.kebabCase($0.name), $0.summary)
            }
    }

    /// Returns the values of an option that begin as a word does.
    private static func valueLines(
        of option: String, _ before: ArraySlice<String>, _ word: String, after prefix: String = ""
    ) -> [String] {
        if fileOptions.contains(option) { return files }
        let schema = schema(before)
        let name = ArgumentDecoder.camelCase(option.drop { $0 == "-" })
        if prefix.isEmpty, ArgumentDecoder.isFlag(name, schema) { return [] }
        let parameters = schema.all + schema.effects.entries.flatMap(\.parameters)
        guard let parameter = parameters.first(where: { $0.name == name }) else { return [] }
        let values = values(of: parameter, schema, before)
        guard takesList(parameter), let comma = word.lastIndex(of: ",") else {
            return lines(values, beginning: word, after: prefix)
        }
        let start = word.index(after: comma)
        return lines(values, beginning: String(word[start...]), after: prefix + word[..<start])
    }

    /// Returns true for values between which there may be commas.
    private static func takesList(_ parameter: Parameter) -> Bool {
        switch parameter.kind {
        case .presets, .families: true
        default: false
        }
    }

    /// Returns the values of a parameter; none for numbers, colours, and texts.
    private static func values(
        of parameter: Parameter, _ schema: RequestSchema, _ before: ArraySlice<String>
    ) -> [Candidate] {
        if let catalog = Catalog.ofValues(of: parameter.name) {
            Environment.forgetLanguage()
            let fonts = paths(in: before).fonts
            let entries = (try? catalog.entries(schema, fonts: fonts)) ?? []
            return entries.map { Candidate($0.name, $0.summary) }
        }
        return candidates(words(of: parameter.kind))
    }

    private static func words(of kind: Parameter.Kind) -> [String] {
        switch kind {
        case .choice(let values): values
        case .boolean: ["true", "false"]
        case .easing: TimingFunction.named.map(\.name) + ["spring"]
        case .weight: Parameter.Kind.weightNames
        case .auto(let kind): ["auto"] + words(of: kind)
        case .numberOr(_, let word), .integerOr(_, let word): [word]
        case .shadows, .path, .features, .variations, .picture: ["none"]
        default: []
        }
    }

    // MARK: The operator's own

    private static func schema(_ before: ArraySlice<String>) -> RequestSchema {
        (try? paths(in: before).schema()) ?? .installed
    }

    /// Returns the paths of options on the command line, or else of the environment.
    private static func paths(in words: ArraySlice<String>) -> CatalogOptions {
        var environment = Environment()
        let fonts = value(of: "--fonts", in: words).map { [$0] } ?? []
        return CatalogOptions(
            effects: environment.optional(
                value(of: "--effects", in: words), EffectDirectory.option),
            presets: environment.optional(
                value(of: "--presets", in: words), CatalogOptions.presetsOption),
            pictures: environment.optional(
                value(of: "--pictures", in: words), PictureDirectory.option),
            fonts: environment.paths(fonts, CatalogOptions.fontsOption))
    }

    /// Returns the value that an option has among words.
    private static func value(of option: String, in words: ArraySlice<String>) -> String? {
        for (word, next) in zip(words, words.dropFirst()) where word == option { return next }
        let prefix = "\(option)="
        return words.first { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
    }
}
