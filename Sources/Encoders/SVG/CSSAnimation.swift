import Motion

/// An animation of one element (CSS Animations 1).
struct CSSAnimation {
    /// An `animation-timing-function`.
    enum Timing: Equatable {
        case easing(Easing)
        case stepStart
    }

    /// An `animation-fill-mode`.
    enum Fill {
        case none, backwards, forwards, both
    }

    /// The content of the `@keyframes` rule.
    let keyframes: [UInt8]
    /// The easing from keyframes that have none of their own.
    let timing: Timing
    let delay: Instant
    /// Tenths of a millisecond; 0 for a jump.
    let duration: Int
    let fill: Fill

    /// True if there are keyframes between the start and the end.
    var hasInnerKeyframes: Bool { keyframes.contains(UInt8(ascii: "%")) }
}

/// Makes the animations that play tracks once.
///
/// Each change of a track away from its base value, or back to it, is an animation of its own, whose
/// keyframes glyphs share that change so at different times.
struct FiniteCSSAnimations {
    let writer: CSSWriter

    func animations(of tracks: [CSSTrack]) -> [CSSAnimation] {
        var groups: [[CSSChange]] = []
        for track in tracks {
            for change in CSSChange.changes(of: track) {
                if let match = groups.firstIndex(where: { $0[0].hasTiming(of: change) }) {
                    groups[match].append(change)
                } else {
                    groups.append([change])
                }
            }
        }
        return groups.map(animation)
    }

    /// Returns one animation of properties that change at the same instants.
    private func animation(_ changes: [CSSChange]) -> CSSAnimation {
        let first = changes[0]
        var sink = ByteSink(capacity: 96)
        if let jump = first.jump {
            writer.write(jump.isArrival ? "from" : "to", changes.map { $0.jumpValue }, nil, &sink)
            return CSSAnimation(
                keyframes: sink.bytes(), timing: .easing(.linear), delay: jump.instant,
                duration: 0, fill: jump.isArrival ? .backwards : .forwards)
        }
        let start = first.track.stops[0].instant
        let duration = first.end.ticks - start.ticks
        let easing = first.commonEasing
        let decimals = CSSWriter.decimals(of: first.track.stops, length: duration)
        for (index, stop) in first.track.stops.enumerated() {
            let values = changes.map { ($0.track.property, $0.track.stops[index].value) }
            let ticks = stop.instant.ticks - start.ticks
            let isBase = changes.allSatisfy { $0.track.stops[index].value == $0.track.base }
            // A missing first or last keyframe is the base state.
            if isBase, ticks == duration || ticks == 0 && stop.easing == easing { continue }
            writer.write(
                CSSWriter.percent(ticks, of: duration, decimals: decimals), values,
                ticks == duration || stop.easing == easing ? nil : stop.easing, &sink)
        }
        let fill: CSSAnimation.Fill =
            switch (first.fillsBackwards, first.fillsForwards) {
            case (true, true): .both
            case (true, false): .backwards
            case (false, true): .forwards
            case (false, false): .none
            }
        return CSSAnimation(
            keyframes: sink.bytes(), timing: .easing(easing), delay: start, duration: duration,
            fill: fill)
    }
}

/// Makes the animations that repeat tracks, each as long as the cycle, so that every cycle equals
/// the first.
struct LoopingCSSAnimations {
    let writer: CSSWriter
    /// Ticks of one cycle.
    let cycle: Int

    func animations(of tracks: [CSSTrack]) -> [CSSAnimation] {
        var groups: [[CSSTrack]] = []
        var delayed: [CSSAnimation] = []
        var fadingTracks: [CSSTrack] = []
        let opacity = tracks.first { $0.property == .opacity }
        for track in tracks {
            if let own = delayedAnimations(of: track, opacity) {
                delayed += own
            } else if let match = groups.firstIndex(where: { $0[0].hasTiming(of: track) }) {
                groups[match].append(track)
            } else if let opacity, changes(track, duringFadeOut: opacity) {
                fadingTracks.append(track)
            } else {
                groups.append([track])
            }
        }
        return groups.enumerated().map { index, group in
            animation(group, fadingTracks: index == 0 ? fadingTracks : [])
        } + delayed
    }

    /// Returns true if a track leaves its base value while the opacity goes to 0 with the same
    /// easing.
    ///
    /// The opacity's keyframes can hold it then: its value in a hidden glyph does not matter.
    private func changes(_ track: CSSTrack, duringFadeOut opacity: CSSTrack) -> Bool {
        guard track.stops.count == 2, track.stops[0].value == track.base,
            let start = opacity.stops.first(where: { $0.instant == track.stops[0].instant }),
            opacity.stops.contains(where: { $0.instant == track.stops[1].instant })
        else { return false }
        return start.easing == track.stops[0].easing && start.easing != .hold
            && opacity.isZero(from: track.stops[1].instant, to: Instant(ticks: cycle))
    }

