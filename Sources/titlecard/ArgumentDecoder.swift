import Bytes
import Encoders
import Motion
import Rendering

/// Reads the arguments of `titlecard render`: texts, and options with the names of parameters.
struct ArgumentDecoder: Sendable {
    private let schema: RequestSchema
    var raw = RawRequest()
    /// The path of the file; nil and `-` for standard output.
    var output: String?
    /// The operator's own effects, presets, pictures and fonts.
    var catalogs = CatalogOptions()
    /// The options of a list of files.
    var batch = BatchOptions()
    /// The paths of the files that values come from, by the parameter's name.
    var files: [String: String] = [:]
    /// True if the file is a web component with the picture.
    var writesElement = false
    /// True if there are to be neither warnings nor progress.
    private(set) var isQuiet = false
    private(set) var wantsHelp = false
    /// True if the help is to have every parameter.
    private(set) var wantsWholeHelp = false
    private var readsStandardInput = false
    /// The parameters of a file, over which options take precedence.
    private var fileValues = RawRequest()

    static let elementOption = "element"
    static let quietOption = "quiet"
    static let allOption = "all"
    static let jsonOption = "json"

    /// The size of a file with keyframes, which has far fewer bytes.
    private static let maximumFileBytes = 65_536
    /// The size of a file with a whole request.
    private static let maximumRequestBytes = 64 << 20

    var hasTexts: Bool { !raw.texts.isEmpty }

    /// - Parameters:
    ///   - arguments: The arguments after the command's name.
    ///   - schema: The parameters that options can name.
    ///   - standardInput: Returns the text for which `-` stands.
    /// - Throws: The fault of the first argument that cannot be read.
    init(
        _ arguments: [RawArgument], schema: RequestSchema = .standard,
        standardInput: () throws(CommandFailure) -> String
    ) throws(CommandFailure) {
        self.schema = schema
        var rest = arguments[...]
        var takesOptions = true
        while let written = rest.popFirst() {
            let argument = written.text
            if takesOptions, argument == "--" {
                takesOptions = false
            } else if takesOptions, argument == "-h" || argument == "--help" {
                wantsHelp = true
            } else if takesOptions, argument == "-q" {
                isQuiet = true
            } else if takesOptions, argument == "-o" {
                let path = try Self.value(of: argument, parameter: argument, from: &rest)
                try Self.set(&output, to: path, of: argument)
            } else if takesOptions, argument.hasPrefix("--") {
                try takeOption(written, &rest)
            } else if takesOptions, argument.hasPrefix("-"), argument != "-" {
                throw CommandFailure(.usage, parameter: argument, message: "is not an option")
            } else {
                let text = try written.value(of: "text")
                if text == "-" { readsStandardInput = true }
                raw.texts.append(.text(text == "-" ? try standardInput() : text))
            }
        }
        if raw.texts.isEmpty, raw.values["blocks"] == nil { raw.texts = fileValues.texts }
        raw.values.merge(fileValues.values) { own, _ in own }
    }

    /// Returns the format of the output's extension, or else the request's.
    ///
    /// - Throws: A fault if the name ends in no known extension, or in another than the request's.
    func format(
        requested: FormatCatalog.Entry?
    ) throws(ParameterFault) -> FormatCatalog.Entry {
        let formats = schema.formats
        guard let output, output != "-" else { return requested ?? formats.defaultEntry }
        let name = output.split(separator: "/").last ?? ""
        guard name.contains(".") else { return requested ?? formats.defaultEntry }
        guard let format = formats.entry(ofFile: String(name)) else {
            throw ParameterFault(
                parameter: "-o",
                message: "must end in one of \(formats.extensionList); got \(output)"
                    + formats.question(forFile: String(name)))
        }
        if let requested, requested.name != format.name {
            if raw.values[schema.format.key] == nil,
                let target = raw.values[schema.target.key]?.characters
            {
                throw ParameterFault(
                    parameter: "-o",
                    message: "must end in .\(requested.type.fileExtension): \(target) takes "
                        + "\(requested.title), and \(name) is \(format.title)")
            }
            throw ParameterFault(
                parameter: "format",
                message:
                    "must match the file's name, which ends in .\(format.type.fileExtension); "
                    + "got \"\(requested.name)\"")
        }
        return format
    }

