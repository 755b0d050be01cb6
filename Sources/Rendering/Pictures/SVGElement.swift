import Bytes
import Motion
import Typesetting

/// An element of an SVG, with its attributes and the elements in it.
struct SVGElement {
    let name: ByteString
    /// Attributes, and the properties in `style`, which take precedence.
    private var values: [ByteString: String]
    private(set) var children: [SVGElement] = []

    private init(_ element: XMLElement) {
        name = ByteString(element.name)
        values = Dictionary(element.attributes.map { (ByteString($0.name), $0.value) }) { $1 }
        for declaration in (values["style"] ?? "").pieces(separatedBy: ";") {
            let parts = declaration.pieces(separatedBy: ":")
            guard parts.count == 2 else { continue }
            values[ByteString(String(parts[0].cssTrimmed))] = String(parts[1].cssTrimmed)
        }
        // A property that takes the value of the element around it may as well be left out.
        values = values.filter { !$0.value.isSame(as: "inherit") }
        children = element.elements.map(SVGElement.init)
    }

    /// Returns the outermost element of a file.
    ///
    /// - Throws: The reason why the file is no such XML.
    static func root(of file: [UInt8]) throws(ValueFault) -> SVGElement {
        guard let text = String(validating: file, as: UTF8.self) else {
            throw ValueFault("must be SVG in UTF-8")
        }
        return SVGElement(try XMLElement.root(of: text, as: "SVG"))
    }

    /// Adds this element and the elements in it, if they have certain names, by their ids.
    func collect(_ names: [String], into elements: inout [ByteString: SVGElement]) {
        if names.includes(name.text), let id = values["id"] { elements[ByteString(id)] = self }
        for child in children { child.collect(names, into: &elements) }
    }

    /// Takes the attributes, and the elements, of another one that are not given here.
    mutating func inherit(from other: SVGElement) {
        values.merge(other.values) { own, _ in own }
        if children.isEmpty { children = other.children }
    }

    func fault(_ message: String) -> ValueFault {
        ValueFault("<\(name.text.shortened(to: 60))> \(message)")
    }

    // MARK: Values

    subscript(name: String) -> String? { values[ByteString(name)] }

    /// The id that it refers to.
    var reference: ByteString? { (self["href"] ?? self["xlink:href"])?.cssReference }

    private func fault(_ name: String, _ expected: String) -> ValueFault {
        fault("must have \(expected) as \(name); got \"\((self[name] ?? "").shortened(to: 60))\"")
    }

    /// Returns a number, which may have the unit `px`.
    func number(_ name: String, default fallback: Double) throws(ValueFault) -> Double {
        guard let text = self[name] else { return fallback }
        guard let number = (text.ends(with: "px") ? text.dropping(last: 2) : text[...]).svgNumber
        else { throw fault(name, "a number") }
        return number
    }

    /// Returns a number, or percents of a whole.
    func length(
        _ name: String, default fallback: Double, of whole: Double
    ) throws(ValueFault) -> Double {
        guard let text = self[name], text.ends(with: "%") else {
            return try number(name, default: fallback)
        }
        guard let percent = text.dropping(last: 1).svgNumber else {
            throw fault(name, "a percentage")
        }
        return percent / 100 * whole
    }

    /// Returns a number or percents, from 0 to 1.
    func share(_ name: String, default fallback: Double) throws(ValueFault) -> Double {
        min(max(try length(name, default: fallback, of: 1), 0), 1)
    }

    /// Returns numbers with white space or commas between them.
    func numbers(_ name: String) throws(ValueFault) -> [Double] {
        guard let numbers = (self[name] ?? "").svgNumbers else { throw fault(name, "numbers") }
        return numbers
    }

    func choice<Value>(
        _ name: String, _ values: [ByteString: Value], default fallback: Value
    ) throws(ValueFault) -> Value {
        guard let text = self[name] else { return fallback }
        guard let value = values[ByteString(text)] else {
            throw fault(name, "one of " + values.keys.sorted().map(\.text).joined(separator: ", "))
        }
        return value
    }

    /// Returns a list of transformations as one.
    func transform(_ name: String) throws(ValueFault) -> Affine {
        var map = Affine.identity
        for part in (self[name] ?? "none").pieces(separatedBy: ")") {
            let parts = part.pieces(separatedBy: "(")
            if parts.count == 1, parts[0].cssTrimmed.isEmpty || parts[0].isSame(as: "none") {
                continue
            }
            guard parts.count == 2, let numbers = parts[1].svgNumbers,
                let next = Affine(
                    named: String(parts[0].trimming { $0.isCSSSpace || $0 == UInt8(ascii: ",") }),
                    numbers)
            else { throw fault(name, "transformations") }
            map = map * next
        }
        return map
    }

