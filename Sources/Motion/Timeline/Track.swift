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

/// A value from a time on: the time is an `Instant` of the cycle, seconds of a phase, or the
/// progress through an item's duration.
package struct Keyframe<Time: Hashable & Sendable, Value: Hashable & Sendable>: Hashable, Sendable {
    package var time: Time
    package var value: Value
    /// The curve of the value up to the next keyframe.
    package var easing: Easing

    package init(_ time: Time, value: Value, easing: Easing = .linear) {
        self.time = time
        self.value = value
        self.easing = easing
    }
}

/// A value that can be interpolated.
package protocol Interpolable: Hashable, Sendable {
    /// The value of a track without keyframes.
    static var atRest: Self { get }

    /// Returns the value at a progress from this one to another, which may lie past both.
    func mixed(with other: Self, progress: Double) -> Self
}

extension Double: Interpolable {
    package static var atRest: Double { 0 }

    package func mixed(with other: Double, progress: Double) -> Double {
        self + (other - self) * progress
    }
}

extension ColorMix: Interpolable {
    package static var atRest: ColorMix { .own }
}

/// One property over the cycle: keyframes whose instants rise strictly.
///
/// Before its first keyframe it has its first value, after its last keyframe its last value.
package struct Track<Value: Interpolable>: Hashable, Sendable {
    package var keyframes: [Keyframe<Instant, Value>]

    package init(keyframes: [Keyframe<Instant, Value>]) {
        self.keyframes = keyframes
    }

    fileprivate func firstIndex(after instant: Instant) -> Int {
        var (low, high) = (0, keyframes.count)
        while low < high {
            let middle = (low + high) / 2
            if keyframes[middle].time > instant { high = middle } else { low = middle + 1 }
        }
        return low
    }

    fileprivate func mixedValue(at instant: Instant) -> Value {
        let next = firstIndex(after: instant)
        guard next < keyframes.count else { return keyframes.last?.value ?? .atRest }
        guard next > 0 else { return keyframes[0].value }
        let (from, to) = (keyframes[next - 1], keyframes[next])
        if from.easing == .hold { return from.value }
        let time =
            Double(instant.ticks - from.time.ticks) / Double(to.time.ticks - from.time.ticks)
        let progress = from.easing.value(at: time)
        return progress == 0 ? from.value : from.value.mixed(with: to.value, progress: progress)
    }

    /// The instants, in ticks, at which the value may differ from the tick before.
    package var changes: [ClosedRange<Int>] {
        zip(keyframes, keyframes.dropFirst()).compactMap { from, to in
            guard from.value != to.value else { return nil }
            let end = to.time.ticks
            return (from.easing == .hold ? end : from.time.ticks + 1)...end
        }
    }
}

// A generic `package` function is never specialised in another module, and takes ten times as long
// there: these are compiled for the values that tracks have.

extension Track<ColorMix> {
    /// Returns the value at an instant; O(log n) for n keyframes.
    package func value(at instant: Instant) -> ColorMix { mixedValue(at: instant) }
}

extension Track<Double> {
    /// Returns the index of the first keyframe after an instant, or the number of keyframes;
    /// O(log n).
    package func index(after instant: Instant) -> Int { firstIndex(after: instant) }

    /// Returns the value at an instant; O(log n) for n keyframes.
    package func value(at instant: Instant) -> Double { mixedValue(at: instant) }

    /// Returns true if both tracks have the same instants and easings.
    package func hasTiming(of other: Track<Double>) -> Bool {
        guard keyframes.count == other.keyframes.count else { return false }
        return keyframes.indices.allSatisfy {
            keyframes[$0].time == other.keyframes[$0].time
                && keyframes[$0].easing == other.keyframes[$0].easing
        }
    }

