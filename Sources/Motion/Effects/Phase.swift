/// The motion of one block from its phase's start on, before speed and rounding.
package struct Phase: Sendable {
    package enum Kind: UInt64, Sendable {
        case entrance, exit
        /// The way back to the start of a loop.
        case rewind
        /// A motion of text that stands.
        case emphasis
    }

    /// The distinct tracks.
    package var tracks: [PhaseTracks]
    /// The index of each glyph's tracks.
    package var assignment: [Int]
    /// Seconds.
    package var duration: Double
    /// What is drawn besides the glyphs.
    package var nodes: [PhaseNode] = []
    /// The motions of `nodes`.
    package var motions: [PhaseMotion] = []
    /// The sides at which glyphs that move leave the canvas by intent.
    package var leavesCanvas: Edges = []
    /// The instances of variable fonts that glyphs are drawn at; nil for the text as typeset.
    package var axes: PhaseAxes?
    /// The masks that hide parts of glyphs; nil for none.
    package var masks: PhaseMasks?
    /// The light that passes over the glyphs; nil for none.
    package var shimmer: PhaseShimmer?
    /// True if its items start with the words that have times.
    package var followsWords = false
    /// The way of the numbers beside lines from their positions in the block before, as the share
    /// that is left; nil where they come with their lines.
    package var numbersWay: [Keyframe<Double, Double>]?

    package init(tracks: [PhaseTracks], assignment: [Int], duration: Double) {
        self.tracks = tracks
        self.assignment = assignment
        self.duration = duration
    }

    /// Gives all glyphs of an item the tracks of that item.
    package init(items: Items, tracks: [PhaseTracks], duration: Double) {
        self.init(tracks: tracks, assignment: items.itemOfGlyph, duration: duration)
    }

    /// Returns a phase of no length, from whose start all glyphs show.
    static func standing(_ block: EffectBlock) -> Phase {
        Phase(
            items: Items(block.glyphs, by: .all), tracks: [.appearing(at: 0)], duration: 0)
    }

    /// Gives a glyph tracks of its own.
    mutating func assign(_ tracks: PhaseTracks, to glyph: Int) {
        assignment[glyph] = self.tracks.count
        self.tracks.append(tracks)
    }

    /// Returns a phase at whose start all glyphs are gone.
    static func vanishing(_ block: EffectBlock) -> Phase {
        Phase(
            items: Items(block.glyphs, by: .all),
            tracks: [PhaseTracks(opacity: [Keyframe(0, value: 0)])], duration: 0)
    }

    /// The seconds of a way back.
    private static let rewindDuration = 0.3

    /// Returns the way from the end of an entrance to its start, straight and all at once: glyphs
    /// that show at the start go back to their look there, and the others fade out. Nodes that
    /// move in the places of glyphs go with them.
    ///
    /// - Parameters:
    ///   - isHidden: True if nothing shows at the start of the cycle.
    ///   - castsShadow: True if glyphs have shadows, which may change when nothing else does.
    /// - Returns: Nil if nothing changes.
    func rewind(toHidden isHidden: Bool, castsShadow: Bool) -> Phase? {
        let tracks = tracks.map {
            var tracks = $0.rewind(over: Self.rewindDuration, toHidden: isHidden)
            if !castsShadow { tracks.moves.removeAll { $0.property == .shadowOpacity } }
            return tracks
        }
        let axes = isHidden ? nil : axes?.rewind(over: Self.rewindDuration, self)
        guard axes != nil || tracks.contains(where: \.changes) else { return nil }
        var phase = Phase(tracks: tracks, assignment: assignment, duration: Self.rewindDuration)
        if masks?.spans.isEmpty ?? false { phase.masks = masks }
        phase.axes = axes
        guard !isHidden else { return phase }
        for node in nodes where node.layer == .text {
            if let motion = motions[node.motion].rewind(over: Self.rewindDuration) {
                phase.add(node, motion)
            }
        }
        return phase
    }

    /// A phase as long as a way back, in which all glyphs show and nothing changes.
    var rest: Phase {
        Phase(
            tracks: [PhaseTracks(opacity: [])], assignment: assignment.map { _ in 0 },
            duration: Self.rewindDuration)
    }

    /// Returns the same motion in another time.
    ///
    /// - Parameter factor: The factor of all times, 0...1.
    /// - Returns: The phase.
    func faster(by factor: Double) -> Phase {
        guard factor != 1 else { return self }
        func scaled(
            _ spans: [(start: Double, end: Double)]
        ) -> [(start: Double, end: Double)] {
            spans.map { ($0.start * factor, $0.end * factor) }
        }
        var phase = self
        phase.duration *= factor
        for index in tracks.indices {
            phase.tracks[index].delay *= factor
            phase.tracks[index].changeTimes { $0 * factor }
        }
        phase.motions = motions.map { motion in
            PhaseMotion(
                spans: scaled(motion.spans),
                moves: motion.moves.map { ($0.property, $0.keyframes.timed { $0 * factor }) })
        }
        phase.masks?.spans = scaled(masks?.spans ?? [])
        phase.axes = axes?.faster(by: factor)
        phase.numbersWay = numbersWay?.timed { $0 * factor }
        return phase
    }

    /// Plays the items faster that would not have arrived at a time, from their starts on.
    ///
    /// - Parameter limit: Seconds from the start of the phase.
    mutating func arrive(by limit: Double) {
        for index in tracks.indices {
            guard let span = tracks[index].span, span.end > limit else { continue }
            let start = min(span.start, limit)
            let factor = span.end > start ? (limit - start) / (span.end - start) : 0
            let delay = tracks[index].delay
            tracks[index].changeTimes { start + ($0 + delay - start) * factor - delay }
        }
        duration = min(duration, limit)
    }

    /// The same motion run backwards.
    var mirrored: Phase {
        var phase = self
        phase.tracks = tracks.map { tracks in
            let tracks = tracks.withoutDelay
            var mirrored = PhaseTracks(
                opacity: Keyframe<Double, Double>.mirrored(tracks.opacity, duration),
                moves: tracks.moves.map {
                    ($0.property, Keyframe<Double, Double>.mirrored($0.keyframes, duration))
                }, fill: Keyframe<Double, ColorMix>.mirrored(tracks.fill, duration))
            mirrored.shownSpans = tracks.shownSpans.map {
                (duration - $0.end, duration - $0.start)
            }
            return mirrored
        }
        phase.masks?.spans = (masks?.spans ?? []).reversed().map {
            (duration - $0.end, duration - $0.start)
        }
        phase.axes = axes?.mirrored(duration)
        phase.motions = motions.map { $0.mirrored(duration) }
        return phase
    }
}

