import Bytes
import Motion

/// Writes the groups of a document, with the gradients and filters that they need.
struct SVGGlyphWriter {
    private let scene: Scene
    private let names: SVGNames
    private let animations: SVGAnimations
    private let masks: SVGMasks
    private let definitions: SVGDefinitions
    private let pen: SVGPen?
    /// The outlines and pictures that elements contain; nil where elements refer to definitions.
    private let repeated: SVGDefinitions.Repeated?
    /// True if the element that moves is around the one that a rule filters, because the moving one
    /// may have an animated filter or several glyphs.
    private let nestsGlyphs: Bool
    /// An object, so that writing a glyph does not change the writer, which would copy it.
    let gradients: SVGGradients
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

    /// The group that is being written.
    private struct Context {
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

    init(
        _ scene: Scene, _ names: SVGNames, _ animations: SVGAnimations, _ masks: SVGMasks,
        _ definitions: SVGDefinitions, repeating repeated: SVGDefinitions.Repeated?,
        _ pen: SVGPen?, _ groups: [SVGGroup]
    ) {
        self.scene = scene
        self.names = names
        self.animations = animations
        self.masks = masks
        self.definitions = definitions
        self.pen = pen
        self.repeated = repeated
        nestsGlyphs =
            !animations.isEmpty
            && groups.contains {
                Self.isFiltered($0, scene)
                    && (scene.movedProperties.contains(.blur)
                        || !animations.usesPivots && $0.hasRuns(scene))
            }
        gradients = SVGGradients(names)
        filters = SVGFilters(depth: (animations.usesPivots ? 2 : 1) + (nestsGlyphs ? 1 : 0))
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
        let place = scene.place(ofNode: group.nodes[0])
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
        masks.writeAttribute(ofGroup: index, names, to: &sink)
        writeClasses(own, &sink)
        animations.writeFade(ofGroup: index, names, to: &sink)
        sink.append(">")
        if let copy = copy(for: own) {
            sink.appendCopy(of: copy)
        } else {
            let start = sink.count
            try writeGlyphs(own, context, to: &sink)
            if group.part != .fill, !hasPictures(group) {
                underlays[group.nodes[0]] = Underlay(
                    group: group, filter: filterOfElements(own), content: start..<sink.count)
            }
        }
        sink.append("</g>")
    }

    /// Returns the content of an earlier outline or shadow of the same glyphs; nil where it
    /// differs.
    private func copy(for context: Context) -> Range<Int>? {
        let group = context.group
        guard group.part != .fill, let known = underlays[group.nodes[0]],
            group.movesLike(known.group, scene), known.group.pivotOffset == group.pivotOffset,
            known.filter == filterOfElements(context)
        else { return nil }
        return known.content
    }

    private func writeGlyphs(
        _ own: Context, _ context: EncodingContext, to sink: inout ByteSink
    ) throws(EncodingError) {
        let group = own.group
        var start = 0
        while start < group.nodes.count {
            try context.check(textBytes: sink.count, every: 64)
            var end = start + 1
            while end < group.nodes.count,
                group.areInRun(group.nodes[end - 1], group.nodes[end], scene)
            {
                end += 1
            }
            write(start..<end, own, &sink)
            start = end
        }
    }

    private mutating func context(of group: SVGGroup) -> Context {
        guard let color = group.underlayColor else {
            return Context(
                group: group, fill: commonFill(of: group), filter: nil, pictureFilter: nil,
                alpha: 255)
        }
        let flattens = Self.flattens(group, scene)
        let filter = filters.rule(
            deviation: group.shadow?.standardDeviation ?? 0, scale: group.coordinates.scale,
            alpha: flattens ? color.alpha : 255, color: group.shadow == nil ? nil : color,
            reach: scene.reach(of: group),
            beyond: group.nodes.lazy.compactMap { [scene] in scene.nodes[$0].glyph.ink?.bounds })
        let hasPictures = group.shadow != nil && self.hasPictures(group)
        return Context(
            group: group, fill: nil, filter: filter,
            pictureFilter: hasPictures
                ? filters.number(
                    ofColor: flattens || group.isBlendedOnce ? color.opaque : color) : nil,
            alpha: flattens ? 255 : color.alpha)
    }

