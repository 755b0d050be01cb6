import Bytes
import Motion

/// Writes keyframes.
struct CSSWriter {
    /// CSS pixels in one of the glyph's units.
    let scale: Double
    /// The glyph's own colour.
    var color = SVGColors.opaque.color
    /// The paints that values refer to.
    var fill: Track<ColorMix>?

    /// Writes a keyframe.
    ///
    /// - Parameters:
    ///   - selector: The percentages that the values hold at.
    ///   - values: The values of one or more properties.
    ///   - easing: The easing to the next keyframe; nil for that of the animation.
    ///   - jumpsToNext: True if the values are lost at once.
    ///   - sink: The text to append to.
    func write(
        _ selector: String, _ values: [(property: CSSTrack.Property, value: CSSValue)],
        _ easing: Easing?, jumpsToNext: Bool = false, _ sink: inout ByteSink
    ) {
        sink.append(text: selector)
        sink.append("{")
        // In front, so that keyframes that differ in values only begin alike: it packs better.
        if let easing {
            sink.append("animation-timing-function:")
            sink.append(css: easing)
            sink.append(";")
        }
        if jumpsToNext { sink.append("animation-timing-function:step-start;") }
        for (number, (property, value)) in values.enumerated() {
            if number > 0 { sink.append(";") }
            write(property, value, &sink)
        }
        sink.append("}")
    }

    private func write(
        _ property: CSSTrack.Property, _ value: CSSValue, _ sink: inout ByteSink
    ) {
        switch property {
        case .opacity:
            sink.append("opacity:")
            sink.append(min(max(value.x, 0), 1), decimals: 4, leadingZero: false)
        case .translate:
            // Lengths are in the units of the group around the glyph.
            sink.append("translate:")
            write(length: value.x, &sink)
            guard value.y != 0 else { return }
            sink.append(" ")
            write(length: value.y, &sink)
        case .transform:
            sink.append("transform:translate(")
            write(length: value.x, &sink)
            sink.append(",")
            write(length: value.y, &sink)
            sink.append(")")
        case .ownTranslate:
            let share = (value.x * 10_000).rounded() / 10_000
            sink.append("translate:")
            if share == 0 {
                sink.append("0")
            } else if share == 1 {
                sink.append("var(--x)")
            } else {
                sink.append("calc(var(--x)*")
                sink.append(share, decimals: 4, leadingZero: false)
                sink.append(")")
            }
            guard value.y != 0 else { return }
            sink.append(" ")
            write(length: value.y, &sink)
        case .rotate:
            sink.append("rotate:")
            write(degrees: value.x, &sink)
        case .skewX, .skewY:
            sink.append(property == .skewX ? "transform:skewX(" : "transform:skewY(")
            write(degrees: value.x, &sink)
            sink.append(")")
        case .scale:
            sink.append("scale:")
            sink.append(value.x, decimals: 4, leadingZero: false)
            guard value.y != value.x else { return }
            sink.append(" ")
            sink.append(value.y, decimals: 4, leadingZero: false)
        case .blur:
            sink.append("filter:")
            guard value.x > 0 else { return sink.append("none") }
            sink.append("blur(")
            write(exactly: value.x, &sink)
            sink.append("px)")
        case .fill:
            sink.append("fill:")
            // The own colour is the group's, which a dark scheme changes.
            sink.append(text: value == .ownPaint ? "inherit" : paint(value).color(own: color).text)
        case .fillWithAlpha:
            sink.append("fill:")
            sink.append(text: paint(value).color(own: color).text)
            sink.append(";fill-opacity:1")
        case .fillOpacity:
            sink.append("fill-opacity:")
            sink.append(value.x * alpha, decimals: 4, leadingZero: false)
        case .strokeOpacity:
            sink.append("stroke-opacity:")
            sink.append(value.x * alpha, decimals: 4, leadingZero: false)
        case .strokeWidth:
            sink.append("stroke-width:")
            write(exactly: value.x, &sink)
            if value.x != 0 { sink.append("px") }
        case .visibility:
            sink.append(value.x > 0 ? "visibility:visible" : "visibility:hidden")
        case .dash:
            sink.append("stroke-dasharray:")
            sink.append(value.x, decimals: 4, leadingZero: false)
            // No contour is longer than this gap, so that no second dash shows.
            sink.append(" 9")
        }
    }

