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
        let end = nodes.firstIndex { $0.role.name == .mark } ?? nodes.count
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
                        && [.glyph, .part, .decoy].contains(node.role.name)
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
            guard let number = nodes[index].role.mark, marks[number].isBehind == isBehind else {
                continue
            }
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
        let end = nodes.last { !self.nodes[$0].isShade } ?? -1
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
                        ![.glyph, .titleBar, .overlay].contains(self.nodes[$0].role.name)
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
        let role = nodes[index].role
        guard [.glyph, .part, .decoy, .slice].contains(role.name), glyph.hasBlockPaint,
            place(ofNode: index) == nil, glyph.ink?.hasPicture == false,
            motion.moves(paint.fill, dark: paint.darkFill)
        else { return nil }
        // A slice moves through the colours of its glyph.
        let target = role.name == .slice ? role.source : nil
        return gradientRect(ofNode: target ?? index)
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
        guard let first = order.firstIndex(where: { nodes[$0].standsIn }) else { return order }
        let end = order[first...].firstIndex { !nodes[$0].standsIn } ?? order.count
        func target(_ index: Int) -> Int { nodes[index].role.source ?? 0 }
        let decoys = order[first..<end].sorted { (target($0), $0) < (target($1), $1) }
        return order[..<first] + decoys + order[end...]
    }
}
