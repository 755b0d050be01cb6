/// Random numbers as a function, not a stream: the same four numbers give the same value in any
/// order and on any machine.
///
/// Three rounds of SplitMix64's finaliser (Steele, Lea, Flood 2014) over item, stream and draw.
package struct Randomness: Sendable {
    /// The use of a number; one use never shifts another.
    package enum Channel: UInt64, Sendable {
        case order, delay, duration, distance, angle, chance, level, jitter
        /// The lines of marks, which are drawn by hand.
        case hand
    }

    package let seed: UInt64

    package init(seed: UInt64) {
        self.seed = seed
    }

    /// Returns a number in [0, 1) with 53 random bits.
    package func unit(stream: UInt64, item: Int, draw: Int = 0) -> Double {
        var z = Self.round(seed, stream)
        z = Self.round(z, UInt64(truncatingIfNeeded: item))
        z = Self.round(z, UInt64(truncatingIfNeeded: draw))
        return Double(z >> 11) * 0x1p-53
    }

    private static func round(_ state: UInt64, _ part: UInt64) -> UInt64 {
        var z = state &+ 0x9E37_79B9_7F4A_7C15 &* (part &+ 1)
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

/// The randomness of one phase of one block.
package struct PhaseRandomness: Sendable {
    private let randomness: Randomness
    private let block: Int
    private let phase: Phase.Kind

    package init(seed: UInt64, block: Int, phase: Phase.Kind) {
        randomness = Randomness(seed: seed)
        self.block = block
        self.phase = phase
    }

    /// Returns a number in [0, 1) for an item of the block.
    package func unit(_ channel: Randomness.Channel, item: Int, draw: Int = 0) -> Double {
        let stream = Self.stream(block: block, phase: phase, channel: channel.rawValue)
        return randomness.unit(stream: stream, item: item, draw: draw)
    }

    /// Returns the stream of a channel, a number that no other block, phase or channel has.
    ///
    /// The first eight channels of a phase have neighbouring numbers, as in docs/effects.md; each
    /// further eight come after all of those.
    static func stream(block: Int, phase: Phase.Kind, channel: UInt64) -> UInt64 {
        let first = 16 * UInt64(truncatingIfNeeded: block) + 8 * phase.rawValue
        return first + channel % 8 + (channel / 8) << 32
    }
}