    // MARK: Shapes

    /// The path of a path or a basic shape; nil for all other elements.
    var pathData: String? {
        get throws(ValueFault) {
            func number(_ name: String) throws(ValueFault) -> Double {
                try self.number(name, default: 0)
            }
            switch name {
            case "path": return self["d"] ?? ""
            case "polyline": return self["points"].map { "M\($0)" } ?? ""
            case "polygon": return self["points"].map { "M\($0)Z" } ?? ""
            case "line":
                return try "M\(number("x1")) \(number("y1"))L\(number("x2")) \(number("y2"))"
            case "circle":
                let radius = try number("r")
                return Self.ellipse(try number("cx"), try number("cy"), radius, radius)
            case "ellipse":
                return Self.ellipse(
                    try number("cx"), try number("cy"), try number("rx"), try number("ry"))
            case "rect":
                let (x, y) = (try number("x"), try number("y"))
                let (width, height) = (try number("width"), try number("height"))
                guard width > 0, height > 0 else { return "" }
                var rx = try self.number("rx", default: try number("ry"))
                var ry = try self.number("ry", default: rx)
                (rx, ry) = (min(max(rx, 0), width / 2), min(max(ry, 0), height / 2))
                let corner = "A\(rx) \(ry) 0 0 1"
                return "M\(x + rx) \(y)H\(x + width - rx)\(corner) \(x + width) \(y + ry)"
                    + "V\(y + height - ry)\(corner) \(x + width - rx) \(y + height)"
                    + "H\(x + rx)\(corner) \(x) \(y + height - ry)"
                    + "V\(y + ry)\(corner) \(x + rx) \(y)Z"
            default: return nil
            }
        }
    }

    private static func ellipse(
        _ x: Double, _ y: Double, _ rx: Double, _ ry: Double
    ) -> String {
        guard rx > 0, ry > 0 else { return "" }
        let half = "A\(rx) \(ry) 0 0 1"
        return "M\(x + rx) \(y)\(half) \(x - rx) \(y)\(half) \(x + rx) \(y)Z"
    }
}

extension Affine {
    /// Makes a transformation of SVG (CSS Transforms 1, 8); nil where it takes other numbers.
    fileprivate init?(named name: String, _ numbers: [Double]) {
        switch (ByteString(name), numbers.count) {
        case ("matrix", 6):
            self.init(
                across: SIMD2(numbers[0], numbers[1]), down: SIMD2(numbers[2], numbers[3]),
                origin: SIMD2(numbers[4], numbers[5]))
        case ("translate", 1): self = .translation(SIMD2(numbers[0], 0))
        case ("translate", 2): self = .translation(SIMD2(numbers[0], numbers[1]))
        case ("scale", 1): self = .scale(SIMD2(repeating: numbers[0]))
        case ("scale", 2): self = .scale(SIMD2(numbers[0], numbers[1]))
        case ("rotate", 1): self = .rotation(numbers[0])
        case ("rotate", 3):
            let center = SIMD2(numbers[1], numbers[2])
            self = Affine.rotation(numbers[0]).taking(center, to: center)
        case ("skewX", 1): self = .skew(x: numbers[0], y: 0)
        case ("skewY", 1): self = .skew(x: 0, y: numbers[0])
        default: return nil
        }
    }
}

extension StringProtocol where UTF8View.SubSequence == Substring.UTF8View {
    /// The id in `#id`, `'#id'` or `#id)`; nil for any other reference.
    var cssReference: ByteString? {
        let text = trimming { $0.isCSSSpace || "\"')".utf8.contains($0) }
        guard text.begins(with: "#"), text.utf8.count > 1 else { return nil }
        return ByteString(String(text.dropping(first: 1)))
    }

    /// The finite number that the text is, of SVG's range; nil for any other text.
    fileprivate var svgNumber: Double? {
        let text = cssTrimmed
        guard text.utf8.allSatisfy({ "+-.0123456789eE".utf8.contains($0) }),
            let number = Double(text), abs(number) <= SVGReader.mostUnits
        else { return nil }
        return number
    }

    /// The numbers of the text, with white space or commas between them; nil if one is none.
    fileprivate var svgNumbers: [Double]? {
        var numbers: [Double] = []
        for word in utf8.split(whereSeparator: { $0.isCSSSpace || $0 == UInt8(ascii: ",") }) {
            guard let number = Substring(word).svgNumber else { return nil }
            numbers.append(number)
        }
        return numbers
    }
}
