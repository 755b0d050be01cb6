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

    /// Returns the share of the way that is done after a share of the time (0…1).
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

/// A cubic curve from (0,0) to (1,1); x1 and x2 lie in 0…1 (CSS Easing Functions 1).
package struct CubicBezier: Hashable, Sendable {
    package let x1, y1, x2, y2: Double

    package init(x1: Double, y1: Double, x2: Double, y2: Double) {
        self.x1 = x1
        self.y1 = y1
        self.x2 = x2
        self.y2 = y2
    }

    /// Returns the curve's y at an x, by bisection: x rises along the curve.
    package func value(at x: Double) -> Double {
        guard x > 0 else { return 0 }
        guard x < 1 else { return 1 }
        var (low, high) = (0.0, 1.0)
        for _ in 0..<48 {
            let middle = (low + high) / 2
            if Self.polynomial(x1, x2, at: middle) < x { low = middle } else { high = middle }
        }
        return Self.polynomial(y1, y2, at: (low + high) / 2)
    }

    private static func polynomial(_ first: Double, _ second: Double, at s: Double) -> Double {
        let u = 1 - s
        return 3 * s * u * u * first + 3 * s * s * u * second + s * s * s
    }
}