/// The boxes within which the glyphs of a phase are drawn.
package struct PhaseMasks: Sendable {
    /// The box of each glyph, in CSS pixels; nil for a glyph that is drawn whole.
    package var boxes: [Rect?]
    /// The sides of the boxes at which glyphs are cut.
    package var edges: Edges
    /// The spans of the masks, in seconds from the phase's start, in rising order; empty for all of
    /// the phase.
    package var spans: [(start: Double, end: Double)] = []
    /// True if the boxes hold the outlines around glyphs, too.
    package var holdsOutlines = true
}

/// The instances of variable fonts that the glyphs of a phase are drawn at.
package struct PhaseAxes: Sendable {
    /// A span, in seconds from the phase's start.
    struct Span: Sendable {
        var start: Double
        var end: Double
        /// The index of an instance among the instances of the glyph's font.
        var instance: Int
    }

    let instances: AxisInstances
    /// The spans of each glyph of the block, in rising order; at other times the glyph is as
    /// typeset.
    private(set) var spans: [[Span]]

    init(_ instances: AxisInstances) {
        self.instances = instances
        spans = [[Span]](repeating: [], count: instances.glyphs.count)
    }

    /// Adds a span of seconds, after all others, in which a glyph shows an instance; nothing for
    /// nil.
    mutating func add(_ instance: Int?, of glyph: Int, from start: Double, to end: Double) {
        guard let instance, start < end else { return }
        if let last = spans[glyph].indices.last, spans[glyph][last].instance == instance,
            spans[glyph][last].end == start
        {
            spans[glyph][last].end = end
        } else {
            spans[glyph].append(Span(start: start, end: end, instance: instance))
        }
    }

    /// Returns the spans with their times multiplied.
    fileprivate func faster(by factor: Double) -> PhaseAxes {
        var axes = self
        axes.spans = spans.map { spans in
            spans.map {
                Span(start: $0.start * factor, end: $0.end * factor, instance: $0.instance)
            }
        }
        return axes
    }

    /// Returns the spans run backwards within a phase of so many seconds.
    fileprivate func mirrored(_ duration: Double) -> PhaseAxes {
        var axes = self
        axes.spans = spans.map { spans in
            spans.reversed().map {
                Span(start: duration - $0.end, end: duration - $0.start, instance: $0.instance)
            }
        }
        return axes
    }

    /// Returns the way from the text as typeset to the instances at the start of a phase; nil if
    /// these are the same. Glyphs that do not show at the start fade out as they are.
    fileprivate func rewind(over duration: Double, _ phase: Phase) -> PhaseAxes? {
        let ways = instances.steps.map(\.wayBack)
        var axes = PhaseAxes(instances)
        for (glyph, own) in instances.glyphs.enumerated() {
            let shows = phase.tracks[phase.assignment[glyph]].opacity.first.map { $0.value > 0 }
            guard let own, shows ?? true else { continue }
            for span in ways[own.steps] {
                axes.add(
                    span.instance, of: glyph, from: span.start * duration, to: span.end * duration)
            }
        }
        return axes.spans.allSatisfy(\.isEmpty) ? nil : axes
    }
}

