import ArgumentParser
@preconcurrency import Glibc
import Rendering

/// Options from the command line, or else from the environment, or else from a file, or else their
/// defaults.
struct Environment {
    /// The names of the variables that Kubernetes sets for Services, which are ignored.
    let kubernetesVariables: [String]
    /// The names of all variables that were read, set or not.
    private(set) var known: Set<String> = []
    /// The values of all other variables whose names begin as Titlecard's do, and of the lines of a
    /// file that no variable overrides.
    private var variables: [String: [UInt8]]
    /// The places of the file's lines, and of the options that were given, by their variables.
    private var places: [String: String] = [:]
    private var faults: [String] = []
    /// The file of options, once it was read or handed over.
    private(set) var file: OperatorFile?
    /// The reason why the file is not read.
    private var fileFailure: CommandFailure?

    static let prefix = "TITLECARD_"
    static let configOption = "config"
    /// The bytes that the file of options may have.
    private static let fileLimit = 65_536

    /// - Parameters:
    ///   - variables: The variables of the environment.
    ///   - file: The file of options as another process has read it.
    init(_ variables: [String: [UInt8]] = Self.processVariables, file: OperatorFile? = nil) {
        self.file = file
        let others = variables.filter { KubernetesService.sets($0.key, to: $0.value) }
        kubernetesVariables = others.keys.sorted()
        self.variables = variables.filter { others[$0.key] == nil }
    }

    /// Returns the value `given` on the command line, or else the value of the option's variable.
    mutating func value<Value: ExpressibleByArgument>(
        _ given: Value?, _ name: String, default fallback: Value
    ) -> Value {
        optional(given, name) ?? fallback
    }

