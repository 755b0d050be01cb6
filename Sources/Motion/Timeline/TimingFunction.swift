import Foundation
import Synchronization

/// A curve from 0 to 1 as requests name it.
///
/// A scene has it as pieces, so that no format knows more curves than `Easing`.
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
        /// When, in percent of the time, 0…100; nil for evenly between its neighbours.
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

    /// A part of the curve.
    struct Piece: Hashable, Sendable {
        /// The share of the time at which it begins, 0…1.
        var start: Double
        var end: Double
        /// The share of the way at its start.
        var from: Double
        /// The share of the way at its end; equal to `from` where it is held.
        var to: Double
        /// `hold` where the value stays.
        var easing: Easing
    }

    /// The curve in order, without gaps; off by 0.003 of the way at most.
    ///
    /// A piece may begin with another value than the one before ends with, which is a jump; so may
    /// the first, which comes from 0, and the last, which goes to 1.
    var pieces: [Piece] {
        switch self {
        case .easing(let easing): [Piece(start: 0, end: 1, from: 0, to: 1, easing: easing)]
        case .bounce: Self.bouncePieces
        case .steps(let count): Self.steps(count)
        case .stops(let stops): Self.lines(through: stops)
        case .spring(let bounce): SpringPieces.pieces(bounce: bounce)
        }
    }

    /// The pieces with values below 0 and above 1 cut off.
    var clampedPieces: [Piece] {
        let pieces = pieces
        guard pieces.contains(where: \.mayLeaveRange) else { return pieces }
        return pieces.flatMap(\.clamped)
    }

    // MARK: Named curves

    private static let quadraticIn = Easing.cubic(
        CubicBezier(x1: 1 / 3, y1: 0, x2: 2 / 3, y2: 1 / 3))
    private static let quadraticOut = Easing.cubic(
        CubicBezier(x1: 1 / 3, y1: 2 / 3, x2: 2 / 3, y2: 1))

    /// The four parabolas, which cubic curves draw exactly: share of the time, share of the way,
    /// and the curve to the next.
    private static let bounces: [(time: Double, way: Double, easing: Easing)] = [
        (0, 0, quadraticIn), (4.0 / 11, 1, quadraticOut), (6.0 / 11, 0.75, quadraticIn),
        (8.0 / 11, 1, quadraticOut), (9.0 / 11, 0.9375, quadraticIn),
        (10.0 / 11, 1, quadraticOut), (21.0 / 22, 0.984375, quadraticIn), (1, 1, .linear),
    ]

    private static let bouncePieces = zip(bounces, bounces.dropFirst()).map { from, to in
        Piece(
            start: from.time, end: to.time, from: from.way, to: to.way, easing: from.easing)
    }

    private static func steps(_ count: Int) -> [Piece] {
        (0..<count).map { step in
            let way = Double(step) / Double(count)
            return Piece(
                start: way, end: Double(step + 1) / Double(count), from: way, to: way,
                easing: .hold)
        }
    }

    /// CSS Easing Functions 2, 2.2: the lines go on before the first stop and behind the last.
    private static func lines(through stops: [Stop]) -> [Piece] {
        let points = resolved(stops)
        guard points.count > 1 else {
            return [Piece(start: 0, end: 1, from: 0, to: 1, easing: .linear)]
        }
        var pieces: [Piece] = []
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
                Piece(
                    start: start, end: end, from: from, to: to, easing: from == to ? .hold : .linear
                ))
        }
        return pieces
    }

    /// Returns stops with their shares, none of which falls.
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

/// Numbers of which some are missing.
enum EvenSpacing {
    /// Fills in missing numbers, evenly between the neighbours that are there; the first and the
    /// last must be.
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

// MARK: Clamping

extension TimingFunction.Piece {
    fileprivate var mayLeaveRange: Bool {
        if min(from, to) < 0 || max(from, to) > 1 { return true }
        guard case .cubic(let curve) = easing else { return false }
        return min(curve.y1, curve.y2) < 0 || max(curve.y1, curve.y2) > 1
    }

