/// When a mark of a block is drawn.
struct MarkTiming: Sendable {
    let style: MarkStyle
    /// The marked words, line by line.
    let words: [MarkedWords]
    /// In seconds before `speed`, from the start of the block's entrance.
    let start: Double
    let end: Double

    /// Returns the same with its times multiplied.
    func faster(by factor: Double) -> MarkTiming {
        MarkTiming(style: style, words: words, start: start * factor, end: end * factor)
    }

    /// The most keyframes that a stroke has.
    static let keyframesOfStroke = 6

    /// The number of strokes that it is drawn with.
    var strokeCount: Int {
        words.reduce(0) { $0 + MarkShape(style, around: $1).lengths.count }
    }

    /// Returns the marks of a block: each begins when its words have arrived and the mark before it
    /// is drawn; one of an exact kind begins with its text, beside the marks of other words.
    ///
    /// - Parameters:
    ///   - block: The block.
    ///   - glyphs: The glyphs of the layout.
    ///   - phase: The entrance of the block.
    ///   - deadline: The end of the work.
    /// - Returns: The marks in the order in which they are drawn, without marks of only white
    ///   space.
    /// - Throws: `SceneError.deadline`.
    static func timings(
        of block: BlockLayout, in glyphs: [Glyph], arrivingIn phase: Phase,
        until deadline: WorkDeadline
    ) throws(SceneError) -> [MarkTiming] {
        guard !block.marks.isEmpty else { return [] }
        let ends = phase.tracks.map(\.lastChange)
        var timings: [MarkTiming] = []
        var last = 0.0
        for mark in block.marks {
            try deadline.checkScene()
            let words = block.words(of: mark, in: glyphs)
            guard !words.isEmpty else { continue }
            if mark.style.kind.isExact {
                let start = mark.style.delay
                let end = start + mark.style.duration
                timings.append(
                    MarkTiming(style: mark.style, words: words, start: start, end: end))
                continue
            }
            var arrival = 0.0
            for glyph in mark.glyphs where !glyphs[glyph].isWhitespace {
                let track = phase.assignment[glyph - block.glyphs.lowerBound]
                arrival = max(arrival, ends[track])
            }
            let start = max(arrival + mark.style.delay, last)
            last = start + mark.style.duration
            timings.append(MarkTiming(style: mark.style, words: words, start: start, end: last))
        }
        return timings
    }
}

extension PhaseTracks {
    /// Seconds from the phase's start after which nothing of the glyphs themselves changes.
    fileprivate var lastChange: Double {
        let changes =
            [opacity.lastChange(), fill.lastChange()]
            + moves.map { $0.property == .shadowOpacity ? nil : $0.keyframes.lastChange() }
        return changes.compactMap(\.self).max().map { $0 + delay } ?? 0
    }
}

extension Array {
    /// The time of the last keyframe with another value than the one before it; nil if nothing
    /// changes.
    fileprivate func lastChange<Value: Equatable>() -> Double?
    where Element == Keyframe<Double, Value> {
        indices.dropFirst().last { self[$0].value != self[$0 - 1].value }.map { self[$0].time }
    }
}
