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
        var pieces: [[CSSPiece]] = []
        for track in tracks {
            for piece in CSSPiece.pieces(of: track) {
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
    private func animation(_ pieces: [CSSPiece]) -> CSSAnimation {
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
}
