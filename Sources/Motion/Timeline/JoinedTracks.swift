/// Joins several tracks into one, such as the scales across and down, or two opacities.
///
/// A joined value is up to four numbers; unused ones are 0.
package enum JoinedTracks {
    /// The depth to which the time between two keyframes is halved.
    private static let depth = 5

    /// Returns the product of tracks.
    ///
    /// - Parameter tracks: The keyframes of each, with values of 0…1; none stands for 1.
    /// - Returns: The keyframes of the product, no more than 0.002 off.
    package static func product(_ tracks: [[Keyframe<Instant, Double>]]) -> [Keyframe<
        Instant, Double
    >] {
        let constant = tracks.reduce(1) { $1.count == 1 ? $0 * $1[0].value : $0 }
        let changing = tracks.filter { $0.count > 1 }
        if changing.count < 2 {
            let only = Keyframe(Instant.zero, value: 1.0)
            return (changing.first ?? [only]).map {
                Keyframe($0.time, value: $0.value * constant, easing: $0.easing)
            }
        }
        let joined = joined(changing, tolerance: 0.002) { values in
            SIMD4(values.reduce(constant, *), 0, 0, 0)
        }
        return joined.map {
            Keyframe($0.time, value: $0.value.x, easing: $0.easing)
        }
    }

    /// Joins tracks into one.
    ///
    /// - Parameters:
    ///   - tracks: The keyframes of each; none is empty.
    ///   - tolerance: The largest distance of any of the values from the right one.
    ///   - keepsEasings: True if `combine` is linear in each of its values.
    ///   - combine: Returns the values of the property; called with one value of each track.
    /// - Returns: At least one keyframe.
    package static func joined(
        _ tracks: [[Keyframe<Instant, Double>]], tolerance: Double, keepsEasings: Bool = true,
        _ combine: ([Double]) -> SIMD4<Double>
    ) -> [Keyframe<Instant, SIMD4<Double>>] {
        var parts = tracks.map(TrackPart.init)
        let instants = Set(tracks.joined().map(\.time)).sorted()
        var result: [Keyframe<Instant, SIMD4<Double>>] = []
        func values(at ticks: Double) -> SIMD4<Double> {
            combine(parts.map { $0.value(at: ticks) })
        }
        for (start, end) in zip(instants, instants.dropFirst()) {
            for index in parts.indices { parts[index].move(to: start) }
            let first = values(at: Double(start.ticks))
            let moving = parts.filter(\.isMoving)
            if moving.count <= 1, keepsEasings || moving.isEmpty,
                let easing = moving.first.map({ $0.easing(from: start, to: end) }) ?? .hold
            {
                result.append(Keyframe(start, value: first, easing: easing))
            } else {
                let span = JoinedSpan(
                    start: start, end: end, first: first, last: values(at: Double(end.ticks)))
                span.append(to: &result, tolerance: tolerance, depth: depth, values)
            }
            let last = values(at: Double(end.ticks))
            for index in parts.indices { parts[index].move(to: end) }
            let next = values(at: Double(end.ticks))
            if last.distance(to: next) > tolerance { hold(last, before: end, &result) }
        }
        guard let end = instants.last else { return result }
        for index in parts.indices { parts[index].move(to: end) }
        result.append(
            Keyframe(end, value: values(at: Double(end.ticks)), easing: .linear))
        return result
    }
}

extension JoinedTracks {
    /// Ends a change one tick before the value jumps.
    private static func hold(
        _ value: SIMD4<Double>, before jump: Instant,
        _ keyframes: inout [Keyframe<Instant, SIMD4<Double>>]
    ) {
        guard let previous = keyframes.last, previous.easing != .hold else { return }
        let before = Instant(ticks: jump.ticks - 1)
        if previous.time < before {
            keyframes.append(Keyframe(before, value: value, easing: .hold))
        } else {
            keyframes[keyframes.count - 1].easing = .hold
        }
    }
}

extension SIMD4<Double> {
    /// Returns the largest difference of any of the values.
    fileprivate func distance(to other: SIMD4<Double>) -> Double {
        let difference = self - other
        return Swift.max(difference.max(), -difference.min())
    }
}

/// A span of time in which the values of a property are written as lines.
private struct JoinedSpan {
    let start: Instant
    let end: Instant
    let first: SIMD4<Double>
    let last: SIMD4<Double>

    /// Appends the keyframes of as few lines as the tolerance allows.
    func append(
        to keyframes: inout [Keyframe<Instant, SIMD4<Double>>], tolerance: Double, depth: Int,
        _ values: (Double) -> SIMD4<Double>
    ) {
        let ticks = end.ticks - start.ticks
        let isStraight = [0.25, 0.5, 0.75].allSatisfy { share in
            let line = first + (last - first) * share
            return values(Double(start.ticks) + Double(ticks) * share).distance(to: line)
                <= tolerance
        }
        guard !isStraight, depth > 0, ticks > 1 else {
            keyframes.append(Keyframe(start, value: first, easing: .linear))
            return
        }
        let middle = Instant(ticks: start.ticks + ticks / 2)
        let value = values(Double(middle.ticks))
        JoinedSpan(start: start, end: middle, first: first, last: value)
            .append(to: &keyframes, tolerance: tolerance, depth: depth - 1, values)
        JoinedSpan(start: middle, end: end, first: value, last: last)
            .append(to: &keyframes, tolerance: tolerance, depth: depth - 1, values)
    }
}

/// The part of a track between two keyframes, which moves on through the track.
private struct TrackPart {
    private let keyframes: [Keyframe<Instant, Double>]
    /// The index of the last keyframe that counts; -1 before the first.
    private var index = -1

    init(_ keyframes: [Keyframe<Instant, Double>]) {
        self.keyframes = keyframes
    }

    mutating func move(to instant: Instant) {
        while index + 1 < keyframes.count, keyframes[index + 1].time <= instant { index += 1 }
    }

    var isMoving: Bool {
        guard index >= 0, index + 1 < keyframes.count else { return false }
        return keyframes[index].easing != .hold
            && keyframes[index].value != keyframes[index + 1].value
    }

    /// Returns the easing from one instant of the part to another; nil if it is a part of a curve.
    func easing(from start: Instant, to end: Instant) -> Easing? {
        let (from, to) = (keyframes[index], keyframes[index + 1])
        let isWhole = from.time == start && to.time == end
        return isWhole || from.easing == .linear ? from.easing : nil
    }

    /// Returns the value at an instant of the part, in ticks.
    func value(at ticks: Double) -> Double {
        guard index >= 0 else { return keyframes[0].value }
        let from = keyframes[index]
        guard isMoving else { return from.value }
        let to = keyframes[index + 1]
        let share =
            (ticks - Double(from.time.ticks))
            / Double(to.time.ticks - from.time.ticks)
        return from.value + (to.value - from.value) * from.easing.value(at: share)
    }
}
