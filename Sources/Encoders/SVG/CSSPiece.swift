import Motion

/// A stretch of a track in which it is not at rest.
struct CSSPiece {
    var track: CSSTrack
    var fillsBackwards = false
    var fillsForwards = false

    static func pieces(of track: CSSTrack) -> [CSSPiece] {
        var pieces: [CSSPiece] = []
        var stops: [CSSTrack.Stop] = []
        func close() {
            defer { stops = [] }
            guard stops.count > 1 else { return }
            var own = track
            own.stops = stops
            pieces.append(CSSPiece(track: own))
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
    private static func trimmed(_ piece: CSSPiece) -> CSSPiece {
        var piece = piece
        while piece.track.stops.count > 2, piece.track.stops[0].value == piece.track.base,
            piece.track.stops[0].easing == .hold
        {
            piece.track.stops.removeFirst()
        }
        return piece
    }

    var start: Instant { track.stops[0].instant }
    var end: Instant { track.stops[track.stops.count - 1].instant }

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

    func isInStep(with other: CSSPiece) -> Bool {
        fillsBackwards == other.fillsBackwards
            && fillsForwards == other.fillsForwards && track.isInStep(with: other.track)
    }
}