    /// Checks that no binary file goes to a terminal unless `-o -` says so.
    func checkTerminal(_ format: FormatCatalog.Entry) throws(ParameterFault) {
        guard format.type.isText || output != nil || !Terminal.isOutput else {
            throw ParameterFault(
                parameter: "-o",
                message: "is required: \(format.title) is binary, and standard output is a "
                    + "terminal; -o FILE writes a file, and -o - writes to the terminal")
        }
    }

    /// Returns the paths of all files and directories that are read.
    func inputPaths(_ catalogs: CatalogOptions) -> [String] {
        let optional = [batch.list, catalogs.effects, catalogs.presets, catalogs.pictures]
        return optional.compactMap(\.self) + catalogs.fonts + files.values.sorted()
    }

    /// Checks that one rendering can be made again and again.
    func checkWatching() throws(CommandFailure) {
        guard batch.list != nil || output.map({ $0 != "-" }) ?? false, !readsStandardInput else {
            throw CommandFailure(
                .usage, parameter: BatchOptions.watchOption,
                message: "needs a file to write, and no text from standard input")
        }
    }

    private mutating func takeOption(
        _ argument: RawArgument, _ rest: inout ArraySlice<RawArgument>
    ) throws(CommandFailure) {
        let option = argument.text.dropFirst(2)
        let parts = option.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = Self.camelCase(parts[0])
        _ = try argument.value(of: parts.count > 1 ? name : "--\(option)")
        try checkName(name, hasValue: parts.count > 1 || !rest.isEmpty)
        let value =
            if parts.count > 1 {
                String(parts[1])
            } else if Self.isFlag(name, schema), rest.first?.text != "true",
                rest.first?.text != "false"
            {
                "true"
            } else {
                try Self.value(of: "--\(option)", parameter: name, from: &rest)
            }
        if name == "output" {
            try Self.set(&output, to: value, of: name)
        } else if name == Self.elementOption {
            writesElement = try BatchOptions.flag(value, of: name)
        } else if name == Self.quietOption {
            isQuiet = try BatchOptions.flag(value, of: name)
        } else if name == Self.allOption {
            wantsWholeHelp = try BatchOptions.flag(value, of: name)
        } else if name == Self.jsonOption {
            try takeRequest(at: value)
        } else if name == EffectDirectory.option {
            try Self.set(&catalogs.effects, to: value, of: name)
        } else if name == CatalogOptions.presetsOption {
            try Self.set(&catalogs.presets, to: value, of: name)
        } else if name == PictureDirectory.option {
            try Self.set(&catalogs.pictures, to: value, of: name)
        } else if name == CatalogOptions.fontsOption {
            guard !value.isEmpty else {
                throw CommandFailure(.usage, parameter: name, message: "must not be empty")
            }
            catalogs.fonts.append(value)
        } else if try batch.take(name, value) {
            return
        } else if name == "text" {
            raw.texts.append(.text(value))
        } else if raw.values.updateValue(
            .text(try text(of: name, value)), forKey: ByteString(name)) != nil
        {
            throw CommandFailure(.usage, parameter: name, message: "is given twice")
        }
    }

    private static let ownOptions =
        [
            "output", elementOption, quietOption, allOption, jsonOption, "help",
            EffectDirectory.option, CatalogOptions.presetsOption, PictureDirectory.option,
            CatalogOptions.fontsOption,
        ] + BatchOptions.names

    /// Checks that an option is not a misspelt one of the command itself; parameters are checked with their values.
    private func checkName(_ name: String, hasValue: Bool) throws(CommandFailure) {
        let key = ByteString(name)
        let isParameter = schema.byName[key] != nil || schema.effectNames.contains(key)
        guard !isParameter, name != "text", !Self.ownOptions.includes(name) else { return }
        let parameters = schema.all + schema.effects.entries.flatMap(\.parameters)
        let known = Self.ownOptions + ["text"] + parameters.map(\.name)
        let meant = Suggestion.nearest(to: name, among: known)
        guard !hasValue || meant.map(Self.ownOptions.includes) ?? false else { return }
        let hint = meant.map { "; did you mean --\(Self.kebabCase($0))?" } ?? ""
        throw CommandFailure(
            .usage, parameter: "--" + Self.kebabCase(name), message: "is not an option" + hint)
    }

