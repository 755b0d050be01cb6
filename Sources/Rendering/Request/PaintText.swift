import Motion

/// Reads paints and shadows as CSS writes them.
///
/// Each function throws a phrase that follows the parameter's name.
struct PaintText {
    struct Fault: Error {
        let message: String

        init(_ message: String) {
            self.message = message
        }
    }

    /// True if the digits of colours may come without `#`, as in a URL's query.
    let isHashOptional: Bool

    static let colorExample = "a colour such as #24292f, #fff8 or tomato"
    static let gradientExample = "linear-gradient(90deg, #ff0000, #0000ff 80%)"
    static let shadowExample = "2px 2px 4px #0008"
    /// Percent that the position of a stop may have.
    private static let positions = -1000.0...1000
    /// CSS pixels.
    private static let offsets = -512.0...512
    /// CSS pixels.
    private static let blurRadii = 0.0...64
    /// The longest value that is read, in bytes.
    private static let longestText = 1000

    private func color(_ text: String) -> Color? {
        guard let color = Color(css: text, hashOptional: isHashOptional) else { return nil }
        return color.isTransparent ? .transparent : color
    }

    // MARK: Gradients

    /// Reads a colour or a gradient (CSS Images 3, 3.1).
    func paint(_ text: String) throws(Fault) -> Paint {
        if let color = color(text) { return .color(color) }
        let text = text.trimmed
        guard let open = text.firstIndex(of: "(") else {
            throw Fault("must be \(Self.colorExample), or a gradient such as \(Self.gradientExample)")
        }
        guard text[..<open].lowercased() == "linear-gradient" else {
            throw Fault(
                "must be a colour or a linear-gradient(…), the only function; "
                    + "got \(text[..<open].prefix(40))(…)")
        }
        guard text.hasSuffix(")"), text.utf8.count <= Self.longestText else {
            throw Fault(
                "must end with one ), like \(Self.gradientExample), "
                    + "in \(Self.longestText) bytes at most")
        }
        let inner = text[text.index(after: open)...].dropLast()
        var parts = inner.split(separator: ",", omittingEmptySubsequences: false)
            .map { $0.trimmed }
        if let empty = parts.firstIndex(where: \.isEmpty) {
            throw Fault("must have a colour between its commas; number \(empty + 1) is empty")
        }
        var direction = Gradient.Direction.angle(180)
        if let read = try self.direction(parts[0]) {
            direction = read
            parts.removeFirst()
        }
        guard Gradient.stopCount.contains(parts.count) else {
            let count = Gradient.stopCount
            throw Fault(
                "must have from \(count.lowerBound) to \(count.upperBound) colours; "
                    + "got \(parts.count)")
        }
        var stops: [(color: Color, percent: Double?)] = []
        for part in parts { stops.append(try stop(part)) }
        return .gradient(Gradient(direction, stops: stops))
    }

    /// Reads an angle, a side, or a corner; nil for what looks like a colour.
    private func direction(_ text: String) throws(Fault) -> Gradient.Direction? {
        let words = text.lowercased().split(separator: " ").map(String.init)
        if words.first == "to" {
            let sides = Set(words.dropFirst())
            guard sides.count == words.count - 1, let direction = Self.directions[sides] else {
                throw Fault(
                    "must go to a side or a corner such as to right or to top left; "
                        + "got \(text.prefix(40))")
            }
            return direction
        }
        guard let first = text.utf8.first, words.count == 1,
            text.hasSuffix("deg") || "0123456789+-.".utf8.contains(first), color(text) == nil
        else { return nil }
        let digits = text.hasPrefix("+") ? text.dropFirst(1) : text[...]
        guard digits.hasSuffix("deg"), let degrees = Self.number(digits.dropLast(3)),
            abs(degrees) <= 1e6
        else {
            throw Fault("must have its angle in degrees, such as 90deg; got \(text.prefix(40))")
        }
        let turn = degrees - (degrees / 360).rounded(.down) * 360
        return .angle(turn >= 360 ? 0 : turn)
    }

    private static let directions: [Set<String>: Gradient.Direction] = {
        var directions: [Set<String>: Gradient.Direction] = [
            ["top"]: .angle(0), ["right"]: .angle(90), ["bottom"]: .angle(180),
            ["left"]: .angle(270),
        ]
        for corner in Gradient.Corner.allCases {
            directions[Set(corner.rawValue.split(separator: " ").map(String.init))] =
                .corner(corner)
        }
        return directions
    }()

