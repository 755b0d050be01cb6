import Bytes
import Motion

/// Reads paints and shadows as CSS writes them.
struct PaintText {
    /// True if the digits of colours may come without `#`, as in a URL's query.
    private let isHashOptional: Bool

    fileprivate static let colorExample = "a colour such as #24292f, #fff8 or tomato"
    fileprivate static let gradientExample = "linear-gradient(90deg, #ff0000, #0000ff 80%)"
    fileprivate static let shadowExample = "2px 2px 4px #0008"
    fileprivate static let shadowsExpectation =
        "\"none\", or up to \(Shadow.mostShadows) shadows such as \(shadowExample)"
    /// Percent that the position of a stop may have.
    private static let positions = -1000.0...1000
    /// CSS pixels.
    private static let offsets = -512.0...512
    /// CSS pixels.
    private static let blurRadii = 0.0...64
    /// The longest value that is read, in bytes.
    private static let longestText = 1000
    private static let sides: Set<ByteString> = ["top", "right", "bottom", "left"]

    init(_ raw: RawValue) {
        isHashOptional = if case .text = raw { true } else { false }
    }

    /// Reads a colour; nil if it is not a colour.
    func color(_ text: String) -> Color? {
        guard let color = Color(css: text, hashOptional: isHashOptional) else { return nil }
        return color.isTransparent ? .transparent : color
    }

    /// Returns what was sent, for the end of a message.
    private static func got(_ text: String) -> String {
        "got " + RawValue.string(text).description
    }

    private static func checkLength(_ text: String) throws(ValueFault) {
        guard text.utf8.count <= longestText else {
            throw ValueFault("must have at most \(longestText) bytes; got \(text.utf8.count)")
        }
    }

    // MARK: Gradients

    /// Reads a colour or a gradient (CSS Images 3, 3.1).
    func paint(_ text: String) throws(ValueFault) -> Paint {
        if let color = color(text) { return .color(color) }
        try Self.checkLength(text)
        let gradient = text.cssTrimmed
        guard let open = gradient.utf8.firstIndex(of: UInt8(ascii: "(")) else {
            throw ValueFault(
                "must be \(Self.colorExample), or a gradient such as \(Self.gradientExample); "
                    + Self.got(text))
        }
        let function = gradient[..<open].lowercasedASCII
        guard function.isSame(as: "linear-gradient") else {
            throw ValueFault(
                Color.functionExample(named: function).map {
                    "must be written like \($0); " + Self.got(text)
                } ?? "must be a colour or a linear-gradient(…); "
                    + Self.got(gradient[...open] + "…)"))
        }
        guard gradient.cssList.count == 1 else {
            throw ValueFault("must be one linear-gradient(…); " + Self.got(text))
        }
        let inner = gradient[gradient.utf8.index(after: open)...].dropping(last: 1)
        guard gradient.ends(with: ")") else {
            throw ValueFault("must end with ), like \(Self.gradientExample)")
        }
        var parts = inner.cssList.map(String.init)
        if parts.count == 1, parts[0].isEmpty { parts = [] }
        if let empty = parts.firstIndex(where: \.isEmpty) {
            throw ValueFault("must have a colour between its commas; number \(empty + 1) is empty")
        }
        var direction = Gradient.Direction.angle(180)
        if let first = parts.first, let read = try self.direction(first) {
            direction = read
            parts.removeFirst()
        }
        guard Gradient.stopCount.contains(parts.count) else {
            let count = Gradient.stopCount
            throw ValueFault(
                "must have from \(count.lowerBound) to \(count.upperBound) colours; "
                    + "got \(parts.count)")
        }
        var stops: [(color: Color, percent: Double?)] = []
        for part in parts { stops.append(try stop(part)) }
        return .gradient(Gradient(direction, stops: stops))
    }

    /// Reads an angle, a side, or a corner; nil for what looks like a colour.
    private func direction(_ text: String) throws(ValueFault) -> Gradient.Direction? {
        let words = text.lowercasedASCII.cssWords.map { ByteString($0) }
        // Without "to" it was a direction once, the one that it comes from.
        if words[0] == "to" || Self.sides.contains(words[0]) {
            let ends = Set(words.dropFirst())
            guard words[0] == "to", ends.count == words.count - 1,
                let direction = Self.directions[ends]
            else {
                throw ValueFault(
                    "must go to a side or a corner such as to right or to top left; "
                        + Self.got(text))
            }
            return direction
        }
        guard Self.isNumeric(text) || words[0].text.ends(with: "deg"), color(words[0].text) == nil,
            !words[0].text.ends(with: "%")
        else { return nil }
        guard words.count == 1, words[0].text.ends(with: "deg"),
            let degrees = Self.number(words[0].text.dropping(last: 3)), abs(degrees) <= 1e6
        else {
            throw ValueFault("must have its angle in degrees, such as 90deg; " + Self.got(text))
        }
        let turn = degrees - (degrees / 360).rounded(.down) * 360
        let rounded = (turn * 10_000).rounded() / 10_000
        return .angle(rounded >= 360 ? 0 : rounded)
    }

    private static let directions: [Set<ByteString>: Gradient.Direction] = {
        var directions: [Set<ByteString>: Gradient.Direction] = [
            ["top"]: .angle(0), ["right"]: .angle(90), ["bottom"]: .angle(180),
            ["left"]: .angle(270),
        ]
        for corner in Gradient.Corner.allCases {
            directions[Set(corner.rawValue.cssWords.map { ByteString($0) })] = .corner(corner)
        }
        return directions
    }()

    /// Reads a colour with at most one position.
    private func stop(_ text: String) throws(ValueFault) -> (color: Color, percent: Double?) {
        let words = text.cssWords.map(String.init)
        guard let color = color(words[0]) else {
            throw ValueFault(
                "must have stops such as #ff0000 or tomato 40%, the colour first; "
                    + Self.got(text))
        }
        guard words.count > 1 else { return (color, nil) }
        guard words.count == 2, words[1].ends(with: "%"),
            let percent = Self.number(words[1].dropping(last: 1))
        else {
            throw ValueFault(
                "must have at most one position in percent at each colour, such as tomato 40%; "
                    + Self.got(text))
        }
        guard Self.positions.contains(percent) else {
            throw ValueFault("must have positions from -1000% to 1000%; " + Self.got(words[1]))
        }
        return (color, percent)
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
        // What starts like a number is meant as a length.
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
    private static func length(_ text: Substring) -> Double? {
        let isPixels = text.lowercasedASCII.ends(with: "px")
        guard let number = number(isPixels ? text.dropping(last: 2) : text) else { return nil }
        guard isPixels || number == 0 else { return nil }
        // Ten thousandths of a pixel are far below what anybody can see.
        let rounded = (number * 10_000).rounded() / 10_000
        return rounded == 0 ? 0 : rounded
    }

    /// Returns a decimal number as CSS writes it, without an exponent.
    private static func number(_ text: Substring) -> Double? {
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
    private static func isNumeric(_ text: String) -> Bool {
        text.utf8.first.map { $0.isASCIIDigit || "+-.".utf8.contains($0) } ?? false
    }
}

struct ColorGrammar: ParameterGrammar {
    var name: String { "color" }
    var expectation: String { PaintText.colorExample }

    func value(of raw: RawValue) throws(ValueFault) -> ParameterValue {
        guard let text = raw.characters, let color = PaintText(raw).color(text) else {
            throw mismatch(raw)
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
        Bool.random(using: &generator)
            ? .string(PaintText.gradientExample) : ColorGrammar().sample(using: &generator)
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
