/// The curve of a value from one keyframe to the next.
package enum Easing: Hashable, Sendable {
    case linear
    /// Keeps the value and jumps at the next keyframe.
    case hold
    /// CSS `cubic-bezier`.
    case cubic(CubicBezier)

    package static let ease = Easing.cubic(CubicBezier(x1: 0.25, y1: 0.1, x2: 0.25, y2: 1))
    package static let easeIn = Easing.cubic(CubicBezier(x1: 0.42, y1: 0, x2: 1, y2: 1))
    package static let easeOut = Easing.cubic(CubicBezier(x1: 0, y1: 0, x2: 0.58, y2: 1))
    package static let easeInOut = Easing.cubic(CubicBezier(x1: 0.42, y1: 0, x2: 0.58, y2: 1))
    package static let backOut = Easing.cubic(CubicBezier(x1: 0.34, y1: 1.56, x2: 0.64, y2: 1))

    /// The names in requests, in their order in lists.
    package static let named: [(name: String, easing: Easing)] = [
        ("linear", .linear), ("ease", .ease), ("ease-in", .easeIn), ("ease-out", .easeOut),
        ("ease-in-out", .easeInOut), ("back-out", .backOut),
    ]

    /// Returns the progress of the value at a progress of the time (0…1).
    package func value(at progress: Double) -> Double {
        switch self {
        case .linear: progress
        case .hold: 0
        case .cubic(let curve): curve.value(at: progress)
        }
    }

    /// The same curve run backwards.
    package var reversed: Easing {
        guard case .cubic(let curve) = self else { return self }
        return .cubic(
            CubicBezier(
                x1: 1 - curve.x2, y1: 1 - curve.y2, x2: 1 - curve.x1, y2: 1 - curve.y1))
    }
}

extension Easing {
    /// A part of a change: of an easing between two values, or of a `TimingFunction`.
    package struct Part: Hashable, Sendable {
        /// The progress in time at which it begins and ends, 0…1 each.
        package var start: Double
        package var end: Double
        /// The values at its start and its end; equal if the value is held.
        package var from: Double
        package var to: Double
        /// `hold` if the value stays.
        package var easing: Easing
    }

    /// Returns the curve between two values in parts that rise, fall, or stay at 0 or 1, so that no
    /// part leaves 0…1.
    package func clampedParts(from first: Double, to last: Double) -> [Part] {
        switch self {
        case .hold:
            let value = min(max(first, 0), 1)
            return [Part(start: 0, end: 1, from: value, to: value, easing: .hold)]
        case .linear:
            return CubicBezier.straight.clampedParts(from: first, to: last).map {
                var part = $0
                if part.easing != .hold { part.easing = .linear }
                return part
            }
        case .cubic(let curve):
            return curve.clampedParts(from: first, to: last)
        }
    }
}

/// A cubic curve from (0,0) to (1,1); x1 and x2 lie in 0…1 (CSS Easing Functions 1).
package struct CubicBezier: Hashable, Sendable {
    package let x1, y1, x2, y2: Double

    /// The straight line, whose parameter is the progress in time.
    fileprivate static let straight = CubicBezier(x1: 1 / 3, y1: 1 / 3, x2: 2 / 3, y2: 2 / 3)

    package init(x1: Double, y1: Double, x2: Double, y2: Double) {
        self.x1 = x1
        self.y1 = y1
        self.x2 = x2
        self.y2 = y2
    }

    /// The distance between the parameters that are tried, so that curves have the same bits on
    /// every machine.
    private static let grid = 0x1p-48

    /// Returns the curve's y at an x: x rises along the curve.
    package func value(at x: Double) -> Double {
        guard x > 0 else { return 0 }
        guard x < 1 else { return 1 }
        func isBelow(_ parameter: Double) -> Bool {
            Self.polynomial(x1, x2, at: parameter) < x
        }
        // Between this parameter of the grid and the next the curve passes x.
        var low = (parameter(at: x) / Self.grid).rounded(.down) * Self.grid
        var steps = 0
        while low > 0, !isBelow(low), steps < 4 {
            low -= Self.grid
            steps += 1
        }
        while low + Self.grid < 1, isBelow(low + Self.grid), steps < 4 {
            low += Self.grid
            steps += 1
        }
        if steps == 4 {
            // Where the curve is steep, Newton's method is not exact enough.
            var high = 1.0
            low = 0
            while high - low > Self.grid {
                let middle = (low + high) / 2
                if isBelow(middle) { low = middle } else { high = middle }
            }
        }
        return Self.polynomial(y1, y2, at: low + Self.grid / 2)
    }

    /// Returns approximately the parameter at which the curve has an x, by Newton's method in a
    /// bracket.
    private func parameter(at x: Double) -> Double {
        var (low, high) = (0.0, 1.0)
        var parameter = x
        for _ in 0..<64 {
            let off = Self.polynomial(x1, x2, at: parameter) - x
            if off < 0 { low = parameter } else { high = parameter }
            var next = parameter - off / Self.slope(x1, x2, at: parameter)
            // The next parameter is out of the bracket, or not a number if the slope is 0.
            if !(next > low && next < high) { next = (low + high) / 2 }
            guard abs(next - parameter) > Self.grid / 4 else { return next }
            parameter = next
        }
        return parameter
    }

    /// Returns the curve's x and y at a parameter of 0…1.
    func point(at parameter: Double) -> (x: Double, y: Double) {
        (Self.polynomial(x1, x2, at: parameter), Self.polynomial(y1, y2, at: parameter))
    }

    private static func slope(_ first: Double, _ second: Double, at s: Double) -> Double {
        let u = 1 - s
        return 3 * u * u * first + 6 * u * s * (second - first) + 3 * s * s * (1 - second)
    }

    private static func polynomial(_ first: Double, _ second: Double, at s: Double) -> Double {
        let u = 1 - s
        return 3 * s * u * u * first + 3 * s * s * u * second + s * s * s
    }
}

