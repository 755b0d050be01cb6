import Bytes
import Motion

/// Writes keyframes.
struct CSSWriter {
    /// CSS pixels in one of the glyph's units.
    let scale: Double
    /// The glyph's own colour.
    var color = SVGColors.opaque.color
    /// The levels that stand for blurs; nil where functions of CSS blur.
    var levels: SVGBlurLevels?
    /// True if opacities are shares of the colour's alpha.
    var isOfColor = false

    /// Writes a keyframe.
    ///
    /// Its easing is nil where the animation's counts. Where it jumps to the next keyframe, its
    /// values end at once.
    func write(
        _ selectors: [CSSKeyframeSelector], _ values: [(property: CSSProperty, value: CSSValue)],
        _ easing: Easing?, jumpsToNext: Bool = false, _ sink: inout ByteSink
    ) {
        for (number, selector) in selectors.enumerated() {
            if number > 0 { sink.append(",") }
            sink.append(selector)
        }
        sink.append("{")
        // In front, so that keyframes that differ in values only begin alike, which packs better.
        if let easing {
            sink.append("animation-timing-function:")
            sink.append(css: easing)
            sink.append(";")
        }
        if jumpsToNext { sink.append("animation-timing-function:step-start;") }
        for (number, (property, value)) in values.enumerated() {
            if number > 0 { sink.append(";") }
            property.write(value, self, &sink)
        }
        sink.append("}")
    }

    /// Writes the keyframes at which a blur goes from level to level between two instants; nothing
    /// where functions of CSS blur.
    ///
    /// - Parameters:
    ///   - tracks: The tracks of an animation.
    ///   - start: The instant of the keyframe before.
    ///   - end: The instant of the keyframe after.
    ///   - axis: The axis on which the animation counts time.
    ///   - easing: The easing from its keyframes.
    ///   - sink: The keyframes.
    func writeLevels(
        of tracks: @autoclosure () -> [CSSTrack], from start: Instant, to end: Instant,
        _ axis: CSSKeyframeAxis, _ easing: Easing, _ sink: inout ByteSink
    ) {
        guard let levels, let blur = tracks().first(where: { $0.property == .blur }) else {
            return
        }
        var last = axis.percentage(start)
        let limit = axis.percentage(end)
        for (stop, next) in zip(blur.stops, blur.stops.dropFirst())
        where stop.instant < end && next.instant > start && stop.easing != .hold {
            let steps = levels.steps(
                from: stop.value.number / scale, to: next.value.number / scale, stop.easing,
                turn: easing.progress(of: 0.5))
            for step in steps {
                let ticks = Double(next.instant.ticks - stop.instant.ticks) * step.progress
                let instant = Instant(ticks: stop.instant.ticks + Int(ticks))
                // A percentage counts once.
                let percentage = axis.percentage(instant)
                guard percentage > last, percentage < limit else { continue }
                last = percentage
                let value = levels.deviation(ofLevel: step.level) * scale
                write(
                    [.percentage(percentage, decimals: axis.decimals)], [(.blur, .number(value))],
                    nil, &sink)
            }
        }
    }

    /// The alpha of the glyph's own colour, 0…1.
    var alpha: Double { Double(color.alpha) / 255 }

    /// Writes the second length of a pair, unless it is 0.
    func write(secondLength length: Double, _ sink: inout ByteSink) {
        guard length != 0 else { return }
        sink.append(" ")
        write(length: length, &sink)
    }

    /// Writes a length with an error too small to be seen even at rest.
    func write(exactly length: Double, _ sink: inout ByteSink) {
        let decimals = SVGNumber.decimals(unit: scale, error: SVGCoordinates.tolerance)
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
}

extension Easing {
    /// Returns the progress in time at which a value is passed first.
    fileprivate func progress(of value: Double) -> Double {
        var (low, high) = (0.0, 1.0)
        for _ in 0..<12 {
            let middle = (low + high) / 2
            if self.value(at: middle) < value { low = middle } else { high = middle }
        }
        return low
    }
}

extension ByteSink {
    /// Appends a number of four decimals at most.
    mutating func append(css number: Double) {
        append(number, decimals: 4, leadingZero: false)
    }

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
    /// Animations of a fifth of a second or longer have whole milliseconds, which changes an
    /// opacity by 0.005 at most; jumps and short fades are exact.
    mutating func append(seconds ticks: Int, of duration: Int) {
        append(
            Double(ticks) / Instant.perSecond, decimals: duration < 2000 ? 4 : 3,
            leadingZero: false)
        append(UInt8(ascii: "s"))
    }
}
