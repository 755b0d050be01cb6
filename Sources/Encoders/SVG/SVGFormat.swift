import Bytes
package import Motion

/// The way in which an SVG contains outlines and pictures.
enum SVGProfile: String, CaseIterable, Sendable {
    /// Each outline once, and `<use>` wherever it is drawn.
    case compact
    /// Each glyph with its own path. It has neither `<use>` nor functions of CSS's `filter`, which
    /// sanitisers and optimisers remove.
    case portable
}

/// SVG animated by CSS, without scripts and external resources.
///
/// Its base state is the finished text: viewers without animation show it, and people who prefer
/// reduced motion see it.
package struct SVGFormat: OutputFormat {
    package static let name = "svg"
    package static let title = "SVG"
    package static let mediaType = "image/svg+xml"
    package static let fileExtension = "svg"
    package static let isText = true
    package static let hasDarkColors = true
    package static let followsReducedMotion = true

    private let profile: SVGProfile
    private let ids: String?
    private let description: String?
    /// True if the file has the boxes of its words.
    private let hasBoxes: Bool

    package init(_ parameters: inout ParameterReader) {
        profile = parameters.choice(
            "svg", default: .compact,
            "How glyphs are drawn: each outline once (compact), or again in each place, as "
                + "sanitisers require (portable).")
        ids = parameters.optionalText(
            "ids", .identifier(1...32),
            "Prefix of all ids and classes, for an SVG that becomes part of a page.")
        description = parameters.optionalText(
            "description", .prose(1...1000), "Text that screen readers may say besides the title.")
        hasBoxes = parameters.boolean(
            "boxes", default: false,
            "Adds the boxes of words, for pages that lay a text to select over the picture.")
    }

    package func price(of scene: Scene, _ context: EncodingContext) throws(EncodingError) -> Price {
        let all = SceneTally(scene)
        let sectors = SVGSectors.mostBytes(in: scene)
        // Keyframes that blur are also written with all levels.
        let most =
            all.svgBytes(element: 400, keyframe: 160)
            + SVGBlurLevels.mostBytes(keyframes: all.blurKeyframes) + sectors
            + SVGPaints.mostBytes(in: scene)
            + (hasBoxes ? SVGTextBoxes.mostBytes(in: scene) : 0)
        if most <= context.limits.textBytes, profile == .compact { return Price(ofText: most) }
        let tally = SceneTally(scene, in: scene.layers)
        let least =
            tally.svgBytes(element: 30, keyframe: 0) + Double(40 * tally.hidden) + sectors / 2
        if least > 1.5 * context.limits.textBytes { return Price(ofText: 1.4 * least) }
        return Price(
            ofText: try document(scene, context).estimatedBytes(tally, context) + sectors
                + (hasBoxes ? SVGTextBoxes.mostBytes(in: scene) : 0))
    }

    package func encode(
        _ scene: Scene, _ context: EncodingContext
    ) throws(EncodingError) -> [UInt8] {
        try document(scene, context).bytes(context)
    }

    private func document(
        _ scene: Scene, _ context: EncodingContext
    ) throws(EncodingError) -> SVGDocument {
        try SVGDocument(
            scene, ids.map(SVGNames.init(root:)) ?? SVGNames(digest: scene.appearance.digest),
            profile, description: description, boxes: hasBoxes ? SVGTextBoxes(scene) : nil, context)
    }
}

extension SceneTally {
    /// Returns the bytes of a document, from the bytes of an element and of a keyframe.
    fileprivate func svgBytes(element: Int, keyframe: Int) -> Double {
        Double(4096 + element * nodes + keyframe * keyframes + 20 * commands) + pictureBytes
    }
}

/// One rendering as an SVG document.
private struct SVGDocument {
    private let scene: Scene
    private let names: SVGNames
    private let profile: SVGProfile
    private let description: String?
    private let boxes: SVGTextBoxes?
    private let groups: [SVGGroup]
    private let animations: SVGAnimations
    private let masks: SVGMasks
    private let paints: SVGPaints
    /// The groups of still glyphs on which light falls, by the paint's number.
    private let litGroups: [Int: Range<Int>]
    /// The levels that stand for blurs in WebKit; nil where no motion blurs.
    private let levels: SVGBlurLevels?
    /// The line along contours; nil where none is drawn.
    private let pen: SVGPen?
    private let definitions: SVGDefinitions

