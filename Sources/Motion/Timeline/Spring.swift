import Glibc
import Synchronization

/// The motion of a mass on a damped spring, released at 0 and at rest at 1.
///
/// Its natural frequency is 1: only the shape counts, because its time is scaled.
struct Spring {
    private let damping: Double

    /// The distance from 1 within which a spring counts as settled.
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

    /// The times at which the spring turns back, in rising order, up to the last turn that is off
    /// by more than `rest`; empty if it never overshoots by as much.
    var turns: [Double] {
        guard damping < 1 else { return [] }
        let frequency = (1 - damping * damping).squareRoot()
        let period = Double.pi / frequency
        // Each swing is smaller than the one before by the same factor.
        let count = Int((-log(Self.rest) / (damping * period)).rounded(.down))
        return count > 0 ? (1...count).map { Double($0) * period } : []
    }

    /// The time, in whole thousandths, from which the spring stays within `rest` of 1.
    var settlingTime: Double {
        var low = turns.last ?? 0
        var high = low + 1
        // The loop is bounded: the distance doubles, and the slowest spring needs 140.
        while high < 1000, abs(position(at: high) - 1) > Self.rest { high = low + (high - low) * 2 }
        for _ in 0..<60 {
            let middle = (low + high) / 2
            if abs(position(at: middle) - 1) > Self.rest { low = middle } else { high = middle }
        }
        return ((low * 1000).rounded(.down) + 1) / 1000
    }
}

/// The pieces of springs, which are kept because many requests use the same springs.
enum SpringPieces {
    private static let kept = Mutex<[Double: [Easing.Part]]>([:])
    private static let capacity = 256
    /// The largest error of a piece, in progress.
    private static let tolerance = 0.0027
    /// The most times that a piece is split.
    private static let maximumDepth = 5

    static func pieces(bounce: Double) -> [Easing.Part] {
        if let known = kept.withLock({ $0[bounce] }) { return known }
        let pieces = fitted(Spring(bounce: bounce))
        kept.withLock { kept in
            if kept.count >= capacity { kept = [:] }
            kept[bounce] = pieces
        }
        return pieces
    }

    /// Returns curves between the turns, split if a curve is not exact enough.
    ///
    /// Each swing has the shape of the first in the opposite direction, and is smaller by the same
    /// factor.
    private static func fitted(_ spring: Spring) -> [Easing.Part] {
        let end = spring.settlingTime
        // Turns that hardly leave 1 need no piece of their own.
        let turns = spring.turns.filter { abs(spring.position(at: $0) - 1) > tolerance }
        var pieces: [Easing.Part] = []
        if let first = turns.first {
            let whole = PieceFit(
                PieceFit.Segment(spring: spring, start: 0, end: first, isLast: false))
            var split: [Easing.Part] = []
            add(
                PieceFit.Segment(spring: spring, start: 0, end: first, isLast: false),
                duration: end, depth: 0, to: &split)
            let single = Easing.Part(
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
        // Pieces have no gaps from rounding, which would be jumps.
        for index in pieces.indices.dropFirst() {
            pieces[index].start = pieces[index - 1].end
            pieces[index].from = pieces[index - 1].to
        }
        return pieces
    }

    private static func add(
        _ segment: PieceFit.Segment, duration: Double, depth: Int,
        to pieces: inout [Easing.Part]
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
            Easing.Part(
                start: segment.start / duration, end: segment.end / duration, from: segment.from,
                to: segment.to, easing: fit.easing))
    }
}

extension Easing.Part {
    /// Returns the piece of another swing.
    ///
    /// - Parameters:
    ///   - shares: The progress in time from the first swing's start to the other's.
    ///   - size: The distance of the other swing from 1 at its start, as a share of the first
    ///     swing's.
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
        /// True if the segment arrives at exactly 1.
        var isLast: Bool

        var from: Double { spring.position(at: start) }
        var to: Double { isLast ? 1 : spring.position(at: end) }
    }

    private(set) var easing = Easing.linear
    /// The largest difference in progress.
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

    /// Keeps a curve that is nearer than all before.
    private mutating func note(_ points: SIMD4<Double>, _ segment: Segment) {
        let rounded = (points * 10_000).rounded(.toNearestOrAwayFromZero) / 10_000
        let largest = Self.differences(rounded, segment).reduce(0) { max($0, abs($1)) }
        guard largest < error else { return }
        error = largest
        easing = .cubic(CubicBezier(x1: rounded.x, y1: rounded.y, x2: rounded.z, y2: rounded.w))
    }

    /// Returns the differences between the curve with these control points and the motion.
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
    /// Solves the four linear equations with these rows by elimination; the matrix is positive
    /// definite.
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
