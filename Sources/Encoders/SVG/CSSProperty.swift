import Bytes
import Motion

/// A property that animations of CSS change.
///
/// Each has a row in a table (`CSSProperty.Definition`), which tracks, animations, and the writer
/// of keyframes use.
enum CSSProperty: Int {
    case opacity, translate, rotate, scale
    case skewX, skewY
    /// A second translation beside the first, where nothing is skewed.
    case transform
    /// A translation across by multiples of the glyph's own offset, and down.
    case ownTranslate
    case blur
    /// Colours of a glyph whose own colour is opaque.
    case fill
    /// Colours with alpha, instead of the fill's opacity.
    case fillWithAlpha
    case fillOpacity, strokeOpacity, strokeWidth
    /// 1 for visible, 0 for hidden.
    case visibility
    /// The share of the longest contour that is drawn.
    case dash
    /// The same for a line without dashes at rest: viewers that do not know `pathLength` would show
    /// them.
    case lineDash

    /// The value that leaves the element as it was drawn.
    var identity: CSSValue { definition.identity }
    /// The values that can be drawn; nil for all.
    var range: ClosedRange<Double>? { definition.range }

    func has(_ trait: Traits) -> Bool { definition.traits.contains(trait) }

    /// Writes a declaration with a value.
    func write(_ value: CSSValue, _ writer: borrowing CSSWriter, _ sink: inout ByteSink) {
        sink.append(definition.name)
        sink.append(UInt8(ascii: ":"))
        definition.write(writer, value, &sink)
    }
}

extension CSSProperty {
    struct Traits: OptionSet {
        let rawValue: Int

        /// Each of its changes has an animation of its own in a loop, even one with two keyframes.
        static let delayedAlways = Traits(rawValue: 1)
        /// Keyframes state all of its values, even the value of the element without animation.
        static let explicit = Traits(rawValue: 2)
        /// It scales, turns, or skews the glyph.
        static let aboutCenter = Traits(rawValue: 4)
        /// Its values are angles.
        static let angle = Traits(rawValue: 8)
        /// It is a function of CSS's `transform`.
        static let transform = Traits(rawValue: 16)
    }

    /// The data of a property.
    private final class Definition: Sendable {
        typealias Write = @Sendable (borrowing CSSWriter, CSSValue, inout ByteSink) -> Void

        /// The name in CSS.
        let name: StaticString
        let identity: CSSValue
        let range: ClosedRange<Double>?
        let traits: Traits
        /// Writes a value.
        let write: Write

        init(
            _ name: StaticString, identity: CSSValue, range: ClosedRange<Double>? = nil,
            _ traits: Traits = [], write: @escaping Write
        ) {
            self.name = name
            self.identity = identity
            self.range = range
            self.traits = traits
            self.write = write
        }
    }

    private var definition: Definition { Self.definitions[rawValue] }

