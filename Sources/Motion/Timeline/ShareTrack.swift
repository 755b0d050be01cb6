/// Clamps the tracks of opacities and other shares of a whole to 0…1.
package enum ShareTrack {
    /// Returns keyframes with all values in 0…1, also the values between keyframes.
    ///
    /// - Parameters:
    ///   - keyframes: The keyframes of a track.
    ///   - scale: A factor for each value before it is clamped.
    /// - Returns: The keyframes; more if a change leaves 0…1.
    package static func keyframes(of keyframes: [Keyframe<Instant, Double>], scale: Double = 1)
        -> [Keyframe<Instant, Double>]
    {
        let isWithin = keyframes.allSatisfy {
            (0...1).contains($0.value * scale) && !mayOvershoot($0.easing)
        }
        if isWithin, scale == 1 { return keyframes }
        var result: [Keyframe<Instant, Double>] = []
        for (from, to) in zip(keyframes, keyframes.dropFirst()) {
            let (from, to) = (from.scaled(by: scale), to.scaled(by: scale))
            let staysWithin = (0...1).contains(from.value) && (0...1).contains(to.value)
            if staysWithin, !mayOvershoot(from.easing) {
                result.append(from)
            } else {
                result += parts(from, to)
            }
        }
        return result + keyframes.suffix(1).map { $0.scaled(by: scale).clamped }
    }

    private static func mayOvershoot(_ easing: Easing) -> Bool {
        guard case .cubic(let curve) = easing else { return false }
        return min(curve.y1, curve.y2) < 0 || max(curve.y1, curve.y2) > 1
    }

    /// Returns the curve between two keyframes in parts that rise, fall, or stay at a bound.
    private static func parts(_ from: Keyframe<Instant, Double>, _ to: Keyframe<Instant, Double>)
        -> [Keyframe<Instant, Double>]
    {
        let ticks = Double(to.time.ticks - from.time.ticks)
        var result: [Keyframe<Instant, Double>] = []
        for part in from.easing.clampedParts(from: from.value, to: to.value) {
            let instant = Instant(
                ticks: from.time.ticks + Int((ticks * part.start).rounded()))
            if instant == result.last?.time { result.removeLast() }
            guard instant < to.time else { break }
            if part.easing == .hold, let last = result.last, last.easing == .hold,
                abs(last.value - part.from) < 1e-6
            {
                continue
            }
            result.append(Keyframe(instant, value: part.from, easing: part.easing))
        }
        return result
    }
}

extension Keyframe where Value == Double {
    fileprivate func scaled(by factor: Double) -> Self {
        Keyframe(time, value: value * factor, easing: easing)
    }

    fileprivate var clamped: Self {
        Keyframe(time, value: min(max(value, 0), 1), easing: easing)
    }
}
