/// A way for the glyphs of a block to arrive and to leave.
///
/// To add one: a file in this folder with a type that conforms, and one line in
/// `EffectCatalog.swift`. Validation, `GET /effects`, OpenAPI, the command line, the preview page
/// and the invariant tests read the catalogue.
package protocol Effect: Sendable {
    /// What requests call it.
    static var name: String { get }
    /// What people call it.
    static var title: String { get }
    /// In the order in which they are listed.
    static var parameters: [Parameter] { get }

    /// - Throws: The parameter that does not go with the others.
    init(_ values: ParameterValues) throws(ParameterFault)

    /// How the block arrives; every track ends fully visible and in place.
    func entrance(of block: EffectBlock) -> Phase
}

/// What an effect sees of one block in one phase.
package struct EffectBlock: Sendable {
    /// In logical order.
    package let glyphs: ArraySlice<Glyph>
    /// The block's font size in CSS pixels.
    package let em: Double
    package let randomness: PhaseRandomness

    package init(glyphs: ArraySlice<Glyph>, em: Double, randomness: PhaseRandomness) {
        self.glyphs = glyphs
        self.em = em
        self.randomness = randomness
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

    package init(tracks: [PhaseTracks], assignment: [Int], duration: Double) {
        self.tracks = tracks
        self.assignment = assignment
        self.duration = duration
    }

    /// Gives all glyphs of an item the tracks of that item.
    package init(items: Items, tracks: [PhaseTracks], duration: Double) {
        self.init(tracks: tracks, assignment: items.itemOfGlyph, duration: duration)
    }
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
