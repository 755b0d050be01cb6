/// A text that is edited into the next one: removed tokens fade out, tokens that stay move to their
/// new places, and new tokens are typed.
package struct Rewrite: Effect, Parameterized {
    package static let name = "rewrite"
    package static let title = "Rewrite"

    private let interval: ItemInterval
    private let duration: Double
    private let easing: TimingFunction
    private let fadeDuration: Double

    package init(_ parameters: inout ParameterReader) {
        interval = ItemInterval(
            &parameters, usually: 0.05, "Seconds between one typed glyph and the next")
        duration = parameters.seconds(
            "duration", default: 0.5,
            "Seconds in which the glyphs that stay move to their new places.")
        easing = parameters.easing("easing", default: .easeInOut, "How this move proceeds.")
        fadeDuration = parameters.seconds(
            "fadeDuration", default: 0.2, "Seconds in which removed glyphs fade out.")
    }

    package func entrance(of block: EffectBlock) -> Phase {
        let glyphs = Array(block.glyphs)
        var phase = Phase(
            tracks: [], assignment: [Int](repeating: 0, count: glyphs.count), duration: 0)
        type(TextToken.tokens(of: glyphs), in: &phase)
        return phase
    }

    package func exit(of block: EffectBlock) -> Phase {
        Phase(items: Items(block.glyphs, by: .all), tracks: [fading], duration: fadeDuration)
    }

    package func change(
        from old: EffectBlock, to new: EffectBlock, with effect: any Effect, _ pause: ChangePause
    ) throws(SceneError) -> BlockChange? {
        guard let effect = effect as? Rewrite else { return nil }
        return try effect.change(from: old, to: new)
    }

    /// The tracks of removed glyphs.
    private var fading: PhaseTracks {
        PhaseTracks(opacity: [Keyframe(0, value: 1), Keyframe(fadeDuration, value: 0)])
    }

    /// Shows tokens glyph by glyph from the end of a phase on; the phase then ends an interval
    /// after the last glyph. Indentation takes no time.
    private func type(_ tokens: [TextToken], in phase: inout Phase) {
        let interval = interval.seconds(ofItems: phase.assignment.count)
        var time = phase.duration
        for token in tokens {
            for (number, glyph) in token.glyphs.enumerated() {
                if number >= token.indentation { time += interval }
                phase.assign(.appearing(at: time), to: glyph)
            }
        }
        if time > phase.duration { phase.duration = time + interval }
    }

    // MARK: Changes

    /// Returns the change of a block with this or another `rewrite` into one with this effect.
    private func change(
        from old: EffectBlock, to new: EffectBlock
    ) throws(SceneError) -> BlockChange {
        let glyphs = (old: Array(old.glyphs), new: Array(new.glyphs))
        let tokens = (
            old: TextToken.tokens(of: glyphs.old), new: TextToken.tokens(of: glyphs.new)
        )
        let pairs = try TokenMatching.pairs(
            tokens.old, of: glyphs.old, tokens.new, of: glyphs.new, until: new.deadline)
        let stays = (
            old: Set(pairs.map(\.old.glyphs.lowerBound)),
            new: Set(pairs.map(\.new.glyphs.lowerBound))
        )
        let gone = tokens.old.filter {
            !$0.ink.isEmpty && !stays.old.contains($0.glyphs.lowerBound)
        }
        var moving = MovingTokens(
            from: old, to: new, start: gone.isEmpty ? 0 : fadeDuration, duration: duration, easing)
        for pair in pairs { try moving.add(pair) }
        var change = moving.change
        change.arriving.numbersWay = moving.way
        change.leaving.tracks.append(fading)
        for glyph in gone.lazy.flatMap(\.glyphs) {
            change.leaving.assignment[glyph] = change.leaving.tracks.count - 1
        }
        type(tokens.new.filter { !stays.new.contains($0.glyphs.lowerBound) }, in: &change.arriving)
        return change
    }
}

/// The tokens that stay: the new block shows them throughout, as they move from their old places to
/// their new ones.
///
/// Where the paint changes, the glyph of the old block moves beneath the glyph of the new one,
/// which fades in over it: so colours change in every colour scheme, and between gradients.
private struct MovingTokens {
    /// Both phases end when the tokens have arrived. All other glyphs are hidden in the old block,
    /// and show in the new one.
    private(set) var change: BlockChange

    private let old: EffectBlock
    private let new: EffectBlock
    /// Seconds from the start of the change.
    private let (start, end): (Double, Double)
    private let curve: [(share: Double, value: Double, easing: Easing)]
    /// The indices of tracks in either phase.
    private var known: (leaving: [Move: Int], arriving: [Move: Int]) = ([:], [:])

    private struct Move: Hashable {
        /// The displacement of the other place from the glyph's own.
        let displacement: Displacement
        let changesPaint: Bool
    }

