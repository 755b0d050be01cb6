import Bytes
package import Motion

/// How the values of one kind of parameters are written in requests and described in documents.
///
/// A new kind is a case of `Parameter.Kind`, a type that conforms to this protocol, and its line in
/// `Parameter.grammar`.
package protocol ParameterGrammar: Sendable {
    /// The kind's name in catalogues.
    var name: String { get }
    /// A phrase for the values, which follows "must be", or "must have" for texts.
    var expectation: String { get }
    /// The members of the JSON Schema (2020-12) of the values; text in the format `name` by default.
    var schema: [(String, JSONNode)] { get }

    /// Returns the value that a request gives.
    ///
    /// - Throws: What is wrong with it.
    func value(of raw: RawValue) throws(ValueFault) -> ParameterValue

    /// Returns a random value as JSON requests write it.
    func sample(using generator: inout some RandomNumberGenerator) -> RawValue
}

extension Parameter.Kind {
    /// Returns how values of a unit are written.
    fileprivate func grammar(_ unit: Parameter.Unit?) -> any ParameterGrammar {
        switch self {
        case .number(let range): NumberGrammar(range, unit)
        case .numberOrZero(let range): NumberGrammar(range, unit, takesZero: true)
        case .length(let range, let ems): LengthGrammar(range, ems: ems)
        case .insets(let range): InsetsGrammar(range, unit)
        case .rate(let range): RateGrammar(range)
        case .integer(let range): NumberGrammar(whole: range, unit)
        case .weight(let range): WeightGrammar(number: NumberGrammar(whole: range, unit))
        case .numberOr(let range, let word):
            NumberOrWordGrammar(number: NumberGrammar(range, unit), word: word)
        case .integerOr(let range, let word):
            NumberOrWordGrammar(number: NumberGrammar(whole: range, unit), word: word)
        case .auto(let kind): AutomaticGrammar(inner: kind.grammar(unit))
        case .boolean: BooleanGrammar()
        case .string(let count): StringGrammar(count: count)
        case .prose(let count): StringGrammar(count: count, isProse: true)
        case .identifier(let count): IdentifierGrammar(count: count)
        case .language: LanguageGrammar()
        case .timecode: TimecodeGrammar()
        case .families(let count): StringGrammar(count: count, areFamilies: true)
        case .features: FontSettingList.features
        case .variations: FontSettingList.variations
        case .characters(let count): CharactersGrammar(count: count)
        case .choice(let values): ChoiceGrammar(values: values)
        case .presets(let names): PresetsGrammar(names: names)
        case .easing: EasingGrammar()
        case .color: ColorGrammar()
        case .paint: PaintGrammar()
        case .shadows: ShadowsGrammar()
        case .path: PathGrammar()
        case .keyframes(let count): KeyframesGrammar(count: count)
        case .times(let count): WordTimesGrammar(count: count)
        case .picture: PictureNameGrammar()
        case .pictures: PicturesGrammar()
        }
    }
}

extension Parameter.Kind {
    /// Returns true for a text that may have lost its end: `#` begins the fragment of an address, which clients
    /// do not send.
    fileprivate func isCutOff(_ text: String) -> Bool {
        switch self {
        case .color, .paint, .shadows:
            text.utf8.last.map { ",( ".utf8.contains($0) } ?? true
        case .auto(let kind): kind.isCutOff(text)
        default: false
        }
    }
}

extension Parameter {
    /// How the values are written.
    package var grammar: any ParameterGrammar { kind.grammar(unit) }

    /// Returns the value that a request gives.
    ///
    /// - Throws: What is wrong with it.
    func value(of raw: RawValue) throws(ValueFault) -> ParameterValue {
        guard case .text(let text) = raw else { return try grammar.value(of: raw) }
        let remedy = kind.isCutOff(text) ? "; in an address, write # as %23, or leave it out" : ""
        guard !text.isEmpty else { throw ValueFault("must not be empty" + remedy) }
        do {
            return try grammar.value(of: raw)
        } catch {
            throw error.ending(with: remedy)
        }
    }

    /// Returns the members of the JSON Schema (2020-12), with a summary instead of its own.
    package func schema(summary: String? = nil) -> [(String, JSONNode)] {
        var members = grammar.schema
        if let defaultValue { members.append(("default", defaultValue.node)) }
        if let unit { members.append(("x-unit", .string(unit.rawValue))) }
        let text = summary ?? self.summary
        if !text.isEmpty { members.append(("description", .string(text))) }
        return members
    }
}

extension ParameterValue {
    /// The value as canonical requests and documents write it.
    package var node: JSONNode {
        switch self {
        case .number(let number): .number(number)
        case .boolean(let boolean): .boolean(boolean)
        case .string(let text): .string(text.text)
        case .color(let color): .string(color.text)
        case .paint(let paint): .string(paint.text)
        case .shadows(let shadows): .string(shadows.text)
        case .path(let shape): .string(shape.text)
        case .insets(let margins): margins.node
        case .easing(let easing): .string(easing.requestText)
        case .keyframes(let keyframes): .array(keyframes.map(\.node))
        case .times(let words): .array(words.map(\.node))
        case .pictures(let pictures):
            .canonical(pictures.map { ($0.name.text, .string($0.base64)) })
        }
    }
}

extension ParameterGrammar {
    package var schema: [(String, JSONNode)] {
        [("type", .string("string")), ("format", .string(name))]
    }

    /// Returns the fault of a value that is not as expected.
    ///
    /// - Parameters:
    ///   - raw: The value.
    ///   - correction: The expectation in other words; nil for none.
    ///   - names: Names one of which may be meant.
    /// - Returns: The fault.
    func mismatch(
        _ raw: RawValue, _ correction: String? = nil, among names: [String] = []
    ) -> ValueFault {
        let correction = correction.map { ", " + $0 } ?? ""
        let hint = raw.characters.map { Suggestion.question(for: $0, among: names) } ?? ""
        return ValueFault("must be \(expectation)\(correction); got \(raw.description)" + hint)
    }
}
