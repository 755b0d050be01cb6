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
    /// For each of `tracks` the index of the motion of outlines and shadows of glyphs that have it;
    /// empty where they move as their glyphs do.
    package var underlayTracks: [Int] = []
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

    /// Returns the index in `tracks` of the motion of a part of a glyph.
    package func track(ofGlyph index: Int, in part: SceneLayer.Part) -> Int {
        let track = trackOfGlyph[index]
        return part == .fill || underlayTracks.isEmpty ? track : underlayTracks[track]
    }

    /// Returns the box, at rest, whose gradient a glyph takes its part of.
    package func gradientRect(ofGlyph index: Int) -> Rect {
        let block = layout.glyphs[index].block
        switch blocks[block].paint.gradientBox {
        case .block: return layout.blocks[block].rect
        case .line: return layout.blocks[block].lines[layout.glyphs[index].line].rect
        case .glyph: return layout.glyphs[layout.glyphs[index].standsFor ?? index].rect
        }
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
    package var paint: TextPaint

    package init(
        effectName: String, effectTitle: String, entrance: ClosedRange<Instant>,
        exit: ClosedRange<Instant>?, paint: TextPaint
    ) {
        self.effectName = effectName
        self.effectTitle = effectTitle
        self.entrance = entrance
        self.exit = exit
        self.paint = paint
    }
}

/// One part of several glyphs, drawn glyph by glyph.
package struct SceneLayer: Sendable {
    package enum Part: Hashable, Sendable {
        /// The ink in its glyph's paint, with the line along its contours where its pose has one.
        case fill
        case outline(LineStyle)
        case shadow(Shadow)
    }

    /// The colour schemes of the viewer under which it is shown; pictures know the light one only.
    package enum Scheme: Sendable {
        case any, light, dark
    }

    package var part: Part
    package var scheme: Scheme
    /// Indices into `Layout.glyphs`.
    package var glyphs: [Int]
}

extension Scene {
    /// The layers in the order of drawing.
    ///
    /// Shadows and outlines of a block lie beneath all of its fills, and over the blocks before.
    package var layers: [SceneLayer] {
        guard blocks.contains(where: \.paint.hasUnderlay) else {
            return [
                SceneLayer(part: .fill, scheme: .any, glyphs: inDrawingOrder(0))
            ]
        }
        var layers: [SceneLayer] = []
        var added = 0
        for index in blocks.indices {
            let paint = blocks[index].paint
            let own = layout.blocks[index].glyphs
            if paint.hasUnderlay {
                // With the decoys and the cursor, which come after all blocks.
                let glyphs =
                    Array(own)
                    + layout.glyphs.indices.filter {
                        layout.glyphs[$0].role != .glyph && layout.glyphs[$0].block == index
                    }
                let lightScheme: SceneLayer.Scheme = paint.darkShadows == nil ? .any : .light
                for (shadows, scheme) in [
                    (paint.shadows, lightScheme), (paint.darkShadows ?? [], .dark),
                ] {
                    for shadow in shadows.reversed() where !shadow.color.isTransparent {
                        layers.append(
                            SceneLayer(part: .shadow(shadow), scheme: scheme, glyphs: glyphs))
                    }
                }
                if let outline = paint.outline {
                    layers.append(
                        SceneLayer(part: .outline(outline), scheme: .any, glyphs: glyphs))
                }
            }
            layers.append(SceneLayer(part: .fill, scheme: .any, glyphs: Array(own)))
            added = own.upperBound
        }
        if added < layout.glyphs.count {
            layers.append(
                SceneLayer(part: .fill, scheme: .any, glyphs: inDrawingOrder(added)))
        }
        return layers
    }

    /// The layers that are shown under a light colour scheme, which is all that pictures know.
    package var lightLayers: [SceneLayer] { layers.filter { $0.scheme != .dark } }

    /// Returns the glyphs from an index on as they are drawn.
    ///
    /// Decoys that are painted with parts of gradients differ where they overlap.
    private func inDrawingOrder(_ start: Int) -> [Int] {
        let order = Array(start..<layout.glyphs.count)
        let isSeen = blocks.contains { $0.paint.fill.gradient != nil }
        return isSeen ? withDecoysInOrder(order) : order
    }

    /// Returns indices of glyphs with their decoys, which are neighbours, in the order of the glyphs
    /// that they stand for.
    package func withDecoysInOrder(_ order: [Int]) -> [Int] {
        layout.glyphs.withUnsafeBufferPointer { glyphs in
            // By index, because a glyph that is looked at is copied.
            guard let first = order.firstIndex(where: { glyphs[$0].role == .decoy }) else {
                return order
            }
            let end = order[first...].firstIndex { glyphs[$0].role != .decoy } ?? order.count
            let decoys = order[first..<end].sorted {
                (glyphs[$0].standsFor ?? 0, $0) < (glyphs[$1].standsFor ?? 0, $1)
            }
            return order[..<first] + decoys + order[end...]
        }
    }
}

/// The number of cycles that are played.
package enum Loop: Hashable, Sendable {
    case count(Int)
    case infinite
}

/// The card behind a scene's text, and the scene's names.
package struct Appearance: Sendable {
    package var card: Card
    /// The accessible name.
    package var title: String
    /// The seed of all random numbers.
    package var seed: UInt64
    /// A number that differs from request to request, for names that must not clash in a page.
    package var digest: UInt64

    package init(card: Card, title: String, seed: UInt64, digest: UInt64) {
        self.card = card
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
    /// Returns the pose of a part of a glyph at a moment.
    package func pose(
        ofGlyph index: Int, in part: SceneLayer.Part = .fill, at moment: Moment
    ) -> Pose {
        switch moment {
        case .finished: return isFinished[index] ? .rest : .hidden
        case .instant(let wanted):
            let instant = min(wanted, duration)
            var pose = tracks[track(ofGlyph: index, in: part)].pose(at: instant)
            pose.clip = clip(ofGlyph: index, at: instant)
            return pose
        }
    }

    /// Returns the box that a glyph is drawn within at an instant; nil where nothing hides it.
    package func clip(ofGlyph index: Int, at instant: Instant) -> Rect? {
        mask(ofGlyph: index).first { $0.start <= instant && instant < $0.end }?.rect
    }
}
