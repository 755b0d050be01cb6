/// The time of a block of `sequence=timed`, in seconds of the cycle.
///
/// A class, because blocks are copied often and few have one.
package final class BlockTime: Sendable {
    /// The start of its entrance.
    package let start: Double
    /// The end of its exit; nil for the last block of a request that gives none.
    package let end: Double?
    /// How the word that is being said differs from others; nil where no word does.
    package let spoken: SpokenStyle?

    package init(from start: Double, to end: Double?, spoken: SpokenStyle? = nil) {
        self.start = start
        self.end = end
        self.spoken = spoken
    }
}

/// How the word that is being said differs from the words before and behind it.
package struct SpokenStyle: Equatable, Sendable {
    package enum Kind: String, CaseIterable, Sendable {
        /// The word has a colour.
        case color
        /// The colour runs through the word from its leading edge, and stays.
        case sweep
        /// A box lies behind the word.
        case box
    }

    package enum BoxMotion: String, CaseIterable, Sendable {
        /// Each word has its box.
        case jump
        /// The box slides from one word to the next on the same line.
        case slide
    }

    /// Nil where the colour of words does not change, and no box lies behind them.
    package let kind: Kind?
    /// The colour of the word that is being said; nil for its own.
    package var color: Color?
    /// The factor by which it is larger.
    package var scale = 1.0
    /// Its weight, where its font has that axis; nil for its own.
    package var weight: Int?
    /// The paint of its box.
    package var box = Paint.transparent
    package var boxMotion = BoxMotion.jump
    /// The opacity of words that are not said yet, 0...1.
    package var upcomingOpacity = 1.0
    /// The opacity of words that have been said, 0...1.
    package var pastOpacity = 1.0
    /// The colour of words that have been said; nil for their own, or for `color` after a sweep.
    package var pastColor: Color?

    package init(_ kind: Kind?, color: Color? = nil, scale: Double = 1, pastColor: Color? = nil) {
        self.kind = kind
        self.color = color
        self.scale = scale
        self.pastColor = pastColor
    }

    /// A blue that can be read on white and on black.
    package static let usualColor = Color(red: 0x2F, green: 0x81, blue: 0xF7)
    package static let usualBox = Paint.color(Color(red: 0x09, green: 0x69, blue: 0xDA))

    /// The change of the axis of its font; nil where its weight stays.
    package var axes: AxisMotion? { weight.map(AxisMotion.init(weight:)) }

    /// True if a word looks the same before, while, and after it is said.
    package var changesNothing: Bool {
        kind == nil && scale == 1 && weight == nil && upcomingOpacity == 1 && pastOpacity == 1
            && pastColor == nil
    }
}
