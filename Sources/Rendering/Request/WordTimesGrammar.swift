import Bytes
import Motion

/// A list of words with the times in which they are said, each an object of `text`, `at`, and
/// `until` (docs/effects.md, *Words with times*).
struct WordTimesGrammar: ParameterGrammar {
    let count: ClosedRange<Int>

    /// The seconds that blocks and words may have.
    static let seconds = 0.0...86_400
    /// The most bytes of a word.
    static let most = 200
    /// The number of faults after which the rest is not checked.
    private static let mostFaults = 64

    var name: String { "times" }
    var expectation: String {
        "an array of \(count.lowerBound) to \(count.upperBound) objects"
    }

    var schema: [(String, JSONNode)] {
        let time = Parameter("", .number(Self.seconds), unit: .seconds, default: nil, "").schema()
        let members: [(String, JSONNode)] = [
            ("text", .object([("type", .string("string")), ("minLength", .number(1))])),
            ("at", .object(time)), ("until", .object(time)),
        ]
        return [
            ("type", .string("array")), ("minItems", .number(Double(count.lowerBound))),
            ("maxItems", .number(Double(count.upperBound))),
            (
                "items",
                .object([
                    ("type", .string("object")), ("properties", .object(members)),
                    ("required", .array([.string("text"), .string("at")])),
                    ("additionalProperties", .boolean(false)),
                ])
            ),
        ]
    }

    func value(of raw: RawValue) throws(ValueFault) -> ParameterValue {
        let value = try raw.parsed()
        guard case .array(let elements) = value, count.contains(elements.count) else {
            let got =
                if case .array(let elements) = value { "\(elements.count)" } else {
                    value.description
                }
            throw ValueFault("must be \(expectation); got \(got)")
        }
        var words: [WordTime] = []
        var faults: [ValueFault.Part] = []
        for (index, element) in elements.enumerated() where faults.count < Self.mostFaults {
            do throws(ValueFault) {
                let word = try Self.word(element)
                if let last = words.last, word.at < last.at {
                    throw ValueFault(
                        parts: [
                            .init(
                                place: ".at",
                                message: "must not be before the word before, "
                                    + "\(NumberText.of(last.at)); got \(NumberText.of(word.at))")
                        ])
                }
                words.append(word)
            } catch {
                faults += error.parts.map {
                    .init(place: "[\(index)]" + $0.place, message: $0.message)
                }
            }
        }
        guard faults.isEmpty else { throw ValueFault(parts: faults) }
        return .times(words)
    }

    private static func word(_ raw: RawValue) throws(ValueFault) -> WordTime {
        func fault(_ member: String, _ message: String) -> ValueFault {
            ValueFault(parts: [.init(place: "." + member, message: message)])
        }
        guard case .object(let members) = raw else {
            throw ValueFault("must be an object; got \(raw.description)")
        }
        for name in members.keys.sorted() where !["text", "at", "until"].contains(name) {
            throw fault(name.text, "unknown; use text, at, or until")
        }
        guard case .string(let text)? = members["text"], !text.isEmpty, text.utf8.count <= most
        else {
            throw fault(
                "text",
                "must be a word of 1 to \(most) bytes; got "
                    + (members["text"]?.description ?? "none"))
        }
        func seconds(_ member: ByteString) throws(ValueFault) -> Double? {
            guard let raw = members[member] else { return nil }
            guard case .number(let value) = raw, Self.seconds.contains(value) else {
                throw fault(
                    member.text,
                    "must be a number from 0 to \(NumberText.of(Self.seconds.upperBound)) seconds; "
                        + "got \(raw.description)")
            }
            // Times are instants of the scene.
            return Instant(seconds: value).seconds
        }
        guard let at = try seconds("at") else { throw fault("at", "is required") }
        let until = try seconds("until")
        if let until, until <= at {
            throw fault(
                "until",
                "must be after at, \(NumberText.of(at)); got \(NumberText.of(until))")
        }
        return WordTime(ByteString(text), at: at, until: until)
    }

    /// Returns a word, which few texts have: requests with other texts are refused.
    func sample(using generator: inout some RandomNumberGenerator) -> RawValue {
        .array([
            .object([
                "text": .string("a"),
                "at": .number(Double(Int.random(in: 0...9, using: &generator))),
                "until": .number(10),
            ])
        ])
    }
}

extension WordTime {
    /// The word as requests write it.
    var node: JSONNode {
        .canonical(
            [("at", .number(at)), ("text", .string(text.text))]
                + (until.map { [("until", .number($0))] } ?? []))
    }
}
