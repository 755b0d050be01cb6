import Bytes
import Motion

/// The parts of a document to which its elements refer.
struct SVGParts {
    let scene: Scene
    let names: SVGNames
    let animations: SVGAnimations
    let masks: SVGMasks
    let definitions: SVGDefinitions
    /// The line along contours; nil where none is drawn.
    let pen: SVGPen?
    /// The outlines and pictures that elements contain; nil where elements refer to definitions.
    let repeated: SVGDefinitions.Repeated?
}

/// Writes the groups of a document, with the gradients and filters that they need.
struct SVGGlyphWriter {
    private let elements: SVGElementWriter
    private(set) var filters: SVGFilters
    /// The outlines and shadows without pictures, by their first glyph.
    private var underlays: [Int: Underlay] = [:]

    /// The content of a group that was written.
    private struct Underlay {
        let group: SVGGroup
        /// The filter that its elements name; nil for none.
        let filter: Int?
        /// Its bytes in the document.
        let content: Range<Int>
    }

    var gradients: SVGGradients { elements.gradients }

    init(_ parts: consuming SVGParts, _ groups: [SVGGroup]) {
        let nestsGlyphs = Self.nestsGlyphs(of: groups, parts)
        filters = SVGFilters(
            depth: (parts.animations.usesPivots ? 2 : 1) + (nestsGlyphs ? 1 : 0))
        elements = SVGElementWriter(parts, nestsGlyphs: nestsGlyphs)
    }

    /// Returns true if the element of a glyph that moves has to be around the one that a rule
    /// filters.
    private static func nestsGlyphs(of groups: [SVGGroup], _ parts: borrowing SVGParts) -> Bool {
        guard !parts.animations.isEmpty else { return false }
        for group in groups where isFiltered(group, parts.scene) {
            if parts.scene.movedProperties.contains(.blur) { return true }
            if !parts.animations.usesPivots, group.hasRuns(parts.scene) { return true }
        }
        return false
    }

    /// Returns true if a rule filters the glyphs of a group.
    private static func isFiltered(_ group: SVGGroup, _ scene: Scene) -> Bool {
        group.shadow.map { $0.blurRadius > 0 } ?? false || flattens(group, scene)
    }

    /// Returns true if the alpha of an outline or a shadow must not count twice where parts of a
    /// glyph overlap.
    private static func flattens(_ group: SVGGroup, _ scene: Scene) -> Bool {
        guard let color = group.underlayColor, !color.isOpaque, !group.isBlendedOnce else {
            return false
        }
        return group.shadow != nil && scene.blocks[group.block].paint.outline != nil
            || group.nodes.contains { scene.nodes[$0].glyph.ink.map { !$0.isOnePart } ?? false }
    }

    /// Writes a group.
    ///
    /// - Parameters:
    ///   - group: The group.
    ///   - index: Its number.
    ///   - context: The state that encoders share.
    ///   - sink: The document.
    /// - Throws: `EncodingError.deadline`.
    mutating func write(
        _ group: SVGGroup, _ index: Int, _ context: EncodingContext, to sink: inout ByteSink
    ) throws(EncodingError) {
        let own = self.context(of: group)
        let place = elements.parts.scene.place(ofNode: group.nodes[0])
        let origin = group.origin(at: place)
        sink.append("<g transform=\"translate(")
        sink.append(origin.x, decimals: 3, leadingZero: false)
        sink.append(" ")
        sink.append(origin.y, decimals: 3, leadingZero: false)
        sink.append(")")
        if let place, place.turn != 0 {
            sink.append("rotate(")
            sink.append(place.turn, decimals: 3, leadingZero: false)
            sink.append(")")
        }
        if group.coordinates.scale != 1 {
            sink.append("scale(")
            sink.append(group.coordinates.scale, decimals: 9, leadingZero: false)
            sink.append(")")
        }
        sink.append("\"")
        writePaint(own, &sink)
        elements.parts.masks.writeAttribute(ofGroup: index, elements.parts.names, to: &sink)
        writeClasses(own, &sink)
        elements.parts.animations.writeFade(ofGroup: index, elements.parts.names, to: &sink)
        sink.append(">")
        elements.parts.masks.writeGround(
            ofGroup: index, group, elements.parts.scene, to: &sink)
        if let copy = copy(for: own) {
            sink.appendCopy(of: copy)
        } else {
            let start = sink.count
            try elements.write(own, context, to: &sink)
            if group.part != .fill, !hasPictures(group) {
                underlays[group.nodes[0]] = Underlay(
                    group: group, filter: elements.filter(own), content: start..<sink.count)
            }
        }
        sink.append("</g>")
    }

