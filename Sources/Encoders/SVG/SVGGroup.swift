import Motion

/// The colour of nodes, which may differ under a dark colour scheme.
struct SVGColors: Equatable {
    var color: Color
    /// Nil where it does not differ.
    var dark: Color?

    /// Stands for colours where only their alpha counts.
    static let opaque = SVGColors(color: Color(red: 0, green: 0, blue: 0))

    var areOpaque: Bool { color.isOpaque && dark?.isOpaque ?? true }
}

/// Neighbouring nodes of one line and one layer with the same units, paint, mask, and width of
/// lines; or a single node, which may stand in a place of its own.
struct SVGGroup {
    let block: Int
    /// The part of its nodes that it draws.
    let part: SceneLayer.Part
    /// The colour schemes under which it is shown.
    private(set) var scheme: SceneLayer.Scheme
    /// The colours of the fill; `.opaque` for a gradient, and for other parts.
    private(set) var colors: SVGColors
    /// The class that gives it other colours in dark mode.
    private(set) var darkClass: SVGClass?
    /// The gradient of the fill.
    private(set) var gradient: Gradient?
    /// The number of the moving paint that it is cut out of; nil for none.
    private(set) var paint: Int?
    /// The index of its nodes' mask in the scene; nil for none.
    let mask: Int?
    /// The width of the line along contours in CSS pixels, where it never changes.
    let strokeWidth: Double?
    /// True if the alpha of its colour is the opacity of its element, so that it does not count
    /// twice where ink meets.
    let isBlendedOnce: Bool
    /// The index of the tracks with which its element fades in the place of its nodes; nil where
    /// the nodes fade.
    let fade: Int?
    /// The coordinates of its nodes, as if it drew their fills.
    let coordinates: SVGCoordinates
    /// The distance by which its element is moved.
    let offset: Point
    /// The distance by which nodes are moved about their pivots.
    let pivotOffset: Point
    /// Indices of its nodes in drawing order.
    private(set) var nodes: [Int]
    /// The number of elements of nodes in the groups before.
    private(set) var firstElement = 0

    /// The shadow that it draws.
    var shadow: Shadow? {
        if case .shadow(let shadow) = part { shadow } else { nil }
    }

    /// The colour of its outline or shadow; nil where it draws fills.
    var underlayColor: Color? {
        switch part {
        case .fill: nil
        case .outline(let outline): outline.color
        case .shadow(let shadow): shadow.color
        }
    }

    /// The colours whose alpha is the opacity of its element; opaque where it has none.
    var elementColors: SVGColors {
        guard isBlendedOnce else { return .opaque }
        return switch part {
        case .fill: colors
        case .outline(let outline): SVGColors(color: outline.color, dark: outline.darkColor)
        case .shadow(let shadow): SVGColors(color: shadow.color)
        }
    }

    /// The origin of its element's user space on the canvas.
    var origin: Point {
        Point(x: coordinates.origin.x + offset.x, y: coordinates.origin.y + offset.y)
    }

    /// Returns the origin of its element's user space on the canvas for nodes that stand in a
    /// place.
    func origin(at place: Place?) -> Point {
        guard let place else { return origin }
        let own = place.map(coordinates.origin.vector) + offset.vector
        return Point(x: own.x, y: own.y)
    }

    /// The outline that it draws.
    var outline: LineStyle? {
        if case .outline(let outline) = part { outline } else { nil }
    }

    /// Returns true if another group draws the same nodes in the same motion.
    func movesLike(_ other: SVGGroup, _ scene: Scene) -> Bool {
        nodes == other.nodes
            && nodes.allSatisfy {
                scene.track(ofNode: $0, in: part) == scene.track(ofNode: $0, in: other.part)
            }
    }

    /// Returns true if neighbouring nodes are drawn in one element because they move as one.
    func hasRuns(_ scene: Scene) -> Bool {
        zip(nodes, nodes.dropFirst()).contains { areInRun($0, $1, scene) }
    }

    /// Returns true if two neighbouring nodes move as one, and look right in one element.
    ///
    /// Blurred nodes overlap, and so do outlines and shadows: a common blur or opacity would look
    /// different there. A common opacity is wanted only where nodes are blended once.
    func areInRun(_ one: Int, _ other: Int, _ scene: Scene) -> Bool {
        let track = scene.track(ofNode: one, in: part)
        guard track == scene.track(ofNode: other, in: part), scene.tracks[track][.blur] == nil
        else { return false }
        if part == .fill || !scene.tracks[track].fades { return true }
        let join = scene.join(ofNode: one)
        return join != nil && join == scene.join(ofNode: other)
    }