    /// The piece in parts of which none is below 0 or above 1.
    fileprivate var clamped: [TimingFunction.Piece] {
        switch easing {
        case .hold:
            let value = min(max(from, 0), 1)
            return [Self(start: start, end: end, from: value, to: value, easing: .hold)]
        case .linear:
            return parts(of: CubicBezier(x1: 1 / 3, y1: 1 / 3, x2: 2 / 3, y2: 2 / 3)).map {
                var part = $0
                if part.easing != .hold { part.easing = .linear }
                return part
            }
        case .cubic(let curve): return parts(of: curve)
        }
    }

    private func parts(of curve: CubicBezier) -> [TimingFunction.Piece] {
        curve.clampedParts(from: from, to: to).map { part in
            Self(
                start: start + (end - start) * part.start, end: start + (end - start) * part.end,
                from: part.from, to: part.to, easing: part.easing)
        }
    }
}

// MARK: Springs

/// The motion of a mass on a damped spring, released at 0 and at rest at 1.
///
/// Its natural frequency is 1: only the shape counts, because its time is scaled.
struct Spring {
    private let damping: Double

    /// The distance from 1 within which it has settled.
    private static let rest = 0.001

    /// - Parameter bounce: -0.9…0.9; 0 is critically damped.
    init(bounce: Double) {
        damping = bounce >= 0 ? 1 - bounce : 1 / (1 + bounce)
    }

    func position(at time: Double) -> Double {
        if damping == 1 { return 1 - exp(-time) * (1 + time) }
        if damping < 1 {
            let frequency = (1 - damping * damping).squareRoot()
            return 1 - exp(-damping * time)
                * (cos(frequency * time) + damping / frequency * sin(frequency * time))
        }
        let root = (damping * damping - 1).squareRoot()
        let (slow, fast) = (-damping + root, -damping - root)
        return 1 - (slow * exp(fast * time) - fast * exp(slow * time)) / (slow - fast)
    }

    func velocity(at time: Double) -> Double {
        if damping == 1 { return exp(-time) * time }
        if damping < 1 {
            let frequency = (1 - damping * damping).squareRoot()
            return exp(-damping * time) / frequency * sin(frequency * time)
        }
        let root = (damping * damping - 1).squareRoot()
        let (slow, fast) = (-damping + root, -damping - root)
        return -(exp(fast * time) - exp(slow * time)) / (slow - fast)
    }

    /// The times at which it turns back, in rising order, up to the last that is off by more than
    /// `rest`; empty where it never overshoots by as much.
    var turns: [Double] {
        guard damping < 1 else { return [] }
        let frequency = (1 - damping * damping).squareRoot()
        let period = Double.pi / frequency
        // Each swing is smaller than the one before by the same factor.
        let count = Int((-log(Self.rest) / (damping * period)).rounded(.down))
        return count > 0 ? (1...count).map { Double($0) * period } : []
    }

    /// The time, in whole thousandths, from which on it stays within `rest` of 1.
    var settlingTime: Double {
        var low = turns.last ?? 0
        var high = low + 1
        // Bounded: it doubles, and the slowest spring needs 140.
        while high < 1000, abs(position(at: high) - 1) > Self.rest { high = low + (high - low) * 2 }
        for _ in 0..<60 {
            let middle = (low + high) / 2
            if abs(position(at: middle) - 1) > Self.rest { low = middle } else { high = middle }
        }
        return ((low * 1000).rounded(.down) + 1) / 1000
    }
}

/// The pieces of springs, which are kept because many requests use the same.
enum SpringPieces {
    private static let kept = Mutex<[Double: [TimingFunction.Piece]]>([:])
    private static let capacity = 256
    /// The share of the way by which a piece may be off.
    private static let tolerance = 0.0027
    /// The number of times that a piece is split at most.
    private static let maximumDepth = 5