    init(
        _ scene: Scene, _ names: SVGNames, _ profile: SVGProfile, description: String?,
        boxes: SVGTextBoxes?, _ context: EncodingContext
    ) throws(EncodingError) {
        self.names = names
        self.profile = profile
        self.description = description
        self.boxes = boxes
        let moved = scene.movedProperties
        let usesPivots = moved.usesCenter
        let hasStrokes = moved.contains(.strokeOpacity) && scene.tracks.contains(where: \.hasStroke)
        self.scene = scene
        let fades = SVGFades(scene, usesPivots: usesPivots)
        groups = SVGGroup.groups(
            of: scene, fades, usesPivots: usesPivots, hasStrokes: hasStrokes)
        levels =
            moved.contains(.blur) && scene.duration > .zero
            ? SVGBlurLevels(scene, groups, names, areForAll: profile == .portable) : nil
        animations = try SVGAnimations(scene, groups, moved, levels, profile, context)
        masks = SVGMasks(scene, animations.isEmpty ? [] : groups)
        paints = SVGPaints(scene, hidesFromRules: !animations.isEmpty)
        litGroups =
            animations.isEmpty && profile == .compact ? SVGGroup.litGroups(groups, scene) : [:]
        pen = hasStrokes && !animations.isEmpty ? SVGPen(names, groups) : nil
        definitions = SVGDefinitions(scene, usesPivots: usesPivots, hasStrokes: pen != nil)
    }

    /// Estimates the length of the document; the length of its elements from some of their
    /// attributes.
    func estimatedBytes(
        _ tally: SceneTally, _ context: EncodingContext
    ) throws(EncodingError) -> Double {
        let count = groups.reduce(0) { $0 + $1.nodes.count }
        let moving = elementsWithMotions
        let weights = [Double](repeating: 1, count: animations.isEmpty ? 0 : moving.count)
        let attributes = try SampledSum.estimate(weights) { index throws(EncodingError) in
            var sink = ByteSink()
            animations.writeAttributes(ofElement: moving[index].element, names, to: &sink)
            return Double(sink.count)
        }
        let hidden = moving.count(where: \.isHidden)
        return attributes + Double(animations.keyframeBytes + 44 * count + 20 * hidden)
            + (animations.usesPivots ? Double(38 * count) : 0) + Double(240 * groups.count)
            + Double(200 * groups.count { $0.shadow != nil } + (levels?.estimatedBytes ?? 0))
            + Double(10 * tally.commands) + tally.pictureBytes + 4096 + paints.estimatedBytes
            + (profile == .portable ? repeatedBytes : 0)
    }

    /// The elements with attributes of motion of their own, rather than of an element around them
    /// and their neighbours, and whether the finished text hides them.
    private var elementsWithMotions: [(element: Int, isHidden: Bool)] {
        groups.flatMap { group in
            group.nodes.indices.filter { place in
                guard place > 0, !animations.usesPivots else { return true }
                return !group.areInRun(group.nodes[place - 1], group.nodes[place], scene)
            }.map { (group.firstElement + $0, !scene.nodes[group.nodes[$0]].isFinished) }
        }
    }

    /// Estimates the bytes of outlines and pictures in all the places where they are drawn.
    private var repeatedBytes: Double {
        var bytes = 0.0
        for group in groups {
            for case let ink? in group.nodes.lazy.map({ scene.nodes[$0].glyph.ink }) {
                if let shape = ink.shape {
                    bytes += Double(10 * scene.definitions.outlines[shape.outline].commands.count)
                }
                for case .picture(let picture) in ink.details {
                    bytes += scene.definitions.bitmaps[picture.bitmap].mostTextBytes
                }
            }
        }
        return bytes
    }

    func bytes(_ context: EncodingContext) throws(EncodingError) -> [UInt8] {
        if !animations.isEmpty { try context.check(textBytes: animations.keyframeBytes) }
        // The gradients and filters that the text needs stand before it.
        let parts = SVGParts(
            scene: scene, names: names, animations: animations, masks: masks,
            definitions: definitions, pen: pen,
            repeated: profile == .portable ? try definitions.repeated(context) : nil)
        var writer = SVGGlyphWriter(parts, groups)
        var text = ByteSink(capacity: 4096 + 64 * groups.reduce(0) { $0 + $1.nodes.count })
        let card = SVGCard(scene, names, paints, writer.gradients)
        for index in groups.indices {
            try context.check(textBytes: text.count, every: 8)
            let paint = groups[index].paint
            if let paint, index == 0 || groups[index - 1].paint != paint {
                paints.beginMask(paint, names, to: &text)
                if let lit = litGroups[paint] { writeReference(to: lit, &text) }
            }
            if litGroups.values.contains(where: { $0.lowerBound == index }) {
                text.append("<g id=\"")
                text.append(.lit(index), names)
                text.append("\">")
            }
            // The mask refers to the same glyphs.
            if paint.flatMap({ litGroups[$0] }) == nil {
                try writer.write(groups[index], index, context, to: &text)
            }
            if litGroups.values.contains(where: { $0.upperBound == index + 1 }) {
                text.append("</g>")
            }
            if let paint, index + 1 == groups.count || groups[index + 1].paint != paint {
                paints.endMask(paint, names, writer.gradients, to: &text)
            }
        }
        var sink = ByteSink(capacity: 4096 + 256 * scene.definitions.outlines.count + text.count)
        writeHead(&sink)
        writeStyle(writer.filters, card, &sink)
        card.write(to: &sink)
        sink.append("<defs>")
        masks.writeDefinitions(names, to: &sink)
        writer.gradients.writeDefinitions(to: &sink)
        writer.filters.writeDefinitions(names, to: &sink)
        levels?.writeDefinitions(to: &sink)
        if profile == .compact { try definitions.write(names, context, to: &sink) }
        sink.append("</defs>")
        sink.append(text)
        sink.append("</svg>\n")
        return sink.bytes()
    }

