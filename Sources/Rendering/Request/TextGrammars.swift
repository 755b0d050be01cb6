import Bytes
import Encoders
import Motion
import Typesetting

struct BooleanGrammar: ParameterGrammar {
    var name: String { "boolean" }
    var expectation: String { "true or false" }
    var schema: [(String, JSONNode)] { [("type", .string(name))] }

    /// The words of queries, forms, and command lines, in small letters.
    private static let words: [ByteString: Bool] = [
        "true": true, "yes": true, "on": true, "1": true,
        "false": false, "no": false, "off": false, "0": false,
    ]

    func value(of raw: RawValue) throws(ValueFault) -> ParameterValue {
        switch raw {
        case .boolean(let value): return .boolean(value)
        case .text(let text):
            guard let value = Self.words[ByteString(text.lowercasedASCII)] else { fallthrough }
            return .boolean(value)
        default: throw mismatch(raw)
        }
    }

    func sample(using generator: inout some RandomNumberGenerator) -> RawValue {
        .boolean(.random(using: &generator))
    }
}

/// Text with a limited number of Unicode scalars.
struct StringGrammar: ParameterGrammar {
    let count: ClosedRange<Int>
    /// True for names of font families, separated by commas.
    var areFamilies = false
    /// True for text that people read, whose only controls are line breaks.
    var isProse = false

    var name: String { "string" }
    var expectation: String { "from \(count.lowerBound) to \(count.upperBound) characters" }
    var schema: [(String, JSONNode)] {
        var members: [(String, JSONNode)] = [
            ("type", .string(name)), ("minLength", .number(Double(count.lowerBound))),
            ("maxLength", .number(Double(count.upperBound))),
        ]
        if areFamilies { members.append(("format", "families")) }
        if isProse { members.append(("pattern", .string(Self.prosePattern))) }
        return members
    }

    private static let prosePattern = "^[^\\u0000-\\u0009\\u000B-\\u001F\\u007F-\\u009F]*$"

    func value(of raw: RawValue) throws(ValueFault) -> ParameterValue {
        let text = try raw.string()
        guard count.contains(text.unicodeScalars.count) else {
            throw ValueFault("must have \(expectation); got \(text.unicodeScalars.count)")
        }
        guard let value = areFamilies ? FamilyList.normalized(text) : text else {
            throw ValueFault("must be a font family, or several separated by commas")
        }
        guard !isProse || text.unicodeScalars.allSatisfy(Self.isReadable) else {
            throw ValueFault("must not hold control characters")
        }
        return .string(ByteString(value))
    }

    private static func isReadable(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\n" || scalar.properties.generalCategory != .control
    }

    func sample(using generator: inout some RandomNumberGenerator) -> RawValue {
        .string(String(repeating: "a", count: .random(in: count, using: &generator)))
    }
}

/// Names that can be ids and classes wherever they are written.
struct IdentifierGrammar: ParameterGrammar {
    let count: ClosedRange<Int>

    var name: String { "identifier" }
    var expectation: String {
        "a letter and up to \(count.upperBound - 1) letters, digits, - or _ after it"
    }
    var schema: [(String, JSONNode)] {
        [
            ("type", .string("string")), ("format", .string(name)),
            ("minLength", .number(Double(count.lowerBound))),
            ("maxLength", .number(Double(count.upperBound))),
            ("pattern", .string("^[A-Za-z][A-Za-z0-9_-]*$")),
        ]
    }

    func value(of raw: RawValue) throws(ValueFault) -> ParameterValue {
        guard let text = raw.characters, count.contains(text.utf8.count),
            let first = text.utf8.first, first.isASCIILetter,
            text.utf8.allSatisfy({ $0.isASCIILetterOrDigit || $0 == 0x2D || $0 == 0x5F })
        else { throw mismatch(raw) }
        return .string(ByteString(text))
    }

    func sample(using generator: inout some RandomNumberGenerator) -> RawValue {
        .string("a" + String(repeating: "-", count: .random(in: count, using: &generator) - 1))
    }
}

/// Language tags: parts of up to eight letters and digits (BCP 47, RFC 5646), the first of letters.
struct LanguageGrammar: ParameterGrammar {
    private static let longestTag = 35

    var name: String { "language" }
    var expectation: String { "a language tag such as ja, de-CH or zh-Hant" }
    var schema: [(String, JSONNode)] {
        [
            ("type", .string("string")), ("format", .string(name)), ("minLength", .number(2)),
            ("maxLength", .number(Double(Self.longestTag))),
            ("pattern", .string("^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$")),
        ]
    }

    func value(of raw: RawValue) throws(ValueFault) -> ParameterValue {
        guard let text = raw.characters, text.utf8.count <= Self.longestTag else {
            throw mismatch(raw)
        }
        let parts = text.pieces(separatedBy: "-")
        let isTag = parts.allSatisfy { part in
            (1...8).contains(part.utf8.count) && part.utf8.allSatisfy(\.isASCIILetterOrDigit)
        }
        guard isTag, parts[0].utf8.count > 1, parts[0].utf8.allSatisfy(\.isASCIILetter) else {
            throw mismatch(raw)
        }
        return .string(ByteString(text))
    }

