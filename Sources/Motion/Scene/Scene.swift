/// An animation with every default, font, instant and effect resolved: all formats encode the
/// same scene and decide nothing, which is why they agree.
package struct Scene: Sendable {
    /// The glyphs in the order of the layout, then their parts, overlays, decoys, overlays of
    /// decoys, line numbers, the title bar, cursors, slices, copies, strokes of marks, the picture behind
    /// everything, and the card if it is nodes, with the bar beside the text.
    package var nodes: [SceneNode]
    package var blocks: [SceneBlock]
    package var definitions: Definitions
    /// The distinct motions of nodes.
    package var tracks: [GlyphTracks] = []
    /// The distinct masks of nodes, each as spans in rising order that do not overlap.
    package var masks: [[MaskSpan]] = []
    /// The number of nodes at the end that draw what lies behind the text: the picture behind
    /// everything, a card that is nodes, and the bar beside the text.
    package var cardNodeCount = 0
    /// CSS pixels.
    package var width: Double
    /// CSS pixels.
    package var height: Double
    /// One cycle; 0 when nothing is animated.
    package var duration: Instant
    package var loop: Loop
    package var appearance: Appearance
    package var warnings: [Warning]
    /// The work of making the scene, in megapixels that take as long to compose.
    package var work: Double
    private var others: Others?

    /// Properties that few scenes have, in an object of their own because scenes are copied often.
    private final class Others: Sendable {
        struct Parts {
            var places: [Place?] = []
            var joins: [Int?] = []
            var marks: [SceneMark] = []
            var paintMotion: PaintMotion?
            var shimmers: [SceneShimmer] = []
            var emphasisPeriod: Double?
        }

        let parts: Parts

        init(_ parts: Parts) {
            self.parts = parts
        }
    }

    private mutating func changeOthers(_ change: (inout Others.Parts) -> Void) {
        var parts = others?.parts ?? Others.Parts()
        change(&parts)
        others = Others(parts)
    }

    /// The place of each node, nil for a node upright in its box; nodes beyond the end are upright,
    /// too.
    package var places: [Place?] {
        get { others?.parts.places ?? [] }
        set { changeOthers { $0.places = newValue } }
    }

    /// True if all nodes stand upright in their boxes.
    package var isUpright: Bool { others?.parts.places.isEmpty ?? true }

    /// The number of the set of glyphs with which each glyph is blended once, so that no seam shows
    /// where their ink meets; nil for a glyph that is drawn alone. Empty for most texts.
    var joins: [Int?] {
        get { others?.parts.joins ?? [] }
        set { changeOthers { $0.joins = newValue } }
    }

    /// True if some nodes are blended once.
    package var hasJoins: Bool { !(others?.parts.joins.isEmpty ?? true) }

    /// Returns the number of the set of nodes with which a node is blended once in each layer while
    /// they are equally opaque; nil for a node that is drawn alone.
    package func join(ofNode index: Int) -> Int? {
        guard let joins = others?.parts.joins, !joins.isEmpty else { return nil }
        let role = nodes[index].role
        let glyph = role.source ?? index
        guard let kind = Self.joinedRoles.firstIndex(of: role.name), glyph < joins.count,
            let join = joins[glyph]
        else { return nil }
        let set = nodes[index].overlayNumber * joins.count + join
        return Self.joinedRoles.count * set + kind
    }

    /// The nodes that are blended once, each kind apart.
    private static let joinedRoles: [SceneNode.Role.Name] = [.glyph, .overlay, .slice, .copy]

    /// Finds the glyphs that are blended once; scenes with places have none.
    mutating func joinGlyphs(_ count: Int, until deadline: WorkDeadline) throws(SceneError) {
        guard isUpright else { return }
        let sets = try JoinedInk.sets(of: self, glyphs: count, until: deadline)
        if !sets.isEmpty { joins = sets }
    }

    package var marks: [SceneMark] {
        get { others?.parts.marks ?? [] }
        set { changeOthers { $0.marks = newValue } }
    }

    /// The motion of gradients; nil if none moves.
    package var paintMotion: PaintMotion? {
        get { others?.parts.paintMotion }
        set { changeOthers { $0.paintMotion = newValue } }
    }

    package var shimmers: [SceneShimmer] {
        get { others?.parts.shimmers ?? [] }
        set { changeOthers { $0.shimmers = newValue } }
    }

    /// The seconds from one run of the emphasis to the next one; nil if there is none.
    package var emphasisPeriod: Double? {
        get { others?.parts.emphasisPeriod }
        set { changeOthers { $0.emphasisPeriod = newValue } }
    }

    package init(
        of layout: Layout, blocks: [SceneBlock] = [], nodes: [SceneNode] = [], duration: Instant,
        loop: Loop, appearance: Appearance
    ) {
        self.nodes = nodes
        self.blocks = blocks
        definitions = layout.definitions
        width = layout.width
        height = layout.height
        self.duration = duration
        self.loop = loop
        self.appearance = appearance
        warnings = layout.warnings
        work = layout.work
        if !layout.places.isEmpty { places = layout.places }
    }

    package func tracks(ofNode index: Int) -> GlyphTracks {
        tracks[nodes[index].track]
    }

    /// Returns the index in `tracks` of the motion of a part of a node.
    @inlinable
    package func track(ofNode index: Int, in part: SceneLayer.Part) -> Int {
        switch part {
        case .fill: nodes[index].track
        case .outline: nodes[index].outlineTrack
        case .shadow: nodes[index].shadowTrack
        }
    }

    /// Returns the index in `masks` of the mask of a part of a node; nil for none.
    package func mask(ofNode index: Int, in part: SceneLayer.Part) -> Int? {
        if case .shadow = part { nil } else { nodes[index].mask }
    }

    /// Returns the place of a node; nil for a node upright in its box.
    package func place(ofNode index: Int) -> Place? {
        guard let others else { return nil }
        return index < others.parts.places.count ? others.parts.places[index] : nil
    }

    /// Returns a shadow in the directions of a node, so that at rest all nodes cast it alike.
    package func shadow(_ shadow: Shadow, ofNode index: Int) -> Shadow {
        guard let place = place(ofNode: index) else { return shadow }
        let offset = place.unturned(SIMD2(shadow.offsetX, shadow.offsetY))
        return Shadow(
            offsetX: offset.x, offsetY: offset.y, blurRadius: shadow.blurRadius,
            color: shadow.color)
    }

    /// Returns the outline that a node is drawn by; nil for pictures and white space.
    @inlinable
    package func shape(ofNode index: Int) -> Ink.Shape? {
        nodes[index].glyph.ink?.shape
    }

    /// Returns true if nothing is drawn over a node's outline.
    @inlinable
    package func isPlain(node index: Int) -> Bool {
        nodes[index].glyph.ink?.details.isEmpty ?? true
    }

    /// Returns the box, at rest, that the gradient of a node fills; the node shows its part of it.
    package func gradientRect(ofNode index: Int) -> Rect {
        let block = nodes[index].glyph.block
        let role = nodes[index].role
        if role.name == .card || role.name == .wordBox { return nodes[index].glyph.rect }
        if role.name == .slice, let glyph = role.source {
            // A slice shows the same part of the gradient as its glyph.
            let x = nodes[index].glyph.rect.x - nodes[glyph].glyph.rect.x
            return gradientRect(ofNode: glyph).offset(byX: x, y: 0)
        }
        switch blocks[block].paint.gradientBox {
        case .block: return blocks[block].layout.rect
        case .line: return blocks[block].layout.lines[nodes[index].glyph.line].rect
        case .glyph:
            let glyph = role.name == .decoy ? role.source : nil
            return nodes[glyph ?? index].glyph.rect
        }
    }

    /// Returns the box of a block as it lies on the canvas: around the boxes of its glyphs if they
    /// have places.
    package func box(ofBlock index: Int) -> Rect {
        var box: Rect?
        for node in blocks[index].layout.glyphs {
            guard let place = place(ofNode: node) else { continue }
            let own = place.map.bounds(of: nodes[node].glyph.rect)
            box = box?.union(own) ?? own
        }
        return box ?? blocks[index].layout.rect
    }

    /// Returns the paint of a node under a dark colour scheme; nil if it does not differ.
    package func darkPaint(ofNode index: Int) -> Paint? {
        let role = nodes[index].role
        if let mark = role.mark { return marks[mark].line.darkColor.map { .color($0) } }
        // Each of their schemes has nodes of its own.
        guard ![.backdrop, .card, .bar, .wordBox].contains(role.name) else { return nil }
        let glyph = nodes[index].glyph
        let paint = blocks[glyph.block].paint.darkPaint(of: glyph)
        return nodes[index].hasOneColor ? paint.map { .color($0.firstColor) } : paint
    }

    /// The box of the canvas.
    package var canvas: Rect { Rect(x: 0, y: 0, width: width, height: height) }

    /// Adds so many CSS pixels to the canvas on its left and right, at its top and bottom.
    mutating func pad(byX x: Double, y: Double) {
        width += 2 * x
        height += 2 * y
        for index in nodes.indices { nodes[index].glyph.move(byX: x, y: y) }
        if !places.isEmpty { places = places.map { $0?.moved(byX: x, y: y) } }
        for index in blocks.indices { blocks[index].layout.move(byX: x, y: y) }
        for index in masks.indices {
            for span in masks[index].indices {
                let from = masks[index][span].opening?.from.offset(byX: x, y: y)
                if let from { masks[index][span].opening?.from = from }
                masks[index][span].rect = opened(
                    masks[index][span].rect.offset(byX: x, y: y), but: masks[index][span].edges)
            }
        }
    }

    /// Returns a box with its sides moved to the sides of the canvas, except for some.
    func opened(_ rect: Rect, but edges: Edges) -> Rect {
        let x = edges.contains(.left) ? rect.x : 0
        let y = edges.contains(.top) ? rect.y : 0
        return Rect(
            x: x, y: y, width: (edges.contains(.right) ? rect.maxX : width) - x,
            height: (edges.contains(.bottom) ? rect.maxY : height) - y)
    }

    /// The properties that change in any motion, except for the opacity.
    package var movedProperties: PropertySet {
        var properties = PropertySet()
        for motion in tracks {
            for other in motion.others { properties.insert(other.property) }
        }
        return properties
    }

    /// Returns the box of the mask of a part of a node at an instant; nil if no mask hides it.
    package func clip(
        ofNode index: Int, in part: SceneLayer.Part, at instant: Instant
    ) -> Rect? {
        guard let mask = mask(ofNode: index, in: part) else { return nil }
        return masks[mask].first { $0.start <= instant && instant < $0.end }?.rect(at: instant)
    }
}