    static func pieces(bounce: Double) -> [TimingFunction.Piece] {
        if let known = kept.withLock({ $0[bounce] }) { return known }
        let pieces = fitted(Spring(bounce: bounce))
        kept.withLock { kept in
            if kept.count >= capacity { kept = [:] }
            kept[bounce] = pieces
        }
        return pieces
    }

    /// Returns curves between the turns, split where one is not exact enough.
    ///
    /// Each swing has the shape of the first and is smaller by the same factor, the other way round.
    private static func fitted(_ spring: Spring) -> [TimingFunction.Piece] {
        let end = spring.settlingTime
        // Turns that hardly leave 1 need no piece of their own.
        let turns = spring.turns.filter { abs(spring.position(at: $0) - 1) > tolerance }
        var pieces: [TimingFunction.Piece] = []
        if let first = turns.first {
            let whole = PieceFit(
                PieceFit.Segment(spring: spring, start: 0, end: first, isLast: false))
            var split: [TimingFunction.Piece] = []
            add(
                PieceFit.Segment(spring: spring, start: 0, end: first, isLast: false),
                duration: end, depth: 0, to: &split)
            let single = TimingFunction.Piece(
                start: 0, end: first / end, from: 0, to: spring.position(at: first),
                easing: whole.easing)
            let shrinking = 1 - spring.position(at: first)
            var size = 1.0
            for turn in turns.indices {
                let isExact = abs(size) * whole.error <= tolerance
                for piece in isExact ? [single] : split {
                    pieces.append(piece.later(by: Double(turn) * first / end, size: size))
                }
                size *= shrinking
            }
        }
        add(
            PieceFit.Segment(spring: spring, start: turns.last ?? 0, end: end, isLast: true),
            duration: end, depth: 0, to: &pieces)
        // Without gaps by rounding, which would be jumps.
        for index in pieces.indices.dropFirst() {
            pieces[index].start = pieces[index - 1].end
            pieces[index].from = pieces[index - 1].to
        }
        return pieces
    }

    private static func add(
        _ segment: PieceFit.Segment, duration: Double, depth: Int,
        to pieces: inout [TimingFunction.Piece]
    ) {
        let fit = PieceFit(segment)
        guard fit.error <= tolerance || depth >= maximumDepth else {
            // Most of the motion is at the beginning.
            let middle = segment.start + (segment.end - segment.start) * 0.3
            var (first, second) = (segment, segment)
            (first.end, first.isLast, second.start) = (middle, false, middle)
            add(first, duration: duration, depth: depth + 1, to: &pieces)
            add(second, duration: duration, depth: depth + 1, to: &pieces)
            return
        }
        pieces.append(
            TimingFunction.Piece(
                start: segment.start / duration, end: segment.end / duration, from: segment.from,
                to: segment.to, easing: fit.easing))
    }
}

extension TimingFunction.Piece {
    /// Returns the piece of another swing.
    ///
    /// - Parameters:
    ///   - shares: The share of the time from the first swing's start to the other's.
    ///   - size: The other's distance from 1 at its start, as a share of the first's.
    /// - Returns: The piece, moved and scaled about 1.
    fileprivate func later(by shares: Double, size: Double) -> Self {
        Self(
            start: start + shares, end: end + shares, from: 1 - (1 - from) * size,
            to: 1 - (1 - to) * size, easing: easing)
    }
}

/// The cubic curve nearest to a part of a spring's motion.
private struct PieceFit {
    struct Segment {
        let spring: Spring
        var start: Double
        var end: Double
        /// True if it arrives at exactly 1.
        var isLast: Bool

        var from: Double { spring.position(at: start) }
        var to: Double { isLast ? 1 : spring.position(at: end) }
    }

    private(set) var easing = Easing.linear
    /// The largest difference, as a share of the whole way.
    private(set) var error = Double.infinity