    private func hasPictures(_ group: SVGGroup) -> Bool {
        group.nodes.contains { scene.nodes[$0].glyph.ink?.hasPicture ?? false }
    }

    // MARK: Groups

    private func writePaint(_ context: Context, _ sink: inout ByteSink) {
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
            guard let outline = group.outline ?? scene.blocks[group.block].paint.outline else {
                return
            }
            sink.append(" stroke=\"")
            sink.append(text: color.opaqueText)
            sink.append("\"")
            if group.shadow == nil {
                sink.append(
                    group.isBlendedOnce ? "opacity" : "stroke-opacity", alpha: context.alpha)
            }
            write("stroke-width", outline.width, in: group.coordinates, &sink)
            sink.append(" stroke-linejoin=\"round\"")
            if outline.cap == .round { sink.append(" stroke-linecap=\"round\"") }
            return
        }
        if group.isBlendedOnce, case .color(let color) = context.fill {
            sink.append(fill: color.opaque)
            sink.append("opacity", alpha: color.alpha)
        } else if let fill = context.fill {
            sink.append(fill, names)
        }
        guard let pen else { return }
        pen.writeAttributes(of: context.fill, to: &sink)
        if let width = group.strokeWidth {
            write("stroke-width", width, in: group.coordinates, &sink)
        }
    }

    private func writeClasses(_ context: Context, _ sink: inout ByteSink) {
        let group = context.group
        var classes = SVGListAttribute("class", separator: " ")
        func write(_ name: SVGClass) {
            classes.next(&sink)
            sink.append(name, names)
        }
        if let name = group.darkClass { write(name) }
        if group.outline?.darkColor != nil { write(.outline(block: group.block)) }
        if let filter = context.filter, repeated == nil { write(.filter(filter)) }
        switch group.scheme {
        case .any: break
        case .light: write(.light)
        case .dark: write(.dark)
        }
        classes.end(&sink)
        // Viewers without style sheets or media queries show the light scheme.
        if group.scheme == .dark { sink.append(" display=\"none\"") }
    }

    // MARK: Fills

    /// Returns the fill of a group's element: its colour, or the gradient of its first glyph.
    private func commonFill(of group: SVGGroup) -> SVGFill? {
        guard let gradient = group.gradient else { return .color(group.colors.color) }
        for node in group.nodes {
            guard let shape = scene.shape(ofNode: node) else { continue }
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
            gradient, in: scene.gradientRect(ofNode: node), origin: origin,
            scale: coordinates.scale, isWhole: isWhole || repeated != nil)
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
        ofNode node: Int, origin: Point, isShape: Bool, _ context: Context,
        _ sink: inout ByteSink
    ) {
        guard let gradient = context.group.gradient else { return }
        let fill = fill(
            gradient, ofNode: node, origin: origin, context.group.coordinates,
            isWhole: !isShape)
        guard fill != context.fill else { return }
        sink.append(fill, names)
        // The pen follows outlines only.
        if isShape, pen != nil { SVGPen.writeStroke(fill, names, to: &sink) }
    }

    /// Returns the coordinates in which the elements of a glyph are written.
    private func coordinates(ofNode index: Int, in group: SVGGroup) -> SVGCoordinates {
        guard animations.usesPivots else { return group.coordinates }
        var coordinates = group.coordinates
        let center = scene.nodes[index].glyph.rect.center
        coordinates.origin = Point(
            x: center.x - group.pivotOffset.x, y: center.y - group.pivotOffset.y)
        return coordinates
    }

    /// Returns the origin on the canvas of the user space of a glyph's outline.
    private func origin(
        of shape: Ink.Shape, ofNode index: Int, _ coordinates: SVGCoordinates
    ) -> Point {
        let center = scene.nodes[index].glyph.rect.center
        let shift = definitions.shift(ofOutline: shape.outline, scale: coordinates.scale)
        var origin = Point(x: shape.origin.x - shift.x, y: shape.origin.y - shift.y)
        // Decoys of one position differ by less than can be seen.
        if abs(origin.x - center.x) <= coordinates.scale / 2 { origin.x = center.x }
        // The y as it is written, so that neighbours have the same gradient.
        if abs(origin.y - coordinates.origin.y) <= SVGGroup.positionTolerance {
            origin.y = coordinates.origin.y
        }
        return origin
    }

    // MARK: Glyphs

