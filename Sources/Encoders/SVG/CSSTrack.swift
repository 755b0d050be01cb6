import Motion

/// The values of a CSS property of an element over the cycle.
struct CSSTrack {
    enum Property {
        case opacity, translate, rotate, scale
        /// A second translation beside the first.
        case transform

        /// The value that leaves the element as it was drawn.
        var identity: CSSValue {
            self == .scale || self == .opacity ? CSSValue(x: 1) : CSSValue(x: 0)
        }
    }

    struct Stop {
        var instant: Instant
        var value: CSSValue
        /// The easing from here to the next stop.
        var easing: Easing
    }

    let property: Property
    /// The value of the element without animation.
    let base: CSSValue
    var stops: [Stop]

    /// Converts the motion of a glyph.
    ///
    /// - Parameters:
    ///   - tracks: The glyph's motion.
    ///   - isFinished: True if the finished text shows the glyph.
    /// - Returns: The properties that change.
    static func tracks(of tracks: GlyphTracks, isFinished: Bool) -> [CSSTrack] {
        var result: [CSSTrack] = []
        func add(_ property: Property, _ track: Track?, base: CSSValue? = nil) {
            guard let track, track.keyframes.count > 1 else { return }
            let stops = track.keyframes.map {
                Stop(instant: $0.instant, value: CSSValue(x: $0.value), easing: $0.easing)
            }
            result.append(
                CSSTrack(property: property, base: base ?? property.identity, stops: stops))
        }
        add(.opacity, tracks.opacity, base: CSSValue(x: isFinished ? 1 : 0))
        if let translation = translation(tracks[.offsetX], tracks[.offsetY]) {
            result.append(translation)
        }
        add(.rotate, tracks[.rotation])
        add(.scale, tracks[.scale])
        return result
    }

    /// Returns both offsets as one property; nil where neither changes.
    private static func translation(_ x: Track?, _ y: Track?) -> CSSTrack? {
        let moving = [x, y].compactMap { $0 }.filter { $0.keyframes.count > 1 }
        guard let first = moving.first else { return nil }
        let instants: [Instant]
        if moving.count == 1 || moving[0].hasTiming(of: moving[1]) {
            instants = first.keyframes.map(\.instant)
        } else {
            // Only cursors change their offsets at different instants, and they jump.
            instants = Set(moving.flatMap { $0.keyframes.map(\.instant) }).sorted()
        }
        let isCommon = instants.count == first.keyframes.count
        let stops = instants.enumerated().map { index, instant in
            Stop(
                instant: instant,
                value: CSSValue(
                    x: x?.value(at: instant) ?? 0, y: y?.value(at: instant) ?? 0),
                easing: isCommon ? first.keyframes[index].easing : .hold)
        }
        return CSSTrack(property: .translate, base: CSSValue(x: 0), stops: stops)
    }

    /// Returns true if the value is 0 from one instant to another.
    func isZero(from start: Instant, to end: Instant) -> Bool {
        guard start < end, let first = stops.first, let last = stops.last else { return true }
        if start < first.instant, first.value.x != 0 { return false }
        for (stop, next) in zip(stops, stops.dropFirst())
        where stop.instant < end && next.instant > start {
            if stop.value.x != 0 || stop.easing != .hold && next.value.x != 0 { return false }
        }
        return end <= last.instant || last.value.x == 0
    }

    /// Returns true if both tracks have the same instants and easings.
    func hasTiming(of other: CSSTrack) -> Bool {
        stops.count == other.stops.count
            && zip(stops, other.stops).allSatisfy {
                $0.instant == $1.instant && $0.easing == $1.easing
            }
    }
}

/// One or two numbers; two for a translation.
struct CSSValue: Equatable {
    var x: Double
    var y = 0.0
}

extension Track {
    fileprivate func hasTiming(of other: Track) -> Bool {
        keyframes.count == other.keyframes.count
            && zip(keyframes, other.keyframes).allSatisfy {
                $0.instant == $1.instant && $0.easing == $1.easing
            }
    }
}

/// A part of a track between two of its rests at the base value.
struct CSSChange {
    var track: CSSTrack
    /// True if the cycle begins with the first value, which is not the base value.
    var fillsBackwards = false
    /// True if the cycle ends with the last value, which is not the base value.
    var fillsForwards = false

    static func changes(of track: CSSTrack) -> [CSSChange] {
        var changes: [CSSChange] = []
        var stops: [CSSTrack.Stop] = []
        func close() {
            defer { stops = [] }
            guard stops.count > 1 else { return }
            var own = track
            own.stops = stops
            changes.append(CSSChange(track: own))
        }
        for stop in track.stops {
            if let last = stops.last, last.value == track.base, stop.value == track.base {
                close()
            }
            stops.append(stop)
        }
        close()
        if let first = changes.first, first.track.stops[0].value != track.base {
            changes[0].fillsBackwards = true
        }
        if let last = changes.last, last.track.stops.last?.value != track.base {
            changes[changes.count - 1].fillsForwards = true
        }
        return changes.map(trimmed)
    }

    /// Returns a change without the rest at the base value before its first jump.
    private static func trimmed(_ change: CSSChange) -> CSSChange {
        var change = change
        while change.track.stops.count > 2, change.track.stops[0].value == change.track.base,
            change.track.stops[0].easing == .hold
        {
            change.track.stops.removeFirst()
        }
        return change
    }

    var end: Instant { track.stops[track.stops.count - 1].instant }

    /// The instant of a single jump, and whether it ends at the base value; nil for other changes.
    var jump: (instant: Instant, isArrival: Bool)? {
        guard track.stops.count == 2, track.stops[0].easing == .hold else { return nil }
        if fillsBackwards, !fillsForwards { return (track.stops[1].instant, true) }
        if fillsForwards, !fillsBackwards { return (track.stops[1].instant, false) }
        return nil
    }

    /// The value before a jump to the base value, or after a jump from it.
    var jumpValue: (CSSTrack.Property, CSSValue) {
        (track.property, track.stops[fillsBackwards ? 0 : 1].value)
    }

    var commonEasing: Easing {
        CSSWriter.commonEasing(of: track.stops)
    }

    /// Returns true if both have the same fill mode, instants and easings.
    func hasTiming(of other: CSSChange) -> Bool {
        fillsBackwards == other.fillsBackwards
            && fillsForwards == other.fillsForwards && track.hasTiming(of: other.track)
    }
}
