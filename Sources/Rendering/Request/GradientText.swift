import Bytes
import Motion

/// Reads gradients as CSS writes them (CSS Images 3, 3; CSS Images 4, 3).
struct GradientText {
    /// Reads the colours.
    private let paint: PaintText

    /// Percent that the position of a stop may have.
    private static let positions = -1000.0...1000
    /// Percent of a box, and CSS pixels, that a centre may have.
    private static let centers = (percent: -1000.0...1000, pixels: -10_000.0...10_000)
    /// Percent of a box, and CSS pixels, that a radius may have.
    private static let radii = (percent: 0.0...1000, pixels: 0.0...10_000)
    /// Percent from the first stop to the last one of a gradient that repeats.
    private static let shortestPeriod = 1.0
    private static let sides: Set<ByteString> = ["top", "right", "bottom", "left"]
    private static let example = PaintText.gradientExample

    fileprivate enum Function: String, CaseIterable {
        case linear = "linear-gradient"
        case radial = "radial-gradient"
        case conic = "conic-gradient"
    }

    /// The names of the functions.
    private static let names = ["", "repeating-"].flatMap { start in
        Function.allCases.map { start + $0.rawValue }
    }

    init(_ paint: PaintText) {
        self.paint = paint
    }

    /// Reads a gradient of at most `PaintText`'s length.
    func gradient(_ text: String) throws(ValueFault) -> Gradient {
        let gradient = text.cssTrimmed
        guard let open = gradient.utf8.firstIndex(of: UInt8(ascii: "(")) else {
            throw ValueFault(
                "must be \(PaintText.colorExample), or a gradient such as \(Self.example); "
                    + PaintText.got(text, among: Color.names(like: text)))
        }
        let name = gradient[..<open].lowercasedASCII
        let repeats = name.begins(with: "repeating-")
        let known = String(name.dropping(first: repeats ? 10 : 0))
        guard let function = Function.allCases.first(where: { known.isSame(as: $0.rawValue) })
        else {
            throw ValueFault(
                Color.functionExample(named: name).map {
                    "must be written like \($0); " + PaintText.got(text)
                } ?? "must be a colour or a linear-gradient(…); "
                    + PaintText.got(gradient[...open] + "…)")
                    + Suggestion.question(for: name, among: Self.names))
        }
        guard gradient.cssList.count == 1 else {
            throw ValueFault("must be one \(name)(…); " + PaintText.got(text))
        }
        let inner = gradient[gradient.utf8.index(after: open)...].dropping(last: 1)
        guard gradient.ends(with: ")") else {
            throw ValueFault("must end with ), like \(Self.example)")
        }
        var parts = inner.cssList.map(String.init)
        if parts.count == 1, parts[0].isEmpty { parts = [] }
        if let empty = parts.firstIndex(where: \.isEmpty) {
            throw ValueFault("must have a colour between its commas; number \(empty + 1) is empty")
        }
        let given =
            try parts.first.map { (text) throws(ValueFault) in try kind(function, text) } ?? nil
        if given != nil { parts.removeFirst() }
        guard Gradient.stopCount.contains(parts.count) else {
            let count = Gradient.stopCount
            throw ValueFault(
                "must have from \(count.lowerBound) to \(count.upperBound) colours; "
                    + "got \(parts.count)")
        }
        var stops: [(color: Color, percent: Double?)] = []
        for part in parts { stops.append(try stop(part, function)) }
        let read = Gradient(given ?? function.kind, repeats: repeats, stops: stops)
        guard !repeats || read.period >= Self.shortestPeriod else {
            throw ValueFault(
                "must have at least 1% from the first stop to the last, after which it repeats; "
                    + PaintText.got(text))
        }
        return read
    }

    /// Reads the part before the stops; nil for a part that looks like a colour.
    private func kind(_ function: Function, _ text: String) throws(ValueFault) -> Gradient.Kind? {
        switch function {
        case .linear: try direction(text).map(Gradient.Kind.linear)
        case .radial: try ellipse(text)
        case .conic: try turn(text)
        }
    }

    // MARK: Along a line

