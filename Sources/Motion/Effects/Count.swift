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
        for number in WrittenNumber.all(in: block.glyphs)
        where number.digits.count <= WrittenNumber.mostDigits {
            try block.deadline.checkScene()
            let columns = columns(of: number, in: block)
            try block.checkLimit(2 * (phase.tracks.count + columns * steps))
            let states = values(of: number, columns).map {
                State(
                    start: $0.start, columns: Self.columns(columns, of: number, $0.value),
                    value: $0.value)
            }
            add(number, states, zeros: zeros, to: &phase)
            addColumns(before: number, states, in: block, zeros: zeros, to: &phase)
        }
        return phase
    }

    /// Returns the value that a number begins at, in units of its last digit.
    private func first(of number: WrittenNumber) -> Double {
        let last = Double(number.value)
        let first = share.map { last * $0 / 100 } ?? from * pow(10, Double(number.decimals))
        return trend == .down ? 2 * last - first : first
    }

    /// Returns how many columns a number has: those of its digits, and where they are all of the text
    /// as many before them as its first value needs.
    private func columns(of number: WrittenNumber, in block: EffectBlock) -> Int {
        let (written, first) = (number.digits.count, first(of: number).rounded())
        guard number.isAlone(in: block.glyphs), block.places.isEmpty,
            let magnitude = Int(exactly: abs(first))
        else { return written }
        let needed = String(magnitude).utf8.count + (first < 0 ? 1 : 0)
        return needed <= WrittenNumber.mostDigits ? max(written, needed) : written
    }

    /// Returns the values that a number shows in so many columns, in units of its last digit, each
    /// with the second at which it appears.
    ///
    /// A number with columns that are not written shows each of a few values.
    ///
    /// - Returns: The values; the last is the value of the number.
    private func values(
        of number: WrittenNumber, _ columns: Int
    ) -> [(start: Double, value: Int)] {
        let range = Self.range(of: number, columns)
        let (first, last) = (first(of: number), Double(number.value))
        let isEach = columns > number.digits.count && abs(last - first) <= Double(steps)
        let steps = isEach ? Self.fineness * steps : steps
        let progress = easing.values(at: (0..<steps).map { Double($0) / Double(steps) })
        var values: [(start: Double, value: Int)] = []
        for (step, share) in progress.enumerated() {
            let value = (first + (last - first) * share).rounded()
            // A value without columns is replaced by the nearest value that has them.
            let shown =
                Int(exactly: value).map { min(max($0, range.lowerBound), range.upperBound) }
                ?? (value < 0 ? range.lowerBound : range.upperBound)
            if values.last?.value != shown {
                values.append((duration * Double(step) / Double(steps), shown))
            }
        }
        if values.last?.value != number.value { values.append((duration, number.value)) }
        return values
    }

    /// Instants for a step where each value has to be met.
    private static let fineness = 16

    /// The values for which a number has columns; a minus that is not written takes a column.
    private static func range(of number: WrittenNumber, _ columns: Int) -> ClosedRange<Int> {
        func largest(_ digits: Int) -> Int { (0..<digits).reduce(0) { most, _ in 10 * most + 9 } }
        let free = number.sign == nil ? max(columns - 1, 0) : columns
        return (free > number.decimals ? -largest(free) : 0)...largest(columns)
    }

    /// Adds the changes of a number's glyphs, and the characters that stand in for them.
    private func add(
        _ number: WrittenNumber, _ states: [State], zeros: [Unicode.Scalar], to phase: inout Phase
    ) {
        let times = states.map(\.start) + [duration]
        /// Adds the changes of a glyph. `shown` tells its look in each state except for the last.
        func add(_ glyph: Int, _ shown: (State) -> Shown) {
            var tracks = PhaseTracks(opacity: [])
            // For cursors the glyph always shows.
            tracks.shownSpans = [(0, duration)]
            var nodes: [PhaseNode.Shape: Int] = [:]
            for index in states.indices {
                let shown = index + 1 < states.count ? shown(states[index]) : .own
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
        let added = (states.first?.columns.count ?? 0) - number.digits.count
        for (column, digit) in number.digits.enumerated() {
            let script = zeros.firstIndex(of: digit.zero) ?? 0
            add(digit.glyph) { state in
                let content = state.columns[added + column]
                if content == .digit(digit.value) { return .own }
                return content.character(ofScript: script).map { .character($0) } ?? .nothing
            }
        }
        for mark in number.marks {
            add(mark.glyph) { $0.columns[added + mark.place - 1].isDigit ? .own : .nothing }
        }
        if let sign = number.sign {
            add(sign.glyph) { state in
                let isOwn = state.value != 0 && (state.value < 0) == sign.isMinus
                return isOwn ? .own : state.value < 0 ? .character(0) : .nothing
            }
        }
        phase.duration = max(phase.duration, duration)
    }

    /// Adds the characters in the columns before a number that are not written.
    private func addColumns(
        before number: WrittenNumber, _ states: [State], in block: EffectBlock,
        zeros: [Unicode.Scalar], to phase: inout Phase
    ) {
        let added = (states.first?.columns.count ?? 0) - number.digits.count
        guard added > 0, let first = number.digits.first else { return }
        let script = zeros.firstIndex(of: first.zero) ?? 0
        let widths = number.digits.map {
            block.glyphs[block.glyphs.startIndex + $0.glyph].rect.width
        }
        let width = max(widths.max() ?? 0, block.em / 2)
        let ends = states.dropFirst().map(\.start)
        for column in 0..<added {
            var spans: [Int: [(start: Double, end: Double)]] = [:]
            for (state, end) in zip(states, ends) {
                guard let character = state.columns[column].character(ofScript: script) else {
                    continue
                }
                spans[character, default: []].append((state.start, end))
            }
            for (character, spans) in spans.sorted(by: { $0.key < $1.key }) {
                phase.add(
                    PhaseNode(
                        glyph: first.glyph, shape: .character(character),
                        offset: SIMD2(Double(column - added) * width, 0)),
                    PhaseMotion(spans: spans))
            }
        }
    }

    /// Returns the contents of so many columns of digits while a number shows a value.
    private static func columns(
        _ count: Int, of number: WrittenNumber, _ value: Int
    ) -> [Column] {
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

/// What a number shows from a second on.
private struct State {
    let start: Double
    let columns: [Column]
    let value: Int
}

/// The contents of a column of digits.
private enum Column: Equatable {
    case nothing, minus
    case digit(Int)

    var isDigit: Bool { if case .digit = self { true } else { false } }

    /// Returns the index of what it shows among the effect's characters; nil for nothing.
    func character(ofScript script: Int) -> Int? {
        switch self {
        case .nothing: nil
        case .minus: 0
        case .digit(let value): 1 + 10 * script + value
        }
    }
}

/// The character in the place of a glyph.
private enum Shown: Equatable {
    case nothing, own
    /// One of the effect's characters, by its index.
    case character(Int)
}
