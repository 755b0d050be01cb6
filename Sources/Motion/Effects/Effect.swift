/// A way for the glyphs of a block to arrive and to leave.
///
/// To add one: a file in this folder with a type that conforms to it and to `Parameterized`, or a
/// `KeyframeEffect.Definition`, and one line in `EffectCatalog.swift`. Validation, `GET /effects`,
/// OpenAPI, the command line, the preview page and the invariant tests read the catalogue.
package protocol Effect: Sendable {
    /// Returns the characters that the effect shows besides the text's own; by default none.
    func characters(for text: String) -> [String]

    /// The change of axes of variable fonts; nil by default.
    var axes: AxisMotion? { get }

    /// Returns the change of glyphs' colours in phases of a kind; by default none.
    func colorChange(in kind: Phase.Kind) -> ColorChange

    /// True if the entrance begins with the text as typeset and moves it, so that standing text can
    /// run the effect; by default false.
    var isEmphasis: Bool { get }

    /// The effect that standing text runs if this one is an emphasis; by default itself.
    var ofStandingText: any Effect { get }

    /// True if the effect moves only the digits of numbers; by default false.
    var needsDigits: Bool { get }

    /// True if the effect needs to know where the ink of all texts is (`EffectBlock.drawn` and
    /// `EffectBlock.texts`); by default false.
    var needsInk: Bool { get }

    /// Seconds between the end of one run of an emphasis and the start of the next, unless the
    /// request gives them; by default 1.
    var emphasisInterval: Double { get }

    /// Returns the block's arrival; every track ends fully visible and at rest.
    ///
    /// - Throws: `SceneError.tooManyKeyframes` past the scene's limit, or `.deadline`.
    func entrance(of block: EffectBlock) throws(SceneError) -> Phase

    /// Returns the block's leaving; by default the entrance run backwards.
    ///
    /// - Throws: `SceneError.tooManyKeyframes` past the scene's limit, or `.deadline`.
    func exit(of block: EffectBlock) throws(SceneError) -> Phase

    /// Returns the change of a block that has this effect into the next one; by default nil.
    ///
    /// - Parameters:
    ///   - old: The block that leaves.
    ///   - new: The block that arrives.
    ///   - effect: The effect of the new block.
    ///   - pause: The request's settings for the change.
    /// - Returns: Nil if the blocks do not change into each other.
    /// - Throws: `SceneError.tooManyKeyframes` past the scene's limit, or `.deadline`.
    func change(
        from old: EffectBlock, to new: EffectBlock, with effect: any Effect, _ pause: ChangePause
    ) throws(SceneError) -> BlockChange?
}

extension Effect {
    package func characters(for text: String) -> [String] { [] }

    package var axes: AxisMotion? { nil }

    package func colorChange(in kind: Phase.Kind) -> ColorChange { .none }

    package var isEmphasis: Bool { false }

    package var ofStandingText: any Effect { self }

    package var needsDigits: Bool { false }

    package var needsInk: Bool { false }

    package var emphasisInterval: Double { 1 }

    package func exit(of block: EffectBlock) throws(SceneError) -> Phase {
        try entrance(of: block).mirrored
    }

    package func change(
        from old: EffectBlock, to new: EffectBlock, with effect: any Effect, _ pause: ChangePause
    ) throws(SceneError) -> BlockChange? { nil }
}

/// How an effect changes the colours of glyphs.
package enum ColorChange: Equatable, Sendable {
    case none
    /// A change to one opaque colour and back, or from it: an overlay of that colour suits any
    /// paint.
    case blend(Color)
    case other
}

/// The settings of a request for the change from one block to the next.
package struct ChangePause: Sendable {
    /// Seconds between the old block's departure and the new one's start.
    package let gap: Double
    /// True if the old block leaves by its own exit.
    package let hasOwnExit: Bool
}

/// The change of one block into the next.
package struct BlockChange: Sendable {
    package var leaving: Phase
    package var arriving: Phase
    /// Seconds from the start of leaving to the start of arriving.
    package var delay: Double

    package init(leaving: Phase, arriving: Phase, delay: Double) {
        self.leaving = leaving
        self.arriving = arriving
        self.delay = delay
    }
}

/// One block in one phase, as an effect sees it.
package struct EffectBlock {
    /// In logical order.
    package let glyphs: ArraySlice<Glyph>
    /// The place of each glyph, nil for a glyph upright in its box; empty if all glyphs are.
    var places: ArraySlice<Place?> = []
    /// The path of the glyphs; nil for straight lines.
    var path: PlacedPath?
    /// The effect's `characters` in the style of the block.
    package var characters: ArraySlice<Glyph> = []
    /// The glyphs at other instances of their fonts, for each motion of axes.
    var instances: [AxisInstances] = []
    /// The block's font size in CSS pixels.
    package let em: Double
    /// The lines that glyphs name.
    var lines: [Line] = []
    /// The words with times that its entrance follows: their glyphs count from the block's first
    /// one, and their seconds from the start of the phase. Empty for most texts.
    var words: [TimedWord] = []
    /// The numbers of the lines that have marks.
    var markedLines: Set<Int> = []
    /// The box of the canvas, in CSS pixels.
    var canvas = Rect(x: 0, y: 0, width: .infinity, height: .infinity)
    /// How far outlines and shadows reach beyond the ink.
    var margins = Margins.zero
    /// The box of its lines and of its ink with outlines and shadows, for effects that need it.
    var drawn = Rect(x: 0, y: 0, width: 0, height: 0)
    /// The box of all texts, and the direction in which the first one is read, for the same effects.
    var texts = (
        box: Rect(x: 0, y: 0, width: 0, height: 0), direction: Direction.leftToRight
    )
    /// The random numbers of this phase.
    package let randomness: PhaseRandomness
    /// The number of keyframes that the scene has without this phase, and may have with it.
    package let keyframes: (used: Int, limit: Int)
    /// The end of the work.
    let deadline: WorkDeadline

    package init(
        glyphs: ArraySlice<Glyph>, em: Double, randomness: PhaseRandomness,
        keyframes: (used: Int, limit: Int), deadline: WorkDeadline = WorkDeadline()
    ) {
        self.glyphs = glyphs
        self.em = em
        self.randomness = randomness
        self.keyframes = keyframes
        self.deadline = deadline
    }

    /// Returns the glyphs at the instances that a motion takes them through; nil without any.
    func instances(of motion: AxisMotion) -> AxisInstances? {
        instances.first { $0.motion == motion }
    }

    /// Throws if a phase of so many keyframes would take the scene past its limit.
    func checkLimit(_ count: Int) throws(SceneError) {
        guard keyframes.used + count > keyframes.limit else { return }
        throw .tooManyKeyframes(count: keyframes.used + count, limit: keyframes.limit)
    }
}
