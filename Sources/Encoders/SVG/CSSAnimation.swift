import Motion

/// A keyframe list that plays once: what one or more of a glyph's tracks are in CSS.
struct CSSAnimation: Equatable {
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
        let (delay, duration) = group.tracks[0].track.cssTiming
        var sink = ByteSink(capacity: 64)
        for (index, keyframe) in keyframes.enumerated() {
            let values = group.values(at: index)
            let isLast = index == keyframes.count - 1
            // A jump is all delay; and a list without `to` ends at the base state.
            if isLast, duration == 0 || values.allSatisfy({ $0.value == $0.property.identity }) {
                break
            }
            let easing = isLast || keyframe.easing == keyframes[0].easing ? nil : keyframe.easing
            let ticks = keyframe.instant.ticks - keyframes[0].instant.ticks
            write(Self.selector(ticks, of: duration), values, easing, &sink)
        }
        return CSSAnimation(
            keyframes: sink.bytes(), timing: duration == 0 ? .linear : keyframes[0].easing,
            delay: delay, duration: duration)
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

extension Track {
    /// When the animation that plays the track starts, and how many ticks it takes: 0 for a jump.
    fileprivate var cssTiming: (delay: Instant, duration: Int) {
        guard let first = keyframes.first, let last = keyframes.last else { return (.zero, 0) }
        let isJump = keyframes.count == 2 && first.easing == .hold
        return isJump
            ? (last.instant, 0) : (first.instant, last.instant.ticks - first.instant.ticks)
    }

    /// Whether another track goes the same way, at another time and, where there is nothing
    /// between start and end, at another pace.
    fileprivate func moves(like other: Track) -> Bool {
        guard keyframes.count == other.keyframes.count else { return false }
        for index in keyframes.indices {
            let (one, two) = (keyframes[index], other.keyframes[index])
            guard one.value == two.value, one.easing == two.easing else { return false }
            guard keyframes.count > 2 else { continue }
            let length = one.instant.ticks - keyframes[0].instant.ticks
            guard length == two.instant.ticks - other.keyframes[0].instant.ticks else {
                return false
            }
        }
        return true
    }
}

extension GlyphTracks {
    /// The timing of the first track that changes; of a glyph that is one animation, its timing.
    var cssTiming: (delay: Instant, duration: Int) {
        if opacity.keyframes.count > 1 { return opacity.cssTiming }
        let moving = Property.allCases.lazy.compactMap { self[$0] }.first { $0.keyframes.count > 1 }
        return moving?.cssTiming ?? (.zero, 0)
    }

    /// Whether other tracks are the same animations but for delays and durations.
    func moves(like other: GlyphTracks) -> Bool {
        guard opacity.moves(like: other.opacity) else { return false }
        guard hasMoves || other.hasMoves else { return true }
        for property in Property.allCases.dropFirst() {
            switch (self[property], other[property]) {
            case (nil, nil): continue
            case (let one?, let two?):
                guard one.moves(like: two), isInStep(one) == other.isInStep(two) else {
                    return false
                }
            default: return false
            }
        }
        return true
    }

    private var hasMoves: Bool {
        offsetX != nil || offsetY != nil || scale != nil || rotation != nil
    }

    /// Whether a track starts and ends with the opacity.
    private func isInStep(_ track: Track) -> Bool {
        track.keyframes.first?.instant == opacity.keyframes.first?.instant
            && track.keyframes.last?.instant == opacity.keyframes.last?.instant
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

    /// A time of an animation that takes `duration`, both in tenths of a millisecond, as CSS writes it.
    ///
    /// What takes a fifth of a second or longer is written in whole milliseconds, which moves an
    /// opacity by 0.005 at most; jumps and short fades are exact.
    mutating func append(seconds ticks: Int, of duration: Int) {
        append(
            Double(ticks) / Instant.perSecond, decimals: duration < 2000 ? 4 : 3,
            leadingZero: false)
        append(UInt8(ascii: "s"))
    }
}
