import Bytes
import Motion

/// The filters of shadows: functions of CSS in a rule for all glyphs of a group, with elements for
/// WebKit, and elements that give pictures the colour of a shadow.
struct SVGFilters {
    /// The blur and the opacity that a rule gives to each glyph of a group.
    private struct Rule: Hashable {
        /// The standard deviation of the Gaussian in the glyphs' units, as it is written.
        let deviation: Double
        /// The opacity, 0…255.
        let alpha: UInt8
    }

    /// The needs of a rule's element for all groups to which the rule applies.
    private struct Extent {
        var region = SVGFilterRegion()
        var areColorsExact = true
    }

    private var rules = Numbering<Rule>()
    /// The needs of each rule's element.
    private var extents: [Extent] = []
    /// The distinct colours of shadows of pictures.
    private var colors = Numbering<Color>()
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
    ///   - color: The colour of all glyphs to which it applies; nil where there are several.
    ///   - reach: The distance by which glyphs are drawn beyond their ink, in CSS pixels.
    ///   - boxes: The boxes of the glyphs' ink.
    /// - Returns: Nil where nothing is filtered.
    mutating func rule(
        deviation: Double, scale: Double, alpha: UInt8, color: Color?, reach: Double,
        beyond boxes: some Sequence<Rect>
    ) -> Int? {
        guard deviation > 0 || alpha < 255 else { return nil }
        let steps = Double(
            SVGNumber.power(
                SVGNumber.decimals(unit: scale, error: SVGCoordinates.tolerance)))
        let rule = rules.number(
            of: Rule(deviation: (deviation / scale * steps).rounded() / steps, alpha: alpha))
        if rule == extents.count { extents.append(Extent()) }
        for box in boxes { extents[rule].region.include(reach, around: box) }
        if color?.isExtreme != true { extents[rule].areColorsExact = false }
        return rule
    }

    /// Returns the number of the filter that gives a picture a colour.
    mutating func number(ofColor color: Color) -> Int {
        colors.number(of: color)
    }

    /// Writes the rules of the style sheet, with functions.
    func writeRules(_ names: SVGNames, to sink: inout ByteSink) {
        for (number, rule) in rules.values.enumerated() {
            writeSelector(ofRule: number, names, to: &sink)
            if rule.deviation > 0 {
                sink.append("blur(")
                sink.append(rule.deviation, decimals: 6, leadingZero: false)
                sink.append("px)")
            }
            if rule.alpha < 255 {
                sink.append(rule.deviation > 0 ? " opacity(" : "opacity(")
                sink.append(Double(rule.alpha) / 255, decimals: 4, leadingZero: false)
                sink.append(")")
            }
            sink.append("}")
        }
    }

    /// Writes the rules for engines that know elements only.
    func writeReferences(_ names: SVGNames, to sink: inout ByteSink) {
        for number in rules.values.indices {
            writeSelector(ofRule: number, names, to: &sink)
            sink.append(reference: .rule(number), names)
            sink.append("}")
        }
    }

    /// Writes a rule up to the value of its filter.
    private func writeSelector(ofRule number: Int, _ names: SVGNames, to sink: inout ByteSink) {
        sink.append(selector: .filter(number), names)
        for _ in 0..<depth { sink.append(">*") }
        sink.append("{filter:")
    }

    /// Writes the elements.
    func writeDefinitions(_ names: SVGNames, to sink: inout ByteSink) {
        for (number, rule) in rules.values.enumerated() {
            SVGFilterElement(
                deviation: rule.deviation, alpha: rule.alpha, region: extents[number].region,
                areColorsExact: extents[number].areColorsExact
            ).write(id: .rule(number), names, to: &sink)
        }
        for (number, color) in colors.values.enumerated() {
            sink.append("<filter id=\"")
            sink.append(.color(number), names)
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
        sink.append(" filter=\"")
        sink.append(reference: .color(number), names)
        sink.append("\"")
    }
}

extension Color {
    /// True if red, green, and blue are each 0 or 255, which is the same in linear RGB.
    fileprivate var isExtreme: Bool { [red, green, blue].allSatisfy { $0 == 0 || $0 == 255 } }
}
