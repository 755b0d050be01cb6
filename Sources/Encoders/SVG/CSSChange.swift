import Motion

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
            if let last = stops.last, last.value == track.base, stop.value == track.base,
                !last.isCut
            {
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

    /// Aligns the starts of the entrance's changes of most properties (`delayedAlways`), and of
    /// the exit's, so that a glyph has one delay for each.
    static func alignStarts(_ changes: inout [CSSChange]) {
        for isEntrance in [true, false] {
            let own = changes.indices.filter {
                let change = changes[$0]
                return change.track.property.has(.delayedAlways) && change.jump == nil
                    && change.fillsBackwards == isEntrance && change.fillsForwards != isEntrance
            }
            guard let first = own.map({ changes[$0].track.stops[0].instant }).min() else {
                continue
            }
            for index in own where changes[index].track.stops[0].instant > first {
                let (track, easing) = (changes[index].track, changes[index].track.commonEasing)
                var stop = track.stops[0]
                stop.instant = first
                if isEntrance || stop.value == track.base {
                    stop.easing = easing
                } else {
                    (stop.value, stop.easing) = (track.base, .hold)
                }
                changes[index].track.stops.insert(stop, at: 0)
            }
        }
    }

    /// The fill mode of an animation of this change only.
    var fill: CSSAnimation.Fill {
        switch (fillsBackwards, fillsForwards) {
        case (true, true): .both
        case (true, false): .backwards
        case (false, true): .forwards
        case (false, false): .none
        }
    }

    var end: Instant { track.stops[track.stops.count - 1].instant }

    /// The instant of a single jump, and whether it ends at the base value; nil for other changes.
    var jump: (instant: Instant, isArrival: Bool)? {
        guard track.stops.count == 2, track.stops[0].easing == .hold else { return nil }
        if fillsBackwards, !fillsForwards { return (track.stops[1].instant, true) }
        // The rest at the base value before another jump was trimmed.
        if fillsForwards, !fillsBackwards, track.stops[0].value == track.base {
            return (track.stops[1].instant, false)
        }
        return nil
    }

    /// The value before a jump to the base value, or after a jump from it.
    var jumpValue: (property: CSSProperty, value: CSSValue) {
        (track.property, track.stops[fillsBackwards ? 0 : 1].value)
    }

    /// Returns true if both have the same fill mode, instants, and easings.
    func hasTiming(of other: CSSChange) -> Bool {
        fillsBackwards == other.fillsBackwards && fillsForwards == other.fillsForwards
            && (jump == nil) == (other.jump == nil) && track.hasTiming(of: other.track)
    }
}
