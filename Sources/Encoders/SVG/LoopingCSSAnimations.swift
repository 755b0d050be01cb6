import Bytes
import Motion

/// Makes the animations that repeat tracks, each as long as the cycle, so that every cycle equals
/// the first.
struct LoopingCSSAnimations {
    let writer: CSSWriter
    /// Ticks of one cycle.
    let cycle: Int
    /// True if there is one cycle only: a property that ends at its base value then leaves no
    /// animation behind.
    let isOnce: Bool

    /// Makes the animations of an element.
    ///
    /// - Parameters:
    ///   - tracks: The properties of the element.
    ///   - around: The opacity of an element around it; nil for none.
    /// - Returns: The animations.
    func animations(of tracks: [CSSTrack], within around: CSSTrack?) -> [CSSAnimation] {
        var groups: [[CSSTrack]] = []
        var delayed: [DelayedChange] = []
        var fadingTracks: [CSSTrack] = []
        // An opacity of its own can hold other properties in its keyframes.
        let own = around == nil ? tracks.first { $0.property == .opacity } : nil
        let opacity = around ?? own
        for track in tracks {
            if track.property == .translate,
                let delays = delayedChanges(of: track, tracks, opacity)
            {
                delayed += delays
            } else if let match = groups.firstIndex(where: { $0[0].hasTiming(of: track) }) {
                groups[match].append(track)
            } else if let own, track.property != .opacity, changes(track, duringFadeOut: own) {
                fadingTracks.append(track)
            } else if track.property != .opacity,
                let delays = delayedChanges(
                    of: track, tracks, opacity, isDelayed: around != nil)
            {
                delayed += delays
            } else {
                groups.append([track])
            }
        }
        if let own, fadingTracks.isEmpty { delayOpacity(own, tracks, &groups, &delayed) }
        let animations =
            groups.enumerated().map { index, group in
                animation(group, fadingTracks: index == 0 ? fadingTracks : [])
            } + self.delayed(delayed)
        guard animations.contains(where: \.mode.isAdded) else { return animations }
        return animations.filter { !$0.mode.isAdded } + animations.filter(\.mode.isAdded)
    }

    /// Delays the changes of an opacity too, so that glyphs share its keyframes, if it has many and
    /// the glyphs share others.
    ///
    /// The opacity of a hidden glyph does not matter either, so only the span in which the glyph
    /// shows has keyframes of its own.
    private func delayOpacity(
        _ opacity: CSSTrack, _ tracks: [CSSTrack], _ groups: inout [[CSSTrack]],
        _ delayed: inout [DelayedChange]
    ) {
        guard opacity.base == .number(1), opacity.hiddenStart > .zero || opacity.hiddenEnd != nil,
            let index = groups.firstIndex(where: { $0[0].property == .opacity })
        else { return }
        // A blur has a keyframe for each of its levels.
        let hasLevels = groups[index].contains { $0.property == .blur }
        guard
            hasLevels || opacity.stops.contains(where: \.isCut)
                || delayed.contains(where: { $0.change.track.property != .translate }),
            hasLevels
                || CSSChange.changes(of: opacity).contains(where: { $0.track.stops.count > 2 })
        else { return }
        var own: [DelayedChange] = []
        for track in groups[index] {
            guard
                let changes = delayedChanges(
                    of: track, tracks, opacity, isDelayed: hasLevels)
            else { return }
            own += changes
        }
        delayed = own + delayed
        groups[index] = [opacity.visibility]
    }

    /// Returns true if a track leaves its base value while the opacity goes to 0 with the same
    /// easing.
    ///
    /// The opacity's keyframes can then hold the track, whose value in a hidden glyph does not
    /// matter.
    private func changes(_ track: CSSTrack, duringFadeOut opacity: CSSTrack) -> Bool {
        guard track.stops.count == 2, track.isImplicit(track.stops[0].value), !track.isAdded,
            let start = opacity.stops.first(where: { $0.instant == track.stops[0].instant }),
            opacity.stops.contains(where: { $0.instant == track.stops[1].instant })
        else { return false }
        return start.easing == track.stops[0].easing && start.easing != .hold
            && opacity.isZero(from: track.stops[1].instant, to: Instant(ticks: cycle))
    }

    /// A change with keyframes that glyphs share, each with a delay of its own.
    private struct DelayedChange {
        var change: CSSChange
        var property: CSSProperty
        let fill: CSSAnimation.Fill
        /// True if the values end with the last keyframe, so that the values of another change
        /// count again.
        let jumpsToBase: Bool

        func hasTiming(of other: DelayedChange) -> Bool {
            fill == other.fill && jumpsToBase == other.jumpsToBase
                && change.hasTiming(of: other.change)
        }
    }

