/// When a mark of a block is drawn.
struct MarkTiming: Sendable {
    let style: MarkStyle
    /// What it marks, line by line.
    let words: [MarkedWords]
    /// In seconds before `speed`, from the start of the block's entrance.
    let start: Double
    let end: Double

    /// The most keyframes that a stroke has.
    static let keyframesOfStroke = 6

    /// The number of strokes that it is drawn with.
    var strokeCount: Int {
        words.reduce(0) { $0 + MarkShape(style, around: $1).lengths.count }
    }

    /// Returns the marks of a block: each begins when its words have arrived and the mark before it is
    /// drawn.
    ///
    /// - Parameters:
    ///   - block: The block.
    ///   - glyphs: The glyphs of the layout.
    ///   - phase: The entrance of the block.
    ///   - deadline: The end of the work.
    /// - Returns: The marks in the order in which they are drawn, but for those of white space alone.
    /// - Throws: `SceneError.deadline`.
    static func timings(
        of block: BlockLayout, in glyphs: [Glyph], arrivingIn phase: Phase,
        until deadline: WorkDeadline
    ) throws(SceneError) -> [MarkTiming] {
        guard !block.marks.isEmpty else { return [] }
        let arrivals = phase.arrivals
        var timings: [MarkTiming] = []
        var last = 0.0
        for mark in block.marks {
            try deadline.checkScene()
            let words = block.words(of: mark, in: glyphs)
            guard !words.isEmpty else { continue }
            let first = block.glyphs.lowerBound
            let arrival = mark.glyphs.reduce(0) { max($0, arrivals[$1 - first]) }
            let start = max(arrival + mark.style.delay, last)
            last = start + mark.style.duration
            timings.append(MarkTiming(style: mark.style, words: words, start: start, end: last))
        }
        return timings
    }
}

extension Phase {
    /// For each glyph the seconds from the phase's start after which nothing of it changes.
    fileprivate var arrivals: [Double] {
        let ends = tracks.map(\.lastChange)
        var arrivals = assignment.map { ends[$0] }
        for decoy in decoys {
            let moved = decoy.moves.map { $0.keyframes.lastChange() ?? 0 }
            let last = ([arrivals[decoy.glyph], decoy.spans.last?.end ?? 0] + moved).max()
            arrivals[decoy.glyph] = last ?? 0
        }
        return arrivals
    }
}

extension PhaseTracks {
    fileprivate var lastChange: Double {
        let changes =
            [opacity.lastChange(), fill.lastChange()] + moves.map { $0.keyframes.lastChange() }
        return changes.compactMap(\.self).max().map { $0 + delay } ?? 0
    }
}

extension Array {
    /// The time of the last keyframe with another value than the one before it; nil if nothing changes.
    fileprivate func lastChange<Value: Equatable>() -> Double?
    where Element == Keyframe<Double, Value> {
        indices.dropFirst().last { self[$0].value != self[$0 - 1].value }.map { self[$0].time }
    }
}
