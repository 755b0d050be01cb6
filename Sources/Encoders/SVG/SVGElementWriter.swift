import Bytes
import Motion

/// The group that is being written.
struct SVGGroupContext {
    let group: SVGGroup
    /// The fill of all glyphs that have none of their own.
    let fill: SVGFill?
    /// The number of the rule that filters each glyph.
    let filter: Int?
    /// The number of the filter that gives pictures the colour of the shadow.
    let pictureFilter: Int?
    /// The alpha of an outline or a shadow; 255 where the filter applies it.
    let alpha: UInt8
}

/// Writes the elements of glyphs in their groups.
struct SVGElementWriter {
    let parts: SVGParts
    /// True if the element that moves is around the one that a rule filters, because the moving one
    /// may have an animated filter or several glyphs.
    private let nestsGlyphs: Bool
    /// An object, so that writing a glyph does not change the writer, which would copy it.
    let gradients: SVGGradients

    init(_ parts: consuming SVGParts, nestsGlyphs: Bool) {
        gradients = SVGGradients(parts.names)
        self.nestsGlyphs = nestsGlyphs
        self.parts = parts
    }

    // MARK: Glyphs

    /// Writes the glyphs of a group.
    func write(
        _ own: SVGGroupContext, _ context: EncodingContext, to sink: inout ByteSink
    ) throws(EncodingError) {
        let group = own.group
        var start = 0
        while start < group.nodes.count {
            try context.check(textBytes: sink.count, every: 64)
            var end = start + 1
            while end < group.nodes.count,
                group.areInRun(group.nodes[end - 1], group.nodes[end], parts.scene)
            {
                end += 1
            }
            write(start..<end, own, &sink)
            start = end
        }
    }

    /// Writes glyphs that move as one, by their places in the group; in one element where that
    /// looks the same.
    private func write(
        _ places: Range<Int>, _ context: SVGGroupContext, _ sink: inout ByteSink
    ) {
        let isElement =
            parts.animations.isEmpty || places.count == 1 || parts.animations.usesPivots
        if !isElement {
            sink.append("<g")
            writeAnimations(places.lowerBound, context, &sink)
            sink.append(">")
        }
        for place in places { write(place, movesAlone: isElement, context, &sink) }
        if !isElement { sink.append("</g>") }
    }

    /// Writes the motion of a glyph, which is given by its place in the group.
    private func writeAnimations(_ place: Int, _ context: SVGGroupContext, _ sink: inout ByteSink) {
        parts.animations.writeAttributes(
            ofElement: context.group.firstElement + place, parts.names, to: &sink)
        if !parts.scene.nodes[context.group.nodes[place]].isFinished {
            sink.append(" opacity=\"0\"")
        }
    }

    /// The elements of a glyph, by those that have its motion and its filter.
    private enum Plan {
        /// One element with both.
        case element
        /// A group with both.
        case group
        /// A group with the motion, and within it an element with the filter, because the group may
        /// have an animated filter.
        case filteredElement
        /// The same with a group within the group: a rule filters one element, and a picture's own
        /// filter is within it.
        case filteredGroup
    }

    private func plan(
        ofNode index: Int, _ shape: Ink.Shape?, isPlain: Bool, isMovedPath: Bool, movesAlone: Bool
    ) -> Plan {
        if movesAlone, nestsGlyphs { return isPlain ? .filteredElement : .filteredGroup }
        // An animated transformation must not override a picture's or a path's own. Some renderers
        // know opacity of groups only.
        guard shape != nil, isPlain else { return .group }
        let needsGroup = isMovedPath || !parts.scene.nodes[index].isFinished
        return movesAlone && needsGroup ? .group : .element
    }