    /// Returns the content of an earlier outline or shadow of the same glyphs; nil where it
    /// differs.
    private func copy(for context: SVGGroupContext) -> Range<Int>? {
        let group = context.group
        guard group.part != .fill, let known = underlays[group.nodes[0]],
            group.movesLike(known.group, elements.parts.scene),
            known.group.pivotOffset == group.pivotOffset,
            known.filter == elements.filter(context)
        else { return nil }
        return known.content
    }

    private mutating func context(of group: SVGGroup) -> SVGGroupContext {
        guard let color = group.underlayColor else {
            return SVGGroupContext(
                group: group, fill: elements.commonFill(of: group), filter: nil,
                pictureFilter: nil, alpha: 255)
        }
        let flattens = Self.flattens(group, elements.parts.scene)
        let filter = filters.rule(
            deviation: group.shadow?.standardDeviation ?? 0, scale: group.coordinates.scale,
            alpha: flattens ? color.alpha : 255, color: group.shadow == nil ? nil : color,
            reach: elements.parts.scene.reach(of: group),
            beyond: group.nodes.lazy.compactMap { [nodes = elements.parts.scene.nodes] in
                nodes[$0].glyph.ink?.bounds
            })
        let hasPictures = group.shadow != nil && self.hasPictures(group)
        return SVGGroupContext(
            group: group, fill: nil, filter: filter,
            pictureFilter: hasPictures
                ? filters.number(
                    ofColor: flattens || group.isBlendedOnce ? color.opaque : color) : nil,
            alpha: flattens ? 255 : color.alpha)
    }

    private func hasPictures(_ group: SVGGroup) -> Bool {
        group.nodes.contains { elements.parts.scene.nodes[$0].glyph.ink?.hasPicture ?? false }
    }

    // MARK: Groups

    private func writePaint(_ context: SVGGroupContext, _ sink: inout ByteSink) {
        let group = context.group
        if let color = group.underlayColor {
            if group.shadow == nil {
                sink.append(" fill=\"none\"")
            } else {
                sink.append(" fill=\"")
                sink.append(text: color.opaqueText)
                sink.append("\"")
                sink.append(
                    group.isBlendedOnce ? "opacity" : "fill-opacity", alpha: context.alpha)
            }
            guard
                let outline = group.outline
                    ?? elements.parts.scene.blocks[group.block].paint.outline
            else { return }
            sink.append(" stroke=\"")
            sink.append(text: color.opaqueText)
            sink.append("\"")
            if group.shadow == nil {
                sink.append(
                    group.isBlendedOnce ? "opacity" : "stroke-opacity", alpha: context.alpha)
            }
            group.coordinates.write(attribute: "stroke-width", outline.width, to: &sink)
            sink.append(" stroke-linejoin=\"round\"")
            if outline.cap == .round { sink.append(" stroke-linecap=\"round\"") }
            return
        }
        if group.isBlendedOnce, case .color(let color) = context.fill {
            sink.append(fill: color.opaque)
            sink.append("opacity", alpha: color.alpha)
        } else if let fill = context.fill {
            sink.append(fill, elements.parts.names)
        }
        guard let pen = elements.parts.pen else { return }
        pen.writeAttributes(of: context.fill, to: &sink)
        if let width = group.strokeWidth {
            group.coordinates.write(attribute: "stroke-width", width, to: &sink)
        }
    }

    private func writeClasses(_ context: SVGGroupContext, _ sink: inout ByteSink) {
        let group = context.group
        var classes = SVGListAttribute("class", separator: " ")
        func write(_ name: SVGClass) {
            classes.next(&sink)
            sink.append(name, elements.parts.names)
        }
        if let name = group.darkClass { write(name) }
        if group.outline?.darkColor != nil { write(.outline(block: group.block)) }
        if let filter = context.filter, elements.parts.repeated == nil { write(.filter(filter)) }
        switch group.scheme {
        case .any: break
        case .light: write(.light)
        case .dark: write(.dark)
        }
        classes.end(&sink)
        // Viewers without style sheets or media queries show the light scheme.
        if group.scheme == .dark { sink.append(" display=\"none\"") }
    }
}
