package import Bytes

/// The definition of one parameter, which validation, `GET /effects`, `GET /formats`, OpenAPI, the
/// command line and the preview page read.
package struct Parameter: Sendable {
    package enum Kind: Equatable, Sendable {
        case number(ClosedRange<Double>)
        /// A number of the range, or 0.
        case numberOrZero(ClosedRange<Double>)
        /// A number of CSS pixels, or a text with a number of the font's em: `-0.02em`.
        case length(ClosedRange<Double>, ems: ClosedRange<Double>)
        /// Distances from the four sides: a number, or a text of one to four numbers.
        case insets(ClosedRange<Double>)
        /// A number of frames a second, which may be written as a fraction.
        case rate(ClosedRange<Double>)
        case integer(ClosedRange<Int>)
        /// The weight of a font: a whole number, or the name of one.
        case weight(ClosedRange<Int>)
        case boolean
        /// Text of so many characters.
        case string(ClosedRange<Int>)
        /// Text of so many characters for people to read: no controls but line breaks.
        case prose(ClosedRange<Int>)
        /// A name of so many letters, digits, `-` and `_` of ASCII; a letter first.
        case identifier(ClosedRange<Int>)
        /// A language tag (BCP 47), such as `ja` or `zh-Hant`.
        case language
        /// Hours, minutes, seconds, and frames: `01:00:00:00`.
        case timecode
        /// Names of font families, separated by commas, in so many characters.
        case families(ClosedRange<Int>)
        /// OpenType features with whole numbers, or `none`.
        case features
        /// Axes of variable fonts with numbers, or `none`.
        case variations
        /// A limited number of grapheme clusters, none of them white space or a control.
        case characters(ClosedRange<Int>)
        case choice([String])
        /// Names of presets, one or several separated by commas, out of these.
        case presets([String])
        case easing
        case color
        /// A colour, or a gradient.
        case paint
        /// A list of shadows, or `none`.
        case shadows
        /// The path of a text: a shape, path data, or `none`.
        case path
        /// A list of keyframes, each an object with values at an offset (docs/effects.md,
        /// *Keyframes*).
        case keyframes(ClosedRange<Int>)
        /// A list of words, each an object with the time in which it is said (docs/effects.md,
        /// *Words with times*).
        case times(ClosedRange<Int>)
        /// The name of a picture, or `none`.
        case picture
        /// Pictures by name, as PNG or WebP in Base64.
        case pictures
        /// A number, or one word instead.
        case numberOr(ClosedRange<Double>, word: String)
        /// A whole number, or one word instead.
        case integerOr(ClosedRange<Int>, word: String)
        /// A value of another kind, or `auto`, which leaves it to the rest of the request.
        indirect case auto(Kind)
    }

    package typealias Unit = NumberUnit

    package let name: String
    package let kind: Kind
    package let unit: Unit?
    /// The value of requests that do not give one; nil if there is none or it derives from others.
    package let defaultValue: ParameterValue?
    /// The default value under the defaults of version 0.3; nil if that is the same.
    package let earlierDefault: ParameterValue?
    /// One sentence for people.
    package let summary: String

    /// The name as a key of values.
    package var key: ByteString { ByteString(name) }

    package init(
        _ name: String, _ kind: Kind, unit: Unit? = nil, default defaultValue: ParameterValue?,
        earlier earlierDefault: ParameterValue? = nil, _ summary: String
    ) {
        self.name = name
        self.kind = kind
        self.unit = unit
        self.defaultValue = defaultValue
        self.earlierDefault = earlierDefault
        self.summary = summary
    }
}

/// A checked value of a parameter.
package enum ParameterValue: Hashable, Sendable {
    /// The value of a number or an integer.
    case number(Double)
    case boolean(Bool)
    /// The value of a string, of a choice, of a word in place of a number, or of a number of em.
    case string(ByteString)
    case easing(TimingFunction)
    case color(Color)
    case paint(Paint)
    case shadows([Shadow])
    case path(PathShape)
    case insets(Margins)
    case keyframes([EffectKeyframe])
    case times([WordTime])
    /// By rising name.
    case pictures([TextPicture])
}

extension ParameterValue {
    /// The word that leaves a value to the rest of the request.
    package static let auto = ParameterValue.string("auto")
}

/// A type whose values are made from a request's parameters: an effect, or an output format.
package protocol Parameterized: Sendable {
    /// The name in requests.
    static var name: String { get }
    /// The name for people.
    static var title: String { get }

    /// Reads each parameter, which declares it.
    ///
    /// It reads the same parameters in the same order for all values, and checks afterwards that
    /// the values go together.
    ///
    /// - Throws: The parameter that does not go with the others.
    init(_ parameters: inout ParameterReader) throws(ParameterFault)
}

extension Parameterized {
    /// Makes a value of checked parameters by name; parameters that are left out have their
    /// defaults.
    ///
    /// - Throws: The parameter that does not go with the others.
    package init(_ values: [ByteString: ParameterValue] = [:]) throws(ParameterFault) {
        var reader = ParameterReader(values)
        try self.init(&reader)
    }

    /// The parameters in the order in which they are read.
    package static var parameters: [Parameter] {
        ParameterReader.definitions { reader in _ = try? Self(&reader) }
    }
}

/// A value that is in range and yet does not go with the others.
package struct ParameterFault: Error, Hashable, Sendable {
    package let parameter: String
    /// The fault in words that follow the parameter's name.
    package let message: String

    package init(parameter: String, message: String) {
        self.parameter = parameter
        self.message = message
    }

    package static func == (one: ParameterFault, other: ParameterFault) -> Bool {
        one.parameter.isSame(as: other.parameter) && one.message.isSame(as: other.message)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(ByteString(parameter))
        hasher.combine(ByteString(message))
    }
}
