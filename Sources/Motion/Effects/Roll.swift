/// Each digit of a number is a drum that turns to the written digit, later digits later; the rest
/// of the text stands.
package struct Roll: Effect, Parameterized {
    package static let name = "roll"
    package static let title = "Rolling digits"

    private let duration: Double
    private let interval: ItemInterval
    private let turns: Int
    private let trend: NumberTrend
    private let easing: TimingFunction
    private let flip: Bool
    private let continues: Bool

    package init(_ parameters: inout ParameterReader) {
        interval = ItemInterval(
            &parameters, usually: 0.08, "Seconds between one digit's start and the next one's")
        duration = parameters.seconds(
            "duration", default: 1.2, "Seconds in which each drum turns.")
        turns = parameters.integer(
            "turns", default: 1, in: 0...5, "Whole turns before the part that leads to the digit.")
        trend = parameters.choice(
            "trend", default: .up,
            "Whether the digits rise from 0 (up), or fall (down).")
        easing = parameters.easing(
            "easing", default: .easing(.cubic(CubicBezier(x1: 0.22, y1: 1, x2: 0.36, y2: 1))),
            "How each drum turns, or each flap unfolds.")
        flip = parameters.boolean(
            "flip", default: false,
            "Whether digits flip over, as on a departure board, instead of turning.")
        continues = parameters.boolean(
            "continues", default: false,
            "Whether digits turn from those of the text before, which this one replaces, instead "
                + "of from 0.")
    }

    package var needsDigits: Bool { true }

    package func characters(for text: String) -> [String] {
        WrittenNumber.characters(for: text)
    }

    package func entrance(of block: EffectBlock) throws(SceneError) -> Phase {
        try entrance(of: block, after: nil)
    }

    package func exit(of block: EffectBlock) throws(SceneError) -> Phase {
        continues ? .vanishing(block) : try entrance(of: block).mirrored
    }

    package func change(
        from old: EffectBlock, to new: EffectBlock, with effect: any Effect, _ pause: ChangePause
    ) throws(SceneError) -> BlockChange? {
        guard let effect = effect as? Roll, effect.continues else { return nil }
        return BlockChange(
            leaving: .vanishing(old), arriving: try effect.entrance(of: new, after: old), delay: 0)
    }

    /// Returns the arrival of a block in the place of another one, if there is one.
    private func entrance(
        of block: EffectBlock, after old: EffectBlock?
    ) throws(SceneError) -> Phase {
        var phase = Phase.standing(block)
        if continues { phase.duration = duration }
        let zeros = WrittenNumber.zeros(in: block.glyphs.map(\.text).joined())
        let motion = KeyframeMotion.ramp(from: 0, to: 1, easing)
        var boxes = [Rect?](repeating: nil, count: block.glyphs.count)
        let digits = Self.digits(of: block)
        let interval = interval.seconds(ofItems: digits.count)
        let first = firstValues(of: digits, after: old)
        let range = easing.range
        var keyframes = 0
        for (rank, digit) in digits.enumerated() {
            try block.deadline.checkScene()
            guard let first = first[rank], let script = zeros.firstIndex(of: digit.zero) else {
                continue
            }
            let way = trend == .up ? digit.value - first : first - digit.value
            let steps = 10 * turns + (way + 10) % 10
            guard steps > 0 else { continue }
            let drum = Drum(
                digit: digit, first: first, steps: steps, trend: trend,
                firstCharacter: 10 * script, start: Double(rank) * interval, duration: duration)
            phase.duration = max(phase.duration, drum.end)
            let passed = drum.passed(range)
            keyframes +=
                flip ? (steps + 1) * (2 + 2 * motion.count) : passed.count * (3 + motion.count)
            try block.checkLimit(keyframes)
            if flip {
                drum.addFlaps(motion, to: &phase)
                continue
            }
            let glyph = block.glyphs[block.glyphs.startIndex + digit.glyph]
            boxes[digit.glyph] = glyph.inkBox
            drum.addDigits(passed, motion, height: max(glyph.rect.height, glyph.size), to: &phase)
        }
        if phase.duration > 0, boxes.contains(where: { $0 != nil }) {
            phase.masks = PhaseMasks(boxes: boxes, edges: [.top, .bottom])
        }
        return phase
    }

    private static func digits(of block: EffectBlock) -> [WrittenNumber.Digit] {
        WrittenNumber.all(in: block.glyphs).flatMap(\.digits)
    }

    /// Returns the value that each digit turns from, nil for a digit that stands: 0, or the digit
    /// in its place in another block, where both are counted from the last digit.
    private func firstValues(
        of digits: [WrittenNumber.Digit], after old: EffectBlock?
    ) -> [Int?] {
        guard continues else { return digits.map { _ in 0 } }
        let others = old.map(Self.digits) ?? []
        return digits.indices.map { rank in
            let other = others.count - digits.count + rank
            guard others.indices.contains(other), others[other].zero == digits[rank].zero else {
                return nil
            }
            return others[other].value
        }
    }
}