    /// Returns the groups of a scene in drawing order.
    ///
    /// - Parameters:
    ///   - scene: The scene.
    ///   - fades: The elements that fade around nodes.
    ///   - usesPivots: True if nodes are drawn about the centres of their boxes.
    ///   - hasStrokes: True if lines are drawn along contours.
    /// - Returns: The groups.
    static func groups(
        of scene: Scene, _ fades: SVGFades, usesPivots: Bool, hasStrokes: Bool
    ) -> [SVGGroup] {
        var groups: [SVGGroup] = []
        var paints = 0
        let style = Style(
            blocksBlendedOnce: scene.blocksBlendedOnce, usesPivots: usesPivots,
            hasStrokes: hasStrokes)
        for layer in scene.layers {
            var own = self.groups(of: layer, scene, fades, style)
            if layer.paint != nil {
                for index in own.indices { own[index].cut(fromPaint: paints) }
                paints += 1
            }
            groups += layer.part == .fill ? own.flatMap { $0.schemes(scene) } : own
        }
        var count = 0
        for index in groups.indices {
            groups[index].firstElement = count
            count += groups[index].nodes.count
        }
        return groups
    }

    /// Returns, for each paint that is light, the groups of the glyphs on which it falls, if these
    /// groups are opaque and have no other glyphs.
    ///
    /// - Parameters:
    ///   - groups: All groups of a scene in drawing order.
    ///   - scene: The scene, whose glyphs stand still.
    /// - Returns: Indices of groups by the paint's number.
    static func litGroups(_ groups: [SVGGroup], _ scene: Scene) -> [Int: Range<Int>] {
        guard !scene.shimmers.isEmpty else { return [:] }
        var lit: [Int: Range<Int>] = [:]
        for (paint, moving) in scene.layers.compactMap(\.paint).enumerated() where moving.isLight {
            let own = groups.filter { $0.paint == paint }.flatMap(\.nodes)
            guard let first = own.first,
                let start = groups.firstIndex(where: { $0.isLit && $0.nodes[0] == first })
            else { continue }
            var end = start
            var drawn: [Int] = []
            while end < groups.count, groups[end].isLit, drawn.count < own.count {
                drawn += groups[end].nodes
                end += 1
            }
            if drawn == own { lit[paint] = start..<end }
        }
        return lit
    }

    /// True if light may fall on all of its nodes.
    private var isLit: Bool {
        part == .fill && paint == nil && scheme == .any && gradient == nil && colors.areOpaque
            && mask == nil
    }

    /// The way in which the groups of a document are drawn.
    private struct Style {
        let blocksBlendedOnce: Set<Int>
        let usesPivots: Bool
        let hasStrokes: Bool
    }

    private static func groups(
        of layer: SceneLayer, _ scene: Scene, _ fades: SVGFades, _ style: Style
    ) -> [SVGGroup] {
        var groups: [SVGGroup] = []
        var previous: Int?
        let isFill = layer.part == .fill
        let hasStrokes = style.hasStrokes && isFill
        // Decoys in order pack better. Their order is free: they never overlap, or have it already.
        for index in scene.withDecoysInOrder(layer.nodes)
        where scene.nodes[index].glyph.ink != nil {
            // A still scene draws the finished text only.
            guard scene.nodes[index].isFinished || scene.duration > .zero else { continue }
            let last = groups.count - 1
            let scale = scene.nodes[index].glyph.ink?.shape?.scale
            if case .outline = layer.part, scale == nil,
                scene.nodes[index].glyph.ink?.hasLine != true
            {
                continue
            }
            let fade = fades.fade(aroundNode: index, in: layer.part, scene)
            if let previous, scene.areNeighbours(index, previous, inFill: isFill), scene.isUpright,
                fade == groups[last].fade,
                fade == nil || scene.join(ofNode: index) == scene.join(ofNode: previous),
                scale == nil || scale == groups[last].coordinates.scale,
                scene.mask(ofNode: index, in: layer.part) == groups[last].mask,
                !hasStrokes || scene.strokeWidth(ofNode: index) == groups[last].strokeWidth
            {
                groups[last].nodes.append(index)
            } else {
                groups.append(
                    SVGGroup(index, of: layer, scene, style, scale: scale ?? 1, fade: fade))
            }
            previous = index
        }
        return groups
    }