    private func write(degrees: Double, _ sink: inout ByteSink) {
        sink.append(degrees, decimals: 1, leadingZero: false)
        sink.append("deg")
    }

    private var alpha: Double { Double(color.alpha) / 255 }

    private func paint(_ value: CSSValue) -> ColorMix {
        guard let fill, value != .ownPaint else { return .own }
        return fill.keyframes[Int(value.x)].value
    }

    /// Writes a length whose error cannot be seen at rest either.
    private func write(exactly length: Double, _ sink: inout ByteSink) {
        let decimals = SVGNumber.decimals(unit: scale, error: SVGGroup.positionTolerance)
        sink.append(length / scale, decimals: decimals, leadingZero: false)
    }

    func write(length: Double, _ sink: inout ByteSink) {
        // A tenth of a pixel cannot be seen in motion; positions at rest are exact.
        let units = length / scale
        if scale * 5 <= 0.1 {
            sink.append(Int((units / 10).rounded()) * 10)
        } else {
            let decimals = SVGNumber.decimals(unit: scale, error: 0.1)
            sink.append(units, decimals: decimals, leadingZero: false)
        }
        if length != 0 { sink.append("px") }
    }

    /// Returns a keyframe selector: `from`, `to`, or percent.
    static func percent(_ ticks: Int, of length: Int, decimals: Int) -> String {
        if ticks == 0 { return "from" }
        if ticks == length { return "to" }
        var sink = ByteSink(capacity: 64)
        sink.append(Double(ticks) / Double(length) * 100, decimals: decimals, leadingZero: false)
        sink.append("%")
        return String(decoding: sink.bytes(), as: UTF8.self)
    }

    /// Returns the decimals of a percentage that keep instants distinct and exact to half a
    /// millisecond.
    static func decimals(of stops: [CSSTrack.Stop], length: Int) -> Int {
        var decimals = length > 100_000 ? 3 : length > 10_000 ? 2 : 1
        let start = stops.first?.instant.ticks ?? 0
        while decimals < 6 {
            let scale = 100 * Double(SVGNumber.power(decimals)) / Double(max(length, 1))
            let percentages = stops.map { (Double($0.instant.ticks - start) * scale).rounded() }
            if zip(percentages, percentages.dropFirst()).allSatisfy({ $0 < $1 }) { break }
            decimals += 1
        }
        return decimals
    }

    /// Returns the easing of most changes between stops; of equally many the first.
    static func commonEasing(of stops: [CSSTrack.Stop]) -> Easing {
        var uses: [(easing: Easing, count: Int)] = []
        for (stop, next) in zip(stops, stops.dropFirst()) where stop.value != next.value {
            if let known = uses.firstIndex(where: { $0.easing == stop.easing }) {
                uses[known].count += 1
            } else {
                uses.append((stop.easing, 1))
            }
        }
        var best = uses.first
        for use in uses where use.count > best?.count ?? 0 { best = use }
        return best?.easing ?? .linear
    }
}

extension ByteSink {
    mutating func append(css timing: CSSAnimation.Timing) {
        switch timing {
        case .stepStart: append("step-start")
        case .easing(let easing): append(css: easing)
        }
    }

    mutating func append(css easing: Easing) {
        switch easing {
        case .hold: append("step-end")
        case .linear: append("linear")
        case .ease: append("ease")
        case .easeIn: append("ease-in")
        case .easeOut: append("ease-out")
        case .easeInOut: append("ease-in-out")
        case .cubic(let curve):
            append("cubic-bezier(")
            for (index, value) in [curve.x1, curve.y1, curve.x2, curve.y2].enumerated() {
                if index > 0 { append(UInt8(ascii: ",")) }
                append(value, decimals: 4, leadingZero: false)
            }
            append(")")
        }
    }

    /// Appends a delay or duration of an animation as seconds.
    ///
    /// Animations of a fifth of a second or longer have whole milliseconds, which changes an opacity
    /// by 0.005 at most; jumps and short fades are exact.
    ///
    /// - Parameters:
    ///   - ticks: The time in tenths of a millisecond.
    ///   - duration: The animation's duration in tenths of a millisecond.
    mutating func append(seconds ticks: Int, of duration: Int) {
        append(
            Double(ticks) / Instant.perSecond, decimals: duration < 2000 ? 4 : 3,
            leadingZero: false)
        append(UInt8(ascii: "s"))
    }
}
