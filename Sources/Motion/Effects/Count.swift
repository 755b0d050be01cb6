import Glibc

/// Numbers run from one value to what is written; all else stands.
package struct Count: Effect, Parameterized {
    package static let name = "count"
    package static let title = "Counting numbers"

    private let from: Double
    private let share: Double?
    private let trend: NumberTrend
    private let duration: Double
    private let steps: Int
    private let easing: TimingFunction

    package init(_ parameters: inout ParameterReader) {
        duration = parameters.seconds(
            "duration", default: 1.5, "Seconds from the first value to the one that is written.")
        from = parameters.number(
            "from", default: 0, in: -1e15...1e15, "The value that each number begins at.")
        share = parameters.optionalNumber(
            "fromPercent", in: 0...1000, unit: .percent,
            "What each number begins at, in percent of its own value, in the place of from.")
        trend = parameters.choice(
            "trend", default: .up,
            "Whether numbers run from there (up), or from as far on the other side (down).")
        steps = parameters.integer(
            "steps", default: 30, in: 1...200, "The number of values that are shown before.")
        easing = parameters.easing(
            "easing", default: .easing(.cubic(CubicBezier(x1: 0.16, y1: 1, x2: 0.3, y2: 1))),
            "How the values change over time.")
    }

    package func characters(for text: String) -> [String] {
        let digits = WrittenNumber.characters(for: text)
        return digits.isEmpty ? [] : [Self.minus] + digits
    }

    private static let minus = "−"

    package func entrance(of block: EffectBlock) throws(SceneError) -> Phase {
        var phase = Phase(
            tracks: [.appearing(at: 0)],
            assignment: [Int](repeating: 0, count: block.glyphs.count), duration: 0)
        let zeros = WrittenNumber.zeros(in: block.glyphs.map(\.text).joined())
        let progress = easing.values(at: (0..<steps).map { Double($0) / Double(steps) })
        for number in WrittenNumber.all(in: block.glyphs)
        where number.digits.count <= WrittenNumber.mostDigits {
            try block.deadline.checkScene()
            try block.checkLimit(2 * (phase.tracks.count + number.digits.count * steps))
            add(number, values(of: number, progress), zeros: zeros, to: &phase)
        }
        return phase
    }

    /// Returns the values that a number shows, in units of its last digit, each with the step from
    /// which it does.
    ///
    /// - Parameters:
    ///   - number: The number.
    ///   - progress: How far it has come at each step.
    /// - Returns: The values; the last is that of the number.
    private func values(
        of number: WrittenNumber, _ progress: [Double]
    ) -> [(step: Int, value: Int)] {
        let range = Self.range(of: number)
        let last = Double(number.value)
        let unit = pow(10, Double(number.decimals))
        var first = share.map { last * $0 / 100 } ?? from * unit
        if trend == .down { first = 2 * last - first }
        var values: [(step: Int, value: Int)] = []
        for (step, share) in progress.enumerated() {
            let value = (first + (last - first) * share).rounded()
            // Without columns for it, the nearest value that has them.
            let shown =
                Int(exactly: value).map { min(max($0, range.lowerBound), range.upperBound) }
                ?? (value < 0 ? range.lowerBound : range.upperBound)
            if values.last?.value != shown { values.append((step, shown)) }
        }
        if values.last?.value != number.value { values.append((steps, number.value)) }
        return values
    }

    /// The values for which a number has columns; a minus that is not written takes one of them.
    private static func range(of number: WrittenNumber) -> ClosedRange<Int> {
        func largest(_ digits: Int) -> Int { (0..<digits).reduce(0) { most, _ in 10 * most + 9 } }
        let columns = number.digits.count
        let free = number.sign == nil ? max(columns - 1, 0) : columns
        return (free > number.decimals ? -largest(free) : 0)...largest(columns)
    }

    private func add(
        _ number: WrittenNumber, _ values: [(step: Int, value: Int)], zeros: [Unicode.Scalar],
        to phase: inout Phase
    ) {
        let columns = number.digits.count
        /// Returns what each column shows while the number has such a value.
        func characters(_ value: Int) -> [Shown] {
            var shown = [Shown](repeating: .nothing, count: columns)
            var rest = value.magnitude
            var column = columns
            repeat {
                column -= 1
                shown[column] = .digit(Int(rest % 10))
                rest /= 10
            } while column > 0 && (rest > 0 || columns - column <= number.decimals)
            if value < 0, number.sign == nil, column > 0 { shown[column - 1] = .minus }
            return shown
        }
        let seconds = values.map { duration * Double($0.step) / Double(steps) }
        let end = duration
        func span(_ index: Int) -> (start: Double, end: Double) {
            (seconds[index], index + 1 < seconds.count ? seconds[index + 1] : end)
        }
        let shown = values.map { characters($0.value) }
        for (column, digit) in number.digits.enumerated() {
            let zero = zeros.firstIndex(of: digit.zero) ?? 0
            var visible = Toggles()
            var decoys: [Int: Int] = [:]
            for index in values.indices {
                let isLast = values[index].step == steps || index == values.count - 1
                let own = shown[index][column] == .digit(digit.value)
                visible.set(own || isLast, at: seconds[index])
                guard !own, !isLast, let character = shown[index][column].character(zero) else {
                    continue
                }
                if let decoy = decoys[character] {
                    phase.decoys[decoy].spans.append(span(index))
                } else {
                    decoys[character] = phase.decoys.count
                    phase.decoys.append(
                        PhaseDecoy(glyph: digit.glyph, character: character, spans: [span(index)]))
                }
            }
            phase.assign(visible.tracks, to: digit.glyph)
        }
        for mark in number.marks {
            var visible = Toggles()
            for index in values.indices {
                visible.set(shown[index][mark.place - 1].isDigit, at: seconds[index])
            }
            phase.assign(visible.tracks, to: mark.glyph)
        }
        if let sign = number.sign {
            var visible = Toggles()
            var spans: [(start: Double, end: Double)] = []
            for index in values.indices {
                let isMinus = values[index].value < 0
                visible.set(
                    index == values.count - 1
                        || values[index].value != 0 && isMinus == sign.isMinus,
                    at: seconds[index])
                if isMinus, !sign.isMinus { spans.append(span(index)) }
            }
            phase.assign(visible.tracks, to: sign.glyph)
            if !spans.isEmpty {
                phase.decoys.append(PhaseDecoy(glyph: sign.glyph, character: 0, spans: spans))
            }
        }
        phase.duration = max(phase.duration, end)
    }
}

/// What a column of digits shows.
private enum Shown: Equatable {
    case nothing, minus
    case digit(Int)

    var isDigit: Bool { if case .digit = self { true } else { false } }

    /// The index of the character, where digits of a script's number follow those of the scripts
    /// before; nil for nothing.
    func character(_ script: Int) -> Int? {
        switch self {
        case .nothing: nil
        case .minus: 0
        case .digit(let digit): 1 + 10 * script + digit
        }
    }
}

/// Whether something shows, from each of its changes on.
private struct Toggles {
    private var keyframes: [Keyframe<Double, Double>] = []

    mutating func set(_ isShown: Bool, at seconds: Double) {
        let value = isShown ? 1.0 : 0
        guard keyframes.last?.value != value else { return }
        keyframes.append(Keyframe(seconds, value: value, easing: .hold))
    }

    var tracks: PhaseTracks {
        PhaseTracks(opacity: keyframes)
    }
}

extension Phase {
    /// Gives a glyph tracks of its own.
    mutating func assign(_ tracks: PhaseTracks, to glyph: Int) {
        assignment[glyph] = self.tracks.count
        self.tracks.append(tracks)
    }
}
