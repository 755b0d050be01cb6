import Motion

/// Turns tracks into the lists that play them again and again: each over the whole cycle, so that
/// every cycle equals the first.
struct CSSCycle {
    let writer: CSSWriter
    /// Ticks of one cycle.
    let length: Int

    func animations(of tracks: [CSSTrack]) -> [CSSAnimation] {
        var groups: [[CSSTrack]] = []
        var shifted: [CSSAnimation] = []
        var guests: [CSSTrack] = []
        let opacity = tracks.first { $0.property == .opacity }
        for track in tracks {
            if let own = self.shifted(track, opacity) {
                shifted += own
            } else if let match = groups.firstIndex(where: { $0[0].isInStep(with: track) }) {
                groups[match].append(track)
            } else if let opacity, leavesWith(opacity, track) {
                guests.append(track)
            } else {
                groups.append([track])
            }
        }
        return groups.enumerated().map { index, group in
            animation(group, guests: index == 0 ? guests : [])
        } + shifted
    }

    /// Whether a glyph at rest goes away while its opacity does, by the same easing: then both are
    /// one list, and where the hidden glyph goes afterwards does not matter.
    private func leavesWith(_ opacity: CSSTrack, _ track: CSSTrack) -> Bool {
        guard track.stops.count == 2, track.stops[0].value == track.base,
            let start = opacity.stops.first(where: { $0.instant == track.stops[0].instant }),
            opacity.stops.contains(where: { $0.instant == track.stops[1].instant })
        else { return false }
        return start.easing == track.stops[0].easing && start.easing != .hold
            && opacity.isZero(from: track.stops[1].instant, to: Instant(ticks: length))
    }

    /// A long way of a glyph that is hidden before and after it: where it is then does not matter,
    /// so that glyphs share one list and differ in their delays, in every cycle.
    ///
    /// The way in is `translate`, the way out `transform`, which do not override each other.
    private func shifted(_ track: CSSTrack, _ opacity: CSSTrack?) -> [CSSAnimation]? {
        let pieces = CSSPiece.pieces(of: track)
        guard track.property == .translate, pieces.count <= 2,
            pieces.contains(where: { $0.track.stops.count > 2 })
        else { return nil }
        func isHidden(from start: Instant, to end: Instant) -> Bool {
            opacity?.isZero(from: start, to: end) ?? false
        }
        var result: [CSSAnimation] = []
        for piece in pieces {
            let (start, end) = (piece.track.stops[0].instant, piece.end)
            if piece.fillsForwards {
                guard !piece.fillsBackwards, isHidden(from: end, to: Instant(ticks: length))
                else { return nil }
                result.append(animation(piece, property: .transform))
            } else {
                guard result.isEmpty,
                    piece.track.stops[0].value == track.base || isHidden(from: .zero, to: start)
                else { return nil }
                result.append(animation(piece, property: .translate))
            }
        }
        return result
    }

    private func animation(_ piece: CSSPiece, property: CSSTrack.Property) -> CSSAnimation {
        let stops = piece.track.stops
        let usual = piece.usualEasing
        let decimals = CSSWriter.decimals(of: stops, length: length)
        var sink = ByteSink(capacity: 256)
        for (index, stop) in stops.enumerated() {
            let isLast = index == stops.count - 1
            if index == 0, stop.value == piece.track.base, stop.easing == usual { continue }
            let ticks = stop.instant.ticks - stops[0].instant.ticks
            writer.write(
                CSSWriter.percent(ticks, of: length, decimals: decimals),
                [(property, stop.value)],
                isLast || stop.easing == usual ? nil : stop.easing,
                backAtOnce: isLast && piece.fillsForwards, &sink)
        }
        return CSSAnimation(
            keyframes: sink.bytes(), timing: .easing(usual), delay: stops[0].instant,
            duration: length, fill: .both)
    }

    private func animation(_ group: [CSSTrack], guests: [CSSTrack]) -> CSSAnimation {
        // What changes at the cycle's very end has no stretch of its own.
        let jumps =
            group[0].stops.dropLast().allSatisfy { $0.easing == .hold }
            && (group[0].stops.last?.instant.ticks ?? 0) < length
        var sink = ByteSink(capacity: 96)
        if jumps { writeJumps(group, &sink) } else { writeStops(group, guests, &sink) }
        let usual = CSSWriter.usualEasing(of: group[0].stops)
        return CSSAnimation(
            keyframes: sink.bytes(), timing: jumps ? .stepStart : .easing(usual), delay: .zero,
            duration: length, fill: .both)
    }

    /// Each value at the instant that it lasts until: shorter than where it begins.
    private func writeJumps(_ group: [CSSTrack], _ sink: inout ByteSink) {
        let stops = group[0].stops
        let decimals = CSSWriter.decimals(of: stops, length: length)
        for index in stops.indices {
            let isLast = index == stops.count - 1
            if isLast, group.allSatisfy({ $0.stops[index].value == $0.base }) { break }
            let end = isLast ? length : stops[index + 1].instant.ticks
            guard end > 0 else { continue }
            writer.write(
                CSSWriter.percent(end, of: length, decimals: decimals),
                group.map { ($0.property, $0.stops[index].value) }, nil, &sink)
        }
    }

    private func writeStops(
        _ group: [CSSTrack], _ guests: [CSSTrack], _ sink: inout ByteSink
    ) {
        let stops = group[0].stops
        let usual = CSSWriter.usualEasing(of: stops)
        let decimals = CSSWriter.decimals(of: stops, length: length)
        for (index, stop) in stops.enumerated() {
            let isLast = index == stops.count - 1
            let isBase = group.allSatisfy { $0.stops[index].value == $0.base }
            var selector = CSSWriter.percent(stop.instant.ticks, of: length, decimals: decimals)
            // Before its first stop a track has its first value, after the last the last.
            if index == 0, stop.instant > .zero {
                selector = isBase && stop.easing == usual ? selector : "0%," + selector
            }
            if isLast, !isBase, stop.instant.ticks < length { selector += ",to" }
            let changes =
                !isLast && group.contains { $0.stops[index].value != $0.stops[index + 1].value }
            let easing = changes && stop.easing != usual ? stop.easing : nil
            var values = group.map { ($0.property, $0.stops[index].value) }
            for guest in guests {
                for own in guest.stops where own.instant == stop.instant {
                    values.append((guest.property, own.value))
                }
            }
            writer.write(selector, values, easing, &sink)
        }
    }
}
