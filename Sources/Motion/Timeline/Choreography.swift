/// Who moves when: the part of a request that turns a layout into a scene.
package struct Choreography: Sendable {
    package enum Sequence: String, CaseIterable, Sendable {
        /// Blocks are stacked; each starts when the one before has arrived.
        case queue
        /// Blocks are stacked; all start at once.
        case together
        /// All in the same place; each leaves before the next arrives.
        case replace
    }

    /// How blocks leave.
    package enum Departure: Sendable {
        /// Only to make room, by the block's own exit.
        case between
        /// Every block by its own exit, at the end too.
        case auto
        case none
        /// By another effect's exit with its defaults.
        case effect(any Effect)
    }

    /// What one block does.
    package struct Block: Sendable {
        package var effect: any Effect
        package var cursor: CursorShape
        /// Seconds of one blink; 0 for solid.
        package var cursorBlink: Double
        package var color: Color
        package var darkColor: Color?

        package init(
            effect: any Effect, cursor: CursorShape, cursorBlink: Double, color: Color,
            darkColor: Color?
        ) {
            self.effect = effect
            self.cursor = cursor
            self.cursorBlink = cursorBlink
            self.color = color
            self.darkColor = darkColor
        }
    }

    /// How fast it goes.
    package enum Pace: Equatable, Sendable {
        /// All times are divided by it.
        case speed(Double)
        /// The seconds that one cycle shall last.
        case cycle(Double)
    }

    package var blocks: [Block]
    package var sequence: Sequence
    package var departure: Departure
    /// Seconds between one block's arrival (in `replace`: departure) and the next one's start.
    package var gap: Double
    /// Seconds before anything moves.
    package var delay: Double
    /// Seconds that the finished text stands, in `replace` each block.
    package var hold: Double
    package var pace: Pace
    package var loop: Loop
    /// False: the finished text, still.
    package var isAnimated: Bool

    package init(
        blocks: [Block], sequence: Sequence = .queue, departure: Departure = .between,
        gap: Double = 0, delay: Double = 0, hold: Double = 1, pace: Pace = .speed(1),
        loop: Loop = .count(1), isAnimated: Bool = true
    ) {
        self.blocks = blocks
        self.sequence = sequence
        self.departure = departure
        self.gap = gap
        self.delay = delay
        self.hold = hold
        self.pace = pace
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
    /// The speed that the wanted length of a cycle would take.
    case cycleOutOfReach(speed: Double)
}
