import ArgumentParser
import Glibc

/// Options from the command line, or else from the environment, or else their defaults.
struct Environment {
    private var faults: [String] = []

    /// The value `given` on the command line, or that of the variable for the option called `name`.
    mutating func value<Value: ExpressibleByArgument>(
        _ given: Value?, _ name: String, default fallback: Value
    ) -> Value {
        optional(given, name) ?? fallback
    }

    mutating func optional<Value: ExpressibleByArgument>(_ given: Value?, _ name: String) -> Value?
    {
        if let given { return given }
        let variable = Self.variable(name)
        guard let text = getenv(variable).map({ String(cString: $0) }), !text.isEmpty else {
            return nil
        }
        if let value = Value(argument: text) { return value }
        faults.append("\(variable) has a value that is not understood: \"\(text)\"")
        return nil
    }

    /// A number of so many at least and at most.
    mutating func count(
        _ given: Int?, _ name: String, default fallback: Int, atLeast least: Int = 1,
        atMost most: Int = 1 << 40
    ) -> Int {
        let value = value(given, name, default: fallback)
        guard value >= least else {
            faults.append("--\(name) must be at least \(least); got \(value)")
            return fallback
        }
        guard value <= most else {
            faults.append("--\(name) must be at most \(most); got \(value)")
            return fallback
        }
        return value
    }

    /// Says that a value cannot be taken.
    mutating func refuse(_ fault: String) {
        faults.append(fault)
    }

    /// Seconds, with fractions: from a tenth to a day.
    mutating func seconds(
        _ given: Double?, _ name: String, default fallback: Double
    ) -> Double {
        guard let seconds = optional(given, name) else { return fallback }
        guard seconds >= 0.1, seconds <= 86_400 else {
            faults.append("--\(name) must be from 0.1 to 86400 seconds; got \(seconds)")
            return fallback
        }
        return seconds
    }

    /// Seconds, with fractions; none is allowed.
    mutating func duration(_ given: Double?, _ name: String, default fallback: Duration) -> Duration
    {
        guard let seconds = optional(given, name) else { return fallback }
        guard seconds >= 0, seconds <= 86_400 else {
            faults.append("--\(name) must be from 0 to 86400 seconds; got \(seconds)")
            return fallback
        }
        return .seconds(seconds)
    }

    /// - Throws: All that was not understood.
    func finish() throws {
        guard faults.isEmpty else { throw ValidationError(faults.joined(separator: "\n")) }
    }

    /// Fonts must not depend on the locale of whoever starts the process.
    static func forgetLanguage() {
        for name in ["PANGO_LANGUAGE", "LANGUAGE"] { unsetenv(name) }
    }

    private static func variable(_ name: String) -> String {
        "TITLECARD_" + name.uppercased().split(separator: "-").joined(separator: "_")
    }
}
