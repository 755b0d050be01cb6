import Bytes
import Motion

/// The syntax of OpenType features and of axes of variation in requests: tags with numbers, such as
/// `ss01, liga=0` and `wght=350, wdth=80`, or `none`.
///
/// The settings are written anew for the libraries, which never see a request's own spelling.
enum FontSettingList: ParameterGrammar {
    case features, variations

    /// The value without a setting.
    static let none = "none"
    private static let maximumCount = 16
    private static let tagLength = 4

    var name: String { self == .features ? "features" : "variations" }

    /// The numbers that a tag may have: an index among alternates, or the range of fonts'
    /// coordinates.
    private var range: ClosedRange<Double> {
        switch self {
        case .features: 0...65_535
        case .variations: -32_768...32_767
        }
    }

    /// A phrase with an example, which follows "must be".
    var expectation: String {
        switch self {
        case .features:
            #"tags of 4 letters or digits such as "ss01, tnum, liga=0", or "none""#
        case .variations:
            #"tags of 4 letters or digits with values such as "wght=350, wdth=80", or "none""#
        }
    }

    /// A regular expression (ECMA-262) for lists, which knows neither ranges nor repeats.
    private var pattern: String {
        let value = " *= *\(JSONNumber.pattern)"
        let setting = " *[A-Za-z0-9]{4}\(self == .features ? "(\(value))?" : value) *"
        return "^( *none *|\(setting)(,\(setting)){0,\(Self.maximumCount - 1)})$"
    }

    var schema: [(String, JSONNode)] {
        [
            ("type", .string("string")), ("format", .string(name)), ("pattern", .string(pattern)),
        ]
    }

    func value(of raw: RawValue) throws(ValueFault) -> ParameterValue {
        guard let text = raw.characters else { throw mismatch(raw) }
        return .string(ByteString(try canonical(text)))
    }

    func sample(using generator: inout some RandomNumberGenerator) -> RawValue {
        let number = Double.random(in: range, using: &generator).rounded()
        let tag = self == .features ? "ss01" : "wght"
        return .string(Bool.random(using: &generator) ? "\(tag)=\(number)" : Self.none)
    }

    /// Returns a list's canonical spelling: sorted by tags, without white space and without the
    /// value 1 of features.
    func canonical(_ list: String) throws(ValueFault) -> String {
        guard !list.trimmingSpaces.isSame(as: Self.none) else { return Self.none }
        let written = list.pieces(separatedBy: ",")
        guard written.count <= Self.maximumCount else {
            throw ValueFault(
                "must have at most \(Self.maximumCount) settings; got \(written.count)")
        }
        var values: [ByteString: String] = [:]
        for setting in written {
            let (tag, value) = try read(setting)
            guard values.updateValue(value, forKey: tag) == nil else {
                throw ValueFault("must not set \"\(tag)\" twice")
            }
        }
        return values.sorted { $0.key < $1.key }.map { $0.key.text + $0.value }.joined(
            separator: ",")
    }

    /// Returns the tag of a setting, and the rest of it in the canonical spelling.
    private func read(_ setting: Substring) throws(ValueFault) -> (tag: ByteString, value: String) {
        let parts = setting.pieces(separatedBy: "=", maxSplits: 1).map(\.trimmingSpaces)
        let tag = ByteString(parts[0])
        guard tag != ByteString(Self.none), tag.utf8.count == Self.tagLength,
            tag.utf8.allSatisfy(\.isASCIILetterOrDigit), parts.count > 1 || self == .features
        else {
            let got = RawValue.text(String(setting.trimmingSpaces)).description
            throw ValueFault("must be \(expectation); got \(got)")
        }
        guard parts.count > 1 else { return (tag, "") }
        guard let number = JSONNumber.value(of: String(parts[1])), range.contains(number),
            self == .variations || number == number.rounded()
        else {
            let (low, high) = (NumberText.of(range.lowerBound), NumberText.of(range.upperBound))
            throw ValueFault(
                "must set \"\(tag)\" to a \(self == .features ? "whole " : "")number "
                    + "from \(low) to \(high); got \(RawValue.text(String(parts[1])).description)")
        }
        if self == .features, number == 1 { return (tag, "") }
        return (tag, "=" + NumberText.of(number == 0 ? 0 : number))
    }
}
