package import Motion

/// SVG animated by CSS, without scripts and external resources.
///
/// Its base state is the finished text, which viewers without animation and people who prefer
/// reduced motion see.
package struct SVGFormat: OutputFormat {
    package static let name = "svg"
    package static let title = "SVG"
    package static let mediaType = "image/svg+xml"
    package static let fileExtension = "svg"
    package static let isText = true
    package static let isNegotiable = true
    package static let isAnimated = true
    package static let hasDarkColors = true

    package init(_ parameters: inout ParameterReader) {}

    package func encode(
        _ scene: Scene, _ context: EncodingContext
    ) throws(EncodingError) -> [UInt8] {
        try SVGDocument(scene, context).bytes(context)
    }
}

/// One rendering as an SVG document.
private struct SVGDocument {
    private let scene: Scene
    private let names: SVGNames
    private let groups: [SVGGroup]
    private let animations: SVGAnimations
    private let masks: SVGMasks
    /// True if lines are drawn along contours.
    private let hasStrokes: Bool
    private let definitions: SVGDefinitions

    init(_ scene: Scene, _ context: EncodingContext) throws(EncodingError) {
        self.scene = scene
        names = SVGNames(digest: scene.appearance.digest)
        let moved = scene.movedProperties
        let usesPivots = moved.usesCenter
        let hasStrokes = moved.contains(.strokeOpacity) && scene.tracks.contains(where: \.hasStroke)
        groups = SVGGroup.groups(of: scene, usesPivots: usesPivots, hasStrokes: hasStrokes)
        animations = try SVGAnimations(
            scene, groups, usesPivots: usesPivots, hasOffsets: moved.contains(.offsetX), context)
        masks = SVGMasks(scene, animations.isEmpty ? [] : groups)
        self.hasStrokes = hasStrokes && !animations.isEmpty
        definitions = SVGDefinitions(scene, usesPivots: usesPivots, hasStrokes: self.hasStrokes)
    }

    func bytes(_ context: EncodingContext) throws(EncodingError) -> [UInt8] {
        var sink = ByteSink(capacity: 4096 + 64 * scene.layout.glyphs.count)
        writeHead(&sink)
        writeStyle(&sink)
        writeBackground(&sink)
        sink.append("<defs>")
        masks.writeDefinitions(names, to: &sink)
        try EncodingError.catching { () throws(LibraryFault) in
            try definitions.write(names, context, to: &sink)
        }
        sink.append("</defs>")
        for index in groups.indices { try writeGroup(index, context, &sink) }
        sink.append("</svg>\n")
        return sink.bytes()
    }