    /// Sets a path that may be given once.
    private static func set(
        _ path: inout String?, to value: String, of name: String
    ) throws(CommandFailure) {
        guard path == nil, !value.isEmpty else {
            let message = path == nil ? "must not be empty" : "is given twice"
            throw CommandFailure(.usage, parameter: name, message: message)
        }
        path = value
    }

    /// Returns a value, or the content of the file that it names by `@` and a path.
    private mutating func text(
        of name: String, _ value: String
    ) throws(CommandFailure) -> String {
        guard value.hasPrefix("@"), takesFile(name) else {
            return value
        }
        let path = String(value.dropFirst())
        files[name] = path
        let file = InputFile(parameter: name, name: path, limit: Self.maximumFileBytes)
        return try RawArgument(try file.bytes(at: path)).value(of: "\(path): \(name)")
    }

    /// Takes the request in a file of JSON, as the service takes it; `-` is standard input.
    private mutating func takeRequest(at path: String) throws(CommandFailure) {
        guard files[Self.jsonOption] == nil, !path.isEmpty else {
            let message = path.isEmpty ? "must not be empty" : "is given twice"
            throw CommandFailure(.usage, parameter: Self.jsonOption, message: message)
        }
        let isStandard = path == "-"
        readsStandardInput = readsStandardInput || isStandard
        files[Self.jsonOption] = path
        let file = InputFile(
            parameter: Self.jsonOption, name: isStandard ? "standard input" : path,
            limit: Self.maximumRequestBytes)
        let bytes = isStandard ? try file.bytes(of: 0) : try file.bytes(at: path)
        do throws(RenderingError) {
            fileValues = try RawRequest(json: bytes, named: Self.jsonOption)
        } catch {
            throw CommandFailure(error, hasTexts: true, files: files)
        }
    }

    /// True for a parameter whose values are too long to be typed.
    private func takesFile(_ name: String) -> Bool {
        schema.effects.entries.contains { effect in
            effect.parameters.contains { parameter in
                guard case .keyframes = parameter.kind else { return false }
                return parameter.name == name
            }
        }
    }

    /// Returns true for an option that needs no value.
    static func isFlag(_ name: String, _ schema: RequestSchema) -> Bool {
        let ofEffect = schema.effects.entries.contains { effect in
            effect.parameters.contains { $0.name == name && $0.kind == .boolean }
        }
        return ofEffect || schema.byName[ByteString(name)]?.kind == .boolean
            || [elementOption, quietOption, allOption].contains(name)
            || BatchOptions.flags.contains(name)
    }

    private static func value(
        of option: String, parameter name: String, from rest: inout ArraySlice<RawArgument>
    ) throws(CommandFailure) -> String {
        guard let value = rest.popFirst() else {
            throw CommandFailure(.usage, parameter: option, message: "has no value")
        }
        return try value.value(of: name)
    }

    /// Returns a name such as `letterSpacing` in kebab case.
    static func kebabCase(_ name: String) -> String {
        name.map { $0.isUppercase ? "-\($0.lowercased())" : String($0) }.joined()
    }

    /// Returns a name such as `letter-spacing` in camel case.
    static func camelCase(_ name: Substring) -> String {
        let words = name.split(separator: "-")
        guard let first = words.first else { return String(name) }
        return words.dropFirst().reduce(String(first)) {
            $0 + $1.prefix(1).uppercased() + $1.dropFirst()
        }
    }
}

/// An argument of the command line.
struct RawArgument: Sendable {
    /// The text; U+FFFD stands for invalid UTF-8.
    let text: String
    let isUTF8: Bool

    init(_ bytes: some Collection<UInt8>) {
        let valid = String(validating: bytes, as: UTF8.self)
        text = valid ?? String(decoding: bytes, as: UTF8.self)
        isUTF8 = valid != nil
    }

    /// Returns the text as the value of a parameter.
    ///
    /// - Throws: A failure if it is not UTF-8.
    func value(of parameter: String) throws(CommandFailure) -> String {
        guard isUTF8 else {
            throw CommandFailure(.data, parameter: parameter, message: "is not UTF-8")
        }
        return text
    }
}
