/// Joins the phases of one property into its track over the cycle, by the *Instants* rule.
struct TrackBuilder {
    /// In rising order; several may fall on one instant.
    private var keyframes: [Keyframe] = []

    init(capacity: Int) {
        keyframes.reserveCapacity(capacity)
    }

    mutating func add(_ seconds: Double, _ value: Double, _ easing: Easing) {
        keyframes.append(
            Keyframe(instant: Instant(seconds: seconds), value: value, easing: easing))
    }

    /// The track with each instant once and without keyframes that say nothing.
    func track() -> Track {
        Track(keyframes: Self.simplified(Self.resolved(keyframes)))
    }

    /// Of keyframes at one instant the last counts from there on; up to it holds what the first
    /// said, so a ramp that led to it ends one tick before.
    private static func resolved(_ keyframes: [Keyframe]) -> [Keyframe] {
        let rises = keyframes.indices.dropFirst().allSatisfy {
            keyframes[$0 - 1].instant < keyframes[$0].instant
        }
        if rises { return keyframes }
        var result: [Keyframe] = []
        result.reserveCapacity(keyframes.count)
        var index = 0
        while index < keyframes.count {
            let first = keyframes[index]
            var last = first
            while index < keyframes.count, keyframes[index].instant == first.instant {
                last = keyframes[index]
                index += 1
            }
            if first.value != last.value { end(&result, at: first) }
            result.append(last)
        }
        return result
    }

    private static func end(_ result: inout [Keyframe], at jump: Keyframe) {
        let before = Instant(ticks: jump.instant.ticks - 1)
        guard let previous = result.last else {
            guard jump.instant > .zero else { return }
            result.append(Keyframe(instant: .zero, value: jump.value, easing: .hold))
            return
        }
        guard previous.easing != .hold, previous.value != jump.value else { return }
        if previous.instant == before { result.removeLast() }
        result.append(Keyframe(instant: before, value: jump.value, easing: .hold))
    }

    /// Drops keyframes within, before and after stretches in which the value stays.
    private static func simplified(_ keyframes: [Keyframe]) -> [Keyframe] {
        if keyframes.count == 2, keyframes[0].value != keyframes[1].value {
            var pair = keyframes
            pair[1].easing = .linear
            return pair
        }
        var result: [Keyframe] = []
        result.reserveCapacity(keyframes.count)
        for (index, keyframe) in keyframes.enumerated() {
            let staysBefore = index == 0 || keyframes[index - 1].value == keyframe.value
            let staysAfter =
                index == keyframes.count - 1 || keyframes[index + 1].value == keyframe.value
            let isNeeded = !(staysBefore && staysAfter)
            if isNeeded { result.append(keyframe) }
        }
        if result.isEmpty, let only = keyframes.first { result = [only] }
        if let last = result.indices.last { result[last].easing = .linear }
        if result.count == 1 { result[0].instant = .zero }
        return result
    }
}