    /// - Parameters:
    ///   - old: The block that leaves.
    ///   - new: The block that arrives.
    ///   - start: Seconds from the start of the change to the start of the moves.
    ///   - duration: Seconds of the moves.
    ///   - easing: The easing of the moves.
    init(
        from old: EffectBlock, to new: EffectBlock, start: Double, duration: Double,
        _ easing: TimingFunction
    ) {
        self.old = old
        self.new = new
        (self.start, end) = (start, start + duration)
        curve = KeyframeMotion.ramp(from: 0, to: 1, easing)
        func phase(_ block: EffectBlock, _ tracks: PhaseTracks) -> Phase {
            Phase(items: Items(block.glyphs, by: .all), tracks: [tracks], duration: start)
        }
        change = BlockChange(
            leaving: phase(old, PhaseTracks(opacity: [Keyframe(0, value: 0)])),
            arriving: phase(new, .appearing(at: 0)), delay: 0)
    }

    /// The share of the way of all tokens that is left; empty where none moves.
    var way: [Keyframe<Double, Double>] {
        change.arriving.duration == end ? keyframes { 1 - $0 } : []
    }

    /// Adds a token.
    mutating func add(_ pair: TokenMatching.Pair) throws(SceneError) {
        try new.deadline.checkScene(every: 64)
        for (oldGlyph, newGlyph) in zip(pair.old.ink, pair.new.ink) {
            let changesPaint = !old.glyph(oldGlyph).isPainted(like: new.glyph(newGlyph))
            let displacement = new.displacement(ofGlyph: oldGlyph, of: old, from: newGlyph)
            let move = Move(displacement: displacement.rounded, changesPaint: changesPaint)
            guard changesPaint || !move.displacement.isNone else { continue }
            (change.leaving.duration, change.arriving.duration) = (end, end)
            change.arriving.assignment[newGlyph] = try arriving(move)
            guard changesPaint else { continue }
            let way = old.displacement(ofGlyph: newGlyph, of: new, from: oldGlyph)
            change.leaving.assignment[oldGlyph] = try leaving(
                Move(displacement: way.rounded, changesPaint: true))
        }
        // White space moves with the glyph beside it, for lines under both.
        for glyph in pair.new.glyphs where !pair.new.ink.contains(glyph) {
            let isBefore = glyph < pair.new.ink.lowerBound
            let beside = isBefore ? pair.new.ink.lowerBound : pair.new.ink.upperBound - 1
            change.arriving.assignment[glyph] = change.arriving.assignment[beside]
        }
    }

    /// Returns the index of the tracks of a glyph of the old block that is covered as it moves.
    private mutating func leaving(_ move: Move) throws(SceneError) -> Int {
        if let index = known.leaving[move] { return index }
        var tracks = PhaseTracks(opacity: [], moves: moves(by: move.displacement) { $0 })
        tracks.moves.append(
            (.shadowOpacity, [Keyframe(start, value: 1), Keyframe(end, value: 0)]))
        known.leaving[move] = change.leaving.tracks.count
        change.leaving.tracks.append(tracks)
        try checkLimit()
        return change.leaving.tracks.count - 1
    }

    /// Returns the index of the tracks of a glyph of the new block that moves to its place, or
    /// fades in.
    private mutating func arriving(_ move: Move) throws(SceneError) -> Int {
        if let index = known.arriving[move] { return index }
        var tracks =
            move.changesPaint
            ? PhaseTracks.fading(from: start, for: end - start) : .appearing(at: 0)
        tracks.moves = moves(by: move.displacement) { 1 - $0 }
        known.arriving[move] = change.arriving.tracks.count
        change.arriving.tracks.append(tracks)
        try checkLimit()
        return change.arriving.tracks.count - 1
    }

    /// Returns the tracks of a glyph whose displacement has a share that depends on the progress of
    /// the move.
    private func moves(
        by displacement: Displacement, _ share: (_ progress: Double) -> Double
    ) -> [(property: Property, keyframes: [Keyframe<Double, Double>])] {
        let values = [
            (Property.offsetX, displacement.x), (.offsetY, displacement.y),
            (.rotation, displacement.turn ?? 0),
        ]
        return values.filter { $0.1 != 0 }.map { property, value in
            (property, keyframes { value * share($0) })
        }
    }

    /// Returns keyframes over the time of the move, with values that depend on its progress.
    private func keyframes(
        _ value: (_ progress: Double) -> Double
    ) -> [Keyframe<Double, Double>] {
        curve.map {
            Keyframe(
                start + $0.share * (end - start), value: value($0.value), easing: $0.easing)
        }
    }

    /// Throws if the tracks take the scene past its limit.
    private func checkLimit() throws(SceneError) {
        let count = known.leaving.count + known.arriving.count
        try new.checkLimit(count * curve.count)
    }
}

extension Displacement {
    /// The same in thousandths, so that the glyphs of a line move as one.
    fileprivate var rounded: Displacement {
        func rounded(_ number: Double) -> Double { (number * 1000).rounded() / 1000 }
        return Displacement(x: rounded(x), y: rounded(y), turn: turn.map(rounded))
    }

    fileprivate var isNone: Bool { x == 0 && y == 0 && turn ?? 0 == 0 }
}

extension EffectBlock {
    fileprivate func glyph(_ number: Int) -> Glyph { glyphs[glyphs.startIndex + number] }
}

extension Glyph {
    /// True if it looks like another one of the same shape, whatever the colour scheme.
    fileprivate func isPainted(like other: Glyph) -> Bool {
        paint == other.paint && hasBlockPaint == other.hasBlockPaint
    }
}