    /// Returns the spans in which an opacity is above 0; a ramp from or to more than 0 counts
    /// throughout.
    package func shownSpans(until end: Instant) -> [Range<Instant>] {
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
                if since == nil { since = keyframe.time }
            } else {
                close(keyframe.time)
            }
        }
        close(max(end, keyframes.last?.time ?? end))
        return spans
    }

    /// The ticks at which an opacity is above 0 or on its way from or to that, on any side of the
    /// cycle.
    fileprivate var shownTicks: [ClosedRange<Int>] {
        var spans: [ClosedRange<Int>] = []
        if let first = keyframes.first, first.value > 0 {
            spans.append(Int.min...first.time.ticks)
        }
        for (from, to) in zip(keyframes, keyframes.dropFirst())
        where from.value > 0 || (to.value > 0 && from.easing != .hold) {
            spans.append(from.time.ticks...to.time.ticks)
        }
        if let last = keyframes.last, last.value > 0 {
            spans.append(last.time.ticks...Int.max)
        }
        return spans
    }
}

extension [Range<Instant>] {
    /// The same spans in rising order; spans that touch are joined.
    var joined: [Range<Instant>] {
        var joined: [Range<Instant>] = []
        for span in sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = joined.last, span.lowerBound <= last.upperBound {
                let end = Swift.max(last.upperBound, span.upperBound)
                joined[joined.count - 1] = last.lowerBound..<end
            } else {
                joined.append(span)
            }
        }
        return joined
    }
}

/// The track of one property.
package struct PropertyTrack: Hashable, Sendable {
    package var property: Property
    package var track: Track<Double>

    package init(_ property: Property, _ track: Track<Double>) {
        self.property = property
        self.track = track
    }
}

