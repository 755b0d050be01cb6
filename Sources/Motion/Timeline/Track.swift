/// A moment of the cycle, counted from its start in tenths of a millisecond.
///
/// Every format works with these instants, which is why they agree (docs/effects.md, *Instants*).
package struct Instant: Hashable, Comparable, Sendable {
    package static let perSecond = 10_000.0
    package static let zero = Instant(ticks: 0)

    /// Tenths of a millisecond.
    package var ticks: Int

    package var seconds: Double { Double(ticks) / Self.perSecond }

    package init(ticks: Int) {
        self.ticks = ticks
    }

    /// The nearest instant; halves go up.
    ///
    /// - Parameter seconds: Finite and far inside `Int`'s range: requests are limited before.
    package init(seconds: Double) {
        ticks = Int((seconds * Self.perSecond).rounded())
    }

    package static func < (one: Instant, other: Instant) -> Bool {
        one.ticks < other.ticks
    }
}

/// A value that a track has from an instant on.
package struct Keyframe: Hashable, Sendable {
    package var instant: Instant
    package var value: Double
    /// The curve of the value up to the next keyframe.
    package var easing: Easing

    package init(instant: Instant, value: Double, easing: Easing) {
        self.instant = instant
        self.value = value
        self.easing = easing
    }
}

/// One property over the cycle: keyframes whose instants rise strictly.
///
/// Before its first keyframe it has its first value, after its last keyframe its last value.
package struct Track: Hashable, Sendable {
    package var keyframes: [Keyframe]

    package init(keyframes: [Keyframe]) {
        self.keyframes = keyframes
    }

    /// Returns the value at an instant; O(number of keyframes).
    package func value(at instant: Instant) -> Double {
        guard let next = keyframes.firstIndex(where: { $0.instant > instant }) else {
            return keyframes.last?.value ?? 0
        }
        guard next > 0 else { return keyframes[0].value }
        let (from, to) = (keyframes[next - 1], keyframes[next])
        if from.easing == .hold { return from.value }
        let progress =
            Double(instant.ticks - from.instant.ticks)
            / Double(to.instant.ticks - from.instant.ticks)
        return from.value + (to.value - from.value) * from.easing.value(at: progress)
    }

    /// Returns the spans in which an opacity is above 0; a ramp from or to more than 0 counts
    /// throughout.
    func shownSpans(until end: Instant) -> [Range<Instant>] {
        var spans: [Range<Instant>] = []
        var since: Instant?
        func close(_ instant: Instant) {
            if let start = since, start < instant { spans.append(start..<instant) }
            since = nil
        }
        if let first = keyframes.first, first.value > 0 { since = .zero }
        for (index, keyframe) in keyframes.enumerated() {
            let next = index + 1 < keyframes.count ? keyframes[index + 1] : keyframe
            let shows = keyframe.value > 0 || keyframe.easing != .hold && next.value > 0
            if shows {
                if since == nil { since = keyframe.instant }
            } else {
                close(keyframe.instant)
            }
        }
        close(max(end, keyframes.last?.instant ?? end))
        return spans
    }

    /// The instants, in ticks, at which the value may differ from the tick before.
    fileprivate var changes: [ClosedRange<Int>] {
        zip(keyframes, keyframes.dropFirst()).compactMap { from, to in
            guard from.value != to.value else { return nil }
            let end = to.instant.ticks
            return (from.easing == .hold ? end : from.instant.ticks + 1)...end
        }
    }

    /// The ticks at which an opacity is above 0 or on its way from or to that, on any side of the
    /// cycle.
    fileprivate var shownTicks: [ClosedRange<Int>] {
        var spans: [ClosedRange<Int>] = []
        if let first = keyframes.first, first.value > 0 {
            spans.append(Int.min...first.instant.ticks)
        }
        for (from, to) in zip(keyframes, keyframes.dropFirst())
        where from.value > 0 || (to.value > 0 && from.easing != .hold) {
            spans.append(from.instant.ticks...to.instant.ticks)
        }
        if let last = keyframes.last, last.value > 0 {
            spans.append(last.instant.ticks...Int.max)
        }
        return spans
    }
}

/// Joins the phases of one property into its track over the cycle, by the *Instants* rule.
///
/// One builder makes many tracks, one after another, and keeps its room.
struct TrackBuilder {
    /// In rising order; several may fall on one instant.
    private var keyframes: [Keyframe] = []

    var isEmpty: Bool { keyframes.isEmpty }

    mutating func reserveCapacity(_ count: Int) {
        keyframes.reserveCapacity(count)
    }

    mutating func add(_ seconds: Double, value: Double, easing: Easing) {
        keyframes.append(
            Keyframe(instant: Instant(seconds: seconds), value: value, easing: easing))
    }

    /// Returns the track with each instant once and without keyframes that say nothing, and starts
    /// over.
    mutating func finish() -> Track {
        if !rises { keyframes = resolved() }
        defer { keyframes.removeAll(keepingCapacity: true) }
        return Track(keyframes: simplified())
    }

    private var rises: Bool {
        for index in keyframes.indices.dropFirst()
        where keyframes[index - 1].instant >= keyframes[index].instant {
            return false
        }
        return true
    }

