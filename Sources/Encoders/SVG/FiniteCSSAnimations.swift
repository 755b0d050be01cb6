import Bytes
import Motion

/// Makes the animations that play tracks once.
///
/// Each change of a track away from its base value, or back to it, is an animation of its own.
/// Glyphs that change alike at different times share its keyframes.
struct FiniteCSSAnimations {
    let writer: CSSWriter

    func animations(of tracks: [CSSTrack]) -> [CSSAnimation] {
        var changes = tracks.flatMap(CSSChange.changes)
        CSSChange.alignStarts(&changes)
        var groups: [[CSSChange]] = []
        for change in changes {
            if let match = groups.firstIndex(where: { $0[0].hasTiming(of: change) }) {
                groups[match].append(change)
            } else {
                groups.append([change])
            }
        }
        return groups.map(animation)
    }

    /// Returns one animation of properties that change at the same instants.
    private func animation(_ changes: [CSSChange]) -> CSSAnimation {
        let first = changes[0]
        let easing = first.jump == nil ? first.track.commonEasing : .linear
        let mode = CSSAnimation.Mode(
            timing: .easing(easing), fill: first.fill, isAdded: first.track.isAdded)
        var sink = ByteSink(capacity: 96)
        if let jump = first.jump {
            writer.write([jump.isArrival ? .from : .to], changes.map(\.jumpValue), nil, &sink)
            return CSSAnimation(
                keyframes: CSSAnimation.Keyframes(text: sink.bytes()), hasInnerKeyframes: false,
                mode: mode, delay: jump.instant, duration: 0)
        }
        let start = first.track.stops[0].instant
        let duration = first.end.ticks - start.ticks
        let decimals = CSSKeyframeSelector.decimals(of: first.track.stops, duration: duration)
        let axis = CSSKeyframeAxis(from: start, duration: duration, decimals: decimals)
        for (index, stop) in first.track.stops.enumerated() {
            let values = changes.map {
                (property: $0.track.property, value: $0.track.stops[index].value)
            }
            let ticks = stop.instant.ticks - start.ticks
            let isBase = changes.allSatisfy { $0.track.isImplicit($0.track.stops[index].value) }
            // A missing first or last keyframe is the base state.
            if !isBase || ticks != duration && (ticks != 0 || stop.easing != easing) {
                writer.write(
                    [CSSKeyframeSelector(ticks, of: duration, decimals: decimals)], values,
                    ticks == duration || stop.easing == easing ? nil : stop.easing, &sink)
            }
            guard index + 1 < first.track.stops.count else { break }
            writer.writeLevels(
                of: changes.map(\.track), from: stop.instant,
                to: first.track.stops[index + 1].instant, axis, easing, &sink)
        }
        return CSSAnimation(
            keyframes: CSSAnimation.Keyframes(text: sink.bytes()),
            hasInnerKeyframes: first.track.stops.count > 2, mode: mode, delay: start,
            duration: duration)
    }
}
