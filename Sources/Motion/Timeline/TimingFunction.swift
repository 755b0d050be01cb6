/// A curve from 0 to 1 that requests can name.
///
/// Scenes have it as pieces, so that no format knows more curves than `Easing`.
package enum TimingFunction: Hashable, Sendable {
    /// `linear` or a cubic curve.
    case easing(Easing)
    /// Penner's easeOutBounce.
    case bounce
    /// CSS `steps(n)`: n jumps, the last at the end.
    case steps(Int)
    /// CSS `linear()`: straight lines between stops, at least two.
    case stops([Stop])
    /// A damped spring with a bounce of -0.9…0.9, which is settled at the end.
    case spring(bounce: Double)

    /// A stop of `linear()`.
    package struct Stop: Hashable, Sendable {
        package var value: Double
        /// The time of the stop in percent, 0…100; nil for evenly between its neighbours.
        package var percent: Double?

        package init(value: Double, percent: Double?) {
            self.value = value
            self.percent = percent
        }
    }

    package static let linear = TimingFunction.easing(.linear)
    package static let easeOut = TimingFunction.easing(.easeOut)
    package static let easeInOut = TimingFunction.easing(.easeInOut)
    package static let backOut = TimingFunction.easing(.backOut)

    /// The pieces of the curve in order, without gaps; off by at most 0.003 of the change.
    ///
    /// The values are progress. If a piece begins with another value than the end of the piece
    /// before, that is a jump. Jumps may also lie before the first piece, which comes from 0, and
    /// after the last, which goes to 1.
    var pieces: [Easing.Part] {
        switch self {
        case .easing(let easing): [Easing.Part(start: 0, end: 1, from: 0, to: 1, easing: easing)]
        case .bounce: Self.bouncePieces
        case .steps(let count): Self.steps(count)
        case .stops(let stops): Self.lines(through: stops)
        case .spring(let bounce): SpringPieces.pieces(bounce: bounce)
        }
    }

    /// Returns the progress of the value at each progress of the time, 0..<1, exactly.
    func values(at shares: [Double]) -> [Double] {
        switch self {
        case .easing(let easing): return shares.map(easing.value)
        case .steps(let count):
            // A step counts even if rounding puts it just before its time.
            return shares.map { ($0 * Double(count) + 1e-9).rounded(.down) / Double(count) }
        case .spring(let bounce):
            let spring = Spring(bounce: bounce)
            let end = spring.settlingTime
            return shares.map { spring.position(at: $0 * end) }
        case .bounce, .stops:
            let pieces = pieces
            return shares.map { share in
                pieces.last { $0.start <= share }?.value(at: share) ?? 0
            }
        }
    }

    /// The least and the largest progress of the value in a scene, to about a hundredth.
    var range: ClosedRange<Double> {
        let samples = 64
        let values = pieces.flatMap { piece in
            (0...samples).map { sample in
                let share = Double(sample) / Double(samples)
                return piece.from + (piece.to - piece.from) * piece.easing.value(at: share)
            }
        }
        return (values.min() ?? 0)...(values.max() ?? 1)
    }

    /// The pieces with values below 0 and above 1 cut off.
    var clampedPieces: [Easing.Part] {
        let pieces = pieces
        guard pieces.contains(where: \.mayLeaveRange) else { return pieces }
        return pieces.flatMap(\.clamped)
    }

    // MARK: Named curves

    private static let quadraticIn = Easing.cubic(
        CubicBezier(x1: 1 / 3, y1: 0, x2: 2 / 3, y2: 1 / 3))
    private static let quadraticOut = Easing.cubic(
        CubicBezier(x1: 1 / 3, y1: 2 / 3, x2: 2 / 3, y2: 1))

    /// The four parabolas, which cubic curves draw exactly: progress in time, progress in value,
    /// and the curve to the next.
    private static let bounces: [(time: Double, way: Double, easing: Easing)] = [
        (0, 0, quadraticIn), (4.0 / 11, 1, quadraticOut), (6.0 / 11, 0.75, quadraticIn),
        (8.0 / 11, 1, quadraticOut), (9.0 / 11, 0.9375, quadraticIn),
        (10.0 / 11, 1, quadraticOut), (21.0 / 22, 0.984375, quadraticIn), (1, 1, .linear),
    ]

    private static let bouncePieces = zip(bounces, bounces.dropFirst()).map { from, to in
        Easing.Part(
            start: from.time, end: to.time, from: from.way, to: to.way, easing: from.easing)
    }

    private static func steps(_ count: Int) -> [Easing.Part] {
        (0..<count).map { step in
            let way = Double(step) / Double(count)
            return Easing.Part(
                start: way, end: Double(step + 1) / Double(count), from: way, to: way,
                easing: .hold)
        }
    }

    /// Returns the lines of CSS Easing Functions 2, 2.2, which go on before the first stop and
    /// after the last.
    private static func lines(through stops: [Stop]) -> [Easing.Part] {
        let points = resolved(stops)
        guard points.count > 1 else {
            return [Easing.Part(start: 0, end: 1, from: 0, to: 1, easing: .linear)]
        }
        var pieces: [Easing.Part] = []
        for index in 0..<points.count - 1 {
            let (one, other) = (points[index], points[index + 1])
            let isLast = index == points.count - 2
            let (start, end) = (index == 0 ? 0 : one.share, isLast ? 1 : other.share)
            guard end > start else { continue }
            func value(at share: Double) -> Double {
                guard other.share > one.share else { return other.value }
                return one.value + (other.value - one.value) * (share - one.share)
                    / (other.share - one.share)
            }
            let (from, to) = (value(at: start), value(at: end))
            pieces.append(
                Easing.Part(
                    start: start, end: end, from: from, to: to, easing: from == to ? .hold : .linear
                ))
        }
        return pieces
    }

    /// Returns the stops with their progress in time, which never falls.
    private static func resolved(_ stops: [Stop]) -> [(value: Double, share: Double)] {
        var shares = stops.map { stop in stop.percent.map { $0 / 100 } }
        guard !shares.isEmpty else { return [] }
        shares[0] = shares[0] ?? 0
        shares[shares.count - 1] = shares[shares.count - 1] ?? 1
        var highest = shares[0] ?? 0
        for (index, share) in shares.enumerated() {
            guard let share else { continue }
            highest = max(highest, share)
            shares[index] = highest
        }
        return zip(stops, EvenSpacing.filled(shares)).map { ($0.value, $1) }
    }
}

