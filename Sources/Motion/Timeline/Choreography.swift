/// Who moves when: the part of a request that turns a layout into a scene.
package struct Choreography: Sendable {
    package enum Sequence: String, CaseIterable, Sendable {
        /// Blocks are stacked; each starts when the one before has arrived.
        case queue
        /// Blocks are stacked; all start at once.
        case together
    }

    /// One for each block.
    package var effects: [any Effect]
    /// One for each block.
    package var darkColors: [Color?]
    package var sequence: Sequence
    /// Seconds between one block's arrival and the next one's start.
    package var gap: Double
    /// Seconds before anything moves.
    package var delay: Double
    /// Seconds that the finished text stands.
    package var hold: Double
    /// All times are divided by it.
    package var speed: Double
    package var loop: Loop
    /// False: the finished text, still.
    package var isAnimated: Bool

    package init(
        effects: [any Effect], darkColors: [Color?], sequence: Sequence, gap: Double,
        delay: Double, hold: Double, speed: Double, loop: Loop, isAnimated: Bool
    ) {
        self.effects = effects
        self.darkColors = darkColors
        self.sequence = sequence
        self.gap = gap
        self.delay = delay
        self.hold = hold
        self.speed = speed
        self.loop = loop
        self.isAnimated = isAnimated
    }
}

/// How much a scene may hold.
package struct SceneLimits: Equatable, Sendable {
    /// Seconds of one cycle.
    package var cycleSeconds = 120.0
    /// Keyframes of all glyphs together.
    package var keyframes = 200_000

    package init() {}
}

package enum SceneError: Error, Equatable, Sendable {
    /// Seconds that one cycle would take.
    case cycleTooLong(seconds: Double, limit: Double)
    case tooManyKeyframes(count: Int, limit: Int)
}