/// The digits that pass in the place of a digit, from a first one to the written one.
private struct Drum {
    let digit: WrittenNumber.Digit
    /// The value of the first digit.
    let first: Int
    /// The number of changes from one digit to the next.
    let steps: Int
    let trend: NumberTrend
    /// The index of the script's 0 among the effect's characters.
    let firstCharacter: Int
    /// Seconds.
    let start: Double
    let duration: Double

    var end: Double { start + duration }

    /// Returns the character after so many changes, which may be negative.
    private func character(after changes: Int) -> Int {
        let value = (first + (trend == .up ? changes : -changes)) % 10
        return firstCharacter + (value + 10) % 10
    }

    /// Returns the numbers of changes after which digits are seen, for a motion between two shares
    /// of the way.
    func passed(_ range: ClosedRange<Double>) -> ClosedRange<Int> {
        // A curve that overshoots shows digits before the first one and after the last. Before it
        // starts, a drum shows the first one, wherever the curve begins.
        let first = (min(range.lowerBound, 0) * Double(steps) + 1e-6).rounded(.down)
        let last = (range.upperBound * Double(steps) - 1e-6).rounded(.up)
        return Int(first)...Int(last)
    }

    /// Adds digits that move past, one above the other, at a distance of so many pixels.
    func addDigits(
        _ passed: ClosedRange<Int>, _ motion: [(share: Double, value: Double, easing: Easing)],
        height: Double, to phase: inout Phase
    ) {
        let step = trend == .up ? height : -height
        let moves = motion.map {
            Keyframe(
                start + $0.share * duration, value: (1 - $0.value) * Double(steps) * step,
                easing: $0.easing)
        }
        // Masks do not cut shadows.
        let shadow = [Keyframe(start + duration / 2, value: 0.0), Keyframe(end, value: 1)]
        phase.assign(
            PhaseTracks(
                opacity: [Keyframe(0, value: 1)],
                moves: [(.offsetY, moves), (.shadowOpacity, shadow)]), to: digit.glyph)
        let motion = PhaseMotion(
            spans: [(0, end)],
            moves: [(.offsetY, moves), (.shadowOpacity, [Keyframe(0, value: 0)])])
        for changes in passed where changes != steps {
            phase.add(
                PhaseNode(
                    glyph: digit.glyph, shape: .character(character(after: changes)),
                    offset: SIMD2(0, Double(changes - steps) * step), mask: .ofGlyph), motion)
        }
    }

    /// Adds digits that fold up and unfold, one after another, at even times.
    func addFlaps(
        _ motion: [(share: Double, value: Double, easing: Easing)], to phase: inout Phase
    ) {
        let half = duration / Double(steps) / 2
        let unfolding = motion.map {
            Keyframe($0.share * half, value: $0.value, easing: $0.easing)
        }
        let folding = Keyframe<Double, Double>.mirrored(unfolding, half)
        var nodes: [PhaseNode.Shape: Int] = [:]
        for changes in 0..<steps {
            let fold = start + Double(2 * changes) * half
            var moves = folding.delayed(by: fold)
            if changes > 0 { moves = unfolding.delayed(by: fold - half) + moves }
            phase.show(
                .character(character(after: changes)), for: digit.glyph,
                (changes > 0 ? fold - half : 0, fold + half), scaleY: moves, known: &nodes)
        }
        let unfold = end - half
        var tracks = PhaseTracks(
            opacity: [Keyframe(0, value: 0, easing: .hold), Keyframe(unfold, value: 1)],
            moves: [(.scaleY, unfolding.delayed(by: unfold))])
        // For cursors the glyph always shows.
        tracks.shownSpans = [(0, end)]
        phase.assign(tracks, to: digit.glyph)
    }
}

extension Glyph {
    /// Its box, with its ink.
    fileprivate var inkBox: Rect { ink.map { rect.union($0.bounds) } ?? rect }
}
