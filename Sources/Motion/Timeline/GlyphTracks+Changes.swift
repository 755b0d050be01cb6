extension GlyphTracks {
    /// The instants, in ticks, at which the glyph may look different from the tick before, in
    /// ascending order and apart from each other; what a hidden glyph does counts for nothing.
    package var changes: [ClosedRange<Int>] {
        let shown = opacity.shownSpans
        var changes = opacity.changes
        for track in [offsetX, offsetY, scale, rotation] {
            guard let track else { continue }
            for change in track.changes {
                changes += shown.compactMap { change.overlap(with: $0) }
            }
        }
        return changes.merged
    }
}

extension Track {
    /// The instants at which the value may differ from the tick before.
    fileprivate var changes: [ClosedRange<Int>] {
        zip(keyframes, keyframes.dropFirst()).compactMap { from, to in
            guard from.value != to.value else { return nil }
            let end = to.instant.ticks
            return (from.easing == .hold ? end : from.instant.ticks + 1)...end
        }
    }

    /// When the value is more than 0, or on its way from or to that.
    fileprivate var shownSpans: [ClosedRange<Int>] {
        var spans: [ClosedRange<Int>] = []
        if let first = keyframes.first, first.value > 0 {
            spans.append(Int.min...first.instant.ticks)
        }
        for (from, to) in zip(keyframes, keyframes.dropFirst())
        where from.value > 0 || (to.value > 0 && from.easing != .hold) {
            spans.append(from.instant.ticks...to.instant.ticks)
        }
        if let last = keyframes.last, last.value > 0 {
            spans.append(last.instant.ticks...Int.max)
        }
        return spans
    }
}

extension ClosedRange<Int> {
    fileprivate func overlap(with other: ClosedRange<Int>) -> ClosedRange<Int>? {
        overlaps(other) ? clamped(to: other) : nil
    }
}

extension [ClosedRange<Int>] {
    /// The same instants in ascending order, ranges that touch joined.
    package var merged: [ClosedRange<Int>] {
        var merged: [ClosedRange<Int>] = []
        for range in sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = merged.last, range.lowerBound <= last.upperBound + 1 {
                merged[merged.count - 1] =
                    last
                    .lowerBound...Swift.max(
                        last.upperBound, range.upperBound)
            } else {
                merged.append(range)
            }
        }
        return merged
    }
}
