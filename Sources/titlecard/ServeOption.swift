import ArgumentParser
import Bytes

/// An option of `serve`: its parsing, its help, and its variable of the environment.
struct ServeOption: Sendable {
    /// Sets the value of the command line, or else of the environment.
    typealias Reading = (inout Environment, inout ServeValues) -> Void
    /// The place of a value; the value there at first is the default.
    typealias Place<Value> = any WritableKeyPath<ServeValues, Value> & Sendable

    /// The name without its hyphens.
    let name: String
    /// Returns the property wrapper that declares it to ArgumentParser.
    fileprivate let wrapper: @Sendable () -> Any
    /// Returns the reading of the command line's value.
    fileprivate let reading: @Sendable (KeyedDecodingContainer<Key>) throws -> Reading

    /// The name as a key of the command line's values.
    fileprivate struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}

extension ServeOption {
    /// An option with one value.
    ///
    /// - Parameters:
    ///   - name: The name without its hyphens.
    ///   - place: The place of the value.
    ///   - help: One sentence.
    ///   - text: The default in words.
    ///   - kept: Returns the kept form of a given value, or throws its fault.
    init<Value: ExpressibleByArgument, Kept>(
        _ name: String, _ place: Place<Kept>, _ help: String,
        default text: @autoclosure @escaping @Sendable () -> String,
        kept: @escaping @Sendable (Value) throws(OptionFault) -> Kept
    ) {
        self.name = name
        wrapper = { Option<Value?>(help: "\(help) (\(text()))") }
        reading = { container in
            let given = try container.decode(Option<Value?>.self, forKey: Key(stringValue: name))
            return { environment, values in
                if let value = environment.parsed(given.wrappedValue, name, kept) {
                    values[keyPath: place] = value
                }
            }
        }
    }

    /// A value that needs no check.
    static func value<Value: ExpressibleByArgument>(
        _ name: String, _ place: Place<Value>, _ help: String
    ) -> ServeOption {
        ServeOption(name, place, help, default: "\(ServeValues.defaults[keyPath: place])") { $0 }
    }

    /// A value that needs no check and may be absent.
    static func value<Value: ExpressibleByArgument>(
        _ name: String, _ place: Place<Value?>, default text: String, _ help: String
    ) -> ServeOption {
        ServeOption(name, place, help, default: text) { (value: Value) in value }
    }

    /// A whole number of units.
    static func count(
        _ name: String, _ place: Place<Int>, in range: ClosedRange<Int> = counts, unit: Int = 1,
        default text: String? = nil, _ help: String
    ) -> ServeOption {
        ServeOption(
            name, place, help, default: text ?? "\(ServeValues.defaults[keyPath: place] / unit)"
        ) { value throws(OptionFault) in try OptionFault.checked(value, in: range) * unit }
    }

    /// A whole number.
    static func count(_ name: String, _ place: Place<Double>, _ help: String) -> ServeOption {
        ServeOption(
            name, place, help, default: NumberText.of(ServeValues.defaults[keyPath: place])
        ) { value throws(OptionFault) in Double(try OptionFault.checked(value, in: counts)) }
    }

    /// A number of seconds, up to a day.
    static func seconds(
        _ name: String, _ place: Place<Double>, atLeast least: Double = 0, _ help: String
    ) -> ServeOption {
        ServeOption(
            name, place, help, default: NumberText.of(ServeValues.defaults[keyPath: place])
        ) { value throws(OptionFault) in try OptionFault.checked(value, atLeast: least) }
    }

    /// A duration in seconds, up to a day.
    static func seconds(
        _ name: String, _ place: Place<Duration>, atLeast least: Double = 0, _ help: String
    ) -> ServeOption {
        ServeOption(
            name, place, help,
            default: "\(ServeValues.defaults[keyPath: place].components.seconds)"
        ) { value throws(OptionFault) in .seconds(try OptionFault.checked(value, atLeast: least)) }
    }

    /// An option without a value.
    static func flag(_ name: String, _ place: Place<Bool>, _ help: String) -> ServeOption {
        ServeOption(
            name: name, wrapper: { Flag(wrappedValue: false, help: "\(help) (false)") },
            reading: { container in
                let flag = try container.decode(Flag<Bool>.self, forKey: Key(stringValue: name))
                return { environment, values in
                    values[keyPath: place] = environment.value(
                        flag.wrappedValue ? true : nil, name, default: false)
                }
            })
    }

    /// The file of options.
    static func file(_ name: String, _ help: String) -> ServeOption {
        ServeOption(
            name: name, wrapper: { Option<String?>(help: "\(help) (none)") },
            reading: { container in
                let given = try container.decode(
                    Option<String?>.self, forKey: Key(stringValue: name))
                return { environment, _ in
                    if let path = environment.optional(given.wrappedValue, name) {
                        environment.read(path)
                    }
                }
            })
    }

    /// Names of presets, separated by commas.
    static func presets(_ name: String, _ place: Place<AllowedPresets?>, _ help: String)
        -> ServeOption
    {
        ServeOption(
            name: name, wrapper: { Option<String?>(help: "\(help) (all)") },
            reading: { container in
                let given = try container.decode(
                    Option<String?>.self, forKey: Key(stringValue: name))
                return { environment, values in
                    guard let text = environment.optional(given.wrappedValue, name) else { return }
                    let names = text.split(separator: ",").map { $0.trimmingSpaces }
                    values[keyPath: place] = AllowedPresets(
                        place: environment.place(of: name), names: names.map(String.init))
                }
            })
    }

    /// Paths, of which there may be several.
    static func paths(_ name: String, _ place: Place<[String]>, _ help: String) -> ServeOption {
        ServeOption(
            name: name, wrapper: { Option(wrappedValue: [String](), help: "\(help) (none)") },
            reading: { container in
                let given = try container.decode(
                    Option<[String]>.self, forKey: Key(stringValue: name))
                return { environment, values in
                    values[keyPath: place] = environment.paths(given.wrappedValue, name)
                }
            })
    }

    private static let counts = 1...1 << 40
}

/// The fault of an option's value, in words that follow its name.
struct OptionFault: Error {
    let message: String

    static func checked(
        _ value: Int, in range: ClosedRange<Int>
    ) throws(OptionFault) -> Int {
        guard value >= range.lowerBound else {
            throw OptionFault(message: "must be at least \(range.lowerBound); got \(value)")
        }
        guard value <= range.upperBound else {
            throw OptionFault(message: "must be at most \(range.upperBound); got \(value)")
        }
        return value
    }

    fileprivate static func checked(
        _ seconds: Double, atLeast least: Double
    ) throws(OptionFault) -> Double {
        guard seconds >= least, seconds <= 86_400 else {
            throw OptionFault(
                message: "must be from \(NumberText.of(least)) to 86400 seconds; got \(seconds)")
        }
        return seconds
    }
}

/// Options that stand under one title.
protocol ServeOptionSection {
    static var options: [ServeOption] { get }
}

/// The options of a section as ArgumentParser takes them.
///
/// ArgumentParser learns the options of a type from the mirror of a value, property wrappers by
/// their names, and hands the command line's values to the type's decoding.
struct ServeOptionGroup<Section: ServeOptionSection>: ParsableArguments, CustomReflectable {
    let readings: [ServeOption.Reading]

    init() {
        readings = []
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: ServeOption.Key.self)
        readings = try Section.options.map { try $0.reading(container) }
    }

    var customMirror: Mirror {
        Mirror(self, children: Section.options.map { (label: $0.name, value: $0.wrapper()) })
    }
}