/// The filling of gaps in rows of numbers.
enum EvenSpacing {
    /// Fills in missing numbers evenly between their neighbours; the first and the last must not be
    /// missing.
    static func filled(_ numbers: [Double?]) -> [Double] {
        var result: [Double] = []
        result.reserveCapacity(numbers.count)
        var missing = 0
        for number in numbers {
            guard let number else {
                missing += 1
                continue
            }
            let before = result.last ?? number
            for index in 0..<missing {
                result.append(
                    before + (number - before) * Double(index + 1) / Double(missing + 1))
            }
            missing = 0
            result.append(number)
        }
        return result
    }
}

extension Easing.Part {
    /// Returns the value at a progress in time, from its start to its end.
    fileprivate func value(at progress: Double) -> Double {
        from + (to - from) * easing.value(at: (progress - start) / (end - start))
    }
}

// MARK: Clamping

extension Easing.Part {
    fileprivate var mayLeaveRange: Bool {
        if min(from, to) < 0 || max(from, to) > 1 { return true }
        guard case .cubic(let curve) = easing else { return false }
        return min(curve.y1, curve.y2) < 0 || max(curve.y1, curve.y2) > 1
    }

    /// The piece in parts, none of which is below 0 or above 1.
    fileprivate var clamped: [Easing.Part] {
        easing.clampedParts(from: from, to: to).map { part in
            Self(
                start: start + (end - start) * part.start, end: start + (end - start) * part.end,
                from: part.from, to: part.to, easing: part.easing)
        }
    }
}