    /// Writes glyphs that move as one, in one element where that looks the same.
    private func write(
        _ indices: Range<Int>, _ context: Context, _ sink: inout ByteSink
    ) {
        let isElement = animations.isEmpty || indices.count == 1 || animations.usesPivots
        if !isElement {
            sink.append("<g")
            writeAnimations(indices.lowerBound, context, &sink)
            sink.append(">")
        }
        for index in indices { write(index, movesAlone: isElement, context, &sink) }
        if !isElement { sink.append("</g>") }
    }

    /// Writes the motion of a glyph, which is given by its place in the group.
    private func writeAnimations(_ place: Int, _ context: Context, _ sink: inout ByteSink) {
        animations.writeAttributes(
            ofElement: context.group.firstElement + place, names, to: &sink)
        if !scene.nodes[context.group.nodes[place]].isFinished { sink.append(" opacity=\"0\"") }
    }

    /// Writes a glyph, which is given by its place in the group.
    private func write(
        _ place: Int, movesAlone: Bool, _ context: Context, _ sink: inout ByteSink
    ) {
        let index = context.group.nodes[place]
        let shape = scene.shape(ofNode: index)
        let isPlain = scene.isPlain(node: index)
        let coordinates = coordinates(ofNode: index, in: context.group)
        if animations.usesPivots { writePivot(ofNode: index, in: context.group, &sink) }
        // An animated transformation must not override a picture's own. Some renderers know opacity
        // of groups only.
        let isHidden = movesAlone && !scene.nodes[index].isFinished
        let isNested = movesAlone && nestsGlyphs
        let origin =
            shape.map { self.origin(of: $0, ofNode: index, coordinates) } ?? coordinates.origin
        let shift = Point(x: origin.x - coordinates.origin.x, y: origin.y - coordinates.origin.y)
        // A path that is moved has a transformation, which an animated one would override.
        let isMovedPath =
            repeated != nil && max(abs(shift.x), abs(shift.y)) > SVGGroup.positionTolerance
        let isOne =
            shape != nil && isPlain && !isHidden && !isNested && !(movesAlone && isMovedPath)
        if !isOne {
            sink.append("<g")
            if movesAlone { writeAnimations(place, context, &sink) }
            if !isNested { writeFilter(context, &sink) }
            sink.append(">")
        }
        // A rule filters one element, and a picture's own filter is within it.
        let isWrapped = isNested && !isPlain
        if isWrapped {
            sink.append("<g")
            writeFilter(context, &sink)
            sink.append(">")
        }
        if let shape {
            if repeated == nil {
                sink.append("<use href=\"#")
                sink.append(names.prefix)
                sink.append(lettersOf: shape.outline)
                sink.append(UInt8(ascii: "\""))
            } else {
                sink.append("<path")
            }
            writeFill(
                ofNode: index, origin: origin, isShape: true, context, &sink)
            if isOne || isNested && !isWrapped { writeFilter(context, &sink) }
            if let repeated {
                if isMovedPath { writeTransform(shift, in: coordinates, &sink) }
                sink.append(repeated.outlines[shape.outline])
            } else {
                write("x", shift.x, in: coordinates, &sink)
                write("y", shift.y, in: coordinates, &sink)
            }
            if isOne, movesAlone { writeAnimations(place, context, &sink) }
            sink.append("/>")
        }
        if !isPlain { writeDetails(ofNode: index, in: coordinates, context, &sink) }
        if isWrapped { sink.append("</g>") }
        if !isOne { sink.append("</g>") }
        if animations.usesPivots { sink.append("</g>") }
    }

    /// Returns the filter that elements of a group name; nil where a rule names it.
    private func filterOfElements(_ context: Context) -> Int? {
        repeated == nil ? nil : context.filter
    }

    /// Writes the filter of a glyph's element, where no rule names it.
    private func writeFilter(_ context: Context, _ sink: inout ByteSink) {
        guard let filter = filterOfElements(context) else { return }
        sink.append(" filter=\"")
        sink.append(reference: .rule(filter), names)
        sink.append("\"")
    }

