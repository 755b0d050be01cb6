/// Joins the phases of one property into its track over the cycle, by the *Instants* rule.
///
/// One builder makes many tracks, one after another, and keeps its room.
struct TrackBuilder<Value: Interpolable> {
    /// In rising order; several may fall on one instant.
    private var keyframes: [Keyframe<Instant, Value>] = []

    mutating func reserveCapacity(_ count: Int) {
        keyframes.reserveCapacity(count)
    }

    mutating func add(_ seconds: Double, value: Value, easing: Easing) {
        keyframes.append(
            Keyframe(Instant(seconds: seconds), value: value, easing: easing))
    }

    /// Returns the keyframes, at most one at each instant and none that changes nothing, and starts
    /// over.
    mutating func finish() -> [Keyframe<Instant, Value>] {
        if !rises { resolve() }
        defer { keyframes.removeAll(keepingCapacity: true) }
        return simplified()
    }

    private var rises: Bool {
        for index in keyframes.indices.dropFirst()
        where keyframes[index - 1].time >= keyframes[index].time {
            return false
        }
        return true
    }

    /// Leaves one keyframe at each instant.
    ///
    /// If an instant has several keyframes, the last one counts from the instant on. The first one
    /// counts up to it, so a ramp that led to the first ends one tick before.
    private mutating func resolve() {
        // The first `count` keyframes are done; they never catch up with those that are read,
        // because an instant with a jump has two keyframes at least, and leaves two at most.
        var (index, count) = (0, 0)
        while index < keyframes.count {
            let first = keyframes[index]
            var last = first
            while index < keyframes.count, keyframes[index].time == first.time {
                last = keyframes[index]
                index += 1
            }
            if first.value != last.value { end(&count, at: first) }
            keyframes[count] = last
            count += 1
        }
        keyframes.removeLast(keyframes.count - count)
    }

    /// Ends the first `count` keyframes at a jump.
    private mutating func end(_ count: inout Int, at jump: Keyframe<Instant, Value>) {
        func append(_ instant: Instant) {
            keyframes[count] = Keyframe(instant, value: jump.value, easing: .hold)
            count += 1
        }
        guard count > 0 else {
            if jump.time > .zero { append(.zero) }
            return
        }
        let previous = keyframes[count - 1]
        guard previous.value != jump.value else {
            keyframes[count - 1].easing = .hold
            return
        }
        guard previous.easing != .hold else { return }
        let before = Instant(ticks: jump.time.ticks - 1)
        if previous.time == before { count -= 1 }
        append(before)
    }

    /// Returns the keyframes whose value differs from a neighbour's, or else the first one.
    private func simplified() -> [Keyframe<Instant, Value>] {
        let last = keyframes.count - 1
        func isNeeded(_ index: Int) -> Bool {
            index > 0 && keyframes[index - 1].value != keyframes[index].value
                || index < last && keyframes[index + 1].value != keyframes[index].value
        }
        var result: [Keyframe<Instant, Value>] = []
        result.reserveCapacity(keyframes.count)
        for index in keyframes.indices where isNeeded(index) { result.append(keyframes[index]) }
        if result.isEmpty, let only = keyframes.first { result.append(only) }
        if let last = result.indices.last { result[last].easing = .linear }
        if result.count == 1 { result[0].time = .zero }
        return result
    }
}

extension TrackBuilder {
    /// Adds the keyframes of a phase.
    ///
    /// - Parameters:
    ///   - keyframes: The keyframes, which count from the phase's start, after the delay.
    ///   - start: The phase's start in seconds before `speed`.
    ///   - delay: The tracks' delay in seconds before `speed`.
    ///   - speed: The factor that divides all times.
    mutating func add(
        _ keyframes: [Keyframe<Double, Value>], from start: Double, _ delay: Double, speed: Double
    ) {
        guard let first = keyframes.first, let last = keyframes.indices.last else { return }
        if delay + first.time > 0 { add(start / speed, value: first.value, easing: .hold) }
        for index in keyframes.indices {
            let keyframe = keyframes[index]
            // Before a jump the first value holds already, and needs no second keyframe.
            if index == 0, last > 0, delay > 0, keyframes[1].time == keyframe.time { continue }
            // The last value holds until another phase says otherwise.
            add(
                (start + (delay + keyframe.time)) / speed, value: keyframe.value,
                easing: index == last ? .hold : keyframe.easing)
        }
    }
}

extension TrackBuilder<Double> {
    /// Adds a change along the pieces of a curve.
    ///
    /// - Parameters:
    ///   - pieces: The pieces.
    ///   - start: The time at which it starts, in any unit.
    ///   - length: The time that it takes, in the same unit.
    ///   - first: The value at its start.
    ///   - last: The value at its end.
    ///   - seconds: Returns a time in seconds of the cycle.
    mutating func add(
        _ pieces: [Easing.Part], _ start: Double, _ length: Double, from first: Double,
        to last: Double, seconds: (Double) -> Double
    ) {
        for piece in pieces {
            add(
                seconds(start + piece.start * length), value: first + (last - first) * piece.from,
                easing: piece.easing)
            add(
                seconds(start + piece.end * length), value: first + (last - first) * piece.to,
                easing: .hold)
        }
        add(seconds(start + length), value: last, easing: .hold)
    }
}
