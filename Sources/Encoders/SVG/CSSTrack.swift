import Motion

/// The values of a CSS property of an element over the cycle.
struct CSSTrack {
    struct Stop {
        var instant: Instant
        var value: CSSValue
        /// The easing from here to the next stop.
        var easing: Easing
        /// True if the value stays only because more cannot be drawn.
        var isCut = false
    }

    let property: CSSProperty
    /// The value of the element without animation.
    let base: CSSValue
    /// True if the values are combined with those of another track of the property: translations
    /// are added, scales multiplied (CSS Transforms 2, 6).
    var isAdded = false
    var stops: [Stop]

    /// True if its last value is the base value.
    var endsAtBase: Bool { stops.last?.value == base }

    /// Returns true if an element has a value without any keyframe, even while it is animated.
    func isImplicit(_ value: CSSValue) -> Bool {
        value == base && !property.has(.explicit)
    }

    /// Returns true if the value is 0 from one instant to another.
    func isZero(from start: Instant, to end: Instant) -> Bool {
        guard start < end, let first = stops.first, let last = stops.last else { return true }
        if start < first.instant, first.value != .number(0) { return false }
        for (stop, next) in zip(stops, stops.dropFirst())
        where stop.instant < end && next.instant > start {
            guard stop.value == .number(0), stop.easing == .hold || next.value == .number(0) else {
                return false
            }
        }
        return end <= last.instant || last.value == .number(0)
    }

    /// The instant until which an opacity is 0 from the cycle's start.
    var hiddenStart: Instant {
        guard let shown = stops.firstIndex(where: { $0.value != .number(0) }) else {
            return stops.last?.instant ?? .zero
        }
        guard shown > 0 else { return .zero }
        return stops[shown - 1].easing == .hold ? stops[shown].instant : stops[shown - 1].instant
    }

    /// The instant from which an opacity is 0 until the cycle's end; nil if it is not.
    var hiddenEnd: Instant? {
        guard let shown = stops.lastIndex(where: { $0.value != .number(0) }) else { return .zero }
        return shown + 1 < stops.count ? stops[shown + 1].instant : nil
    }

    /// The time in which an opacity is not 0, as a track that only jumps.
    var visibility: CSSTrack {
        var stops: [Stop] = []
        func add(_ instant: Instant, _ value: Double) {
            stops.append(Stop(instant: instant, value: .number(value), easing: .hold))
        }
        if hiddenStart > .zero { add(.zero, 0) }
        add(hiddenStart, 1)
        if let hiddenEnd { add(hiddenEnd, 0) }
        return CSSTrack(property: .visibility, base: .number(1), stops: stops)
    }

    /// Returns true if it scales, turns, or skews the glyph while another property changes.
    func changesSize(during change: CSSChange) -> Bool {
        guard property.has(.aboutCenter) else { return false }
        let (start, end) = (change.track.stops[0].instant, change.end)
        return CSSChange.changes(of: self).contains {
            $0.track.stops[0].instant < end && $0.end > start
                || $0.fillsForwards && $0.end <= start || $0.fillsBackwards && $0.end >= end
        }
    }

    /// Returns true if both tracks have the same instants and easings, so that keyframes can have
    /// the values of both.
    func hasTiming(of other: CSSTrack) -> Bool {
        isAdded == other.isAdded && stops.count == other.stops.count
            && zip(stops, other.stops).allSatisfy {
                $0.instant == $1.instant && $0.easing == $1.easing
            }
    }

    /// The most frequent easing of changes between stops; the first of several equally frequent
    /// ones.
    var commonEasing: Easing {
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