    /// Writes a glyph, which is given by its place in the group.
    private func write(
        _ place: Int, movesAlone: Bool, _ context: SVGGroupContext, _ sink: inout ByteSink
    ) {
        let index = context.group.nodes[place]
        let shape = parts.scene.shape(ofNode: index)
        let coordinates = coordinates(ofNode: index, in: context.group)
        let origin =
            shape.map { self.origin(of: $0, ofNode: index, coordinates) } ?? coordinates.origin
        let shift = coordinates.shift(to: origin)
        let isMovedPath =
            parts.repeated != nil && max(abs(shift.x), abs(shift.y)) > SVGCoordinates.tolerance
        let isPlain = parts.scene.isPlain(node: index)
        let plan = plan(
            ofNode: index, shape, isPlain: isPlain, isMovedPath: isMovedPath,
            movesAlone: movesAlone)
        if parts.animations.usesPivots { writePivot(ofNode: index, in: context.group, &sink) }
        if plan != .element {
            sink.append("<g")
            if movesAlone { writeAnimations(place, context, &sink) }
            if plan == .group { writeFilter(context, &sink) }
            sink.append(">")
        }
        if plan == .filteredGroup {
            sink.append("<g")
            writeFilter(context, &sink)
            sink.append(">")
        }
        if let shape {
            writeReference(to: shape, &sink)
            writeFill(ofNode: index, origin: origin, isShape: true, context, &sink)
            if plan == .element || plan == .filteredElement { writeFilter(context, &sink) }
            if let repeated = parts.repeated {
                if isMovedPath { coordinates.writeTransform(shift, to: &sink) }
                sink.append(repeated.outlines[shape.outline])
            } else {
                coordinates.write(attribute: "x", shift.x, to: &sink)
                coordinates.write(attribute: "y", shift.y, to: &sink)
            }
            if plan == .element, movesAlone { writeAnimations(place, context, &sink) }
            sink.append("/>")
        }
        if !isPlain { writeDetails(ofNode: index, in: coordinates, context, &sink) }
        if plan == .filteredGroup { sink.append("</g>") }
        if plan != .element { sink.append("</g>") }
        if parts.animations.usesPivots { sink.append("</g>") }
    }

    /// Begins the element of an outline.
    @inline(__always)
    private func writeReference(to shape: Ink.Shape, _ sink: inout ByteSink) {
        guard parts.repeated == nil else { return sink.append("<path") }
        sink.append("<use href=\"#")
        sink.append(parts.names.prefix)
        sink.append(lettersOf: shape.outline)
        sink.append(UInt8(ascii: "\""))
    }

    /// Returns the filter that elements of a group name; nil where a rule names it.
    func filter(_ context: SVGGroupContext) -> Int? {
        parts.repeated == nil ? nil : context.filter
    }

    /// Writes the filter of a glyph's element, where no rule parts.names it.
    private func writeFilter(_ context: SVGGroupContext, _ sink: inout ByteSink) {
        guard let filter = filter(context) else { return }
        sink.append(" filter=\"")
        sink.append(reference: .rule(filter), parts.names)
        sink.append("\"")
    }

    /// Begins a group whose origin is the centre of a glyph's box.
    private func writePivot(
        ofNode index: Int, in group: SVGGroup, _ sink: inout ByteSink
    ) {
        let center = parts.scene.nodes[index].glyph.rect.center
        sink.append("<g")
        group.coordinates.writeTransform(group.coordinates.shift(to: center), to: &sink)
        sink.append(">")
    }

    private func writeDetails(
        ofNode index: Int, in coordinates: SVGCoordinates, _ context: SVGGroupContext,
        _ sink: inout ByteSink
    ) {
        for detail in parts.scene.nodes[index].glyph.ink?.details ?? [] {
            switch detail {
            case .line(let rect):
                // The pen follows outlines only.
                let hasPen = parts.pen != nil && context.group.part == .fill
                sink.append(hasPen ? "<path stroke=\"none\"" : "<path")
                writeFill(
                    ofNode: index, origin: coordinates.origin, isShape: false, context, &sink)
                coordinates.writePath(around: rect, to: &sink)
            case .picture(let picture):
                guard context.group.outline == nil else { continue }
                write(picture, in: coordinates, &sink)
                if let number = context.pictureFilter {
                    SVGFilters.writeAttribute(ofColor: number, parts.names, to: &sink)
                }
            }
            sink.append("/>")
        }
    }

