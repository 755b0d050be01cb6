import Motion

/// Clamps opacities and other shares of a whole to 0…1, beyond which rlottie wraps around.
enum LottieShare {
    /// Returns keyframes with all values in 0…1, also those between keyframes.
    ///
    /// - Parameters:
    ///   - keyframes: The keyframes of a track.
    ///   - scale: A factor for each value before it is clamped.
    static func keyframes(of keyframes: [Keyframe], scale: Double = 1) -> [Keyframe] {
        let isWithin = keyframes.allSatisfy {
            (0...1).contains($0.value * scale) && !mayOvershoot($0.easing)
        }
        if isWithin, scale == 1 { return keyframes }
        var result: [Keyframe] = []
        for (from, to) in zip(keyframes, keyframes.dropFirst()) {
            let (from, to) = (from.scaled(by: scale), to.scaled(by: scale))
            let staysWithin = (0...1).contains(from.value) && (0...1).contains(to.value)
            switch from.easing {
            case .cubic(let curve) where !staysWithin || mayOvershoot(from.easing):
                result += parts(of: curve, from, to)
            case .linear where !staysWithin: result += parts(of: .diagonal, from, to)
            default: result.append(from.clamped)
            }
        }
        return result + keyframes.suffix(1).map { $0.scaled(by: scale).clamped }
    }

    private static func mayOvershoot(_ easing: Easing) -> Bool {
        guard case .cubic(let curve) = easing else { return false }
        return min(curve.y1, curve.y2) < 0 || max(curve.y1, curve.y2) > 1
    }

    /// Returns the curve between two keyframes in parts that rise, fall, or stay at a bound.
    private static func parts(
        of curve: CubicBezier, _ from: Keyframe, _ to: Keyframe
    ) -> [Keyframe] {
        let start = from.instant.ticks
        let ticks = Double(to.instant.ticks - start)
        let y = BezierAxis(first: curve.y1, second: curve.y2)
        let x = BezierAxis(first: curve.x1, second: curve.x2)
        func value(at parameter: Double) -> Double {
            min(max(from.value + (to.value - from.value) * y.value(at: parameter), 0), 1)
        }
        var parameters = [0.0] + y.extremes
        if to.value != from.value {
            for bound in [0.0, 1] {
                parameters += y.parameters(of: (bound - from.value) / (to.value - from.value))
            }
        }
        parameters.sort()
        parameters.append(1)
        var result: [Keyframe] = []
        for (parameter, next) in zip(parameters, parameters.dropFirst()) {
            let instant = Instant(ticks: start + Int((ticks * x.value(at: parameter)).rounded()))
            if instant == result.last?.instant { result.removeLast() }
            guard instant < to.instant else { break }
            let (value, nextValue) = (value(at: parameter), value(at: next))
            let isConstant = abs(value - nextValue) < 1e-6
            if isConstant, let last = result.last, last.easing == .hold,
                abs(last.value - value) < 1e-6
            {
                continue
            }
            let easing: Easing =
                if isConstant {
                    .hold
                } else if from.easing == .linear {
                    .linear
                } else {
                    .cubic(CubicBezier(x: x.part(parameter, next), y: y.part(parameter, next)))
                }
            result.append(Keyframe(instant: instant, value: value, easing: easing))
        }
        return result
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

    /// The polar form: symmetric, linear in each argument, the curve where all are equal.
    private func blossom(_ r: Double, _ s: Double, _ t: Double) -> Double {
        let (one, two) = (r + s + t, r * s + s * t + t * r)
        let three = r * s * t
        return first * (one - 2 * two + 3 * three) + second * (two - 3 * three) + three
    }
}

extension Keyframe {
    fileprivate func scaled(by factor: Double) -> Keyframe {
        Keyframe(instant: instant, value: value * factor, easing: easing)
    }

    fileprivate var clamped: Keyframe {
        Keyframe(instant: instant, value: min(max(value, 0), 1), easing: easing)
    }
}

extension CubicBezier {
    /// The linear easing, whose parameter is the share of the time.
    fileprivate static let diagonal = CubicBezier(
        x1: 1.0 / 3, y1: 1.0 / 3, x2: 2.0 / 3, y2: 2.0 / 3)

    // A part of a steep curve may leave 0…1 by a little.
    fileprivate init(x: (first: Double, second: Double), y: (first: Double, second: Double)) {
        self.init(
            x1: min(max(x.first, 0), 1), y1: y.first, x2: min(max(x.second, 0), 1), y2: y.second)
    }
}
