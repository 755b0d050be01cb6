/// A value that a track has from an instant on.
package struct Keyframe: Hashable, Sendable {
    package var instant: Instant
    package var value: Double
    /// How the value travels to the next keyframe.
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

    /// The value at an instant; O(number of keyframes).
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

/// All that moves one glyph over a cycle; an absent track means the identity.
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

    /// Where the glyph is and how it looks at an instant.
    package func pose(at instant: Instant) -> Pose {
        Pose(
            opacity: min(max(opacity.value(at: instant), 0), 1),
            offsetX: offsetX?.value(at: instant) ?? 0,
            offsetY: offsetY?.value(at: instant) ?? 0,
            scale: scale?.value(at: instant) ?? 1,
            rotation: rotation?.value(at: instant) ?? 0)
    }
}

/// Where one glyph is and how it looks at one instant.
///
/// Offsets are relative to the glyph's place in the finished layout, so the identity pose draws
/// the text exactly as it was typeset. Drawn: rotate and scale about the centre of the glyph's
/// box, then move.
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
