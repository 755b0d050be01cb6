/// An animation with every default, font, instant and effect resolved: all formats encode the
/// same scene and decide nothing, which is why they agree.
package struct Scene: Sendable {
    package var layout: Layout
    package var blocks: [SceneBlock]
    /// The distinct motions of glyphs.
    package var tracks: [GlyphTracks]
    /// The index in `tracks` of the motion of each of `layout.glyphs`.
    package var trackOfGlyph: [Int]
    /// True for each of `layout.glyphs` that the finished text shows.
    package var isFinished: [Bool]
    /// The distinct masks of glyphs, each as spans in rising order that do not overlap.
    package var masks: [[MaskSpan]] = []
    /// The index in `masks` of the mask of each of `layout.glyphs`; negative for none. Empty where
    /// no glyph has one.
    package var maskOfGlyph: [Int] = []
    /// One cycle; 0 when nothing is animated.
    package var duration: Instant
    package var loop: Loop
    package var appearance: Appearance

    package init(
        layout: Layout, blocks: [SceneBlock], tracks: [GlyphTracks], trackOfGlyph: [Int],
        isFinished: [Bool], duration: Instant, loop: Loop, appearance: Appearance
    ) {
        self.layout = layout
        self.blocks = blocks
        self.tracks = tracks
        self.trackOfGlyph = trackOfGlyph
        self.isFinished = isFinished
        self.duration = duration
        self.loop = loop
        self.appearance = appearance
    }

    package func tracks(ofGlyph index: Int) -> GlyphTracks {
        tracks[trackOfGlyph[index]]
    }

    /// The properties that change in any motion, but for the opacity.
    package var movedProperties: PropertySet {
        var properties = PropertySet()
        tracks.withUnsafeBufferPointer { tracks in
            // By index, because a motion that is looked at is copied.
            for index in tracks.indices {
                for other in tracks[index].others { properties.insert(other.property) }
            }
        }
        return properties
    }

    /// Returns the spans in which a glyph is drawn within a box only.
    package func mask(ofGlyph index: Int) -> [MaskSpan] {
        maskIndex(ofGlyph: index).map { masks[$0] } ?? []
    }

    /// Returns the index in `masks` of a glyph's mask; nil for none.
    package func maskIndex(ofGlyph index: Int) -> Int? {
        guard index < maskOfGlyph.count, maskOfGlyph[index] >= 0 else { return nil }
        return maskOfGlyph[index]
    }
}

/// A span of time in which a glyph is drawn within a box of the canvas only.
package struct MaskSpan: Hashable, Sendable {
    package var start: Instant
    /// The instant from which on the box no longer counts.
    package var end: Instant
    /// CSS pixels.
    package var rect: Rect

    package init(start: Instant, end: Instant, rect: Rect) {
        self.start = start
        self.end = end
        self.rect = rect
    }
}

/// The effect and the phases of one block of a scene.
package struct SceneBlock: Sendable {
    package var effectName: String
    package var effectTitle: String
    package var entrance: ClosedRange<Instant>
    package var exit: ClosedRange<Instant>?
    /// The colour under a dark colour scheme, for glyphs that have their block's colour.
    package var darkColor: Color?

    package init(
        effectName: String, effectTitle: String, entrance: ClosedRange<Instant>,
        exit: ClosedRange<Instant>?, darkColor: Color?
    ) {
        self.effectName = effectName
        self.effectTitle = effectTitle
        self.entrance = entrance
        self.exit = exit
        self.darkColor = darkColor
    }
}

/// The number of cycles that are played.
package enum Loop: Hashable, Sendable {
    case count(Int)
    case infinite
}

/// The background and the names of a scene.
package struct Appearance: Sendable {
    package var background: Color
    package var darkBackground: Color?
    /// The accessible name.
    package var title: String
    /// The seed of all random numbers.
    package var seed: UInt64
    /// A number that differs from request to request, for names that must not clash in a page.
    package var digest: UInt64

    package init(
        background: Color, darkBackground: Color?, title: String, seed: UInt64, digest: UInt64
    ) {
        self.background = background
        self.darkBackground = darkBackground
        self.title = title
        self.seed = seed
        self.digest = digest
    }
}

/// The moment of a scene that a still picture shows.
package enum Moment: Equatable, Sendable {
    case instant(Instant)
    /// The end of the last entrance, everything at rest.
    case finished
}

extension Scene {
    /// Returns a glyph's pose at a moment.
    package func pose(ofGlyph index: Int, at moment: Moment) -> Pose {
        switch moment {
        case .finished: return isFinished[index] ? .rest : .hidden
        case .instant(let wanted):
            let instant = min(wanted, duration)
            var pose = tracks(ofGlyph: index).pose(at: instant)
            pose.clip = clip(ofGlyph: index, at: instant)
            return pose
        }
    }

    /// Returns the box that a glyph is drawn within at an instant; nil where nothing hides it.
    package func clip(ofGlyph index: Int, at instant: Instant) -> Rect? {
        mask(ofGlyph: index).first { $0.start <= instant && instant < $0.end }?.rect
    }
}