    /// Reads a colour with at most one position.
    private func stop(_ text: String) throws(Fault) -> (color: Color, percent: Double?) {
        let words = text.split(separator: " ").map(String.init)
        guard let color = color(words[0]) else {
            throw Fault(
                "must have stops such as #ff0000 or tomato 40%; \(words[0].prefix(40)) is no colour"
            )
        }
        guard words.count > 1 else { return (color, nil) }
        guard words.count == 2, words[1].hasSuffix("%"),
            let percent = Self.number(words[1].dropLast())
        else {
            throw Fault(
                "must have at most one position in percent at each colour, such as tomato 40%; "
                    + "got \(text.prefix(60))")
        }
        guard Self.positions.contains(percent) else {
            throw Fault("must have positions from -1000% to 1000%; got \(words[1].prefix(40))")
        }
        return (color, percent)
    }

    // MARK: Shadows

    /// Reads a list of shadows, or `none` (CSS Text Decoration 3, 4).
    func shadows(_ text: String) throws(Fault) -> [Shadow] {
        guard text.utf8.count <= Self.longestText else {
            throw Fault("must have at most \(Self.longestText) bytes")
        }
        if text.trimmed.lowercased() == "none" { return [] }
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count <= Shadow.mostShadows else {
            throw Fault("must have at most \(Shadow.mostShadows) shadows; got \(parts.count)")
        }
        var shadows: [Shadow] = []
        for part in parts { shadows.append(try shadow(part.trimmed)) }
        return shadows
    }

    private func shadow(_ text: String) throws(Fault) -> Shadow {
        var words = text.split(separator: " ").map(String.init)
        guard !words.isEmpty else {
            throw Fault("must be \"none\" or shadows such as \(Self.shadowExample)")
        }
        // The colour stands first or last; digits may be a length or, in a query, a colour.
        let first = Self.length(words[0]) == nil ? words[0] : nil
        guard let color = color(first ?? words[words.count - 1]) else {
            let word = first ?? words[words.count - 1]
            let got =
                Self.length(word) == nil ? "\(word.prefix(40)) is no colour" : "none is named"
            throw Fault(
                "must have a colour in each shadow, such as \(Self.shadowExample); \(got)")
        }
        if first == nil { words.removeLast() } else { words.removeFirst() }
        guard (2...3).contains(words.count) else {
            throw Fault(
                "must have two offsets and at most one blur radius in each shadow, such as "
                    + "\(Self.shadowExample); got \(text.prefix(60))")
        }
        var lengths: [Double] = []
        for word in words {
            guard let length = Self.length(word) else {
                throw Fault("must have lengths in px, such as 2px; got \(word.prefix(40))")
            }
            lengths.append(length)
        }
        guard lengths[0...1].allSatisfy(Self.offsets.contains) else {
            throw Fault("must have offsets from -512px to 512px; got \(text.prefix(60))")
        }
        let blurRadius = lengths.count > 2 ? lengths[2] : 0
        guard Self.blurRadii.contains(blurRadius) else {
            throw Fault("must have blur radii from 0 to 64px; got \(words[2].prefix(40))")
        }
        return Shadow(
            offsetX: lengths[0], offsetY: lengths[1], blurRadius: blurRadius, color: color)
    }

    /// Returns a length in CSS pixels; 0 needs no unit.
    private static func length(_ text: String) -> Double? {
        let isPixels = text.lowercased().hasSuffix("px")
        guard let number = number(isPixels ? text.dropLast(2) : text[...]) else { return nil }
        guard isPixels || number == 0 else { return nil }
        // Ten thousandths of a pixel are far below what anybody can see.
        let rounded = (number * 10_000).rounded() / 10_000
        return rounded == 0 ? 0 : rounded
    }

    /// Returns a decimal number as CSS writes it, without an exponent.
    private static func number(_ text: Substring) -> Double? {
        let digits = text.hasPrefix("-") || text.hasPrefix("+") ? text.dropFirst() : text
        let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
        guard digits.utf8.count <= 20, parts.count <= 2, parts[parts.count - 1] != "" else {
            return nil
        }
        let isNumber = digits.utf8.allSatisfy {
            $0 == UInt8(ascii: ".") || $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9")
        }
        guard isNumber, let number = Double("0" + digits) else { return nil }
        return text.hasPrefix("-") ? -number : number
    }
}

extension StringProtocol {
    /// The text without the white space of CSS around it.
    fileprivate var trimmed: String {
        var text = Substring(self)
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