    /// Returns the changes of a track, delayed to their starts, if it has many keyframes or
    /// `isDelayed` is true; nil for others, and where the glyph shows before an entrance or after
    /// an exit.
    ///
    /// The look of a hidden glyph does not matter, so glyphs share keyframes and differ in the
    /// delay. The last of several changes to one property counts, unless it has no value of its
    /// own: a later change has no first and no last keyframe.
    private func delayedChanges(
        of track: CSSTrack, _ tracks: [CSSTrack], _ opacity: CSSTrack?, isDelayed: Bool = false
    ) -> [DelayedChange]? {
        let changes = CSSChange.changes(of: track)
        // Chromium mixes an angle with another one that is on its way to a value other than 0.
        guard track.property != .translate || changes.count <= 2,
            !track.property.has(.angle) || changes.count == 1,
            // Chromium shows the value at rest where a change to references has none of its own.
            track.property != .blur || changes.count == 1 || writer.levels?.areForAll != true,
            isDelayed || track.property.has(.delayedAlways) || track.isAdded
                || changes.contains(where: { $0.track.stops.count > 2 })
        else { return nil }
        var result: [DelayedChange] = []
        for (index, change) in changes.enumerated() {
            var change = change
            let length = change.track.stops.count
            let jumpsAway =
                !change.fillsBackwards && change.track.stops[0].value != track.base
            guard !(change.fillsBackwards && change.fillsForwards),
                !change.fillsBackwards || start(&change, opacity),
                !change.fillsForwards || end(&change, opacity),
                // Cursors are displaced as long as they show.
                track.property != .translate
                    || change.track.stops.count == length && !jumpsAway
            else { return nil }
            // A second translation spares the rules for other properties.
            let isApart =
                track.property == .translate && change.fillsForwards && !track.isAdded
                && !tracks.contains {
                    $0.property.has(.transform) || $0.changesSize(during: change)
                }
            result.append(
                DelayedChange(
                    change: change, property: isApart ? .transform : track.property,
                    fill: fill(
                        index == 0 && !jumpsAway || isApart ? .both : .none,
                        endsAtBase: !change.fillsForwards),
                    jumpsToBase: change.fillsForwards || index > 0
                        || track.property.has(.explicit)))
        }
        return result
    }

    /// Returns the fill mode of an animation, which may end at its base value.
    private func fill(_ fill: CSSAnimation.Fill, endsAtBase: Bool) -> CSSAnimation.Fill {
        isOnce && endsAtBase && fill == .both ? .backwards : fill
    }

    /// Extends a change that begins off the base value back to the instant at which the glyph
    /// appears.
    private func start(_ change: inout CSSChange, _ opacity: CSSTrack?) -> Bool {
        let start = change.track.stops[0].instant
        let appearance = opacity?.hiddenStart ?? .zero
        guard appearance < start else { return true }
        guard appearance > .zero else { return false }
        var first = change.track.stops[0]
        (first.instant, first.easing) = (appearance, change.track.commonEasing)
        change.track.stops.insert(first, at: 0)
        return true
    }

    /// Extends a change that ends off the base value to the instant at which the glyph is gone.
    private func end(_ change: inout CSSChange, _ opacity: CSSTrack?) -> Bool {
        let disappearance = opacity?.hiddenEnd ?? Instant(ticks: cycle)
        guard disappearance > change.end else { return true }
        guard disappearance.ticks < cycle else { return false }
        var last = change.track.stops[change.track.stops.count - 1]
        last.instant = disappearance
        change.track.stops[change.track.stops.count - 1].easing = change.track.commonEasing
        change.track.stops.append(last)
        return true
    }

    /// Returns the animations of delayed changes: one for all changes at the same instants.
    private func delayed(_ changes: [DelayedChange]) -> [CSSAnimation] {
        var aligned = changes.map(\.change)
        CSSChange.alignStarts(&aligned)
        var groups: [[DelayedChange]] = []
        for (var change, aligned) in zip(changes, aligned) {
            change.change = aligned
            if let match = groups.firstIndex(where: { $0[0].hasTiming(of: change) }) {
                groups[match].append(change)
            } else {
                groups.append([change])
            }
        }
        return groups.map(animation)
    }