extension Keyframe where Time == Double {
    /// Returns a track run backwards within a phase of so many seconds.
    ///
    /// A value that is held until a keyframe is held from that keyframe's mirror image on, so a
    /// jump stays one. A ramp that begins at a jump ends there: two keyframes of one time.
    static func mirrored(_ track: [Self], _ duration: Double) -> [Self] {
        guard let last = track.last else { return [] }
        var result: [Self] = []
        // Before its own last jump the mirrored track has the last value.
        if track.count > 1, track[track.count - 2].easing == .hold, duration > last.time {
            result.append(Self(0, value: last.value, easing: .hold))
        }
        for index in track.indices.dropFirst().reversed() {
            let (from, to) = (track[index - 1], track[index])
            let start = max(duration - to.time, 0)
            guard from.easing == .hold else {
                result.append(Self(start, value: to.value, easing: from.easing.reversed))
                continue
            }
            let follows = index + 1 < track.count && to.easing != .hold
            if follows { result.append(Self(start, value: to.value, easing: .linear)) }
            result.append(Self(start, value: from.value, easing: .hold))
        }
        // A value that is held to the end needs no keyframe there.
        if track.count > 1, track[0].easing == .hold {
            result[result.count - 1].easing = .linear
        } else {
            result.append(Self(duration - track[0].time, value: track[0].value, easing: .linear))
        }
        return result
    }
}

