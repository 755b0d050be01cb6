package import Encoders
package import Motion

/// Reads the arguments of `titlecard render`: texts, and options that are the request's names.
package struct ArgumentDecoder: Sendable {
    package var raw = RawRequest()
    /// Where the file goes; nil and `-` for standard output.
    package var output: String?
    package var wantsHelp = false

    /// - Parameters:
    ///   - arguments: Without the command's name.
    ///   - standardInput: Gives what a text of `-` stands for.
    /// - Throws: The first argument that cannot be read.
    package init(
        _ arguments: [String], standardInput: () -> String
    ) throws(ParameterFault) {
        var rest = arguments[...]
        var takesOptions = true
        while let argument = rest.popFirst() {
            if takesOptions, argument == "--" {
                takesOptions = false
            } else if takesOptions, argument == "-h" || argument == "--help" {
                wantsHelp = true
            } else if takesOptions, argument == "-o" {
                output = try Self.value(of: argument, from: &rest)
            } else if takesOptions, argument.hasPrefix("--") {
                try takeOption(argument.dropFirst(2), &rest)
            } else if takesOptions, argument.hasPrefix("-"), argument != "-" {
                throw ParameterFault(parameter: argument, message: "is no option")
            } else {
                raw.texts.append(.text(argument == "-" ? standardInput() : argument))
            }
        }
    }

    /// The format that the output's name asks for, or else the request.
    ///
    /// - Throws: When the name ends in no known extension.
    package func format(
        requested: (any OutputFormat.Type)?
    ) throws(ParameterFault) -> any OutputFormat.Type {
        guard let output, output != "-" else { return requested ?? FormatCatalog.standard }
        let name = output.split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: ".") else {
            return requested ?? FormatCatalog.standard
        }
        let written = String(name[name.index(after: dot)...]).lowercased()
        guard let format = FormatCatalog.format(withExtension: written) else {
            let known = FormatCatalog.all.map { ".\($0.fileExtension)" }.joined(separator: ", ")
            throw ParameterFault(
                parameter: "-o", message: "must end in one of \(known); got \(output)")
        }
        return format
    }

    private mutating func takeOption(
        _ option: Substring, _ rest: inout ArraySlice<String>
    ) throws(ParameterFault) {
        let parts = option.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = Self.camelCase(parts[0])
        var value = parts.count > 1 ? String(parts[1]) : nil
        if name == "output" {
            if value == nil { value = try Self.value(of: "--output", from: &rest) }
            output = value
            return
        }
        let isFlag = RequestParameters.byName[name]?.kind == .boolean || Self.isEffectFlag(name)
        if value == nil, isFlag, rest.first != "true", rest.first != "false" { value = "true" }
        if value == nil { value = try Self.value(of: "--\(option)", from: &rest) }
        guard let text = value else { return }
        if name == "text" {
            raw.texts.append(.text(text))
        } else if raw.values.updateValue(.text(text), forKey: name) != nil {
            throw ParameterFault(parameter: name, message: "is given twice")
        }
    }

    private static func isEffectFlag(_ name: String) -> Bool {
        EffectCatalog.all.contains { effect in
            effect.parameters.contains { $0.name == name && $0.kind == .boolean }
        }
    }

    private static func value(
        of option: String, from rest: inout ArraySlice<String>
    ) throws(ParameterFault) -> String {
        guard let value = rest.popFirst() else {
            throw ParameterFault(parameter: option, message: "has no value")
        }
        return value
    }

    /// `letter-spacing` as the request writes it.
    private static func camelCase(_ name: Substring) -> String {
        let words = name.split(separator: "-")
        guard let first = words.first else { return String(name) }
        return words.dropFirst().reduce(String(first)) {
            $0 + $1.prefix(1).uppercased() + $1.dropFirst()
        }
    }
}
