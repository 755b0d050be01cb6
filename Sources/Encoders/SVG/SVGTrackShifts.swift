import Motion

/// The two times by which one motion is later than another that is otherwise equal: the first up to
/// some instant, the last from there on.
struct SVGTrackShifts {
    private(set) var first: Int?
    private(set) var last: Int?
    private var lastOfFirst = Int.min
    private var firstOfLast = Int.max

    /// The instant from which motions are shifted by `last`, in ticks of the other motion.
    var boundary: Int { firstOfLast }

    /// True if there is no difference in time.
    var isNone: Bool { first ?? 0 == 0 && last ?? 0 == 0 }

    /// Finds the shifts of one motion of a scene from another; nil where they differ in anything
    /// else. Its offsets across are the other's times `factor`.
    init?(
        of tracks: Span<GlyphTracks>, _ own: Int, from other: Int,
        isFinished: Bool, factor: Double
    ) {
        guard tracks[own].others.count == tracks[other].others.count,
            (tracks[own].fill == nil) == (tracks[other].fill == nil),
            matches(
                tracks[own].opacity.keyframes, tracks[other].opacity.keyframes,
                base: isFinished ? 1 : 0, factor: 1)
        else { return nil }
        for index in tracks[own].others.indices {
            let property = tracks[own].others[index].property
            guard property == tracks[other].others[index].property,
                matches(
                    tracks[own].others[index].track.keyframes,
                    tracks[other].others[index].track.keyframes, base: property.identity,
                    factor: property == .offsetX ? factor : 1)
            else { return nil }
        }
        if let fill = tracks[own].fill, let otherFill = tracks[other].fill {
            guard fill.keyframes.count == otherFill.keyframes.count,
                zip(fill.keyframes, otherFill.keyframes).allSatisfy({ $0.value == $1.value }),
                matches(fill.shares, otherFill.shares, base: 1, factor: 1)
            else { return nil }
        }
        guard lastOfFirst < firstOfLast else { return nil }
    }

    private mutating func matches(
        _ own: [Keyframe<Instant, Double>], _ other: [Keyframe<Instant, Double>], base: Double,
        factor: Double
    ) -> Bool {
        if factor == 1 { return matches(own, other, base: base) { $0 == $1 } }
        return matches(own, other, base: base) { abs($0 - $1 * factor) <= 1e-6 * abs($0) }
    }

    @inline(__always)
    private mutating func matches(
        _ own: [Keyframe<Instant, Double>], _ other: [Keyframe<Instant, Double>], base: Double,
        _ areAlike: (Double, Double) -> Bool
    ) -> Bool {
        guard own.count == other.count else { return false }
        guard own.count > 1 else { return own.first?.value == other.first?.value }
        var shift: Int?
        for index in own.indices {
            guard own[index].easing == other[index].easing,
                areAlike(own[index].value, other[index].value)
            else { return false }
            // The value before a jump at the beginning has held forever.
            if index == 0, own[0].easing == .hold, own[1].value == base,
                own.count == 2 || own[2].value == base
            {
                continue
            }
            let difference = own[index].time.ticks - other[index].time.ticks
            if let shift, difference != shift {
                // Only rests may be longer or shorter.
                guard own[index].value == base, own[index - 1].value == base else { return false }
            }
            shift = difference
            guard takes(difference, at: other[index].time.ticks) else { return false }
        }
        return true
    }

    private mutating func takes(_ shift: Int, at instant: Int) -> Bool {
        if first == nil { first = shift }
        if shift == first, last == nil || instant < firstOfLast {
            lastOfFirst = max(lastOfFirst, instant)
            return true
        }
        guard last == nil || last == shift else { return false }
        last = shift
        firstOfLast = min(firstOfLast, instant)
        return true
    }
}

extension Track<ColorMix> {
    /// The share of the glyph's own colour.
    fileprivate var shares: [Keyframe<Instant, Double>] {
        keyframes.map {
            Keyframe($0.time, value: $0.value.ownShare, easing: $0.easing)
        }
    }
}