    /// Reads an angle, a side, or a corner; nil for a text that looks like a colour.
    private func direction(_ text: String) throws(ValueFault) -> Gradient.Direction? {
        let words = text.lowercasedASCII.cssWords.map { ByteString($0) }
        // A side without "to" was once a direction: the side that the gradient comes from.
        if words[0] == "to" || Self.sides.contains(words[0]) {
            let ends = Set(words.dropFirst())
            guard words[0] == "to", ends.count == words.count - 1,
                let direction = Self.directions[ends]
            else {
                throw ValueFault(
                    "must go to a side or a corner such as to right or to top left; "
                        + PaintText.got(text))
            }
            return direction
        }
        guard PaintText.isNumeric(text) || words[0].text.ends(with: "deg"),
            paint.color(words[0].text) == nil, !words[0].text.ends(with: "%")
        else { return nil }
        guard words.count == 1, let angle = Self.angle(words[0].text) else {
            throw ValueFault(
                "must have its angle in degrees, such as 90deg; " + PaintText.got(text))
        }
        return .angle(angle)
    }

    /// Returns an angle from 0 to less than 360 degrees; nil for any other text.
    private static func angle(_ text: String) -> Double? {
        guard text.ends(with: "deg"), let degrees = PaintText.number(text.dropping(last: 3)),
            abs(degrees) <= 1e6
        else { return nil }
        let turn = degrees - (degrees / 360).rounded(.down) * 360
        let rounded = (turn * 10_000).rounded() / 10_000
        return rounded >= 360 ? 0 : rounded
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

    // MARK: Around a centre

    /// Reads a shape, a size, and a centre; nil for a text that looks like a colour.
    private func ellipse(_ text: String) throws(ValueFault) -> Gradient.Kind? {
        let words = text.lowercasedASCII.cssWords.map(String.init)
        if paint.color(words[0]) != nil { return nil }
        let at = words.firstIndex { $0.isSame(as: "at") } ?? words.count
        guard let radius = Self.radius(Array(words[..<at])),
            let center = Self.center(words[at...].dropFirst(), isGiven: at < words.count)
        else {
            // A text that is like no part of a shape is meant as a colour.
            guard at < words.count || Self.isShape(words[0]) else { return nil }
            throw ValueFault(
                "must have a shape and a centre such as circle closest-side, ellipse 50% 20px, or "
                    + "circle at top left; " + PaintText.got(text))
        }
        return .radial(radius, center: center)
    }

    private static func isShape(_ word: String) -> Bool {
        ["circle", "ellipse"].contains { word.isSame(as: $0) } || extent(word) != nil
            || PaintText.isNumeric(word)
    }

    private static func extent(_ word: String) -> Gradient.Extent? {
        Gradient.Extent.allCases.first { word.isSame(as: $0.rawValue) }
    }

    /// Reads the words of a shape and a size, in any order; nil for others.
    private static func radius(_ words: [String]) -> Gradient.Radius? {
        let isCircle = words.contains { $0.isSame(as: "circle") }
        let isEllipse = words.contains { $0.isSame(as: "ellipse") }
        let sizes = words.filter { !$0.isSame(as: "circle") && !$0.isSame(as: "ellipse") }
        guard words.count - sizes.count <= 1 else { return nil }
        if sizes.isEmpty { return isCircle ? .circle(.farthestCorner) : .ellipse(.farthestCorner) }
        if sizes.count == 1, let extent = extent(sizes[0]) {
            return isCircle ? .circle(extent) : .ellipse(extent)
        }
        let lengths = sizes.compactMap { length($0, in: radii) }
        guard lengths.count == sizes.count else { return nil }
        switch (lengths.count, lengths[0]) {
        case (1, .pixels(let radius)) where !isEllipse: return .pixels(radius)
        case (2, _) where !isCircle: return .axes(x: lengths[0], y: lengths[1])
        default: return nil
        }
    }

    /// Reads the start of a turn and its centre; nil for a text that looks like a colour.
    private func turn(_ text: String) throws(ValueFault) -> Gradient.Kind? {
        let words = text.lowercasedASCII.cssWords.map(String.init)
        let (isFrom, isAt) = (words[0].isSame(as: "from"), words[0].isSame(as: "at"))
        guard isFrom || isAt else { return nil }
        let degrees = isFrom ? (words.count > 1 ? Self.angle(words[1]) : nil) : 0
        let rest = words.dropFirst(isFrom ? 2 : 0)
        let isGiven = rest.first?.isSame(as: "at") ?? false
        guard let degrees, isGiven || rest.isEmpty,
            let center = Self.center(rest.dropFirst(), isGiven: isGiven)
        else {
            throw ValueFault(
                "must have a start and a centre such as from 45deg, or from 0deg at 50% top; "
                    + PaintText.got(text))
        }
        return .conic(degrees: degrees, center: center)
    }

    /// Reads the words behind `at`: a side, or a length from the left, and another one; nil for others.
    private static func center(
        _ words: ArraySlice<String>, isGiven: Bool
    ) -> Gradient.Position? {
        guard isGiven else { return words.isEmpty ? .center : nil }
        guard (1...2).contains(words.count) else { return nil }
        var words = Array(words)
        func isOne(_ word: String, of names: [String]) -> Bool {
            names.contains { word.isSame(as: $0) }
        }
        let (across, down) = (["left", "right"], ["top", "bottom"])
        if words.count == 1 { words.append("center") }
        // Names may come in any order, lengths may not.
        if isOne(words[0], of: down) || isOne(words[1], of: across) {
            guard isOne(words[0], of: down + ["center"]), isOne(words[1], of: across + ["center"])
            else { return nil }
            words.swapAt(0, 1)
        }
        func length(_ word: String, _ names: [String]) -> Gradient.Length? {
            if word.isSame(as: "center") { return .percent(50) }
            if let side = names.firstIndex(where: { word.isSame(as: $0) }) {
                return .percent(side == 0 ? 0 : 100)
            }
            return Self.length(word, in: centers)
        }
        guard let x = length(words[0], across), let y = length(words[1], down) else { return nil }
        return Gradient.Position(x: x, y: y)
    }

    /// Reads percent, or pixels, within bounds; nil for others.
    private static func length(
        _ word: String, in bounds: (percent: ClosedRange<Double>, pixels: ClosedRange<Double>)
    ) -> Gradient.Length? {
        if word.ends(with: "%") {
            guard let percent = PaintText.number(word.dropping(last: 1)),
                bounds.percent.contains(percent)
            else { return nil }
            return .percent((percent * 10_000).rounded() / 10_000 + 0)
        }
        guard let pixels = PaintText.length(word[...]), bounds.pixels.contains(pixels) else {
            return nil
        }
        return .pixels(pixels)
    }

    // MARK: Stops

    /// Reads a colour with at most one position.
    private func stop(
        _ text: String, _ function: Function
    ) throws(ValueFault) -> (color: Color, percent: Double?) {
        let words = text.cssWords.map(String.init)
        guard let color = paint.color(words[0]) else {
            throw ValueFault(
                "must have stops such as #ff0000 or tomato 40%, the colour first; "
                    + PaintText.got(text))
        }
        guard words.count > 1 else { return (color, nil) }
        guard words.count == 2, let percent = Self.percent(words[1], function) else {
            throw ValueFault(
                "must have at most one position in percent at each colour, such as tomato 40%; "
                    + PaintText.got(text))
        }
        guard Self.positions.contains(percent) else {
            throw ValueFault("must have positions from -1000% to 1000%; " + PaintText.got(words[1]))
        }
        return (color, percent)
    }

    /// Reads percent, or around a centre an angle.
    private static func percent(_ word: String, _ function: Function) -> Double? {
        if word.ends(with: "%") { return PaintText.number(word.dropping(last: 1)) }
        guard function == .conic, word.lowercasedASCII.ends(with: "deg") else { return nil }
        return PaintText.number(word.dropping(last: 3)).map { $0 / 3.6 }
    }
}

extension GradientText.Function {
    /// Without anything before the stops.
    fileprivate var kind: Gradient.Kind {
        switch self {
        case .linear: .linear(.angle(180))
        case .radial: .radial(.ellipse(.farthestCorner), center: .center)
        case .conic: .conic(degrees: 0, center: .center)
        }
    }
}