    /// Begins a group whose origin is the centre of a glyph's box.
    private func writePivot(
        ofNode index: Int, in group: SVGGroup, _ sink: inout ByteSink
    ) {
        let center = scene.nodes[index].glyph.rect.center
        let coordinates = group.coordinates
        sink.append("<g transform=\"translate(")
        sink.append(
            (center.x - coordinates.origin.x) / coordinates.scale,
            decimals: coordinates.decimals, leadingZero: false)
        if abs(center.y - coordinates.origin.y) > SVGGroup.positionTolerance {
            sink.append(" ")
            sink.append(
                (center.y - coordinates.origin.y) / coordinates.scale,
                decimals: coordinates.decimals, leadingZero: false)
        }
        sink.append(")\">")
    }

    private func writeDetails(
        ofNode index: Int, in coordinates: SVGCoordinates, _ context: Context,
        _ sink: inout ByteSink
    ) {
        for detail in scene.nodes[index].glyph.ink?.details ?? [] {
            switch detail {
            case .line(let rect):
                // The pen follows outlines only.
                let hasPen = pen != nil && context.group.part == .fill
                sink.append(hasPen ? "<path stroke=\"none\"" : "<path")
                writeFill(
                    ofNode: index, origin: coordinates.origin, isShape: false, context, &sink)
                write(rect, in: coordinates, &sink)
            case .picture(let picture):
                guard context.group.outline == nil else { continue }
                write(picture, in: coordinates, &sink)
                if let number = context.pictureFilter {
                    SVGFilters.writeAttribute(ofColor: number, names, to: &sink)
                }
            }
            sink.append("/>")
        }
    }

    /// Writes the path of an underline or a strikethrough.
    private func write(_ rect: Rect, in coordinates: SVGCoordinates, _ sink: inout ByteSink) {
        sink.append(" d=\"M")
        writeTopLeft(rect, in: coordinates, &sink)
        sink.append("h")
        sink.append(
            rect.width / coordinates.scale, decimals: coordinates.decimals, leadingZero: false)
        sink.append("v")
        sink.append(
            rect.height / coordinates.scale, decimals: coordinates.decimals, leadingZero: false)
        sink.append("h")
        sink.append(
            -rect.width / coordinates.scale, decimals: coordinates.decimals, leadingZero: false)
        sink.append("z\"")
    }

    /// Writes a picture's element, left open.
    private func write(
        _ picture: Ink.Picture, in coordinates: SVGCoordinates, _ sink: inout ByteSink
    ) {
        let bitmap = scene.definitions.bitmaps[picture.bitmap]
        if let repeated {
            sink.append("<image")
            sink.append(repeated.bitmaps[picture.bitmap])
        } else {
            sink.append("<use href=\"#")
            sink.append(names.prefix)
            sink.append("p")
            sink.append(picture.bitmap)
            sink.append("\"")
        }
        sink.append(" transform=\"translate(")
        writeTopLeft(picture.rect, in: coordinates, &sink)
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

    /// Writes the transformation that moves an element, in the group's units.
    private func writeTransform(
        _ shift: Point, in coordinates: SVGCoordinates, _ sink: inout ByteSink
    ) {
        sink.append(" transform=\"translate(")
        sink.append(
            shift.x / coordinates.scale, decimals: coordinates.decimals, leadingZero: false)
        if abs(shift.y) > SVGGroup.positionTolerance {
            sink.append(" ")
            sink.append(
                shift.y / coordinates.scale, decimals: coordinates.decimals, leadingZero: false)
        }
        sink.append(")\"")
    }

    /// Writes the top left corner in the group's units.
    private func writeTopLeft(_ rect: Rect, in coordinates: SVGCoordinates, _ sink: inout ByteSink)
    {
        sink.append(
            (rect.x - coordinates.origin.x) / coordinates.scale, decimals: coordinates.decimals,
            leadingZero: false)
        sink.append(" ")
        sink.append(
            (rect.y - coordinates.origin.y) / coordinates.scale, decimals: coordinates.decimals,
            leadingZero: false)
    }

    /// Writes an attribute with a length in the group's units, unless it is 0.
    private func write(
        _ name: StaticString, _ pixels: Double, in coordinates: SVGCoordinates,
        _ sink: inout ByteSink
    ) {
        guard abs(pixels) > SVGGroup.positionTolerance else { return }
        sink.append(" ")
        sink.append(name)
        sink.append("=\"")
        sink.append(pixels / coordinates.scale, decimals: coordinates.decimals, leadingZero: false)
        sink.append("\"")
    }
}
