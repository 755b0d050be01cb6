/// The order and timing of all motion: the part of a request that turns a layout into a scene.
package struct Choreography: Sendable {
    package enum Sequence: String, CaseIterable, Sendable {
        /// Blocks are stacked; each starts when the one before has arrived.
        case queue
        /// Blocks are stacked; all start at once.
        case together
        /// Blocks have the same position; each leaves before the next arrives.
        case replace
        /// The first block stays; the others have the same position, and each leaves before the
        /// next arrives.
        case rotate
        /// Each block comes and goes at times of its own.
        case timed

        /// True if blocks leave so that others can arrive.
        var replaces: Bool { self == .replace || self == .rotate }

        /// The first of the blocks that have one position; nil if each has its own.
        package var firstOverlaid: Int? {
            switch self {
            case .queue, .together: nil
            case .replace, .timed: 0
            case .rotate: 1
            }
        }

        /// Returns true if a block of so many is a part of the finished text.
        func finishes(with block: Int, of count: Int) -> Bool {
            !replaces && self != .timed || block == count - 1 || self == .rotate && block == 0
        }
    }

    /// The exits of blocks.
    package enum ExitPolicy: Sendable {
        /// Blocks leave only to make room, by their own exits.
        case between
        /// Every block leaves by its own exit, at the end too.
        case auto
        /// Blocks leave only to make room, at once.
        case none
        /// Every block leaves by another effect's exit with its defaults, at the end too.
        case effect(any Effect)

        /// True if blocks leave by their own exits.
        var isOwn: Bool {
            switch self {
            case .between, .auto: true
            case .none, .effect: false
            }
        }

        /// True if blocks that need not make room leave too.
        var isAtEnd: Bool {
            switch self {
            case .auto, .effect: true
            case .between, .none: false
            }
        }
    }

    /// The motion of texts that stand.
    package struct Emphasis: Sendable {
        /// An effect that begins with the text as typeset.
        package var effect: any Effect
        /// Seconds from the end of one run to the start of the next one.
        package var interval: Double

        package init(_ effect: any Effect, interval: Double) {
            self.effect = effect.ofStandingText
            self.interval = interval
        }
    }

    /// The turn of gradients that move, of which a cycle has a whole number.
    package final class PaintTurn: Sendable {
        package let kind: PaintMotion.Kind
        /// Seconds that it takes, about.
        package let duration: Double
        /// The curve of the turn; for gradients that breathe, of each half of it.
        package let easing: TimingFunction

        package init(_ kind: PaintMotion.Kind, duration: Double, easing: TimingFunction) {
            self.kind = kind
            self.duration = duration
            self.easing = easing
        }
    }

    /// The effect, cursor and paint of one block.
    package struct Block: Sendable {
        package var effect: any Effect
        /// The effect's name in requests and its name for people.
        package var effectName: (name: String, title: String)
        package var cursor: CursorShape
        /// Seconds of one blink; 0 for solid.
        package var cursorBlink: Double
        /// Seconds for which the cursor stays after the text's last phase; nil for as long as it
        /// may.
        package var cursorStay: Double?
        package var paint: TextPaint
        /// Nil unless the sequence is `timed`.
        package var time: BlockTime?

        package init(
            effect: any Effect, named effectName: (name: String, title: String),
            cursor: CursorShape, cursorBlink: Double, cursorStay: Double? = nil, paint: TextPaint
        ) {
            self.effect = effect
            self.effectName = effectName
            self.cursor = cursor
            self.cursorBlink = cursorBlink
            self.cursorStay = cursorStay
            self.paint = paint
        }
    }

    /// The speed, or the length that decides it.
    package enum Pace: Equatable, Sendable {
        /// A factor that divides all times.
        case speed(Double)
        /// The seconds of one cycle.
        case cycle(Double)
    }

    /// The times of all blocks, in seconds before the pace is applied.
    package struct Timing: Equatable, Sendable {
        /// From one block's arrival, or from its exit if it is replaced, to the next one's start.
        package var gap: Double
        /// Before anything moves.
        package var delay: Double
        /// For the finished text, or each block that others replace, to stand; more if one run of the
        /// emphasis, or one turn of gradients, takes longer.
        package var hold: Double
        package var pace: Pace
        /// The seconds that one cycle may take, whatever its speed.
        package var cycle: CycleLength

        package init(
            gap: Double = 0, delay: Double = 0, hold: Double = 1, pace: Pace = .speed(1),
            cycle: CycleLength = CycleLength()
        ) {
            self.gap = gap
            self.delay = delay
            self.hold = hold
            self.pace = pace
            self.cycle = cycle
        }
    }

    package var blocks: [Block]
    /// The number of the first block among those of the whole, by which chance differs: above 0 only in
    /// a part of a film.
    package var firstBlock = 0
    /// The motion of the card; nil if it stands still.
    package var cardMotion: CardMotion?
    package var sequence: Sequence
    package var exit: ExitPolicy
    /// Nil if standing text does not move.
    package var emphasis: Emphasis?
    /// Nil if no gradient moves.
    package var paintMotion: PaintTurn?
    package var timing: Timing
    package var loop: Loop
    /// False for a still picture of the finished text.
    package var isAnimated: Bool

    package init(
        blocks: [Block], sequence: Sequence = .queue, exit: ExitPolicy = .between,
        timing: Timing = Timing(), loop: Loop = .count(1), isAnimated: Bool = true
    ) {
        self.blocks = blocks
        self.sequence = sequence
        self.exit = exit
        self.timing = timing
        self.loop = loop
        self.isAnimated = isAnimated
    }

    /// Returns the same with a longer hold, so that a cycle of so many seconds before `speed` gets
    /// the length that it must have; nil if it is long enough.
    func holdingLonger(than total: Double) -> Choreography? {
        guard case .speed(let speed) = timing.pace, sequence != .timed else { return nil }
        let seconds = timing.cycle.seconds(for: total / speed)
        let missing = seconds * speed - total
        // Rounding is no reason to hold.
        guard missing > 1e-6 else { return nil }
        let stands =
            switch sequence {
            case .queue, .together, .timed: 1
            case .replace: blocks.count
            case .rotate: max(blocks.count - 1, 1)
            }
        var longer = self
        longer.timing.hold =
            max(timing.hold, paintMotion?.duration ?? 0) + missing / Double(stands)
        // The emphasis may stand longer by itself.
        (longer.timing.pace, longer.timing.cycle) = (.cycle(seconds), CycleLength())
        return longer
    }

    /// True if some effect needs to know where the ink of all texts is.
    var needsInk: Bool {
        if case .effect(let effect) = exit, effect.needsInk { return true }
        return blocks.contains { $0.effect.needsInk }
    }

    /// Seconds from the start of the cycle to the start of the first text.
    var lead: Double { timing.delay + (cardMotion?.duration ?? 0) }

    /// True if the card leaves at the end: if texts leave, or go back to the beginning of a loop.
    var cardLeaves: Bool {
        switch exit {
        case .auto, .effect: true
        case .between: loop == .infinite || sequence.replaces && loop != .count(1)
        case .none: false
        }
    }

    /// Returns the choreography of blocks whose outlines and shadows are larger by a factor.
    package func scaled(by factor: Double) -> Choreography {
        guard factor != 1 else { return self }
        var choreography = self
        for block in blocks.indices {
            choreography.blocks[block].paint = blocks[block].paint.scaled(by: factor)
        }
        return choreography
    }
}

/// The bounds of a scene.
package struct SceneLimits: Equatable, Sendable {
    /// Seconds of one cycle.
    package var cycleSeconds = 120.0
    /// Keyframes of all glyphs together.
    package var keyframes = 200_000
    /// Megapixels that take as long to compose as the scene to build.
    package var work = Double.infinity

    package init() {}
}
