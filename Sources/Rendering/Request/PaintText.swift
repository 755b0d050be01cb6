import Bytes
import Motion

/// Reads paints and shadows as CSS writes them.
struct PaintText {
    /// True if the digits of colours may come without `#`, as in a URL's query.
    private let isHashOptional: Bool

    static let colorExample = "a colour such as #24292f, #fff8 or tomato"
    static let gradientExample = "linear-gradient(90deg, #ff0000, #0000ff 80%)"
    fileprivate static let shadowExample = "2px 2px 4px #0008"
    fileprivate static let shadowsExpectation =
        "\"none\", or up to \(Shadow.mostShadows) shadows such as \(shadowExample)"
    /// CSS pixels.
    private static let offsets = -512.0...512
    /// CSS pixels.
    private static let blurRadii = 0.0...64
    /// The longest value that is read, in bytes.
    private static let longestText = 1000

    init(_ raw: RawValue) {
        isHashOptional = if case .text = raw { true } else { false }
    }

    /// Reads a colour; nil if it is not a colour.
    func color(_ text: String) -> Color? {
        Self.color(text, isHashOptional: isHashOptional)
    }

    /// Reads a colour that is a value of its own, whose digits may come without `#` in JSON too.
    static func loneColor(_ text: String) -> Color? { color(text, isHashOptional: true) }

    private static func color(_ text: String, isHashOptional: Bool) -> Color? {
        guard let color = Color(css: text, hashOptional: isHashOptional) else { return nil }
        return color.isTransparent ? .transparent : color
    }

    /// Returns the text that was sent, for the end of a message, and the one of some names that may be meant.
    static func got(_ text: String, among names: [String] = []) -> String {
        "got " + RawValue.string(text).description + Suggestion.question(for: text, among: names)
    }

    private static func checkLength(_ text: String) throws(ValueFault) {
        guard text.utf8.count <= longestText else {
            throw ValueFault("must have at most \(longestText) bytes; got \(text.utf8.count)")
        }
    }

    /// Reads a colour or a gradient.
    func paint(_ text: String) throws(ValueFault) -> Paint {
        if let color = Self.loneColor(text) { return .color(color) }
        try Self.checkLength(text)
        return .gradient(try GradientText(self).gradient(text))
    }

    // MARK: Shadows

    /// Reads a list of shadows, or `none` (CSS Text Decoration 3, 4).
    func shadows(_ text: String) throws(ValueFault) -> [Shadow] {
        try Self.checkLength(text)
        let list = text.cssTrimmed
        if list.lowercasedASCII.isSame(as: "none") { return [] }
        guard !list.isEmpty else { throw ValueFault("must be " + Self.shadowsExpectation) }
        let parts = list.cssList
        // A word that has no meaning in a shadow.
        if parts.count == 1, list.cssWords.count == 1, Self.length(list) == nil,
            color(String(list)) == nil
        {
            throw ValueFault("must be \(Self.shadowsExpectation); " + Self.got(text))
        }
        if let empty = parts.firstIndex(where: \.isEmpty) {
            throw ValueFault("must have a shadow between its commas; number \(empty + 1) is empty")
        }
        guard parts.count <= Shadow.mostShadows else {
            throw ValueFault("must have at most \(Shadow.mostShadows) shadows; got \(parts.count)")
        }
        var shadows: [Shadow] = []
        for part in parts { shadows.append(try shadow(String(part))) }
        return shadows
    }

    private func shadow(_ text: String) throws(ValueFault) -> Shadow {
        var words = text.cssWords.map(String.init)
        let color = try takeColor(of: &words, text)
        var lengths: [Double] = []
        for word in words {
            guard let length = Self.length(word[...]) else {
                throw ValueFault("must have lengths in px, such as 2px; " + Self.got(word))
            }
            lengths.append(length)
        }
        guard (2...3).contains(words.count) else {
            throw ValueFault(
                "must have two offsets and at most one blur radius in each shadow, such as "
                    + "\(Self.shadowExample); " + Self.got(text))
        }
        guard lengths[0...1].allSatisfy(Self.offsets.contains) else {
            throw ValueFault("must have offsets from -512px to 512px; " + Self.got(text))
        }
        let blurRadius = lengths.count > 2 ? lengths[2] : 0
        guard Self.blurRadii.contains(blurRadius) else {
            throw ValueFault("must have blur radii from 0 to 64px; " + Self.got(words[2]))
        }
        return Shadow(
            offsetX: lengths[0], offsetY: lengths[1], blurRadius: blurRadius, color: color)
    }