    /// The curve's parameters at which it is compared: more at the beginning, which may be steep.
    private static let parameters = (1..<48).map { pow(Double($0) / 48, 1.5) }
    private static let rounds = 20
    /// The difference at which the search ends.
    private static let goodEnough = 0.001
    /// The first rounds minimise the sum of squares, the others the largest difference.
    private static let evenRounds = 5
    private static let damping = 0.001

    /// Fits the control points by Gauss and Newton's method, with Lawson's weights: points that are
    /// far off count more in the next round.
    init(_ segment: Segment) {
        var points = SIMD4(1.0 / 3, 0, 2.0 / 3, 1)
        var weights = [Double](repeating: 1, count: Self.parameters.count)
        for round in 0..<Self.rounds {
            let off = Self.differences(points, segment)
            // The matrix and the vector of the normal equations.
            var (matrix, vector) = ([SIMD4<Double>](repeating: .zero, count: 4), SIMD4<Double>())
            let columns = (0..<4).map { index in
                var moved = points
                moved[index] += 1e-5
                return zip(Self.differences(moved, segment), off).map { ($0 - $1) / 1e-5 }
            }
            for sample in off.indices {
                let row = SIMD4(
                    columns[0][sample], columns[1][sample], columns[2][sample], columns[3][sample])
                for index in 0..<4 { matrix[index] += row * row[index] * weights[sample] }
                vector -= row * off[sample] * weights[sample]
            }
            for index in 0..<4 {
                matrix[index][index] += Self.damping * (matrix[index][index] + 1e-9)
            }
            points += matrix.solution(vector)
            points.x = min(max(points.x, 0), 1)
            points.z = min(max(points.z, 0), 1)
            note(points, segment)
            if error <= Self.goodEnough { break }
            guard round >= Self.evenRounds else { continue }
            let after = Self.differences(points, segment)
            for sample in weights.indices { weights[sample] *= abs(after[sample]) + 1e-12 }
            let mean = weights.reduce(0, +) / Double(weights.count)
            for sample in weights.indices { weights[sample] /= mean }
        }
    }

    /// Keeps a curve that is nearer than those before.
    private mutating func note(_ points: SIMD4<Double>, _ segment: Segment) {
        let rounded = (points * 10_000).rounded(.toNearestOrAwayFromZero) / 10_000
        let largest = Self.differences(rounded, segment).reduce(0) { max($0, abs($1)) }
        guard largest < error else { return }
        error = largest
        easing = .cubic(CubicBezier(x1: rounded.x, y1: rounded.y, x2: rounded.z, y2: rounded.w))
    }

    /// Returns the differences between a curve with such control points and the motion.
    private static func differences(_ points: SIMD4<Double>, _ segment: Segment) -> [Double] {
        let curve = CubicBezier(x1: points.x, y1: points.y, x2: points.z, y2: points.w)
        let (from, to) = (segment.from, segment.to)
        return parameters.map { parameter in
            let (share, way) = curve.point(at: parameter)
            let time = segment.start + share * (segment.end - segment.start)
            return from + (to - from) * way - segment.spring.position(at: time)
        }
    }
}

extension [SIMD4<Double>] {
    /// Solves four linear equations, of which these are the rows, by elimination; the matrix is
    /// positive definite.
    fileprivate func solution(_ right: SIMD4<Double>) -> SIMD4<Double> {
        var (rows, right) = (self, right)
        for pivot in 0..<4 {
            for row in pivot + 1..<4 {
                let factor = rows[row][pivot] / rows[pivot][pivot]
                rows[row] -= rows[pivot] * factor
                right[row] -= right[pivot] * factor
            }
        }
        var solution = SIMD4<Double>()
        for row in (0..<4).reversed() {
            let known = (rows[row] * solution).sum()
            solution[row] = (right[row] - known) / rows[row][row]
        }
        return solution
    }
}