/// One text of a scene: its lines, its effect and phases, and its paint.
package struct SceneBlock: Sendable {
    package var layout: BlockLayout
    package var effectName: String
    package var effectTitle: String
    package var entrance: ClosedRange<Instant>
    package var exit: ClosedRange<Instant>?
    package var paint: TextPaint
    /// True if it comes and goes at times of its own.
    package var isTimed = false

    package init(
        _ layout: BlockLayout, effectName: String, effectTitle: String,
        entrance: ClosedRange<Instant>, exit: ClosedRange<Instant>?, paint: TextPaint
    ) {
        self.layout = layout
        self.effectName = effectName
        self.effectTitle = effectTitle
        self.entrance = entrance
        self.exit = exit
        self.paint = paint
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
    /// The language tag (BCP 47) of all texts; nil if they have none, or several.
    package var language: String?

    package init(card: Card, title: String, seed: UInt64, digest: UInt64, language: String? = nil) {
        self.card = card
        self.title = title
        self.seed = seed
        self.digest = digest
        self.language = language
    }
}

/// The moment of a scene that a still picture shows.
package enum Moment: Equatable, Sendable {
    case instant(Instant)
    /// The end of the last entrance, everything at rest.
    case finished
}

extension Scene {
    /// Returns the pose of a part of a node at a moment, on the canvas except for its clip.
    package func pose(
        ofNode index: Int, in part: SceneLayer.Part = .fill, at moment: Moment
    ) -> Pose {
        switch moment {
        case .finished: return placed(nodes[index].isFinished ? .rest : .hidden, ofNode: index)
        case .instant(let wanted):
            let instant = min(wanted, duration)
            var pose = tracks[track(ofNode: index, in: part)].pose(at: instant)
            pose.clip = clip(ofNode: index, in: part, at: instant)
            return placed(pose, ofNode: index)
        }
    }

    /// The instant from which the finished text is held, without cursors if all of them are off
    /// before it leaves.
    package var finishedInstant: Instant {
        let start = blocks.map(\.entrance.upperBound).max() ?? .zero
        let end = blocks.compactMap(\.exit?.lowerBound).filter { $0 > start }.min() ?? duration
        let cursors = nodes.filter { $0.role == .cursor }.map { tracks[$0.track].opacity }
        let changes = cursors.flatMap { $0.keyframes.map(\.time) }.filter { start < $0 && $0 < end }
        return ([start] + changes.sorted()).first { instant in
            cursors.allSatisfy { $0.value(at: instant) == 0 }
        } ?? start
    }

    /// Returns the pose on the canvas, except for its clip, of a node whose pose is in its own
    /// directions.
    package func placed(_ pose: Pose, ofNode index: Int) -> Pose {
        guard let place = place(ofNode: index) else { return pose }
        return pose.placed(at: place, about: nodes[index].glyph.rect.center)
    }
}