    private func writeHead(_ sink: inout ByteSink) {
        let (width, height) = (scene.layout.width, scene.layout.height)
        sink.append("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"")
        sink.append(width, decimals: 4)
        sink.append("\" height=\"")
        sink.append(height, decimals: 4)
        sink.append("\" viewBox=\"0 0 ")
        sink.append(width, decimals: 4)
        sink.append(" ")
        sink.append(height, decimals: 4)
        sink.append("\" role=\"img\" class=\"")
        sink.append(names.prefix)
        sink.append("\"><title>")
        sink.append(xml: scene.appearance.title)
        sink.append("</title><desc>")
        sink.append(xml: description)
        sink.append("</desc>")
    }

    private var description: String {
        guard scene.duration > .zero else { return "Still text" }
        var titles: [String] = []
        for block in scene.blocks where !titles.contains(block.effectTitle) {
            titles.append(block.effectTitle)
        }
        return "Animated text: " + titles.joined(separator: ", ")
    }

    private func writeStyle(_ sink: inout ByteSink) {
        let darkBlocks = scene.blocks.indices.filter { scene.blocks[$0].paint.darkFill != nil }
        let isDark = scene.appearance.card.darkBackground != nil || !darkBlocks.isEmpty
        guard isDark || !animations.isEmpty else { return }
        sink.append("<style>")
        animations.writeRules(names, to: &sink)
        masks.writeRules(names, to: &sink)
        if hasStrokes {
            // At rest the lines are there, and transparent.
            sink.append(".")
            sink.append(names.prefix)
            sink.append(">g{stroke:currentColor;stroke-opacity:0;stroke-linejoin:round;")
            sink.append("stroke-dasharray:1 9}")
        }
        if isDark {
            sink.append("@media(prefers-color-scheme:dark){")
            if let color = scene.appearance.card.darkBackground?.firstColor {
                writeDarkRule("b", color, &sink)
            }
            for block in darkBlocks {
                if let color = scene.blocks[block].paint.darkFill?.firstColor {
                    writeDarkRule("c\(block)", color, &sink)
                }
            }
            sink.append("}")
        }
        sink.append("</style>")
    }

    private func writeDarkRule(_ name: String, _ color: Color, _ sink: inout ByteSink) {
        sink.append(".")
        sink.append(names.prefix)
        sink.append(text: name)
        sink.append("{fill:")
        sink.append(text: color.opaqueText)
        sink.append(";fill-opacity:")
        sink.append(Double(color.alpha) / 255, decimals: 4, leadingZero: false)
        if hasStrokes {
            sink.append(";color:")
            sink.append(text: color.opaqueText)
        }
        sink.append("}")
    }

    private func writeBackground(_ sink: inout ByteSink) {
        let color = scene.appearance.card.background.firstColor
        let isDark = scene.appearance.card.darkBackground != nil
        guard isDark || !color.isTransparent else { return }
        sink.append("<rect width=\"100%\" height=\"100%\"")
        sink.append(fill: color)
        if isDark {
            sink.append(" class=\"")
            sink.append(names.prefix)
            sink.append("b\"")
        }
        sink.append("/>")
    }

    // MARK: Glyphs

    private func writeGroup(
        _ index: Int, _ context: EncodingContext, _ sink: inout ByteSink
    ) throws(EncodingError) {
        let group = groups[index]
        sink.append("<g transform=\"translate(")
        sink.append(group.coordinates.origin.x, decimals: 3, leadingZero: false)
        sink.append(" ")
        sink.append(group.coordinates.origin.y, decimals: 3, leadingZero: false)
        sink.append(")")
        if group.coordinates.scale != 1 {
            sink.append("scale(")
            sink.append(group.coordinates.scale, decimals: 9, leadingZero: false)
            sink.append(")")
        }
        sink.append("\"")
        sink.append(fill: group.colors.color)
        if hasStrokes {
            sink.append(" color=\"")
            sink.append(text: group.colors.color.opaqueText)
            sink.append("\"")
            if let width = group.strokeWidth {
                write("stroke-width", width, in: group.coordinates, &sink)
            }
        }
        masks.writeAttribute(ofGroup: index, names, to: &sink)
        if group.colors.dark != nil {
            sink.append(" class=\"")
            sink.append(names.prefix)
            sink.append("c")
            sink.append(group.block)
            sink.append("\"")
        }
        sink.append(">")
        var start = 0
        while start < group.glyphs.count {
            try context.checkDeadline(every: 8)
            let track = scene.trackOfGlyph[group.glyphs[start]]
            var end = start + 1
            while end < group.glyphs.count, scene.trackOfGlyph[group.glyphs[end]] == track {
                end += 1
            }
            write(start..<end, of: group, &sink)
            start = end
        }
        sink.append("</g>")
    }

    /// Writes glyphs that move as one, in one element.
    private func write(
        _ indices: Range<Int>, of group: SVGGroup, _ sink: inout ByteSink
    ) {
        // Blurred glyphs lie over each other: one blur of all would be darker there.
        let isElement =
            animations.isEmpty || indices.count == 1 || animations.usesPivots
            || scene.tracks[scene.trackOfGlyph[group.glyphs[indices.lowerBound]]][.blur] != nil
        if !isElement {
            sink.append("<g")
            writeAnimations(ofGlyph: group.glyphs[indices.lowerBound], &sink)
            sink.append(">")
        }
        for index in indices {
            write(
                group.glyphs[index], in: group.coordinates, movesAlone: isElement, &sink)
        }
        if !isElement { sink.append("</g>") }
    }

    private func writeAnimations(ofGlyph glyph: Int, _ sink: inout ByteSink) {
        animations.writeAttributes(ofGlyph: glyph, names, to: &sink)
        if !scene.isFinished[glyph] { sink.append(" opacity=\"0\"") }
    }

    private func write(
        _ index: Int, in coordinates: SVGCoordinates, movesAlone: Bool, _ sink: inout ByteSink
    ) {
        // Part by part, because ink as a whole would be copied.
        let shape = scene.layout.glyphs[index].ink?.shape
        let isPlain = scene.layout.glyphs[index].ink?.details.isEmpty ?? true
        let center = scene.layout.glyphs[index].rect.center
        var coordinates = coordinates
        if animations.usesPivots {
            // Drawn about the centre of its box, in a group that is moved there.
            sink.append("<g transform=\"translate(")
            sink.append(
                (center.x - coordinates.origin.x) / coordinates.scale,
                decimals: coordinates.decimals,
                leadingZero: false)
            if abs(center.y - coordinates.origin.y) > SVGGroup.positionTolerance {
                sink.append(" ")
                sink.append(
                    (center.y - coordinates.origin.y) / coordinates.scale,
                    decimals: coordinates.decimals,
                    leadingZero: false)
            }
            sink.append(")\">")
            coordinates.origin = center
        }
        // A picture's own transformation must not be overridden by an animated one.
        // And some renderers know opacity only of groups.
        let isHidden = movesAlone && !scene.isFinished[index]
        let isOne = shape != nil && isPlain && !isHidden
        if !isOne {
            sink.append("<g")
            if movesAlone { writeAnimations(ofGlyph: index, &sink) }
            sink.append(">")
        }
        if let shape {
            sink.append("<use href=\"#")
            sink.append(names.prefix)
            sink.append(lettersOf: shape.outline)
            sink.append(UInt8(ascii: "\""))
            let shift = definitions.shift(ofOutline: shape.outline, scale: coordinates.scale)
            let x = shape.origin.x - shift.x
            // Decoys of one position differ by less than can be seen.
            let isCentered = abs(x - center.x) <= coordinates.scale / 2
            write("x", (isCentered ? center.x : x) - coordinates.origin.x, in: coordinates, &sink)
            write("y", shape.origin.y - coordinates.origin.y - shift.y, in: coordinates, &sink)
            if isOne, movesAlone { writeAnimations(ofGlyph: index, &sink) }
            sink.append("/>")
        }
        for detail in isPlain ? [] : scene.layout.glyphs[index].ink?.details ?? [] {
            switch detail {
            case .line(let rect): write(rect, in: coordinates, &sink)
            case .picture(let picture): write(picture, in: coordinates, &sink)
            }
            sink.append("/>")
        }
        if !isOne { sink.append("</g>") }
        if animations.usesPivots { sink.append("</g>") }
    }

    /// Writes the element of an underline or a strikethrough, left open.
    private func write(_ rect: Rect, in coordinates: SVGCoordinates, _ sink: inout ByteSink) {
        // The pen follows outlines only.
        sink.append(hasStrokes ? "<path stroke=\"none\" d=\"M" : "<path d=\"M")
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
        let bitmap = scene.layout.bitmaps[picture.bitmap]
        sink.append("<use href=\"#")
        sink.append(names.prefix)
        sink.append("p")
        sink.append(picture.bitmap)
        sink.append("\" transform=\"translate(")
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

extension Color {
    /// The colour without its alpha, as `#rrggbb`.
    fileprivate var opaqueText: String {
        Color(red: red, green: green, blue: blue).text
    }
}

extension ByteSink {
    /// Appends the attributes that fill with a colour.
    fileprivate mutating func append(fill color: Color) {
        append(" fill=\"")
        append(text: color.opaqueText)
        append("\"")
        guard !color.isOpaque else { return }
        append(" fill-opacity=\"")
        append(Double(color.alpha) / 255, decimals: 4, leadingZero: false)
        append("\"")
    }
}

/// Names that do not clash when several renderings are inlined in one page.
struct SVGNames {
    /// The first bytes of every name: a letter and five base-36 digits of the request's digest.
    let prefix: [UInt8]

    init(digest: UInt64) {
        let digits: StaticString = "0123456789abcdefghijklmnopqrstuvwxyz"
        var prefix = [UInt8(ascii: "t")]
        var rest = digest
        for _ in 0..<5 {
            prefix.append(digits.utf8Start[Int(rest % 36)])
            rest /= 36
        }
        self.prefix = prefix
    }
}

extension ByteSink {
    /// Appends a number as letters: a…z, aa, ab, ….
    mutating func append(lettersOf number: Int) {
        if number >= 26 { append(lettersOf: number / 26 - 1) }
        append(UInt8(ascii: "a") + UInt8(number % 26))
    }
}
