import ArgumentParser
@preconcurrency import Glibc
import Rendering

/// Options from the command line, or else from the environment, or else their defaults.
struct Environment {
    /// The names of the variables that Kubernetes sets for Services, which are ignored.
    let kubernetesVariables: [String]
    /// The names of all variables that were read, set or not.
    private(set) var known: Set<String> = []
    /// The values of all other variables whose names begin as Titlecard's do.
    private let variables: [String: [UInt8]]
    private var faults: [String] = []

    static let prefix = "TITLECARD_"

    init(_ variables: [String: [UInt8]] = Self.processVariables) {
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
            guard given as? String != "" else {
                faults.append("--\(name) must not be empty")
                return nil
            }
            return given
        }
        guard let bytes = bytes(of: variable) else { return nil }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            faults.append("\(variable) is not UTF-8")
            return nil
        }
        if let value = Value(argument: text) { return value }
        faults.append("\(variable) has a value that is not understood: \"\(text)\"")
        return nil
    }

    /// Returns the result of parsing the value, and notes its fault.
    mutating func parsed<Value: ExpressibleByArgument, Result>(
        _ given: Value?, _ name: String, _ parse: (Value) throws(OptionFault) -> Result
    ) -> Result? {
        guard let value = optional(given, name) else { return nil }
        do throws(OptionFault) {
            return try parse(value)
        } catch {
            refuse("--\(name) \(error.message)")
            return nil
        }
    }

    /// Returns the paths given on the command line, or else the paths of the option's variable,
    /// between which there are colons.
    mutating func paths(_ given: [String], _ name: String) -> [String] {
        guard given.isEmpty else { return given.compactMap { optional($0, name) } }
        guard let list = optional(String?.none, name) else { return [] }
        let paths = list.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        if paths.contains("") { faults.append("\(Self.variable(name)) has an empty path") }
        return paths
    }

    /// Returns the bytes of a variable, and refuses an empty one.
    mutating func bytes(of variable: String) -> [UInt8]? {
        known.insert(variable)
        guard let bytes = variables[variable] else { return nil }
        guard !bytes.isEmpty else {
            faults.append("\(variable) is empty; give it a value, or unset it")
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
        let known = known.union(others)
        let names = known.map { String($0.dropFirst(Self.prefix.count)) }.sorted()
        let unknown = variables.keys.filter { !known.contains($0) }.sorted().map { name in
            let written = String(name.dropFirst(Self.prefix.count))
            let hint = Suggestion.nearest(to: written, among: names)
            return "\(name) is unknown" + (hint.map { "; did you mean \(Self.prefix)\($0)?" } ?? "")
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
