/// A way for the glyphs of a block to arrive and to leave.
///
/// To add one: a file in this folder with a type that conforms, and one line in
/// `EffectCatalog.swift`. Validation, `GET /effects`, OpenAPI, the command line, the preview page
/// and the invariant tests read the catalogue.
package protocol Effect: Parameterized {
    /// The characters that it shows besides the text's own; none unless it says so.
    var characters: [String] { get }

    /// How the block arrives; every track ends fully visible and in place.
    ///
    /// - Throws: `SceneError.tooManyKeyframes` past the scene's limit.
    func entrance(of block: EffectBlock) throws(SceneError) -> Phase

    /// How the block leaves: the entrance run backwards unless it says otherwise.
    ///
    /// - Throws: `SceneError.tooManyKeyframes` past the scene's limit.
    func exit(of block: EffectBlock) throws(SceneError) -> Phase

    /// How one block becomes the next, which has this effect too; nil unless it says otherwise.
    func change(from old: EffectBlock, to new: EffectBlock) -> (leaving: Phase, arriving: Phase)?
}

extension Effect {
    package var characters: [String] { [] }

    package func exit(of block: EffectBlock) throws(SceneError) -> Phase {
        try entrance(of: block).mirrored
    }

    package func change(
        from old: EffectBlock, to new: EffectBlock
    ) -> (leaving: Phase, arriving: Phase)? { nil }
}

/// What an effect sees of one block in one phase.
package struct EffectBlock: Sendable {
    /// In logical order.
    package let glyphs: ArraySlice<Glyph>
    /// The block's font size in CSS pixels.
    package let em: Double
    /// Of this phase.
    package let randomness: PhaseRandomness
    /// How many keyframes the scene has without this phase, and may have with it.
    package let keyframes: (used: Int, limit: Int)

    package init(
        glyphs: ArraySlice<Glyph>, em: Double, randomness: PhaseRandomness,
        keyframes: (used: Int, limit: Int)
    ) {
        self.glyphs = glyphs
        self.em = em
        self.randomness = randomness
        self.keyframes = keyframes
    }

    /// Refuses a phase of so many keyframes that the scene would go past its limit.
    func checkLimit(_ count: Int) throws(SceneError) {
        guard keyframes.used + count > keyframes.limit else { return }
        throw .tooManyKeyframes(count: keyframes.used + count, limit: keyframes.limit)
    }
}

/// The motion of one block from its phase's start on, before speed and rounding.
package struct Phase: Sendable {
    package enum Kind: UInt64, Sendable {
        case entrance, exit
    }

    /// The distinct tracks.
    package var tracks: [PhaseTracks]
    /// For each glyph of the block the index of its tracks.
    package var assignment: [Int]
    /// Seconds.
    package var duration: Double
    /// What stands in glyphs' places for a while.
    package var decoys: [PhaseDecoy] = []

    package init(tracks: [PhaseTracks], assignment: [Int], duration: Double) {
        self.tracks = tracks
        self.assignment = assignment
        self.duration = duration
    }

    /// Gives all glyphs of an item the tracks of that item.
    package init(items: Items, tracks: [PhaseTracks], duration: Double) {
        self.init(tracks: tracks, assignment: items.itemOfGlyph, duration: duration)
    }

    /// All glyphs are gone as soon as the phase starts.
    static func vanishing(_ block: EffectBlock) -> Phase {
        Phase(
            items: Items(block.glyphs, by: .all),
            tracks: [PhaseTracks(opacity: [PhaseKeyframe(0, 0)])], duration: 0)
    }

    /// The same motion run backwards.
    var mirrored: Phase {
        var phase = self
        phase.tracks = tracks.map { tracks in
            PhaseTracks(
                opacity: PhaseKeyframe.mirrored(tracks.opacity, duration),
                moves: tracks.moves.map {
                    ($0.property, PhaseKeyframe.mirrored($0.keyframes, duration))
                })
        }
        phase.decoys = decoys.map { decoy in
            let spans = decoy.spans.reversed().map { (duration - $0.end, duration - $0.start) }
            return PhaseDecoy(glyph: decoy.glyph, character: decoy.character, spans: spans)
        }
        return phase
    }
}

/// A character that an effect shows in a glyph's place.
package struct PhaseDecoy: Sendable {
    /// Index of the glyph in its block.
    package var glyph: Int
    /// Index into the effect's `characters`.
    package var character: Int
    /// When it shows, in seconds from the phase's start, in rising order.
    package var spans: [(start: Double, end: Double)]
}

/// A keyframe in seconds from the phase's start.
package struct PhaseKeyframe: Hashable, Sendable {
    package var time: Double
    package var value: Double
    package var easing: Easing

    package init(_ time: Double, _ value: Double, _ easing: Easing = .linear) {
        self.time = time
        self.value = value
        self.easing = easing
    }

    /// A track run backwards within a phase of so many seconds.
    ///
    /// A value that is held until a keyframe is held from that keyframe's mirror image on, so a
    /// jump stays one. A ramp that begins at a jump ends there: two keyframes of one time.
    fileprivate static func mirrored(
        _ track: [PhaseKeyframe], _ duration: Double
    ) -> [PhaseKeyframe] {
        guard let last = track.last else { return [] }
        var result: [PhaseKeyframe] = []
        // Before its own last jump the mirrored track has the last value.
        if track.count > 1, track[track.count - 2].easing == .hold, duration > last.time {
            result.append(PhaseKeyframe(0, last.value, .hold))
        }
        for index in track.indices.dropFirst().reversed() {
            let (from, to) = (track[index - 1], track[index])
            let start = max(duration - to.time, 0)
            guard from.easing == .hold else {
                result.append(PhaseKeyframe(start, to.value, from.easing.reversed))
                continue
            }
            let follows = index + 1 < track.count && to.easing != .hold
            if follows { result.append(PhaseKeyframe(start, to.value)) }
            result.append(PhaseKeyframe(start, from.value, .hold))
        }
        // A value that is held to the end needs no keyframe there.
        if track.count > 1, track[0].easing == .hold {
            result[result.count - 1].easing = .linear
        } else {
            result.append(PhaseKeyframe(duration - track[0].time, track[0].value))
        }
        return result
    }
}

/// What one phase does with the glyphs of one item.
package struct PhaseTracks: Sendable {
    package var opacity: [PhaseKeyframe]
    /// The properties that move besides, each once.
    package var moves: [(property: Property, keyframes: [PhaseKeyframe])]

    package init(
        opacity: [PhaseKeyframe], moves: [(property: Property, keyframes: [PhaseKeyframe])] = []
    ) {
        self.opacity = opacity
        self.moves = moves
    }

    /// Hidden, and there at once from `time` on.
    package static func appearing(at time: Double) -> PhaseTracks {
        PhaseTracks(
            opacity: time > 0
                ? [PhaseKeyframe(0, 0, .hold), PhaseKeyframe(time, 1)] : [PhaseKeyframe(0, 1)])
    }

    package static func fading(
        from start: Double, for duration: Double, easing: Easing = .linear
    ) -> PhaseTracks {
        PhaseTracks(
            opacity: [PhaseKeyframe(start, 0, easing), PhaseKeyframe(start + duration, 1)])
    }
}