    private func writeReference(to lit: Range<Int>, _ sink: inout ByteSink) {
        sink.append("<use href=\"#")
        sink.append(.lit(lit.lowerBound), names)
        sink.append("\"/>")
    }

    private func writeHead(_ sink: inout ByteSink) {
        let (width, height) = (scene.width, scene.height)
        sink.append("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"")
        sink.append(width, decimals: 4)
        sink.append("\" height=\"")
        sink.append(height, decimals: 4)
        sink.append("\" viewBox=\"0 0 ")
        sink.append(width, decimals: 4)
        sink.append(" ")
        sink.append(height, decimals: 4)
        if let language = scene.appearance.language {
            // A tag has letters, digits and hyphens only.
            sink.append("\" lang=\"")
            sink.append(text: language)
        }
        sink.append("\" role=\"img\" class=\"")
        sink.append(names.root)
        if let boxes {
            sink.append("\" data-boxes=\"")
            boxes.write(to: &sink)
        }
        sink.append("\"><title>")
        sink.append(xml: scene.appearance.title)
        sink.append("</title>")
        guard let description else { return }
        sink.append("<desc>")
        sink.append(xml: description)
        sink.append("</desc>")
    }

    private func writeStyle(
        _ filters: SVGFilters, _ card: SVGCard, _ sink: inout ByteSink
    ) {
        var dark = ByteSink(capacity: 256)
        writeDarkRules(card, &dark)
        guard dark.count > 0 || !animations.isEmpty || !paints.isEmpty || !filters.isEmpty else {
            return
        }
        sink.append("<style>")
        animations.writeRules(names, paints, to: &sink)
        masks.writeRules(names, to: &sink)
        pen?.writeRule(to: &sink)
        switch profile {
        case .compact:
            filters.writeRules(names, to: &sink)
            writeReferenceRules(filters, &sink)
        case .portable: masks.writeReferences(names, to: &sink)
        }
        if dark.count > 0 {
            sink.append("@media(prefers-color-scheme:dark){")
            sink.append(dark)
            sink.append("}")
        }
        sink.append("</style>")
    }

    /// Writes the rules by which WebKit blurs elements, which it leaves sharp under functions of
    /// CSS's `filter`.
    ///
    /// No other engine knows `hanging-punctuation`; in one that learns it the text looks the same.
    private func writeReferenceRules(_ filters: SVGFilters, _ sink: inout ByteSink) {
        guard levels != nil || !filters.isEmpty else { return }
        sink.append("@supports(hanging-punctuation:first){")
        animations.writeLeveledKeyframes(names, to: &sink)
        filters.writeReferences(names, to: &sink)
        sink.append("}")
    }

    /// Writes the rules that hold under a dark colour scheme.
    private func writeDarkRules(_ card: SVGCard, _ sink: inout ByteSink) {
        card.writeDarkRules(colorsPen: pen != nil, to: &sink)
        let blocksBlendedOnce = scene.blocksBlendedOnce
        for (number, block) in scene.blocks.enumerated() {
            let isWhole = blocksBlendedOnce.contains(number)
            if case .color(let color) = block.paint.darkFill, block.paint.fill.gradient == nil {
                names.writeDarkRule(
                    .fill(block: number), "fill", color, isWhole: isWhole, colorsPen: pen != nil,
                    to: &sink)
            }
            for (index, color) in block.paint.darkColors.enumerated() {
                let name = SVGClass.color(index, block: number)
                guard groups.contains(where: { $0.darkClass == name }) else { continue }
                names.writeDarkRule(
                    name, "fill", color.dark, isWhole: isWhole, colorsPen: pen != nil, to: &sink)
            }
            if let color = block.paint.outline?.darkColor {
                names.writeDarkRule(
                    .outline(block: number), "stroke", color, isWhole: isWhole, to: &sink)
            }
        }
        names.writeSchemes(
            hasLight: card.hasSchemes || paints.haveSchemes
                || groups.contains { $0.scheme == .light },
            hasDark: card.hasSchemes || paints.haveSchemes
                || groups.contains { $0.scheme == .dark }, to: &sink)
    }
}