    mutating func optional<Value: ExpressibleByArgument>(_ given: Value?, _ name: String) -> Value?
    {
        let variable = Self.variable(name)
        known.insert(variable)
        if let given {
            places[variable] = "--\(name)"
            guard given as? String != "" else {
                faults.append("--\(name) must not be empty")
                return nil
            }
            return given
        }
        guard let bytes = bytes(of: variable) else { return nil }
        let place = place(of: name)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            faults.append("\(place) is not UTF-8")
            return nil
        }
        if let value = Value(argument: text) { return value }
        let words = Value.self == Bool.self ? ["true", "false"] : Value.allValueStrings
        if let last = words.last {
            let list = words.dropLast().joined(separator: ", ") + " or " + last
            faults.append("\(place) must be \(list); got \"\(text)\"")
        } else {
            faults.append("\(place) has a value that is not understood: \"\(text)\"")
        }
        return nil
    }

    /// Returns how a value was given, as messages name it: by the option, its variable, or a line of a
    /// file.
    func place(of name: String) -> String {
        let variable = Self.variable(name)
        return places[variable] ?? (variables[variable] == nil ? "--\(name)" : variable)
    }

    /// Reads the file of options.
    mutating func read(_ path: String) {
        do throws(CommandFailure) {
            let input = InputFile(
                parameter: Self.configOption, name: path, limit: Self.fileLimit)
            let read = if let file { file } else { try input.operatorFile(.options, at: path) }
            file = read
            take(read.bytes, of: path)
        } catch {
            fileFailure = error
        }
    }

    /// Takes the lines of a file, `name = value`, with the names of options; variables of the environment
    /// take precedence.
    ///
    /// Empty lines, and lines that begin with `#`, are passed over.
    mutating func take(_ bytes: [UInt8], of file: String) {
        var lines: [String: Int] = [:]
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes[...]
        for (index, line) in text.split(
            separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false
        ).enumerated() {
            let line = Self.trimmed(line)
            guard let first = line.first, first != UInt8(ascii: "#") else { continue }
            let place = "\(file), line \(index + 1)"
            guard !line.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }) else {
                refuse("\(place): has a control character")
                continue
            }
            let end = line.firstIndex(of: UInt8(ascii: "=")) ?? line.endIndex
            let name = Self.trimmed(line[..<end])
            let option = String(decoding: name, as: UTF8.self)
            let words = option.split(separator: "-", omittingEmptySubsequences: false)
            let isName = words.allSatisfy { word in
                !word.isEmpty && word.utf8.allSatisfy { 0x61...0x7A ~= $0 }
            }
            guard isName, end < line.endIndex else {
                refuse("\(place): must be an option's name without --, =, and a value")
                continue
            }
            guard !Self.readEarlier.contains(option) else {
                refuse("\(place): \(option) cannot stand in a file")
                continue
            }
            let variable = Self.variable(option)
            if let other = lines.updateValue(index + 1, forKey: variable) {
                refuse("\(place): \(option) is given in line \(other) already")
            } else if variables[variable] == nil {
                variables[variable] = Array(Self.trimmed(line[end...].dropFirst()))
                places[variable] = "\(place): \(option)"
            }
        }
    }

    /// The options that are read before any file.
    private static let readEarlier: Set<String> = [configOption, "no-supervisor"]

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 || byte == 0x0D }
        var bytes = bytes.drop(while: isBlank)
        while let last = bytes.last, isBlank(last) { bytes.removeLast() }
        return bytes
    }

    /// Returns the result of parsing the value, and notes its fault.
    mutating func parsed<Value: ExpressibleByArgument, Result>(
        _ given: Value?, _ name: String, _ parse: (Value) throws(OptionFault) -> Result
    ) -> Result? {
        guard let value = optional(given, name) else { return nil }
        do throws(OptionFault) {
            return try parse(value)
        } catch {
            refuse("\(place(of: name)) \(error.message)")
            return nil
        }
    }

    /// Returns the paths given on the command line, or else the paths of the option's variable,
    /// between which there are colons.
    mutating func paths(_ given: [String], _ name: String) -> [String] {
        guard given.isEmpty else { return given.compactMap { optional($0, name) } }
        guard let list = optional(String?.none, name) else { return [] }
        let paths = list.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        if paths.contains("") { faults.append("\(place(of: name)) has an empty path") }
        return paths
    }

    /// Returns the bytes of a variable, and refuses an empty one.
    mutating func bytes(of variable: String) -> [UInt8]? {
        known.insert(variable)
        guard let bytes = variables[variable] else { return nil }
        guard !bytes.isEmpty else {
            let place = places[variable].map { "\($0) has no value; give it one" }
            faults.append(place ?? "\(variable) is empty; give it a value, or unset it")
            return nil
        }
        return bytes
    }

    /// Notes a fault.
    mutating func refuse(_ fault: String) {
        faults.append(fault)
    }

    /// Ends the reading.
    ///
    /// - Parameter others: Names of variables that belong to other commands.
    /// - Throws: All faults; a variable that was not read is one.
    func finish(passing others: Set<String> = []) throws {
        do {
            try check(passing: others)
        } catch {
            throw ValidationError(error.messages.joined(separator: "\n"))
        }
    }

    /// Ends the reading of a command that reports failures itself.
    ///
    /// - Throws: As `finish`.
    func check(passing others: Set<String> = []) throws(CommandFailure) {
        if let fileFailure { throw fileFailure }
        let known = known.union(others)
        let names = known.map { String($0.dropFirst(Self.prefix.count)) }.sorted()
        let unknown = variables.keys.filter { !known.contains($0) }.sorted().map { name in
            let written = String(name.dropFirst(Self.prefix.count))
            let hint = Suggestion.nearest(to: written, among: names).map { hint in
                places[name] == nil ? Self.prefix + hint : Self.option(hint)
            }
            return "\(places[name] ?? name) is unknown"
                + (hint.map { "; did you mean \($0)?" } ?? "")
        }
        guard faults.isEmpty, unknown.isEmpty else {
            throw CommandFailure(.usage, messages: faults + unknown)
        }
    }

    /// Removes the variables by which Pango would choose fonts for a language, and fontconfig their
    /// names.
    static func forgetLanguage() {
        for name in ["PANGO_LANGUAGE", "LANGUAGE", "FC_LANG", "LC_ALL", "LC_CTYPE", "LANG"] {
            unsetenv(name)
        }
    }

    /// Returns the name of an option's variable.
    static func variable(_ name: String) -> String {
        prefix + name.uppercased().split(separator: "-").joined(separator: "_")
    }

    /// Returns the name of an option from its variable's without the prefix.
    private static func option(_ name: String) -> String {
        name.lowercased().split(separator: "_").joined(separator: "-")
    }

    /// The variables of this process whose names begin as Titlecard's do.
    private static var processVariables: [String: [UInt8]] {
        var variables: [String: [UInt8]] = [:]
        var next = environ
        while let entry = next.pointee {
            let bytes = UnsafeBufferPointer(start: entry, count: strlen(entry)).map {
                UInt8(bitPattern: $0)
            }
            if bytes.starts(with: prefix.utf8) {
                let name = bytes.prefix { $0 != UInt8(ascii: "=") }
                variables[String(decoding: name, as: UTF8.self)] = Array(
                    bytes.dropFirst(name.count + 1))
            }
            next += 1
        }
        return variables
    }
}

/// The variables that Kubernetes sets in every container for each Service of its namespace.
///
/// Source: Kubernetes' documentation, "Service", "Environment variables". A Service called
/// `titlecard`, or with a name that begins so, has variables that begin like Titlecard's own.
private enum KubernetesService {
    private static let protocols = ["TCP", "UDP", "SCTP"]

    /// Returns true if a variable belongs to a Service.
    static func sets(_ name: String, to value: [UInt8]) -> Bool {
        let words = name.split(separator: "_", omittingEmptySubsequences: false)
        if let service = words.lastIndex(of: "SERVICE") {
            let rest = words[(service + 1)...]
            if rest == ["HOST"] || rest.first == "PORT" { return true }
        }
        let isAddress = protocols.contains { value.starts(with: "\($0.lowercased())://".utf8) }
        return words.last == "PORT" && isAddress || isOfOnePort(words)
    }

    /// Returns true if the name ends as in `PORT_80_TCP` or `PORT_80_TCP_ADDR`.
    private static func isOfOnePort(_ words: [Substring]) -> Bool {
        guard let port = words.firstIndex(of: "PORT"), words.count - port >= 3 else { return false }
        let (number, name, rest) = (words[port + 1], words[port + 2], words[(port + 3)...])
        return UInt16(number) != nil && protocols.contains(String(name))
            && (rest.isEmpty || rest.count == 1 && ["PROTO", "PORT", "ADDR"].contains(rest.first))
    }
}