    /// Returns the animations of a translation with many keyframes, delayed to its start; nil where
    /// the glyph shows before an entrance or after an exit.
    ///
    /// The position of a hidden glyph does not matter, so glyphs share keyframes and differ in the
    /// delay. The entrance animates `translate` and the exit `transform`, which do not override
    /// each other.
    private func delayedAnimations(
        of track: CSSTrack, _ opacity: CSSTrack?
    ) -> [CSSAnimation]? {
        let changes = CSSChange.changes(of: track)
        guard track.property == .translate, changes.count <= 2,
            changes.contains(where: { $0.track.stops.count > 2 })
        else { return nil }
        func isHidden(from start: Instant, to end: Instant) -> Bool {
            opacity?.isZero(from: start, to: end) ?? false
        }
        var result: [CSSAnimation] = []
        for change in changes {
            let (start, end) = (change.track.stops[0].instant, change.end)
            if change.fillsForwards {
                guard !change.fillsBackwards, isHidden(from: end, to: Instant(ticks: cycle))
                else { return nil }
                result.append(animation(change, property: .transform))
            } else {
                guard result.isEmpty,
                    change.track.stops[0].value == track.base || isHidden(from: .zero, to: start)
                else { return nil }
                result.append(animation(change, property: .translate))
            }
        }
        return result
    }

    private func animation(_ change: CSSChange, property: CSSTrack.Property) -> CSSAnimation {
        let stops = change.track.stops
        let easing = change.commonEasing
        let decimals = CSSWriter.decimals(of: stops, length: cycle)
        var sink = ByteSink(capacity: 256)
        for (index, stop) in stops.enumerated() {
            let isLast = index == stops.count - 1
            if index == 0, stop.value == change.track.base, stop.easing == easing { continue }
            let ticks = stop.instant.ticks - stops[0].instant.ticks
            writer.write(
                CSSWriter.percent(ticks, of: cycle, decimals: decimals),
                [(property, stop.value)],
                isLast || stop.easing == easing ? nil : stop.easing,
                jumpsToNext: isLast && change.fillsForwards, &sink)
        }
        return CSSAnimation(
            keyframes: sink.bytes(), timing: .easing(easing), delay: stops[0].instant,
            duration: cycle, fill: .both)
    }

    private func animation(_ group: [CSSTrack], fadingTracks: [CSSTrack]) -> CSSAnimation {
        // A jump at the cycle's end would have no percentage behind it.
        let jumps =
            group[0].stops.dropLast().allSatisfy { $0.easing == .hold }
            && (group[0].stops.last?.instant.ticks ?? 0) < cycle
        var sink = ByteSink(capacity: 96)
        if jumps { writeJumps(group, &sink) } else { writeStops(group, fadingTracks, &sink) }
        let easing = CSSWriter.commonEasing(of: group[0].stops)
        return CSSAnimation(
            keyframes: sink.bytes(), timing: jumps ? .stepStart : .easing(easing), delay: .zero,
            duration: cycle, fill: .both)
    }

    /// Writes values for `step-start`: each at the instant at which it ends.
    private func writeJumps(_ group: [CSSTrack], _ sink: inout ByteSink) {
        let stops = group[0].stops
        let decimals = CSSWriter.decimals(of: stops, length: cycle)
        for index in stops.indices {
            let isLast = index == stops.count - 1
            if isLast, group.allSatisfy({ $0.stops[index].value == $0.base }) { break }
            let end = isLast ? cycle : stops[index + 1].instant.ticks
            guard end > 0 else { continue }
            writer.write(
                CSSWriter.percent(end, of: cycle, decimals: decimals),
                group.map { ($0.property, $0.stops[index].value) }, nil, &sink)
        }
    }

    private func writeStops(
        _ group: [CSSTrack], _ fadingTracks: [CSSTrack], _ sink: inout ByteSink
    ) {
        let stops = group[0].stops
        let easing = CSSWriter.commonEasing(of: stops)
        let decimals = CSSWriter.decimals(of: stops, length: cycle)
        for (index, stop) in stops.enumerated() {
            let isLast = index == stops.count - 1
            let isBase = group.allSatisfy { $0.stops[index].value == $0.base }
            var selector = CSSWriter.percent(stop.instant.ticks, of: cycle, decimals: decimals)
            // The first value also holds before its stop, the last one after it.
            if index == 0, stop.instant > .zero {
                selector = isBase && stop.easing == easing ? selector : "0%," + selector
            }
            if isLast, !isBase, stop.instant.ticks < cycle { selector += ",to" }
            let changes =
                !isLast && group.contains { $0.stops[index].value != $0.stops[index + 1].value }
            var values = group.map { ($0.property, $0.stops[index].value) }
            for track in fadingTracks {
                for own in track.stops where own.instant == stop.instant {
                    values.append((track.property, own.value))
                }
            }
            writer.write(
                selector, values, changes && stop.easing != easing ? stop.easing : nil, &sink)
        }
    }
}
