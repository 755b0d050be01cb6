import Bytes
import Motion

/// The region of a `<filter>` that glyphs share: its reach beyond the box of the glyph that it
/// filters, in multiples of that box.
///
/// It is as tight as the smallest glyph allows, because WebKit repaints all of it.
struct SVGFilterRegion {
    /// Multiples of the box's width on its left and on its right.
    private var x = 0
    /// Multiples of the box's height above and below it.
    private var y = 0

    /// Widens the region so that it holds a box and a distance around it.
    ///
    /// - Parameters:
    ///   - distance: The distance on every side, in CSS pixels.
    ///   - box: The box of a glyph's ink.
    mutating func include(_ distance: Double, around box: Rect) {
        x = max(x, Self.multiple(distance, of: box.width))
        y = max(y, Self.multiple(distance, of: box.height))
    }

    private static func multiple(_ distance: Double, of length: Double) -> Int {
        // A box without extent has no region in any case.
        guard length > 0 else { return 0 }
        return Int(min(distance / length, 999).rounded(.up))
    }

    /// Writes the attributes.
    fileprivate func write(to sink: inout ByteSink) {
        for (position, length, multiple) in [
            (" x=\"-", " width=\"", x), (" y=\"-", " height=\"", y),
        ] as [(StaticString, StaticString, Int)] {
            sink.append(position)
            sink.append(multiple)
            sink.append("\"")
            sink.append(length)
            sink.append(1 + 2 * multiple)
            sink.append("\"")
        }
    }
}

/// A `<filter>` that works like functions of CSS's `filter`.
///
/// WebKit knows the functions for elements of HTML only, and draws an element of an SVG without
/// them.
struct SVGFilterElement {
    /// The standard deviation of the Gaussian in the units of the filtered element; 0 for none.
    let deviation: Double
    /// The opacity, 0…255.
    var alpha: UInt8 = 255
    let region: SVGFilterRegion
    /// True if linear RGB, in which filters compute by default, rounds no colour that is filtered.
    var areColorsExact = false

    /// The largest distance at which WebKit draws a Gaussian beyond the blurred element, in the
    /// units of that element (the kernel of at most 500 units, three times).
    private static let reach = 750.0
    /// The number of standard deviations beyond which a Gaussian cannot be seen.
    private static let extent = 2.7

    /// Writes the element.
    func write(
        id name: SVGFilterName, _ names: SVGNames, to sink: inout ByteSink
    ) {
        sink.append("<filter id=\"")
        sink.append(name, names)
        sink.append("\"")
        region.write(to: &sink)
        if !areColorsExact { sink.append(" color-interpolation-filters=\"sRGB\"") }
        sink.append(">")
        if deviation > 0 {
            // Gaussians one after another blur by the root of the sum of their squares, and each
            // reaches as far again.
            let count = min(max((deviation * Self.extent / Self.reach).rounded(.up), 1), 12)
            for _ in 0..<Int(count) {
                sink.append("<feGaussianBlur stdDeviation=\"")
                sink.append(
                    deviation / count.squareRoot(), decimals: deviation < 10 ? 2 : 0,
                    leadingZero: false)
                sink.append("\"/>")
            }
        }
        if alpha < 255 {
            sink.append("<feComponentTransfer><feFuncA type=\"linear\" slope=\"")
            sink.append(Double(alpha) / 255, decimals: 4, leadingZero: false)
            sink.append("\"/></feComponentTransfer>")
        }
        sink.append("</filter>")
    }
}

/// The id of a `<filter>`.
enum SVGFilterName {
    /// The filter that gives a picture the colour of a shadow, by its number.
    case color(Int)
    /// The filter that works like a rule's functions, by the rule's number.
    case rule(Int)
    /// The blur of a level.
    case blur(level: Int)
}

extension ByteSink {
    mutating func append(_ name: SVGFilterName, _ names: SVGNames) {
        append(names.prefix)
        switch name {
        case .color(let number):
            append("f")
            append(number)
        case .rule(let number):
            append("s")
            append(number)
        case .blur(let level):
            append("b")
            append(level)
        }
    }

    /// Appends a reference to a filter.
    mutating func append(reference name: SVGFilterName, _ names: SVGNames) {
        append("url(#")
        append(name, names)
        append(")")
    }
}