    func sample(using generator: inout some RandomNumberGenerator) -> RawValue {
        .string(["ja", "zh-Hant", "de-CH", "ar"].randomElement(using: &generator) ?? "en")
    }
}

/// Numbers of frames as editors count them; the rate decides which ones there are.
struct TimecodeGrammar: ParameterGrammar {
    var name: String { "timecode" }
    var expectation: String { "a timecode such as 01:00:00:00, or 01:00:00;00 for drop-frame" }
    var schema: [(String, JSONNode)] {
        [
            ("type", .string("string")), ("format", .string(name)),
            ("pattern", .string("^([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9][:;][0-5][0-9]$")),
        ]
    }

    func value(of raw: RawValue) throws(ValueFault) -> ParameterValue {
        guard let text = raw.characters, Timecode(text) != nil else { throw mismatch(raw) }
        return .string(ByteString(text))
    }

    func sample(using generator: inout some RandomNumberGenerator) -> RawValue {
        let hour = NumberText.padded("\(Int.random(in: 0..<24, using: &generator))", to: 2)
        return .string(hour + ":00:00:00")
    }
}

/// A limited number of grapheme clusters, none of them white space, a control, or invisible.
struct CharactersGrammar: ParameterGrammar {
    let count: ClosedRange<Int>

    private var text: StringGrammar { StringGrammar(count: count) }
    var name: String { text.name }
    var expectation: String {
        text.expectation + " without white space, controls, or invisible characters"
    }
    var schema: [(String, JSONNode)] {
        text.schema + [("pattern", .string("^[^\\s\\u0000-\\u001F\\u007F-\\u009F]+$"))]
    }

    func value(of raw: RawValue) throws(ValueFault) -> ParameterValue {
        let text = try raw.string()
        let isPlain = text.unicodeScalars.allSatisfy {
            !$0.properties.isWhitespace && $0.properties.generalCategory != .control
        }
        let isSeen = text.lazy.map(\.unicodeScalars).allSatisfy { character in
            !character.allSatisfy(\.properties.isDefaultIgnorableCodePoint)
        }
        guard isPlain, isSeen, count.contains(text.count), text.utf8.count <= 16 * count.upperBound
        else {
            throw ValueFault("must have \(expectation); got \(raw.description)")
        }
        return .string(ByteString(text))
    }

    func sample(using generator: inout some RandomNumberGenerator) -> RawValue {
        let length = Int.random(in: count, using: &generator)
        let characters: [Character] = ["0", "1", "🙂"]
        return .string(String((0..<length).map { characters[$0 % characters.count] }))
    }
}

/// One of several names.
struct ChoiceGrammar: ParameterGrammar {
    let values: [String]

    var name: String { "choice" }
    var expectation: String {
        let listed = values.map { "\"\($0)\"" }.joined(separator: ", ")
        return values.count == 1 ? listed : "one of \(listed)"
    }
    var schema: [(String, JSONNode)] {
        [("type", .string("string")), ("enum", .array(values.map { .string($0) }))]
    }

    func value(of raw: RawValue) throws(ValueFault) -> ParameterValue {
        guard let text = raw.characters, values.includes(text) else {
            throw mismatch(raw, among: values)
        }
        return .string(ByteString(text))
    }

    func sample(using generator: inout some RandomNumberGenerator) -> RawValue {
        .string(values.randomElement(using: &generator) ?? "")
    }
}

/// Names of presets, one or several separated by commas.
struct PresetsGrammar: ParameterGrammar {
    let names: [String]

    private static let mostPresets = 8

    var name: String { "presets" }
    var expectation: String { "names of presets, separated by commas" }

    /// Returns the names without space around the commas.
    func value(of raw: RawValue) throws(ValueFault) -> ParameterValue {
        guard let text = raw.characters else { throw mismatch(raw) }
        let given = text.pieces(separatedBy: ",").map {
            $0.pieces(separatedBy: " ", omittingEmpty: true).joined(separator: " ")
        }
        guard given.count <= Self.mostPresets else {
            throw ValueFault("must be at most \(Self.mostPresets) names; got \(given.count)")
        }
        if let unknown = given.first(where: { !names.includes($0) }) {
            throw mismatch(.string(unknown), among: names)
        }
        return .string(ByteString(given.joined(separator: ",")))
    }

    func sample(using generator: inout some RandomNumberGenerator) -> RawValue {
        let count = Int.random(in: 1...3, using: &generator)
        return .string(names.shuffled(using: &generator).prefix(count).joined(separator: ","))
    }
}

extension RawValue {
    /// Returns the characters.
    ///
    /// - Throws: A fault if it is not a string.
    fileprivate func string() throws(ValueFault) -> String {
        guard let characters else { throw ValueFault("must be a string; got \(description)") }
        return characters
    }
}