    /// Writes a picture's element, left open.
    private func write(
        _ picture: Ink.Picture, in coordinates: SVGCoordinates, _ sink: inout ByteSink
    ) {
        let bitmap = parts.scene.definitions.bitmaps[picture.bitmap]
        if let repeated = parts.repeated {
            sink.append("<image")
            sink.append(repeated.bitmaps[picture.bitmap])
        } else {
            sink.append("<use href=\"#")
            sink.append(parts.names.prefix)
            sink.append("p")
            sink.append(picture.bitmap)
            sink.append("\"")
        }
        sink.append(" transform=\"translate(")
        coordinates.write(topLeft: picture.rect, to: &sink)
        sink.append(")scale(")
        sink.append(
            picture.rect.width / Double(bitmap.width) / coordinates.scale, decimals: 6,
            leadingZero: false)
        sink.append(" ")
        sink.append(
            picture.rect.height / Double(bitmap.height) / coordinates.scale, decimals: 6,
            leadingZero: false)
        sink.append(")\"")
    }

    // MARK: Fills

    /// Returns the fill of a group's element: its colour, or the gradient of its first glyph.
    func commonFill(of group: SVGGroup) -> SVGFill? {
        guard let gradient = group.gradient else { return .color(group.colors.color) }
        for node in group.nodes {
            guard let shape = parts.scene.shape(ofNode: node) else { continue }
            let coordinates = coordinates(ofNode: node, in: group)
            let origin = origin(of: shape, ofNode: node, coordinates)
            let fill = fill(gradient, ofNode: node, origin: origin, coordinates, isWhole: false)
            // A gradient beneath a colour's opacity would be wrong.
            if case .gradient = fill { return fill }
            return nil
        }
        return nil
    }

    private func fill(
        _ gradient: Gradient, ofNode node: Int, origin: Point, _ coordinates: SVGCoordinates,
        isWhole: Bool
    ) -> SVGFill {
        gradients.fill(
            gradient, in: parts.scene.gradientRect(ofNode: node), origin: origin,
            scale: coordinates.scale, isWhole: isWhole || parts.repeated != nil)
    }

    /// Writes the fill of an element, unless it is its group's.
    ///
    /// - Parameters:
    ///   - node: The node.
    ///   - origin: The origin of the element's user space on the canvas.
    ///   - isShape: True for an outline, false for the path of a line.
    ///   - context: The group.
    ///   - sink: The document.
    private func writeFill(
        ofNode node: Int, origin: Point, isShape: Bool, _ context: SVGGroupContext,
        _ sink: inout ByteSink
    ) {
        guard let gradient = context.group.gradient else { return }
        let fill = fill(
            gradient, ofNode: node, origin: origin, context.group.coordinates,
            isWhole: !isShape)
        guard fill != context.fill else { return }
        sink.append(fill, parts.names)
        // The pen follows outlines only.
        if isShape, parts.pen != nil { SVGPen.writeStroke(fill, parts.names, to: &sink) }
    }

    /// Returns the coordinates in which the elements of a glyph are written.
    private func coordinates(ofNode index: Int, in group: SVGGroup) -> SVGCoordinates {
        guard parts.animations.usesPivots else { return group.coordinates }
        var coordinates = group.coordinates
        let center = parts.scene.nodes[index].glyph.rect.center
        coordinates.origin = Point(
            x: center.x - group.pivotOffset.x, y: center.y - group.pivotOffset.y)
        return coordinates
    }

    /// Returns the origin on the canvas of the user space of a glyph's outline.
    private func origin(
        of shape: Ink.Shape, ofNode index: Int, _ coordinates: SVGCoordinates
    ) -> Point {
        let center = parts.scene.nodes[index].glyph.rect.center
        let shift = parts.definitions.shift(ofOutline: shape.outline, scale: coordinates.scale)
        var origin = Point(x: shape.origin.x - shift.x, y: shape.origin.y - shift.y)
        // Decoys of one position differ by less than can be seen.
        if abs(origin.x - center.x) <= coordinates.scale / 2 { origin.x = center.x }
        // The y as it is written, so that neighbours have the same gradient.
        if abs(origin.y - coordinates.origin.y) <= SVGCoordinates.tolerance {
            origin.y = coordinates.origin.y
        }
        return origin
    }
}