    /// Removes the colour of a shadow, which stands first or last, from its words.
    private func takeColor(of words: inout [String], _ text: String) throws(ValueFault) -> Color {
        let named = words.indices.filter { Self.length(words[$0][...]) == nil }
            .filter { color(words[$0]) != nil }
        guard named.count < 2, named.allSatisfy({ $0 == 0 || $0 == words.count - 1 }) else {
            throw ValueFault(
                "must have one colour in each shadow, before or after its lengths, such as "
                    + "\(Self.shadowExample); " + Self.got(text))
        }
        // In a query digits such as 000 may be a colour and a length.
        let place = named.first ?? words.count - 1
        if let color = color(words[place]) {
            words.remove(at: place)
            return color
        }
        // A word that starts like a number is meant as a length.
        if let wrong = words.first(where: { Self.length($0[...]) == nil }) {
            throw ValueFault(
                Self.isNumeric(wrong)
                    ? "must have lengths in px, such as 2px; " + Self.got(wrong)
                    : "must have a colour in each shadow, such as \(Self.shadowExample); "
                        + Self.got(wrong))
        }
        throw ValueFault(
            "must have a colour in each shadow, such as \(Self.shadowExample); " + Self.got(text))
    }

    /// Returns a length in CSS pixels; 0 needs no unit.
    static func length(_ text: Substring) -> Double? {
        let isPixels = text.lowercasedASCII.ends(with: "px")
        guard let number = number(isPixels ? text.dropping(last: 2) : text) else { return nil }
        guard isPixels || number == 0 else { return nil }
        // Ten thousandths of a pixel are far too small to see.
        let rounded = (number * 10_000).rounded() / 10_000
        return rounded == 0 ? 0 : rounded
    }

    /// Returns a decimal number as CSS writes it, without an exponent.
    static func number(_ text: Substring) -> Double? {
        var scanner = TextScanner(text)
        let isNegative = scanner.consumeSign()
        let start = scanner.offset
        var last = scanner.consume(while: \.isASCIIDigit)
        if scanner.skip(".") { last = scanner.consume(while: \.isASCIIDigit) }
        guard scanner.isAtEnd, !last.isEmpty, last.upperBound - start <= 20,
            let number = Double("0" + scanner.text(start..<last.upperBound))
        else { return nil }
        return isNegative ? -number : number
    }

    /// Returns true if a text begins like a number.
    static func isNumeric(_ text: String) -> Bool {
        text.utf8.first.map { $0.isASCIIDigit || "+-.".utf8.contains($0) } ?? false
    }
}

struct ColorGrammar: ParameterGrammar {
    var name: String { "color" }
    var expectation: String { PaintText.colorExample }

    func value(of raw: RawValue) throws(ValueFault) -> ParameterValue {
        guard let text = raw.characters, let color = PaintText.loneColor(text) else {
            throw mismatch(raw, among: Color.names(like: raw.characters ?? ""))
        }
        return .color(color)
    }

    func sample(using generator: inout some RandomNumberGenerator) -> RawValue {
        func level() -> UInt8 { .random(in: 0...255, using: &generator) }
        return .string(Color(red: level(), green: level(), blue: level(), alpha: level()).text)
    }
}

/// Colours and gradients.
struct PaintGrammar: ParameterGrammar {
    var name: String { "paint" }
    var expectation: String {
        "\(PaintText.colorExample), or a gradient such as \(PaintText.gradientExample)"
    }

    func value(of raw: RawValue) throws(ValueFault) -> ParameterValue {
        guard let text = raw.characters else { throw mismatch(raw) }
        return .paint(try PaintText(raw).paint(text))
    }

    func sample(using generator: inout some RandomNumberGenerator) -> RawValue {
        let gradients = [
            PaintText.gradientExample, "radial-gradient(circle at 20% top, tomato, #fff8)",
            "repeating-conic-gradient(from 45deg, gold, tomato 10%)",
        ]
        guard Bool.random(using: &generator),
            let gradient = gradients.randomElement(using: &generator)
        else { return ColorGrammar().sample(using: &generator) }
        return .string(gradient)
    }
}

/// Lists of shadows, or `none`.
struct ShadowsGrammar: ParameterGrammar {
    var name: String { "shadows" }
    var expectation: String { PaintText.shadowsExpectation }

    func value(of raw: RawValue) throws(ValueFault) -> ParameterValue {
        guard let text = raw.characters else { throw mismatch(raw) }
        return .shadows(try PaintText(raw).shadows(text))
    }

    func sample(using generator: inout some RandomNumberGenerator) -> RawValue {
        let count = Int.random(in: 0...Shadow.mostShadows, using: &generator)
        let shadows = [String](repeating: PaintText.shadowExample, count: count)
        return .string(count == 0 ? "none" : shadows.joined(separator: ", "))
    }
}
