/// Offsets along a path over an item's duration, as a row of straight pieces: formats move glyphs
/// only along straight lines.
struct PathOffsets: Sendable {
    /// CSS pixels that a glyph may be beside the path between two keyframes.
    private static let tolerance = 0.3
    /// Degrees that a glyph may turn between two keyframes.
    private static let mostTurn = 60.0
    /// The most pieces between two keyframes of the request.
    private static let mostPieces = 128
    /// The most glyphs whose ways are examined.
    private static let mostGlyphs = 24

    private let path: PlacedPath
    /// The offsets at shares of the item's duration, as shares of the path's length.
    private let samples: [Keyframe<Double, Double>]

    /// - Parameters:
    ///   - keyframes: The offsets at shares of the item's duration, as shares of the path's length.
    ///   - path: The path.
    ///   - block: The block of the glyphs.
    /// - Throws: `SceneError.deadline`, or `.tooManyKeyframes` as soon as there are too many.
    init(
        _ keyframes: [Keyframe<Double, Double>], along path: PlacedPath, of block: EffectBlock
    ) throws(SceneError) {
        self.path = path
        let count = block.glyphs.count
        let step = max((count + Self.mostGlyphs - 1) / Self.mostGlyphs, 1)
        let ways = stride(from: 0, to: count, by: step).map {
            path.way(ofCenter: block.glyphs[block.glyphs.startIndex + $0].rect.center)
        }
        var samples: [Keyframe<Double, Double>] = []
        for (from, to) in zip(keyframes, keyframes.dropFirst()) {
            try block.checkLimit(count * Self.tracks.count * samples.count)
            guard from.easing != .hold, from.value != to.value else {
                samples.append(from)
                continue
            }
            func value(_ progress: Double) -> Double {
                from.value.mixed(with: to.value, progress: from.easing.value(at: progress))
            }
            let pieces = try Self.pieces(for: ways, until: block.deadline, value)
            for number in 0..<pieces {
                let progress = Double(number) / Double(pieces)
                let time = from.time.mixed(with: to.time, progress: progress)
                samples.append(Keyframe(time, value: value(progress)))
            }
        }
        if let last = keyframes.last { samples.append(last) }
        self.samples = samples
    }

    /// The keyframes of each glyph.
    var keyframeCount: Int { Self.tracks.count * samples.count }

    private static let tracks = [Property.offsetX, .offsetY, .rotation]

    /// Returns the motion of a glyph.
    ///
    /// - Parameters:
    ///   - center: The centre of its box on the straight line.
    ///   - duration: Seconds.
    /// - Returns: Its offsets and its turn, with equal numbers of keyframes.
    func moves(
        ofCenter center: Point, lasting duration: Double
    ) -> [(property: Property, keyframes: [Keyframe<Double, Double>])] {
        var moves: [(property: Property, keyframes: [Keyframe<Double, Double>])] =
            Self.tracks.map { ($0, []) }
        let way = path.way(ofCenter: center)
        // Turns count from the end, where the glyph is as typeset, so that all rounds lie before.
        var turn = 0.0
        for sample in samples.reversed() {
            let shift = way.shift(by: sample.value, near: turn)
            turn = shift.turn
            for (index, value) in [shift.offset.x, shift.offset.y, turn].enumerated() {
                // Values are rounded, so that rounding errors give no glyph keyframes of its own.
                let rounded = (value * 1000).rounded() / 1000
                moves[index].keyframes.append(
                    Keyframe(
                        sample.time * duration, value: rounded == 0 ? 0 : rounded,
                        easing: sample.easing))
            }
        }
        for index in moves.indices { moves[index].keyframes.reverse() }
        return moves
    }

    /// Returns the number of pieces of equal time into which a change is divided.
    private static func pieces(
        for ways: [PlacedPath.Way], until deadline: WorkDeadline, _ value: (Double) -> Double
    ) throws(SceneError) -> Int {
        /// A way that is not straight at a progress, and so hardly straight in shorter pieces.
        var bend: (way: PlacedPath.Way, progress: Double)?
        func isStraight(_ count: Int) throws(SceneError) -> Bool {
            func shift(_ way: PlacedPath.Way, afterHalves halves: Int) -> PlacedPath.Shift {
                way.shift(by: value(Double(halves) / 2 / Double(count)))
            }
            if let bend {
                let number = min(Int(bend.progress * Double(count)), count - 1)
                let start = shift(bend.way, afterHalves: 2 * number)
                let middle = shift(bend.way, afterHalves: 2 * number + 1)
                let end = shift(bend.way, afterHalves: 2 * number + 2)
                guard Self.isStraight(from: start, over: middle, to: end) else { return false }
            }
            for way in ways {
                try deadline.checkScene(every: 1)
                var start = shift(way, afterHalves: 0)
                for number in 0..<count {
                    let middle = shift(way, afterHalves: 2 * number + 1)
                    let end = shift(way, afterHalves: 2 * number + 2)
                    guard Self.isStraight(from: start, over: middle, to: end) else {
                        bend = (way, (Double(number) + 0.5) / Double(count))
                        return false
                    }
                    start = end
                }
            }
            return true
        }
        var count = 4
        while count < mostPieces, try !isStraight(count) {
            // Between the powers of two, counts are three times a power of two.
            count = count.nonzeroBitCount == 1 ? count / 2 * 3 : count / 3 * 4
        }
        return count
    }

    /// Returns true if a straight line with an even turn comes near enough to a piece of a way.
    private static func isStraight(
        from start: PlacedPath.Shift, over middle: PlacedPath.Shift, to end: PlacedPath.Shift
    ) -> Bool {
        let miss = middle.offset - (start.offset + end.offset) / 2
        let turn = (end.turn - start.turn).remainder(dividingBy: 360)
        return (miss * miss).sum() <= tolerance * tolerance && abs(turn) <= mostTurn
    }
}
