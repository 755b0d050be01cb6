import Glibc

/// Numbers run from one value to the written one; the rest of the text stands.
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
            "duration", default: 1.5, "Seconds from the first value to the written one.")
        from = parameters.number(
            "from", default: 0, in: -1e15...1e15, "The value that each number begins at.")
        share = parameters.optionalNumber(
            "fromPercent", in: 0...1000, unit: .percent,
            "The value that each number begins at, in percent of its own value, instead of from.")
        trend = parameters.choice(
            "trend", default: .up,
            "Whether numbers run from that value (up), or from one as far on the other side "
                + "(down).")
        steps = parameters.integer(
            "steps", default: 15, in: 1...200, "The number of values on the way.")
        easing = parameters.easing(
            "easing", default: .easing(.cubic(CubicBezier(x1: 0.16, y1: 1, x2: 0.3, y2: 1))),
            "How the values change over time.")
    }

    package var needsDigits: Bool { true }

    package func characters(for text: String) -> [String] {
        let digits = WrittenNumber.characters(for: text)
        return digits.isEmpty ? [] : [Self.minus] + digits
    }

    private static let minus = "−"

    package func entrance(of block: EffectBlock) throws(SceneError) -> Phase {
        var phase = Phase.standing(block)
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

    /// Returns the values that a number shows, in units of its last digit, each with the step at
    /// which it appears.
    ///
    /// - Parameters:
    ///   - number: The number.
    ///   - progress: The progress at each step.
    /// - Returns: The values; the last is the value of the number.
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
            // A value without columns is replaced by the nearest value that has them.
            let shown =
                Int(exactly: value).map { min(max($0, range.lowerBound), range.upperBound) }
                ?? (value < 0 ? range.lowerBound : range.upperBound)
            if values.last?.value != shown { values.append((step, shown)) }
        }
        if values.last?.value != number.value { values.append((steps, number.value)) }
        return values
    }

    /// The values for which a number has columns; a minus that is not written takes a column.
    private static func range(of number: WrittenNumber) -> ClosedRange<Int> {
        func largest(_ digits: Int) -> Int { (0..<digits).reduce(0) { most, _ in 10 * most + 9 } }
        let columns = number.digits.count
        let free = number.sign == nil ? max(columns - 1, 0) : columns
        return (free > number.decimals ? -largest(free) : 0)...largest(columns)
    }

    /// Adds the changes of a number's glyphs, and the characters that stand in for them.
    private func add(
        _ number: WrittenNumber, _ values: [(step: Int, value: Int)], zeros: [Unicode.Scalar],
        to phase: inout Phase
    ) {
        let times = values.map { duration * Double($0.step) / Double(steps) } + [duration]
        let columns = values.map { Self.columns(of: number, showing: $0.value) }
        /// Adds the changes of a glyph. `shown` tells its look at each value except for the last.
        func add(_ glyph: Int, _ shown: (Int) -> Shown) {
            var tracks = PhaseTracks(opacity: [])
            // For cursors the glyph always shows.
            tracks.shownSpans = [(0, duration)]
            var nodes: [PhaseNode.Shape: Int] = [:]
            for index in values.indices {
                let shown = index + 1 < values.count ? shown(index) : .own
                let opacity = shown == .own ? 1.0 : 0
                if tracks.opacity.last?.value != opacity {
                    tracks.opacity.append(Keyframe(times[index], value: opacity, easing: .hold))
                }
                guard case .character(let character) = shown else { continue }
                phase.show(
                    .character(character), for: glyph, (times[index], times[index + 1]),
                    known: &nodes)
            }
            phase.assign(tracks, to: glyph)
        }
        for (column, digit) in number.digits.enumerated() {
            let script = zeros.firstIndex(of: digit.zero) ?? 0
            add(digit.glyph) { index in
                switch columns[index][column] {
                case .nothing: .nothing
                case .minus: .character(0)
                case .digit(digit.value): .own
                case .digit(let value): .character(1 + 10 * script + value)
                }
            }
        }
        for mark in number.marks {
            add(mark.glyph) { columns[$0][mark.place - 1].isDigit ? .own : .nothing }
        }
        if let sign = number.sign {
            add(sign.glyph) { index in
                let value = values[index].value
                let isOwn = value != 0 && (value < 0) == sign.isMinus
                return isOwn ? .own : value < 0 ? .character(0) : .nothing
            }
        }
        phase.duration = max(phase.duration, duration)
    }

    /// Returns the contents of each column of digits while a number shows a value.
    private static func columns(of number: WrittenNumber, showing value: Int) -> [Column] {
        let count = number.digits.count
        var columns = [Column](repeating: .nothing, count: count)
        var rest = value.magnitude
        var column = count
        repeat {
            column -= 1
            columns[column] = .digit(Int(rest % 10))
            rest /= 10
        } while column > 0 && (rest > 0 || count - column <= number.decimals)
        if value < 0, number.sign == nil, column > 0 { columns[column - 1] = .minus }
        return columns
    }
}

/// The contents of a column of digits.
private enum Column: Equatable {
    case nothing, minus
    case digit(Int)

    var isDigit: Bool { if case .digit = self { true } else { false } }
}

/// The character in the place of a glyph.
private enum Shown: Equatable {
    case nothing, own
    /// One of the effect's characters, by its index.
    case character(Int)
}