// MARK: Parts

extension CubicBezier {
    /// Returns the curve between two values in parts that rise, fall, or stay at 0 or 1, so that no
    /// part leaves 0…1.
    fileprivate func clampedParts(from first: Double, to last: Double) -> [Easing.Part] {
        let y = BezierAxis(first: y1, second: y2)
        let x = BezierAxis(first: x1, second: x2)
        func value(at parameter: Double) -> Double {
            min(max(first + (last - first) * y.value(at: parameter), 0), 1)
        }
        var parameters = [0.0] + y.extremes
        if last != first {
            for bound in [0.0, 1] {
                parameters += y.parameters(of: (bound - first) / (last - first))
            }
        }
        parameters.sort()
        parameters.append(1)
        return zip(parameters, parameters.dropFirst()).compactMap { parameter, next in
            let (start, end) = (x.value(at: parameter), x.value(at: next))
            guard start < end else { return nil }
            let (from, to) = (value(at: parameter), value(at: next))
            let isConstant = abs(from - to) < 1e-6
            let easing =
                isConstant
                ? Easing.hold
                : .cubic(CubicBezier(x: x.part(parameter, next), y: y.part(parameter, next)))
            return Easing.Part(
                start: start, end: end, from: from, to: isConstant ? from : to, easing: easing)
        }
    }

    // A part of a steep curve may leave 0…1 by a little.
    private init(x: (first: Double, second: Double), y: (first: Double, second: Double)) {
        self.init(
            x1: min(max(x.first, 0), 1), y1: y.first, x2: min(max(x.second, 0), 1), y2: y.second)
    }
}

/// One coordinate of a cubic Bézier curve from 0 to 1.
private struct BezierAxis {
    let first: Double
    let second: Double

    func value(at parameter: Double) -> Double {
        blossom(parameter, parameter, parameter)
    }

    /// Returns the control points of the curve between two parameters, its ends being 0 and 1.
    func part(_ start: Double, _ end: Double) -> (first: Double, second: Double) {
        let (low, high) = (value(at: start), value(at: end))
        guard high != low else { return (0, 1) }
        return (
            (blossom(start, start, end) - low) / (high - low),
            (blossom(start, end, end) - low) / (high - low)
        )
    }

    /// The parameters within the curve at which it turns back.
    var extremes: [Double] {
        // The derivative's third: a + 2bs + cs².
        let (a, b, c) = (first, second - 2 * first, 1 - 3 * second + 3 * first)
        guard abs(c) > 1e-9 else {
            return abs(b) < 1e-9 ? [] : [-a / (2 * b)].filter { $0 > 0 && $0 < 1 }
        }
        let discriminant = b * b - a * c
        guard discriminant > 0 else { return [] }
        let root = discriminant.squareRoot()
        return [(-b - root) / c, (-b + root) / c].filter { $0 > 0 && $0 < 1 }
    }

    /// Returns the parameters within the curve at which it has a value.
    func parameters(of target: Double) -> [Double] {
        let turns = [0] + extremes.sorted() + [1]
        return zip(turns, turns.dropFirst()).compactMap { start, end in
            var (low, high) = (start, end)
            let rises = value(at: end) > value(at: start)
            guard (value(at: start) - target) * (value(at: end) - target) < 0 else { return nil }
            for _ in 0..<40 {
                let middle = (low + high) / 2
                if (value(at: middle) < target) == rises { low = middle } else { high = middle }
            }
            return (low + high) / 2
        }
    }

    /// The polar form: symmetric, linear in each argument, and equal to the curve if all are equal.
    private func blossom(_ r: Double, _ s: Double, _ t: Double) -> Double {
        let (one, two) = (r + s + t, r * s + s * t + t * r)
        let three = r * s * t
        return first * (one - 2 * two + 3 * three) + second * (two - 3 * three) + three
    }
}