/// The motion of one glyph over a cycle.
package struct GlyphTracks: Hashable, Sendable {
    package var opacity: Track<Double>
    /// The other properties that change, in the order of `Property`; most glyphs have few.
    package private(set) var others: [PropertyTrack] = []
    /// The colour instead of the glyph's paint; nil if it keeps its own.
    /// No easing overshoots: the parts of a curve that go beyond a colour are cut off before.
    package var fill: Track<ColorMix>?

    package static let shown = GlyphTracks(
        opacity: Track(keyframes: [Keyframe(.zero, value: 1, easing: .linear)]))

    package init(opacity: Track<Double>) {
        self.opacity = opacity
    }

    /// The track of a property; nil if the property has its identity throughout.
    package subscript(property: Property) -> Track<Double>? {
        get {
            if property == .opacity { return opacity }
            for other in others where other.property == property { return other.track }
            return nil
        }
        set {
            if property == .opacity {
                if let newValue { opacity = newValue }
                return
            }
            others.removeAll { $0.property == property }
            guard let newValue else { return }
            let index =
                others.firstIndex { $0.property.rawValue > property.rawValue } ?? others.count
            others.insert(PropertyTrack(property, newValue), at: index)
        }
    }

    /// Adds the track of a property after all others.
    mutating func append(_ other: PropertyTrack) {
        if others.isEmpty { others = [other] } else { others.append(other) }
    }

    /// True if the glyph is scaled, turned or skewed about the centre of its box.
    package var usesCenter: Bool {
        others.contains { $0.property.isAboutCenter }
    }

    /// True if a line is drawn along the contours at any instant.
    package var hasStroke: Bool {
        func isAboveZero(_ property: Property) -> Bool {
            self[property]?.keyframes.contains { $0.value > 0 } ?? (property.identity > 0)
        }
        return isAboveZero(.strokeOpacity) && isAboveZero(.strokeWidth) && isAboveZero(.draw)
    }

    /// True if the glyph is partly transparent at any instant.
    package var fades: Bool {
        for (keyframe, next) in zip(opacity.keyframes, opacity.keyframes.dropFirst())
        where keyframe.easing != .hold && keyframe.value != next.value {
            return true
        }
        return opacity.keyframes.contains { $0.value > 0 && $0.value < 1 }
    }

    /// True if the glyph is blurred at any instant.
    package var isBlurred: Bool { self[.blur]?.keyframes.contains { $0.value > 0 } ?? false }

    /// True if the outline has another motion than the fill.
    package var hasOwnOutline: Bool {
        fill != nil || others.contains { $0.property.isOfFill }
    }

    /// The motion of the outline: as opaque as the fill is, without the line along the contours.
    var outline: GlyphTracks {
        guard hasOwnOutline else { return self }
        var result = self
        result.fill = nil
        result.others.removeAll { $0.property.isOfFill }
        if let fillOpacity = self[.fillOpacity] {
            result.multiplyOpacity(by: fillOpacity.keyframes)
        }
        return result
    }

    /// True if the shadows have another motion than the outline.
    var hasOwnShadow: Bool { self[.shadowOpacity] != nil }

    /// The motion of the shadows: the motion of the outline, with the opacity of shadows.
    var shadow: GlyphTracks {
        var result = outline
        guard let shadowOpacity = self[.shadowOpacity] else { return result }
        result[.shadowOpacity] = nil
        result.multiplyOpacity(by: shadowOpacity.keyframes)
        return result
    }

    /// The motion of an overlay: its opacity is the share of `fill` that is not the glyph's own
    /// colour.
    package var overlay: GlyphTracks {
        var result = self
        result.fill = nil
        result.multiplyOpacity(
            by: (fill?.keyframes ?? []).map {
                Keyframe($0.time, value: 1 - $0.value.ownShare, easing: $0.easing)
            })
        return result
    }

    /// Returns the same motion, seen only in some spans, or only outside them.
    ///
    /// - Parameters:
    ///   - spans: At least one, in rising order, apart from each other.
    ///   - isInside: True if it is seen in the spans, false if outside them.
    /// - Returns: The motion, whose opacity is 0 at other times.
    func seen(in spans: [Range<Instant>], _ isInside: Bool) -> GlyphTracks {
        let (inside, outside) = isInside ? (1.0, 0.0) : (0.0, 1.0)
        var keyframes: [Keyframe<Instant, Double>] = []
        if spans.first?.lowerBound != .zero {
            keyframes.append(Keyframe(.zero, value: outside, easing: .hold))
        }
        for span in spans {
            keyframes.append(Keyframe(span.lowerBound, value: inside, easing: .hold))
            keyframes.append(Keyframe(span.upperBound, value: outside, easing: .hold))
        }
        var result = self
        result.multiplyOpacity(by: keyframes)
        return result
    }

    private mutating func multiplyOpacity(by keyframes: [Keyframe<Instant, Double>]) {
        opacity.keyframes =
            JoinedTracks.product(
                [opacity.keyframes, keyframes].map { ShareTrack.keyframes(of: $0) }
            ).withoutRests
    }

    /// Returns the glyph's pose at an instant.
    package func pose(at instant: Instant) -> Pose {
        var pose = Pose.rest
        pose.opacity = min(max(opacity.value(at: instant), 0), 1)
        for other in others { other.property.enter(&pose, other.track.value(at: instant)) }
        if let fill { pose.fill = fill.value(at: instant) }
        return pose
    }

    /// The instants, in ticks, at which the glyph may look different from the tick before, in
    /// ascending order and apart from each other; the motion of a hidden glyph counts for nothing.
    package var changes: [ClosedRange<Int>] {
        let shown = opacity.shownTicks
        var changes = opacity.changes
        func add(_ own: [ClosedRange<Int>]) {
            // Both rise, so that a span that ends before a change ends before all later ones.
            var first = 0
            for change in own {
                while first < shown.count, shown[first].upperBound < change.lowerBound {
                    first += 1
                }
                for span in shown[first...] {
                    guard span.lowerBound <= change.upperBound else { break }
                    changes.append(change.clamped(to: span))
                }
            }
        }
        for other in others { add(other.track.changes) }
        if let fill { add(fill.changes) }
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

extension [Keyframe<Instant, Double>] {
    /// The keyframes without those in the middle of a rest; the first rest keeps its last two.
    ///
    /// A rest has the easing of the change after it, so that equal changes look the same.
    fileprivate var withoutRests: Self {
        var result: Self = []
        for keyframe in self {
            if result.suffix(2).filter({ $0.value == keyframe.value }).count == 2 {
                result.remove(at: result.count == 2 ? 0 : result.count - 1)
            }
            result.append(keyframe)
        }
        for index in result.indices.dropLast(2) where result[index].value == result[index + 1].value
        {
            result[index].easing = result[index + 1].easing
        }
        return result
    }
}
