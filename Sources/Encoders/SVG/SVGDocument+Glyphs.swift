import Motion

// The glyphs, group by group.
extension SVGDocument {
    func write(
        _ group: SVGGroup, _ workshop: Workshop, _ sink: inout ByteSink
    ) throws(EncodingError) {
        sink.append("<g transform=\"translate(")
        sink.append(group.origin.x, decimals: 3, leadingZero: false)
        sink.append(" ")
        sink.append(group.origin.y, decimals: 3, leadingZero: false)
        sink.append(")")
        if group.scale != 1 {
            sink.append("scale(")
            sink.append(group.scale, decimals: 9, leadingZero: false)
            sink.append(")")
        }
        sink.append("\"")
        sink.append(fill: group.color)
        if group.hasBlockColor, scene.blocks[group.block].darkColor != nil {
            sink.append(" class=\"")
            sink.append(names.prefix)
            sink.append("c")
            sink.append(group.block)
            sink.append("\"")
        }
        sink.append(">")
        var rest = group.glyphs[...]
        while let first = rest.first {
            let track = scene.trackOfGlyph[first]
            let together = rest.prefix { scene.trackOfGlyph[$0] == track }
            rest = rest.dropFirst(together.count)
            try workshop.checkDeadline(every: 8)
            write(together, of: group, &sink)
        }
        sink.append("</g>")
    }

    /// Glyphs that move as one stand in one element.
    private func write(
        _ glyphs: ArraySlice<Int>, of group: SVGGroup, _ sink: inout ByteSink
    ) {
        guard let first = glyphs.first else { return }
        let isElement = motions.isEmpty || glyphs.count == 1 || motions.turns
        if !isElement {
            sink.append("<g")
            writeMotion(ofGlyph: first, &sink)
            sink.append(">")
        }
        for glyph in glyphs { write(glyph, of: group, movesAlone: isElement, &sink) }
        if !isElement { sink.append("</g>") }
    }

    private func writeMotion(ofGlyph glyph: Int, _ sink: inout ByteSink) {
        motions.writeAttributes(ofGlyph: glyph, names, to: &sink)
        if !scene.isFinished[glyph] { sink.append(" opacity=\"0\"") }
    }

    private func write(
        _ index: Int, of group: SVGGroup, movesAlone: Bool, _ sink: inout ByteSink
    ) {
        guard let ink = scene.layout.glyphs[index].ink else { return }
        var group = group
        if motions.turns {
            // Drawn about the centre of its box, in a group that is moved there.
            let center = scene.layout.glyphs[index].rect.center
            sink.append("<g transform=\"translate(")
            sink.append(
                (center.x - group.origin.x) / group.scale, decimals: group.decimals,
                leadingZero: false)
            if abs(center.y - group.origin.y) > SVGGroup.placeTolerance {
                sink.append(" ")
                sink.append(
                    (center.y - group.origin.y) / group.scale, decimals: group.decimals,
                    leadingZero: false)
            }
            sink.append(")\">")
            group.origin = center
        }
        // A picture's own transformation must not be overridden by an animated one.
        // And some renderers know opacity only of groups.
        let isHidden = movesAlone && !scene.isFinished[index]
        let isOne = ink.isOnePart && ink.details.isEmpty && !isHidden
        if !isOne {
            sink.append("<g")
            if movesAlone { writeMotion(ofGlyph: index, &sink) }
            sink.append(">")
        }
        if let shape = ink.shape {
            sink.append(references[shape.outline])
            let shift = definitions.shift(ofOutline: shape.outline, scale: group.scale)
            let center = scene.layout.glyphs[index].rect.center.x
            let x = shape.origin.x - shift.x
            // Decoys of one place are told apart by less than can be seen.
            let isCentered = abs(x - center) <= group.scale / 2
            write("x", (isCentered ? center : x) - group.origin.x, of: group, &sink)
            write("y", shape.origin.y - group.origin.y - shift.y, of: group, &sink)
            if isOne, movesAlone { writeMotion(ofGlyph: index, &sink) }
            sink.append("/>")
        }
        for detail in ink.details {
            switch detail {
            case .line(let rect): write(rect, of: group, &sink)
            case .picture(let picture): write(picture, of: group, &sink)
            }
            sink.append("/>")
        }
        if !isOne { sink.append("</g>") }
        if motions.turns { sink.append("</g>") }
    }

    /// A line's element, left open.
    private func write(_ rect: Rect, of group: SVGGroup, _ sink: inout ByteSink) {
        sink.append("<path d=\"M")
        writePlace(rect, of: group, &sink)
        sink.append("h")
        sink.append(rect.width / group.scale, decimals: group.decimals, leadingZero: false)
        sink.append("v")
        sink.append(rect.height / group.scale, decimals: group.decimals, leadingZero: false)
        sink.append("h")
        sink.append(-rect.width / group.scale, decimals: group.decimals, leadingZero: false)
        sink.append("z\"")
    }

    /// A picture's element, left open.
    private func write(_ picture: Ink.Picture, of group: SVGGroup, _ sink: inout ByteSink) {
        let bitmap = scene.layout.bitmaps[picture.bitmap]
        sink.append("<use href=\"#")
        sink.append(names.prefix)
        sink.append("p")
        sink.append(picture.bitmap)
        sink.append("\" transform=\"translate(")
        writePlace(picture.rect, of: group, &sink)
        sink.append(")scale(")
        sink.append(
            picture.rect.width / Double(bitmap.width) / group.scale, decimals: 6,
            leadingZero: false)
        sink.append(" ")
        sink.append(
            picture.rect.height / Double(bitmap.height) / group.scale, decimals: 6,
            leadingZero: false)
        sink.append(")\"")
    }

    /// The top left corner in the group's units.
    private func writePlace(_ rect: Rect, of group: SVGGroup, _ sink: inout ByteSink) {
        sink.append(
            (rect.x - group.origin.x) / group.scale, decimals: group.decimals, leadingZero: false)
        sink.append(" ")
        sink.append(
            (rect.y - group.origin.y) / group.scale, decimals: group.decimals, leadingZero: false)
    }

    /// An attribute with a length in the group's units, left out when it is 0.
    private func write(
        _ name: StaticString, _ pixels: Double, of group: SVGGroup, _ sink: inout ByteSink
    ) {
        guard abs(pixels) > SVGGroup.placeTolerance else { return }
        sink.append(" ")
        sink.append(name)
        sink.append("=\"")
        sink.append(pixels / group.scale, decimals: group.decimals, leadingZero: false)
        sink.append("\"")
    }
}
