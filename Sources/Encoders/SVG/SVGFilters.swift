import Bytes
import Motion

/// The filters of shadows: functions of CSS in a rule for all glyphs of a group, and elements that
/// give pictures the colour of a shadow.
struct SVGFilters {
    /// The distinct filters of rules, as they are written.
    private var rules = SVGNumbering<[UInt8]>()
    /// The distinct colours of shadows of pictures.
    private var colors = SVGNumbering<Color>()
    /// The number of elements from a group's to the one that a rule applies to.
    private let depth: Int

    init(depth: Int) {
        self.depth = depth
    }

    var isEmpty: Bool { rules.values.isEmpty }

    /// Returns the number of the rule that blurs and fades.
    ///
    /// - Parameters:
    ///   - deviation: The standard deviation of the Gaussian, in CSS pixels.
    ///   - scale: CSS pixels in one unit of the glyphs.
    ///   - alpha: The opacity, 0…255.
    /// - Returns: Nil where nothing is filtered.
    mutating func rule(deviation: Double, scale: Double, alpha: UInt8) -> Int? {
        guard deviation > 0 || alpha < 255 else { return nil }
        var sink = ByteSink(capacity: 64)
        if deviation > 0 {
            sink.append("blur(")
            sink.append(
                deviation / scale,
                decimals: SVGNumber.decimals(unit: scale, error: SVGGroup.positionTolerance),
                leadingZero: false)
            sink.append("px)")
        }
        if alpha < 255 {
            sink.append(deviation > 0 ? " opacity(" : "opacity(")
            sink.append(Double(alpha) / 255, decimals: 4, leadingZero: false)
            sink.append(")")
        }
        return rules.number(of: sink.bytes())
    }

    /// Returns the number of the filter that gives a picture a colour.
    mutating func number(ofColor color: Color) -> Int {
        colors.number(of: color)
    }

    /// Writes the rules of the style sheet.
    func writeRules(_ names: SVGNames, to sink: inout ByteSink) {
        for (number, text) in rules.values.enumerated() {
            sink.append(selector: .filter(number), names)
            for _ in 0..<depth { sink.append(">*") }
            sink.append("{filter:")
            sink.append(text)
            sink.append("}")
        }
    }

    /// Writes the elements.
    func writeDefinitions(_ names: SVGNames, to sink: inout ByteSink) {
        for (number, color) in colors.values.enumerated() {
            sink.append("<filter id=\"")
            sink.append(names.prefix)
            sink.append("f")
            sink.append(number)
            sink.append("\" color-interpolation-filters=\"sRGB\"><feColorMatrix values=\"")
            for part in [color.red, color.green, color.blue] {
                sink.append("0 0 0 0 ")
                sink.append(Double(part) / 255, decimals: 4, leadingZero: false)
                sink.append(" ")
            }
            sink.append("0 0 0 ")
            sink.append(Double(color.alpha) / 255, decimals: 4, leadingZero: false)
            sink.append(" 0\"/></filter>")
        }
    }

    /// Writes the attribute that filters a picture.
    static func writeAttribute(
        ofColor number: Int, _ names: SVGNames, to sink: inout ByteSink
    ) {
        sink.append(" filter=\"url(#")
        sink.append(names.prefix)
        sink.append("f")
        sink.append(number)
        sink.append(")\"")
    }
}