    /// Returns one animation of properties that change at the same instants.
    private func animation(_ changes: [DelayedChange]) -> CSSAnimation {
        let first = changes[0].change
        let stops = first.track.stops
        let easing = first.track.commonEasing
        let decimals = CSSKeyframeSelector.decimals(of: stops, duration: cycle)
        let axis = CSSKeyframeAxis(from: stops[0].instant, duration: cycle, decimals: decimals)
        var sink = ByteSink(capacity: 256)
        for (index, stop) in stops.enumerated() {
            let isLast = index == stops.count - 1
            let isBase = changes.allSatisfy {
                $0.change.track.isImplicit($0.change.track.stops[index].value)
            }
            if index > 0 || !isBase || stop.easing != easing {
                let ticks = stop.instant.ticks - stops[0].instant.ticks
                writer.write(
                    [CSSKeyframeSelector(ticks, of: cycle, decimals: decimals)],
                    changes.map { ($0.property, $0.change.track.stops[index].value) },
                    isLast || stop.easing == easing ? nil : stop.easing,
                    jumpsToNext: isLast && changes[0].jumpsToBase, &sink)
            }
            guard !isLast else { break }
            writer.writeLevels(
                of: changes.map(\.change.track), from: stop.instant, to: stops[index + 1].instant,
                axis, easing, &sink)
        }
        return CSSAnimation(
            keyframes: CSSAnimation.Keyframes(text: sink.bytes()), hasInnerKeyframes: true,
            mode: CSSAnimation.Mode(
                timing: .easing(easing), fill: changes[0].fill, isAdded: first.track.isAdded),
            delay: stops[0].instant, duration: cycle)
    }

    private func animation(_ group: [CSSTrack], fadingTracks: [CSSTrack]) -> CSSAnimation {
        // A jump at the cycle's end would have no percentage after it.
        let jumps =
            group[0].stops.dropLast().allSatisfy { $0.easing == .hold }
            && (group[0].stops.last?.instant.ticks ?? 0) < cycle
        var sink = ByteSink(capacity: 96)
        if jumps { writeJumps(group, &sink) } else { writeStops(group, fadingTracks, &sink) }
        return CSSAnimation(
            keyframes: CSSAnimation.Keyframes(text: sink.bytes()), hasInnerKeyframes: true,
            mode: CSSAnimation.Mode(
                timing: jumps ? .stepStart : .easing(group[0].commonEasing),
                fill: fill(
                    .both, endsAtBase: fadingTracks.isEmpty && group.allSatisfy(\.endsAtBase)),
                isAdded: group[0].isAdded),
            delay: .zero, duration: cycle)
    }

    /// Writes values for `step-start`: each at the instant at which it ends.
    private func writeJumps(_ group: [CSSTrack], _ sink: inout ByteSink) {
        let stops = group[0].stops
        let decimals = CSSKeyframeSelector.decimals(of: stops, duration: cycle)
        for index in stops.indices {
            let isLast = index == stops.count - 1
            if isLast, group.allSatisfy({ $0.isImplicit($0.stops[index].value) }) { break }
            let end = isLast ? cycle : stops[index + 1].instant.ticks
            guard end > 0 else { continue }
            writer.write(
                [CSSKeyframeSelector(end, of: cycle, decimals: decimals)],
                group.map { ($0.property, $0.stops[index].value) }, nil, &sink)
        }
    }

    private func writeStops(
        _ group: [CSSTrack], _ fadingTracks: [CSSTrack], _ sink: inout ByteSink
    ) {
        let stops = group[0].stops
        let easing = group[0].commonEasing
        let decimals = CSSKeyframeSelector.decimals(of: stops, duration: cycle)
        let axis = CSSKeyframeAxis(from: .zero, duration: cycle, decimals: decimals)
        for (index, stop) in stops.enumerated() {
            let isLast = index == stops.count - 1
            let isBase = group.allSatisfy { $0.isImplicit($0.stops[index].value) }
            var selectors = [
                CSSKeyframeSelector(stop.instant.ticks, of: cycle, decimals: decimals)
            ]
            // The first value also holds before its stop, the last one after it.
            if index == 0, stop.instant > .zero, !(isBase && stop.easing == easing) {
                selectors.insert(.percentage(0, decimals: 0), at: 0)
            }
            if isLast, !isBase, stop.instant.ticks < cycle { selectors.append(.to) }
            let changes =
                !isLast && group.contains { $0.stops[index].value != $0.stops[index + 1].value }
            var values = group.map { ($0.property, $0.stops[index].value) }
            for track in fadingTracks {
                for own in track.stops where own.instant == stop.instant {
                    values.append((track.property, own.value))
                }
            }
            writer.write(
                selectors, values, changes && stop.easing != easing ? stop.easing : nil, &sink)
            guard !isLast else { break }
            writer.writeLevels(
                of: group + fadingTracks, from: stop.instant, to: stops[index + 1].instant, axis,
                easing, &sink)
        }
    }
}