    /// Returns the keyframes with each instant once.
    ///
    /// Of keyframes at one instant the last counts from there on; up to it holds what the first
    /// said, so a ramp that led to it ends one tick before.
    private func resolved() -> [Keyframe] {
        var result: [Keyframe] = []
        result.reserveCapacity(keyframes.count + 1)
        var index = 0
        while index < keyframes.count {
            let first = keyframes[index]
            var last = first
            while index < keyframes.count, keyframes[index].instant == first.instant {
                last = keyframes[index]
                index += 1
            }
            if first.value != last.value { Self.end(&result, at: first) }
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
        guard previous.value != jump.value else {
            result[result.count - 1].easing = .hold
            return
        }
        guard previous.easing != .hold else { return }
        if previous.instant == before { result.removeLast() }
        result.append(Keyframe(instant: before, value: jump.value, easing: .hold))
    }

    /// Returns the keyframes but those within, before and after stretches in which the value stays.
    private func simplified() -> [Keyframe] {
        var result: [Keyframe] = []
        result.reserveCapacity(keyframes.count)
        for (index, keyframe) in keyframes.enumerated() {
            let staysBefore = index == 0 || keyframes[index - 1].value == keyframe.value
            let staysAfter =
                index == keyframes.count - 1 || keyframes[index + 1].value == keyframe.value
            let isNeeded = !(staysBefore && staysAfter)
            if isNeeded { result.append(keyframe) }
        }
        if result.isEmpty, let only = keyframes.first { result.append(only) }
        if let last = result.indices.last { result[last].easing = .linear }
        if result.count == 1 { result[0].instant = .zero }
        return result
    }
}

/// A glyph's properties that change over time.
package enum Property: Int, CaseIterable, Sendable {
    case opacity, offsetX, offsetY, scale, rotation

    /// The value that draws the glyph as it was typeset.
    package var identity: Double {
        switch self {
        case .opacity, .scale: 1
        case .offsetX, .offsetY, .rotation: 0
        }
    }
}

/// The motion of one glyph over a cycle; an absent track means the identity.
package struct GlyphTracks: Hashable, Sendable {
    package var opacity: Track
    /// CSS pixels, positive to the right.
    package var offsetX: Track?
    /// CSS pixels, positive downwards.
    package var offsetY: Track?
    /// A factor, about the centre of the glyph's box.
    package var scale: Track?
    /// Degrees clockwise, about the centre of the glyph's box.
    package var rotation: Track?

    package static let shown = GlyphTracks(
        opacity: Track(keyframes: [Keyframe(instant: .zero, value: 1, easing: .linear)]))

    package init(opacity: Track) {
        self.opacity = opacity
    }

    package subscript(property: Property) -> Track? {
        get {
            switch property {
            case .opacity: opacity
            case .offsetX: offsetX
            case .offsetY: offsetY
            case .scale: scale
            case .rotation: rotation
            }
        }
        set {
            switch property {
            case .opacity: if let newValue { opacity = newValue }
            case .offsetX: offsetX = newValue
            case .offsetY: offsetY = newValue
            case .scale: scale = newValue
            case .rotation: rotation = newValue
            }
        }
    }

    /// Returns the glyph's pose at an instant.
    package func pose(at instant: Instant) -> Pose {
        Pose(
            opacity: min(max(opacity.value(at: instant), 0), 1),
            offsetX: offsetX?.value(at: instant) ?? 0,
            offsetY: offsetY?.value(at: instant) ?? 0,
            scale: scale?.value(at: instant) ?? 1,
            rotation: rotation?.value(at: instant) ?? 0)
    }

    /// The instants, in ticks, at which the glyph may look different from the tick before, in
    /// ascending order and apart from each other; the motion of a hidden glyph counts for nothing.
    package var changes: [ClosedRange<Int>] {
        let shown = opacity.shownTicks
        var changes = opacity.changes
        for track in [offsetX, offsetY, scale, rotation] {
            guard let track else { continue }
            for change in track.changes {
                changes += shown.compactMap {
                    change.overlaps($0) ? change.clamped(to: $0) : nil
                }
            }
        }
        return changes.merged
    }
}

extension [ClosedRange<Int>] {
    /// The same instants in ascending order, ranges that touch joined.
    package var merged: [ClosedRange<Int>] {
        var merged: [ClosedRange<Int>] = []
        for range in sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = merged.last, range.lowerBound <= last.upperBound + 1 {
                merged[merged.count - 1] =
                    last.lowerBound...Swift.max(last.upperBound, range.upperBound)
            } else {
                merged.append(range)
            }
        }
        return merged
    }
}

/// The position and look of one glyph at one instant.
///
/// Offsets are relative to the glyph's position in the finished layout, so the identity pose draws
/// the text exactly as it was typeset. Rotation and scale about the centre of the glyph's box come
/// before the offset.
package struct Pose: Equatable, Sendable {
    /// 0…1.
    package var opacity: Double
    /// CSS pixels, positive to the right.
    package var offsetX: Double
    /// CSS pixels, positive downwards.
    package var offsetY: Double
    /// A factor, about the centre of the glyph's box.
    package var scale: Double
    /// Clockwise turn about the centre of the glyph's box, in degrees.
    package var rotation: Double

    package static let rest = Pose(opacity: 1, offsetX: 0, offsetY: 0, scale: 1, rotation: 0)
    package static let hidden = Pose(opacity: 0, offsetX: 0, offsetY: 0, scale: 1, rotation: 0)

    package init(
        opacity: Double, offsetX: Double, offsetY: Double, scale: Double, rotation: Double
    ) {
        self.opacity = opacity
        self.offsetX = offsetX
        self.offsetY = offsetY
        self.scale = scale
        self.rotation = rotation
    }
}
