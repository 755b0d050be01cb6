import Motion

/// A property of an element over time, as CSS has it.
struct CSSTrack {
    enum Property {
        case opacity, translate, rotate, scale
        /// A second translation beside the first.
        case transform

        /// The value of an element that stands as it was drawn; opacity has its own.
        var identity: CSSValue {
            self == .scale || self == .opacity ? CSSValue(x: 1) : CSSValue(x: 0)
        }
    }

    struct Stop {
        var instant: Instant
        var value: CSSValue
        /// How it goes on to the next stop.
        var easing: Easing
    }

    let property: Property
    /// The value that an element without animation has.
    let base: CSSValue
    var stops: [Stop]

    /// The properties of a glyph that change.
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
        if let translation = translation(tracks.offsetX, tracks.offsetY) {
            result.append(translation)
        }
        add(.rotate, tracks.rotation)
        add(.scale, tracks.scale)
        return result
    }

    /// Both offsets as one property.
    private static func translation(_ x: Track?, _ y: Track?) -> CSSTrack? {
        let moving = [x, y].compactMap { $0 }.filter { $0.keyframes.count > 1 }
        guard let first = moving.first else { return nil }
        let instants: [Instant]
        if moving.count == 1 || moving[0].isInStep(with: moving[1]) {
            instants = first.keyframes.map(\.instant)
        } else {
            // Only cursors move so, and they jump.
            instants = Set(moving.flatMap { $0.keyframes.map(\.instant) }).sorted()
        }
        let isInStep = instants.count == first.keyframes.count
        let stops = instants.enumerated().map { index, instant in
            Stop(
                instant: instant,
                value: CSSValue(
                    x: x?.value(at: instant) ?? 0, y: y?.value(at: instant) ?? 0),
                easing: isInStep ? first.keyframes[index].easing : .hold)
        }
        return CSSTrack(property: .translate, base: CSSValue(x: 0), stops: stops)
    }

    /// Whether the value is 0 throughout a stretch of the cycle.
    func isZero(from start: Instant, to end: Instant) -> Bool {
        guard start < end, let first = stops.first, let last = stops.last else { return true }
        if start < first.instant, first.value.x != 0 { return false }
        for (stop, next) in zip(stops, stops.dropFirst())
        where stop.instant < end && next.instant > start {
            if stop.value.x != 0 || stop.easing != .hold && next.value.x != 0 { return false }
        }
        return end <= last.instant || last.value.x == 0
    }

    /// Whether another track changes at the same instants in the same way.
    func isInStep(with other: CSSTrack) -> Bool {
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
    fileprivate func isInStep(with other: Track) -> Bool {
        keyframes.count == other.keyframes.count
            && zip(keyframes, other.keyframes).allSatisfy {
                $0.instant == $1.instant && $0.easing == $1.easing
            }
    }
}
