import Motion

/// A keyframe list that plays once: what one or more of a glyph's tracks are in CSS.
struct CSSAnimation: Hashable {
    /// What stands between the braces of `@keyframes`.
    var keyframes: [UInt8]
    /// For stretches whose keyframe names none.
    var timing: Easing
    var delay: Instant
    /// Tenths of a millisecond; 0 for a jump.
    var duration: Int
}

/// Turns a glyph's tracks into the animations that play them once.
///
/// An animation fills backwards only: what comes after it is the base state, the finished text.
struct CSSAnimationBuilder {
    /// CSS pixels in one unit of the coordinates that the glyph is drawn in.
    let scale: Double

    /// Tracks that change together are one animation.
    private struct Group {
        var tracks: [(property: Property, track: Track)]

        var keyframes: [Keyframe] { tracks[0].track.keyframes }

        func holds(_ track: Track) -> Bool {
            keyframes.count == track.keyframes.count
                && zip(keyframes, track.keyframes).allSatisfy {
                    $0.instant == $1.instant && $0.easing == $1.easing
                }
        }

        /// The values at the n-th keyframe.
        func values(at index: Int) -> [(property: Property, value: Double)] {
            tracks.map { ($0.property, $0.track.keyframes[index].value) }
        }
    }

    func animations(of tracks: GlyphTracks) -> [CSSAnimation] {
        var groups: [Group] = []
        for property in Property.allCases {
            guard let track = tracks[property], track.keyframes.count > 1 else { continue }
            if let match = groups.firstIndex(where: { $0.holds(track) }) {
                groups[match].tracks.append((property, track))
            } else {
                groups.append(Group(tracks: [(property, track)]))
            }
        }
        return groups.map(animation)
    }

    private func animation(_ group: Group) -> CSSAnimation {
        let keyframes = group.keyframes
        let (first, last) = (keyframes[0], keyframes[keyframes.count - 1])
        var sink = ByteSink(capacity: 64)
        if keyframes.count == 2, first.easing == .hold {
            // A jump: all of the waiting is delay.
            write("from", group.values(at: 0), nil, &sink)
            return CSSAnimation(
                keyframes: sink.bytes(), timing: .linear, delay: last.instant, duration: 0)
        }
        let length = last.instant.ticks - first.instant.ticks
        for (index, keyframe) in keyframes.enumerated() {
            let values = group.values(at: index)
            let isLast = index == keyframes.count - 1
            // A list without `to` ends at the base state.
            if isLast, values.allSatisfy({ $0.value == $0.property.identity }) { break }
            let easing = isLast || keyframe.easing == first.easing ? nil : keyframe.easing
            let ticks = keyframe.instant.ticks - first.instant.ticks
            write(Self.selector(ticks, of: length), values, easing, &sink)
        }
        return CSSAnimation(
            keyframes: sink.bytes(), timing: first.easing, delay: first.instant, duration: length)
    }

    private static func selector(_ ticks: Int, of length: Int) -> String {
        if ticks == 0 { return "from" }
        if ticks == length { return "to" }
        var sink = ByteSink(capacity: 64)
        sink.append(Double(ticks) / Double(length) * 100, decimals: 3, leadingZero: false)
        sink.append("%")
        return String(decoding: sink.bytes(), as: UTF8.self)
    }

    private func write(
        _ selector: String, _ values: [(property: Property, value: Double)], _ easing: Easing?,
        _ sink: inout ByteSink
    ) {
        sink.append(selector)
        sink.append("{")
        for (number, (property, value)) in values.enumerated() {
            if number > 0 { sink.append(";") }
            write(property, value, &sink)
        }
        if let easing {
            sink.append(";animation-timing-function:")
            sink.append(css: easing)
        }
        sink.append("}")
    }

    private func write(_ property: Property, _ value: Double, _ sink: inout ByteSink) {
        // Lengths count in the units of the group that the glyph stands in.
        let decimals = SVGNumber.decimals(unit: scale, error: 0.002)
        switch property {
        case .opacity:
            sink.append("opacity:")
            sink.append(min(max(value, 0), 1), decimals: 4, leadingZero: false)
        case .offsetX:
            sink.append("translate:")
            sink.append(value / scale, decimals: decimals, leadingZero: false)
            sink.append("px")
        case .offsetY:
            sink.append("translate:0 ")
            sink.append(value / scale, decimals: decimals, leadingZero: false)
            sink.append("px")
        case .scale:
            sink.append("scale:")
            sink.append(value, decimals: 4, leadingZero: false)
        case .rotation:
            sink.append("rotate:")
            sink.append(value, decimals: 3, leadingZero: false)
            sink.append("deg")
        }
    }
}

extension ByteSink {
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

    /// A time as CSS writes it.
    ///
    /// - Parameter ticks: Tenths of a millisecond.
    mutating func append(seconds ticks: Int) {
        append(Double(ticks) / Instant.perSecond, decimals: 4, leadingZero: false)
        append(UInt8(ascii: "s"))
    }
}
