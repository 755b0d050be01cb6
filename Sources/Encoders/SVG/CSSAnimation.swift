import Motion

/// One keyframe list at work on an element.
struct CSSAnimation: Equatable {
    enum Timing: Equatable {
        case easing(Easing)
        /// Each stretch shows what stands at its end.
        case stepStart
    }

    enum Fill: String {
        case none, backwards, forwards, both
    }

    /// What stands between the braces of `@keyframes`.
    var keyframes: [UInt8]
    /// For stretches whose keyframe names none.
    var timing: Timing
    var delay: Instant
    /// Tenths of a millisecond; 0 for a jump.
    var duration: Int
    var fill: Fill

    /// Whether there is more than a start and an end.
    var isLong: Bool { keyframes.contains(UInt8(ascii: "%")) }
}

/// Turns tracks into the animations that play them once.
///
/// A track is cut where it rests at the base state: what lies between is an animation of its own,
/// which glyphs share that do the same at another time.
struct CSSOnce {
    let writer: CSSWriter

    func animations(of tracks: [CSSTrack]) -> [CSSAnimation] {
        var pieces: [[Piece]] = []
        for track in tracks {
            for piece in Piece.pieces(of: track) {
                if let match = pieces.firstIndex(where: { $0[0].isInStep(with: piece) }) {
                    pieces[match].append(piece)
                } else {
                    pieces.append([piece])
                }
            }
        }
        return pieces.map(animation)
    }

    /// Properties that change together are one animation.
    private func animation(_ pieces: [Piece]) -> CSSAnimation {
        let first = pieces[0]
        var sink = ByteSink(capacity: 96)
        if let jump = first.jump {
            writer.write(jump.isArrival ? "from" : "to", pieces.map { $0.jumpValue }, nil, &sink)
            return CSSAnimation(
                keyframes: sink.bytes(), timing: .easing(.linear), delay: jump.instant,
                duration: 0, fill: jump.isArrival ? .backwards : .forwards)
        }
        let start = first.track.stops[0].instant
        let duration = first.end.ticks - start.ticks
        let usual = first.usualEasing
        let decimals = CSSWriter.decimals(of: first.track.stops, length: duration)
        for (index, stop) in first.track.stops.enumerated() {
            let values = pieces.map { ($0.track.property, $0.track.stops[index].value) }
            let ticks = stop.instant.ticks - start.ticks
            let isBase = pieces.allSatisfy { $0.track.stops[index].value == $0.track.base }
            // What is left out at the ends is the base state.
            if isBase, ticks == duration || ticks == 0 && stop.easing == usual { continue }
            let easing = ticks == duration || stop.easing == usual ? nil : stop.easing
            writer.write(
                CSSWriter.percent(ticks, of: duration, decimals: decimals), values, easing, &sink)
        }
        let fill: CSSAnimation.Fill =
            switch (first.fillsBackwards, first.fillsForwards) {
            case (true, true): .both
            case (true, false): .backwards
            case (false, true): .forwards
            case (false, false): .none
            }
        return CSSAnimation(
            keyframes: sink.bytes(), timing: .easing(usual), delay: start, duration: duration,
            fill: fill)
    }

    /// A stretch of a track in which it is not at rest.
    private struct Piece {
        var track: CSSTrack
        /// Later than the last stop where the last stop's value is kept for a while.
        var end: Instant
        var fillsBackwards = false
        var fillsForwards = false

        static func pieces(of track: CSSTrack) -> [Piece] {
            var pieces: [Piece] = []
            var stops: [CSSTrack.Stop] = []
            func close() {
                defer { stops = [] }
                guard stops.count > 1, let last = stops.last else { return }
                var own = track
                own.stops = stops
                pieces.append(Piece(track: own, end: last.instant))
            }
            for stop in track.stops {
                if let last = stops.last, last.value == track.base, stop.value == track.base {
                    close()
                }
                stops.append(stop)
            }
            close()
            if let first = pieces.first, first.track.stops[0].value != track.base {
                pieces[0].fillsBackwards = true
            }
            if let last = pieces.last, last.track.stops.last?.value != track.base {
                pieces[pieces.count - 1].fillsForwards = true
            }
            return pieces.map(trimmed)
        }

        /// Without the waiting at the base state before a jump from it.
        private static func trimmed(_ piece: Piece) -> Piece {
            var piece = piece
            while piece.track.stops.count > 2, piece.track.stops[0].value == piece.track.base,
                piece.track.stops[0].easing == .hold
            {
                piece.track.stops.removeFirst()
            }
            return piece
        }

        /// A change at once that all the rest of the cycle keeps, or kept.
        var jump: (instant: Instant, isArrival: Bool)? {
            guard track.stops.count == 2, track.stops[0].easing == .hold else { return nil }
            if fillsBackwards, !fillsForwards { return (track.stops[1].instant, true) }
            if fillsForwards, !fillsBackwards { return (track.stops[1].instant, false) }
            return nil
        }

        var jumpValue: (CSSTrack.Property, CSSValue) {
            (track.property, track.stops[fillsBackwards ? 0 : 1].value)
        }

        /// The easing of most changes.
        var usualEasing: Easing {
            CSSWriter.usualEasing(of: track.stops)
        }

        func isInStep(with other: Piece) -> Bool {
            end == other.end && fillsBackwards == other.fillsBackwards
                && fillsForwards == other.fillsForwards && track.isInStep(with: other.track)
        }
    }
}

/// Turns tracks into the lists that play them again and again: each over the whole cycle, so that
/// every cycle equals the first.
struct CSSCycle {
    let writer: CSSWriter
    /// Ticks of one cycle.
    let length: Int

    func animations(of tracks: [CSSTrack]) -> [CSSAnimation] {
        var groups: [[CSSTrack]] = []
        for track in tracks {
            if let match = groups.firstIndex(where: { $0[0].isInStep(with: track) }) {
                groups[match].append(track)
            } else {
                groups.append([track])
            }
        }
        return groups.map(animation)
    }

    private func animation(_ group: [CSSTrack]) -> CSSAnimation {
        // What changes at the cycle's very end has no stretch of its own.
        let jumps =
            group[0].stops.dropLast().allSatisfy { $0.easing == .hold }
            && (group[0].stops.last?.instant.ticks ?? 0) < length
        var sink = ByteSink(capacity: 96)
        if jumps { writeJumps(group, &sink) } else { writeStops(group, &sink) }
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

    private func writeStops(_ group: [CSSTrack], _ sink: inout ByteSink) {
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
            writer.write(
                selector, group.map { ($0.property, $0.stops[index].value) }, easing, &sink)
        }
    }
}