/// The tracks of one item's glyphs in one phase: keyframes whose times count in seconds from the
/// phase's start, after the tracks' delay.
package struct PhaseTracks: Sendable {
    /// Empty if the glyphs show throughout.
    package var opacity: [Keyframe<Double, Double>]
    /// The other properties that change, each once.
    package var moves: [(property: Property, keyframes: [Keyframe<Double, Double>])]
    /// The colour instead of the glyph's paint; empty if it keeps its own.
    package var fill: [Keyframe<Double, ColorMix>]
    /// The spans in which its glyphs count as showing, whatever their opacity, in seconds like
    /// keyframes: ramps that are written in pieces, and times in which decoys alternate with the
    /// glyphs.
    package var shownSpans: [(start: Double, end: Double)] = []
    /// Seconds from the phase's start from which all times count: items that move alike, one after
    /// another, share their keyframes.
    package var delay = 0.0

    package init(
        opacity: [Keyframe<Double, Double>],
        moves: [(property: Property, keyframes: [Keyframe<Double, Double>])] = [],
        fill: [Keyframe<Double, ColorMix>] = []
    ) {
        self.opacity = opacity
        self.moves = moves
        self.fill = fill
    }

    /// The same tracks with times that count from the phase's start.
    fileprivate var withoutDelay: PhaseTracks {
        guard delay != 0 else { return self }
        var tracks = self
        tracks.changeTimes { $0 + delay }
        tracks.delay = 0
        return tracks
    }

    /// Replaces the times of all keyframes, which count from the tracks' delay.
    fileprivate mutating func changeTimes(_ time: (Double) -> Double) {
        opacity = opacity.timed(time)
        for move in moves.indices { moves[move].keyframes = moves[move].keyframes.timed(time) }
        fill = fill.timed(time)
        shownSpans = shownSpans.map { (time($0.start), time($0.end)) }
    }

    /// The seconds from the phase's start to the first keyframe and to the last; nil without any.
    fileprivate var span: (start: Double, end: Double)? {
        let times =
            opacity.map(\.time) + moves.flatMap { $0.keyframes.map(\.time) }
            + fill.map(\.time)
        guard let start = times.min(), let end = times.max() else { return nil }
        return (delay + start, delay + end)
    }

    /// True if anything changes.
    fileprivate var changes: Bool { !opacity.isEmpty || !moves.isEmpty || !fill.isEmpty }

    /// Returns tracks from the last values to the first ones; glyphs that do not show at first fade
    /// out as they are.
    fileprivate func rewind(over duration: Double, toHidden isHidden: Bool) -> PhaseTracks {
        func ramp<Value>(_ last: Value, _ first: Value) -> [Keyframe<Double, Value>] {
            last == first
                ? [] : [Keyframe(0, value: last), Keyframe(duration, value: first)]
        }
        func ramp<Value>(_ track: [Keyframe<Double, Value>]) -> [Keyframe<Double, Value>] {
            guard let first = track.first?.value, let last = track.last?.value else { return [] }
            return ramp(last, first)
        }
        let filling = moves.first { $0.property == .fillOpacity }?.keyframes.first?.value ?? 1
        let first = isHidden || filling == 0 ? 0 : opacity.first?.value ?? 1
        let last = opacity.last?.value ?? 1
        guard first > 0 else { return PhaseTracks(opacity: ramp(last, 0)) }
        return PhaseTracks(
            opacity: ramp(last, first),
            moves: moves.map { ($0.property, ramp($0.keyframes)) }.filter { !$0.1.isEmpty },
            fill: ramp(fill))
    }

    /// Returns tracks that hide a glyph up to a time and show it from there on.
    package static func appearing(at time: Double) -> PhaseTracks {
        guard time > 0 else { return shown }
        var tracks = appearing
        tracks.delay = time
        return tracks
    }

    private static let shown = PhaseTracks(opacity: [Keyframe(0, value: 1)])
    private static let appearing = PhaseTracks(
        opacity: [Keyframe(0, value: 0, easing: .hold), Keyframe(0, value: 1)])

    /// Returns tracks that fade a glyph in.
    package static func fading(from start: Double, for duration: Double) -> PhaseTracks {
        PhaseTracks(
            opacity: [
                Keyframe(start, value: 0), Keyframe(start + duration, value: 1),
            ])
    }
}

extension Array {
    fileprivate func timed<Value>(_ time: (Double) -> Double) -> Self
    where Element == Keyframe<Double, Value> {
        map { Keyframe(time($0.time), value: $0.value, easing: $0.easing) }
    }

    func delayed<Value>(by delay: Double) -> Self
    where Element == Keyframe<Double, Value> {
        map { Keyframe(delay + $0.time, value: $0.value, easing: $0.easing) }
    }
}