    /// In the order of the cases.
    private static let definitions = [
        Definition("opacity", identity: .number(1), range: 0...1) { writer, value, sink in
            let opacity = min(max(value.number, 0), 1)
            sink.append(css: opacity * (writer.isOfColor ? writer.alpha : 1))
        },
        Definition("translate", identity: .pair(0, 0)) { writer, value, sink in
            // Lengths are in the units of the group around the glyph.
            writer.write(length: value.pair.x, &sink)
            writer.write(secondLength: value.pair.y, &sink)
        },
        Definition("rotate", identity: .number(0), [.aboutCenter, .angle]) { writer, value, sink in
            sink.append(degrees: value.number)
        },
        Definition("scale", identity: .pair(1, 1), .aboutCenter) { _, value, sink in
            sink.append(css: value.pair.x)
            guard value.pair.y != value.pair.x else { return }
            sink.append(" ")
            sink.append(css: value.pair.y)
        },
        skew("skewX("), skew("skewY("),
        Definition("transform", identity: .pair(0, 0), .transform) { writer, value, sink in
            sink.append("translate(")
            writer.write(length: value.pair.x, &sink)
            sink.append(",")
            writer.write(length: value.pair.y, &sink)
            sink.append(")")
        },
        Definition("translate", identity: .pair(0, 0)) { writer, value, sink in
            sink.append(multiple: value.pair.x)
            writer.write(secondLength: value.pair.y, &sink)
        },
        Definition(
            "filter", identity: .number(0), range: 0...Double.infinity, .delayedAlways
        ) { writer, value, sink in
            if let levels = writer.levels {
                return levels.write(levels.level(of: value.number / writer.scale), to: &sink)
            }
            guard value.number > 0 else { return sink.append("none") }
            sink.append("blur(")
            writer.write(exactly: value.number, &sink)
            sink.append("px)")
        },
        Definition("fill", identity: .paint(.own), .delayedAlways) { writer, value, sink in
            // The glyph's own colour is the group's, which a dark scheme changes.
            sink.append(
                text: value.paint == .own
                    ? "inherit" : value.paint.color(own: writer.color).text)
        },
        Definition(
            "fill", identity: .paint(.own), [.delayedAlways, .explicit]
        ) { writer, value, sink in
            sink.append(text: value.paint.color(own: writer.color).text)
            sink.append(";fill-opacity:1")
        },
        Definition(
            "fill-opacity", identity: .number(1), range: 0...1, .delayedAlways
        ) { writer, value, sink in sink.append(css: value.number * writer.alpha) },
        Definition(
            "stroke-opacity", identity: .number(0), range: 0...1, .delayedAlways
        ) { writer, value, sink in sink.append(css: value.number * writer.alpha) },
        Definition(
            "stroke-width", identity: .number(0), range: 0...Double.infinity, .delayedAlways
        ) { writer, value, sink in
            writer.write(exactly: value.number, &sink)
            if value.number != 0 { sink.append("px") }
        },
        Definition("visibility", identity: .number(1), .delayedAlways) { _, value, sink in
            sink.append(value.number > 0 ? "visible" : "hidden")
        },
        dash(.delayedAlways), dash([.delayedAlways, .explicit]),
    ]

    private static func skew(_ function: StaticString) -> Definition {
        Definition(
            "transform", identity: .number(0), [.delayedAlways, .aboutCenter, .angle, .transform]
        ) { _, value, sink in
            sink.append(function)
            sink.append(degrees: value.number)
            sink.append(")")
        }
    }

    private static func dash(_ traits: Traits) -> Definition {
        Definition(
            "stroke-dasharray", identity: .number(1), range: 0...1, traits
        ) { _, value, sink in
            sink.append(css: value.number)
            // No contour is longer than this gap, so no second dash shows.
            sink.append(" 9")
        }
    }
}

/// The value of a property.
///
/// It does not depend on the glyph's own colour, so that animations are the same under both colour
/// schemes except for the text of their keyframes. Opacities of fill and stroke are shares of that
/// colour's alpha.
enum CSSValue: Equatable, Sendable {
    case number(Double)
    /// The values across and down.
    case pair(Double, Double)
    case paint(ColorMix)

    /// The number; 0 for any other value.
    var number: Double {
        if case .number(let number) = self { number } else { 0 }
    }

    /// The pair; zeros for any other value.
    fileprivate var pair: (x: Double, y: Double) {
        if case .pair(let x, let y) = self { (x, y) } else { (0, 0) }
    }

    /// The paint; the glyph's own for any other value.
    fileprivate var paint: ColorMix {
        if case .paint(let paint) = self { paint } else { .own }
    }
}

extension ByteSink {
    fileprivate mutating func append(degrees: Double) {
        append(degrees, decimals: 1, leadingZero: false)
        append("deg")
    }

    /// Appends a multiple of the glyph's own offset.
    fileprivate mutating func append(multiple: Double) {
        let share = (multiple * 10_000).rounded() / 10_000
        if share == 0 {
            append("0")
        } else if share == 1 {
            append("var(--x)")
        } else {
            append("calc(var(--x)*")
            append(css: share)
            append(")")
        }
    }
}