    /// Begins a group with a glyph.
    private init(
        _ index: Int, of layer: borrowing SceneLayer, _ scene: borrowing Scene,
        _ style: borrowing Style, scale: Double, fade: Int?
    ) {
        let glyph = scene.nodes[index].glyph
        let usesPivots = style.usesPivots
        block = glyph.block
        self.fade = fade
        part = layer.part
        scheme = layer.scheme
        mask = scene.mask(ofNode: index, in: layer.part)
        strokeWidth = scene.strokeWidth(ofNode: index)
        if case .shadow(let shadow) = layer.part, shadow.blurRadius > 0 {
            // Blurred shadows have no edge at which they meet.
            isBlendedOnce = false
        } else {
            isBlendedOnce = style.blocksBlendedOnce.contains(block)
        }
        let line = scene.blocks[glyph.block].layout.lines[glyph.line].rect
        // Glyphs with pivots are drawn about the centres of their boxes, others on the baseline.
        let y = usesPivots ? glyph.rect.center.y : glyph.baseline
        coordinates = SVGCoordinates(
            origin: Point(x: Self.written(line.x), y: Self.written(y)), scale: scale)
        var moved = Point.zero
        if case .shadow(let shadow) = layer.part {
            moved = Point(x: Self.written(shadow.offsetX), y: Self.written(shadow.offsetY))
        }
        if usesPivots, let place = scene.place(ofNode: index) {
            let own = place.unturned(moved.vector)
            moved = Point(x: own.x, y: own.y)
        }
        // Nodes with pivots are moved within, so that their scale and turn apply to the offset too.
        offset = usesPivots ? .zero : moved
        pivotOffset = usesPivots ? moved : .zero
        nodes = [index]
        colors = .opaque
        guard part == .fill else { return }
        setPaint(glyph.paint)
        guard gradient == nil else { return }
        let paint = scene.blocks[glyph.block].paint
        colors.dark = scene.darkPaint(ofNode: index)?.firstColor
        guard colors.dark != nil else { return }
        darkClass =
            glyph.hasBlockPaint
            ? .fill(block: block)
            : paint.darkColor(of: glyph.paint).map { .color($0, block: block) }
    }

    private mutating func setPaint(_ paint: Paint) {
        gradient = paint.gradient
        colors = gradient == nil ? SVGColors(color: paint.firstColor) : .opaque
    }

    /// Makes it an opaque white part of the mask of a moving paint.
    private mutating func cut(fromPaint number: Int) {
        paint = number
        setPaint(.color(Color(red: 255, green: 255, blue: 255)))
        colors.dark = nil
        darkClass = nil
    }

    /// Returns the group; or a group for each colour scheme, where the schemes differ and the paint
    /// of either is a gradient: a rule of the style sheet changes colours only.
    private func schemes(_ scene: Scene) -> [SVGGroup] {
        let paint = scene.blocks[block].paint
        let first = scene.nodes[nodes[0]]
        guard let darkFill = paint.darkFill, first.glyph.hasBlockPaint, self.paint == nil,
            paint.fill.gradient != nil || darkFill.gradient != nil
        else { return [self] }
        var (light, dark) = (self, self)
        light.scheme = .light
        light.colors.dark = nil
        light.darkClass = nil
        dark.scheme = .dark
        dark.setPaint(first.hasOneColor ? .color(darkFill.firstColor) : darkFill)
        return [light, dark]
    }

    /// Returns a length rounded to the three decimals that it is written with.
    private static func written(_ length: Double) -> Double {
        (length * 1000).rounded() / 1000
    }
}

extension Scene {
    /// The blocks whose ink meets, in colours that never change.
    var blocksBlendedOnce: Set<Int> {
        guard hasJoins else { return [] }
        var (joined, changing) = (Set<Int>(), Set<Int>())
        for index in nodes.indices {
            if join(ofNode: index) != nil { joined.insert(nodes[index].glyph.block) }
            if tracks[nodes[index].track].hasOwnOutline {
                changing.insert(nodes[index].glyph.block)
            }
        }
        return joined.subtracting(changing)
    }

    /// Returns true if two nodes stand in one line, and have one paint where their fills are drawn.
    fileprivate func areNeighbours(_ one: Int, _ other: Int, inFill isFill: Bool) -> Bool {
        guard nodes[one].glyph.block == nodes[other].glyph.block,
            nodes[one].glyph.line == nodes[other].glyph.line,
            nodes[one].glyph.baseline == nodes[other].glyph.baseline
        else { return false }
        guard isFill else { return true }
        return nodes[one].glyph.hasBlockPaint == nodes[other].glyph.hasBlockPaint
            && nodes[one].glyph.paint == nodes[other].glyph.paint
            // A cursor has one colour, even where the dark paint of the text is a gradient.
            && (!nodes[one].hasOneColor
                || blocks[nodes[one].glyph.block].paint.darkFill?.gradient == nil)
    }

    /// Returns the width of the line along a glyph's contours, where it never changes.
    fileprivate func strokeWidth(ofNode index: Int) -> Double? {
        for other in tracks[nodes[index].track].others where other.property == .strokeWidth {
            return other.track.keyframes.count == 1 ? other.track.keyframes[0].value : nil
        }
        return nil
    }
}
