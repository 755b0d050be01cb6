/// An animation with every default, font, instant and effect resolved: all formats encode the
/// same scene and decide nothing, which is why they agree.
package struct Scene: Sendable {
    /// The glyphs in the order of the layout, then their parts, overlays, decoys, overlays of
    /// decoys, line numbers, the title bar, cursors, slices, copies, strokes of marks, and the card
    /// if it moves, with the bar beside the text.
    package var nodes: [SceneNode]
    package var blocks: [SceneBlock]
    package var definitions: Definitions
    /// The distinct motions of nodes.
    package var tracks: [GlyphTracks]
    /// The distinct masks of nodes, each as spans in rising order that do not overlap.
    package var masks: [[MaskSpan]] = []
    /// The number of nodes at the end that draw a card that moves and the bar beside the text.
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
        func number(_ glyph: Int, _ kind: Int) -> Int? {
            guard glyph < joins.count, let join = joins[glyph] else { return nil }
            return 4 * join + kind
        }
        switch nodes[index].role {
        case .glyph: return number(index, 0)
        case .overlay(let glyph): return number(glyph, 1)
        case .slice(let glyph): return number(glyph, 2)
        case .copy(let glyph): return number(glyph, 3)
        default: return nil
        }
    }

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

    package init(
        of layout: Layout, blocks: [SceneBlock], nodes: [SceneNode], tracks: [GlyphTracks],
        duration: Instant, loop: Loop, appearance: Appearance
    ) {
        self.nodes = nodes
        self.blocks = blocks
        definitions = layout.definitions
        self.tracks = tracks
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
        switch nodes[index].role {
        case .card: return nodes[index].glyph.rect
        case .slice(let glyph):
            // A slice shows the same part of the gradient as its glyph.
            let x = nodes[index].glyph.rect.x - nodes[glyph].glyph.rect.x
            return gradientRect(ofNode: glyph).offset(byX: x, y: 0)
        default: break
        }
        switch blocks[block].paint.gradientBox {
        case .block: return blocks[block].layout.rect
        case .line: return blocks[block].layout.lines[nodes[index].glyph.line].rect
        case .glyph:
            if case .decoy(let glyph) = nodes[index].role { return nodes[glyph].glyph.rect }
            return nodes[index].glyph.rect
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
        switch nodes[index].role {
        case .mark(let number): return marks[number].line.darkColor.map { .color($0) }
        case .card, .bar: return nil
        default:
            let glyph = nodes[index].glyph
            return blocks[glyph.block].paint.darkPaint(of: glyph)
        }
    }

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
        tracks.withUnsafeBufferPointer { tracks in
            // By index, because reading a motion copies it.
            for index in tracks.indices {
                for other in tracks[index].others { properties.insert(other.property) }
            }
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

/// The smallest element of a scene that is drawn and moves on its own.
package struct SceneNode: Sendable {
    package enum Role: Equatable, Sendable {
        /// A glyph of the text.
        case glyph
        /// A character that stands for a while in the place of this node's glyph.
        case decoy(of: Int)
        /// A part of this node's glyph, in another paint, which moves with the glyph.
        case part(of: Int)
        /// This node's glyph once more over itself, in another colour.
        case overlay(of: Int)
        /// This node's glyph, or a part of it, once more in front of it or beside it.
        case slice(of: Int)
        /// This node's glyph once more behind the text, in another colour.
        case copy(of: Int)
        case cursor
        /// A stroke of this one of `Scene.marks`.
        case mark(Int)
        /// A digit of the number beside a line.
        case lineNumber
        /// A dot, or a glyph of the title, in the bar above the text.
        case titleBar
        /// A part of a card that moves, under some colour schemes.
        case card(SceneLayer.Scheme)
        /// The bar beside the text, under some colour schemes.
        case bar(SceneLayer.Scheme)

        /// The colour schemes under which it is shown.
        package var scheme: SceneLayer.Scheme {
            switch self {
            case .card(let scheme), .bar(let scheme): scheme
            default: .any
            }
        }

        package var isDecoy: Bool {
            if case .decoy = self { true } else { false }
        }

        package var isOverlay: Bool {
            if case .overlay = self { true } else { false }
        }

        package var isPart: Bool {
            if case .part = self { true } else { false }
        }

        /// True for the same glyph once more behind the text, in another colour.
        package var isBehind: Bool {
            if case .copy = self { true } else { false }
        }

        /// True for the same glyph once more, behind the text or as a slice.
        package var isCopy: Bool {
            switch self {
            case .slice, .copy: true
            default: false
            }
        }

        package var isMark: Bool {
            if case .mark = self { true } else { false }
        }
    }

    /// Its ink, box, and paint at rest, and the characters that it stands for.
    package var glyph: Glyph
    package var role: Role
    /// The index in `Scene.tracks` of its motion.
    package var track: Int
    /// The index in `Scene.tracks` of the motion of its outline.
    package var outlineTrack: Int
    /// The index in `Scene.tracks` of the motion of its shadows.
    package var shadowTrack: Int
    /// The index in `Scene.masks` of the mask of its ink and outline; nil for none.
    package var mask: Int?
    /// True if the finished text shows it.
    package var isFinished: Bool

    package init(
        _ glyph: Glyph, as role: Role = .glyph, track: Int, isFinished: Bool
    ) {
        self.glyph = glyph
        self.role = role
        self.track = track
        outlineTrack = track
        shadowTrack = track
        self.isFinished = isFinished
    }

    /// Gives all of its parts one motion, by its index in `Scene.tracks`.
    mutating func setTrack(_ track: Int) {
        self.track = track
        outlineTrack = track
        shadowTrack = track
    }
}

/// A line drawn by hand under, through, or around words.
package struct SceneMark: Sendable {
    package var kind: MarkStyle.Kind
    /// True if it lies behind all text, false if in front of it.
    package var isBehind: Bool
    package var line: LineStyle

    package init(_ kind: MarkStyle.Kind, isBehind: Bool, line: LineStyle) {
        self.kind = kind
        self.isBehind = isBehind
        self.line = line
    }
}

/// A span of time in which a node is drawn only within a box of the canvas.
package struct MaskSpan: Hashable, Sendable {
    package var start: Instant
    /// The instant from which the box no longer counts.
    package var end: Instant
    /// CSS pixels.
    package var rect: Rect
    /// The sides at which the box cuts; the others lie at the edge of the canvas.
    package var edges: Edges
    /// The change of the box to `rect` at the end of the span; nil if it is `rect` throughout.
    package var opening: MaskOpening?

    package init(
        start: Instant, end: Instant, rect: Rect, edges: Edges = .all, opening: MaskOpening? = nil
    ) {
        self.start = start
        self.end = end
        self.rect = rect
        self.edges = edges
        self.opening = opening
    }

    /// Returns the box at an instant of the span; a box of negative width or height holds nothing.
    package func rect(at instant: Instant) -> Rect {
        guard let opening else { return rect }
        let time = Double(instant.ticks - start.ticks) / Double(end.ticks - start.ticks)
        return opening.from.mixed(with: rect, progress: opening.easing.value(at: time))
    }
}

/// The change of a mask's box over its span.
package struct MaskOpening: Hashable, Sendable {
    /// The box at the start of the span, in CSS pixels.
    package var from: Rect
    package var easing: Easing

    package init(from: Rect, easing: Easing) {
        self.from = from
        self.easing = easing
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

/// One part of several nodes, drawn node by node.
package struct SceneLayer: Sendable {
    package enum Part: Hashable, Sendable {
        /// The ink in its node's paint, with the line along its contours if its pose has one.
        case fill
        /// A line along the contours, as far as the pose draws it.
        case outline(LineStyle)
        case shadow(Shadow)
    }

    /// The colour schemes of the viewer under which a layer is shown; pictures know only the light
    /// one.
    package enum Scheme: Sendable {
        case any, light, dark
    }

    package var part: Part
    package var scheme: Scheme
    /// Indices into `Scene.nodes`.
    package var nodes: [Int]
    /// The paint of its nodes in place of their own paints; nil for their own.
    package var paint: MovingPaint?
    /// True if the paint is light over its nodes, whose own paints lie in other layers.
    package var isShimmer: Bool { paint?.motion.kind == .sweep }
}

extension Scene {
    /// The layers in the order of drawing.
    ///
    /// Shadows and outlines of a block lie beneath all of its fills, and over the blocks before.
    /// Marks lie behind all blocks or in front of all, copies in other colours behind all; both
    /// over the card and the bar.
    package var layers: [SceneLayer] {
        cardNodeCount == 0 ? contentLayers : cardLayers + contentLayers
    }

    /// Returns the layers of the card and the bar beside the text.
    private var cardLayers: [SceneLayer] {
        nodes.indices.suffix(cardNodeCount).map { index in
            let paint = nodes[index].glyph.paint
            let moving = paintMotion.flatMap { motion in
                motion.kind.moves(paint, dark: nil)
                    ? MovingPaint(motion, paint, dark: nil, in: gradientRect(ofNode: index)) : nil
            }
            return SceneLayer(
                part: .fill, scheme: nodes[index].role.scheme, nodes: [index], paint: moving)
        }
    }

    private var contentLayers: [SceneLayer] {
        guard !marks.isEmpty else {
            let text = 0..<nodes.count - cardNodeCount
            return textLayers(of: text) + shimmerLayers(of: text)
        }
        let end = nodes.firstIndex { $0.role.isMark } ?? nodes.count
        return markLayers(behind: true, from: end) + textLayers(of: 0..<end)
            + shimmerLayers(of: 0..<end) + markLayers(behind: false, from: end)
    }

    /// Returns the layers of light over glyphs and decoys, except for pictures.
    private func shimmerLayers(of nodes: Range<Int>) -> [SceneLayer] {
        guard !shimmers.isEmpty else { return [] }
        let order = inDrawingOrder(nodes)
        return shimmers.map { shimmer in
            SceneLayer(
                part: .fill, scheme: .any,
                nodes: order.filter { index in
                    let node = self.nodes[index]
                    return node.glyph.block == shimmer.block
                        && (node.role == .glyph || node.role.isPart || node.role.isDecoy)
                        && node.glyph.ink?.hasPicture == false
                },
                paint: MovingPaint(
                    PaintMotion(.sweep, count: 1, turns: shimmer.passage),
                    .gradient(shimmer.band.gradient), dark: nil,
                    in: box(ofBlock: shimmer.block)))
        }
    }

    /// Returns the layers of marks, whose strokes are the nodes from an index on.
    private func markLayers(behind isBehind: Bool, from start: Int) -> [SceneLayer] {
        var layers: [SceneLayer] = []
        for index in start..<nodes.count {
            guard case .mark(let number) = nodes[index].role,
                marks[number].isBehind == isBehind
            else { continue }
            let line = marks[number].line
            var light = line
            light.darkColor = nil
            var parts: [(SceneLayer.Part, SceneLayer.Scheme)] = [(.outline(light), .any)]
            if let darkColor = line.darkColor {
                var dark = light
                dark.color = darkColor
                parts = [(.outline(light), .light), (.outline(dark), .dark)]
            }
            let last = layers.indices.suffix(parts.count)
            if last.map({ layers[$0].part }) == parts.map(\.0),
                last.map({ layers[$0].scheme }) == parts.map(\.1)
            {
                for layer in last { layers[layer].nodes.append(index) }
            } else {
                layers += parts.map { SceneLayer(part: $0.0, scheme: $0.1, nodes: [index]) }
            }
        }
        return layers
    }

    /// Returns the layers of all nodes except for marks, the card, and the bar.
    private func textLayers(of nodes: Range<Int>) -> [SceneLayer] {
        let end = nodes.last { if case .copy = self.nodes[$0].role { false } else { true } } ?? -1
        guard end + 1 < nodes.upperBound else { return blockLayers(of: nodes) }
        let copies = SceneLayer(
            part: .fill, scheme: .any, nodes: Array(end + 1..<nodes.upperBound))
        return [copies] + blockLayers(of: nodes.lowerBound..<end + 1)
    }

    private func blockLayers(of nodes: Range<Int>) -> [SceneLayer] {
        guard blocks.contains(where: \.paint.hasUnderlay) else {
            return fillLayers(of: inDrawingOrder(nodes))
        }
        var layers: [SceneLayer] = []
        var added = 0
        for index in blocks.indices {
            let paint = blocks[index].paint
            let own = blocks[index].layout.glyphs
            if paint.hasUnderlay {
                // Decoys and cursors come after the glyphs of all blocks.
                let all =
                    Array(own)
                    + nodes.filter {
                        self.nodes[$0].role != .glyph && self.nodes[$0].role != .titleBar
                            && !self.nodes[$0].role.isOverlay
                            && self.nodes[$0].glyph.block == index
                    }
                let casting = all.filter {
                    self.nodes[$0].role == .glyph || isEverSeen(self.nodes[$0].shadowTrack)
                }
                let lightScheme: SceneLayer.Scheme = paint.darkShadows == nil ? .any : .light
                for (shadows, scheme) in [
                    (paint.shadows, lightScheme), (paint.darkShadows ?? [], .dark),
                ] {
                    for shadow in shadows.reversed() where !shadow.color.isTransparent {
                        layers.append(
                            SceneLayer(part: .shadow(shadow), scheme: scheme, nodes: casting))
                    }
                }
                if let outline = paint.outline {
                    layers.append(
                        SceneLayer(part: .outline(outline), scheme: .any, nodes: all))
                }
            }
            layers += fillLayers(of: Array(own))
            added = own.upperBound
        }
        if added < nodes.upperBound {
            let rest = added..<nodes.upperBound
            layers += fillLayers(of: inDrawingOrder(rest))
        }
        return layers
    }

    private func isEverSeen(_ track: Int) -> Bool {
        tracks[track].opacity.keyframes.contains { $0.value > 0 }
    }

    /// Returns the layers of the fills of nodes: first the nodes whose paint moves, in one layer
    /// for each box, beneath the others.
    private func fillLayers(of nodes: [Int]) -> [SceneLayer] {
        guard let paintMotion else {
            return [SceneLayer(part: .fill, scheme: .any, nodes: nodes)]
        }
        struct PaintedBox: Hashable {
            let block: Int
            let box: Rect
        }
        var layers: [SceneLayer] = []
        var known: [PaintedBox: Int] = [:]
        var others: [Int] = []
        for index in nodes {
            guard let box = movingPaintBox(ofNode: index, paintMotion.kind) else {
                others.append(index)
                continue
            }
            let place = PaintedBox(block: self.nodes[index].glyph.block, box: box)
            if let layer = known[place] {
                layers[layer].nodes.append(index)
                continue
            }
            known[place] = layers.count
            let paint = blocks[place.block].paint
            layers.append(
                SceneLayer(
                    part: .fill, scheme: .any, nodes: [index],
                    paint: MovingPaint(paintMotion, paint.fill, dark: paint.darkFill, in: box)))
        }
        if !others.isEmpty {
            layers.append(SceneLayer(part: .fill, scheme: .any, nodes: others))
        }
        return layers
    }

    /// Returns the box across which the paint of a node moves; nil if the paint stands still, as in
    /// pictures and in text on a path.
    private func movingPaintBox(ofNode index: Int, _ motion: PaintMotion.Kind) -> Rect? {
        let glyph = nodes[index].glyph
        let paint = blocks[glyph.block].paint
        var target = index
        switch nodes[index].role {
        case .glyph, .part, .decoy: break
        // A slice moves through the colours of its glyph.
        case .slice(let glyph): target = glyph
        default: return nil
        }
        guard glyph.hasBlockPaint, place(ofNode: index) == nil, glyph.ink?.hasPicture == false,
            motion.moves(paint.fill, dark: paint.darkFill)
        else { return nil }
        return gradientRect(ofNode: target)
    }

    /// The layers that are shown under a light colour scheme, the only one that pictures know.
    package var lightLayers: [SceneLayer] { layers.filter { $0.scheme != .dark } }

    /// The layers that are shown under a dark colour scheme.
    package var darkLayers: [SceneLayer] { layers.filter { $0.scheme != .light } }

    /// True if the scene has other colours under a dark colour scheme.
    package var hasDarkColors: Bool {
        let card = appearance.card
        return card.darkBackground != nil || card.border?.darkColor != nil
            || blocks.contains { $0.paint.outline?.darkColor != nil }
            || layers.contains { $0.scheme == .dark }
            || nodes.indices.contains { darkPaint(ofNode: $0) != nil }
    }

    /// Returns nodes in the order in which they are drawn.
    ///
    /// Decoys that are painted with parts of gradients differ where they overlap.
    private func inDrawingOrder(_ nodes: Range<Int>) -> [Int] {
        let order = Array(nodes)
        let isSeen = blocks.contains { $0.paint.fill.gradient != nil }
        return isSeen ? withDecoysInOrder(order) : order
    }

    /// Returns indices of nodes with their decoys, which are neighbours, in the order of the glyphs
    /// that they stand for.
    package func withDecoysInOrder(_ order: [Int]) -> [Int] {
        nodes.withUnsafeBufferPointer { nodes in
            // By index, because reading a node copies it.
            guard let first = order.firstIndex(where: { nodes[$0].role.isDecoy }) else {
                return order
            }
            let end = order[first...].firstIndex { !nodes[$0].role.isDecoy } ?? order.count
            func target(_ index: Int) -> Int {
                if case .decoy(let glyph) = nodes[index].role { glyph } else { 0 }
            }
            let decoys = order[first..<end].sorted { (target($0), $0) < (target($1), $1) }
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

    /// Returns the pose on the canvas, except for its clip, of a node whose pose is in its own
    /// directions.
    package func placed(_ pose: Pose, ofNode index: Int) -> Pose {
        guard let place = place(ofNode: index) else { return pose }
        return pose.placed(at: place, about: nodes[index].glyph.rect.center)
    }
}
