import Bytes
import Motion

/// A file of ASS: its styles, then its events, which lie over each other by their layers.
struct ASSDocument {
    /// What lies over what: cards and boxes, shadows, texts, and what runs through the texts.
    enum Layer: Int {
        case shapes, shadows, texts, overlays
    }

    let scene: Scene
    var missing: ASSMissing = []
    /// The first track with the same colours and opacities, for each of the scene's tracks.
    let looks: [Int]
    /// The end of what is seen.
    private let end: Instant
    private var styles: [String] = []
    private var numbers: [String: Int] = [:]
    private var events: [UInt8] = []
    /// True if it is to be written, false if only what is missing is of interest.
    let writesEvents: Bool

    init(_ scene: Scene, writesEvents: Bool = true) {
        (self.scene, self.writesEvents) = (scene, writesEvents)
        end = scene.blocks.indices.map { scene.span(ofBlock: $0).upperBound }
            .reduce(scene.duration, max)
        var first: [GlyphTracks: Int] = [:]
        looks = scene.tracks.enumerated().map { index, tracks in
            var look = GlyphTracks(opacity: tracks.opacity)
            look.fill = tracks.fill
            look[.fillOpacity] = tracks[.fillOpacity]
            let known = first[look] ?? index
            first[look] = known
            return known
        }
    }

    /// Adds all of the scene.
    ///
    /// - Parameter check: Called with the number of bytes so far.
    /// - Throws: What it throws.
    mutating func addAll<Fault: Error>(
        _ check: (Int) throws(Fault) -> Void
    ) throws(Fault) {
        addCanvas()
        if !scene.isUpright { missing.insert(.paths) }
        if scene.paintMotion != nil || !scene.shimmers.isEmpty { missing.insert(.gradients) }
        var overlays: [Int: [Int]] = [:]
        for (index, node) in scene.nodes.enumerated() where !node.isGlyph {
            if node.covered != nil {
                overlays[node.glyph.block, default: []].append(index)
            } else if !node.isShape {
                missing.insert(.nodes)
            }
        }
        // Cards are the last of the nodes, and the first that are drawn.
        for layer in scene.lightLayers where layer.part == .fill {
            for index in layer.nodes where scene.nodes[index].isShape {
                try check(events.count)
                addShape(index)
            }
        }
        for index in scene.blocks.indices {
            try check(events.count)
            let words = ASSSweeps(of: index, overlays[index] ?? [], in: scene)
            var lines: [Int: [Int]] = [:]
            for glyph in scene.blocks[index].layout.glyphs {
                lines[scene.nodes[glyph].glyph.line, default: []].append(glyph)
            }
            for line in lines.keys.sorted() {
                try check(events.count)
                let text = ASSText(of: index, line, words, in: self)
                text.add(lines[line] ?? [], to: &self)
            }
        }
    }

    // MARK: Styles and events

    /// Returns the name of a style.
    mutating func style(_ values: String) -> String {
        if numbers[values] == nil {
            numbers[values] = styles.count + 1
            styles.append(values)
        }
        return "S\(numbers[values] ?? 0)"
    }

    mutating func addEvent(
        _ layer: Layer, _ span: Range<Instant>, style: String, _ text: [UInt8]
    ) {
        let (start, end) = (span.lowerBound.centiseconds, span.upperBound.centiseconds)
        guard start < end else { return }
        let head =
            "Dialogue: \(layer.rawValue),\(Self.clock(start)),\(Self.clock(end)),\(style),,0,0,0,,"
        events += Array(head.utf8)
        events += text
        events.append(0x0A)
    }

    private static func clock(_ centiseconds: Int) -> String {
        let seconds = centiseconds / 100
        let parts = [seconds / 60 % 60, seconds % 60, centiseconds % 100].map {
            NumberText.padded("\($0)", to: 2)
        }
        return "\(seconds / 3600):\(parts[0]):\(parts[1]).\(parts[2])"
    }

    func file() -> [UInt8] {
        let head = """
            [Script Info]
            ScriptType: v4.00+
            PlayResX: \(Int(scene.width.rounded()))
            PlayResY: \(Int(scene.height.rounded()))
            WrapStyle: 2
            ScaledBorderAndShadow: yes
            Kerning: yes
            YCbCr Matrix: None

            [V4+ Styles]
            Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, \
            Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, \
            MarginR, MarginV, Encoding

            """
        var text = head
        for (index, style) in styles.enumerated() { text += "Style: S\(index + 1),\(style)\n" }
        text += """

            [Events]
            Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text

            """
        return Array(text.utf8) + events
    }

    // MARK: Shapes

    /// The style of shapes.
    private mutating func shapeStyle() -> String {
        style(
            "sans-serif,20,&H00FFFFFF,&H00FFFFFF,&H00000000,&H00000000,0,0,0,0,100,100,0,0,1,0,0,7,0,0,0,1"
        )
    }

    /// Adds the card behind the whole canvas.
    private mutating func addCanvas() {
        let card = scene.appearance.card
        guard scene.cardNodeCount == 0, !card.background.isTransparent else { return }
        if card.background.gradient != nil { missing.insert(.gradients) }
        if card.border != nil { missing.insert(.nodes) }
        let radius = card.cornerRadius(width: scene.width, height: scene.height)
        var tags = ASSTags()
        tags.add("an7\\pos(0,0)")
        let whole = Instant.zero..<end
        tags.add([(1, ASSFill(color: card.background.firstColor, tracks: .shown))], whole)
        var path = ASSPath()
        path.addRectangle(scene.canvas, radius: radius)
        addEvent(.shapes, whole, style: shapeStyle(), tags.bytes(with: path))
    }

    /// Adds a node as a drawing.
    private mutating func addShape(_ index: Int) {
        let node = scene.nodes[index]
        guard let shape = node.glyph.ink?.shape,
            let span = scene.tracks[node.track].opacity.shown(until: end)
        else { return }
        if node.glyph.paint.gradient != nil { missing.insert(.gradients) }
        guard let motion = ASSMotion(of: [index], about: .zero, in: scene, span) else { return }
        missing.formUnion(motion.missing)
        var path = ASSPath()
        path.add(scene.definitions.outlines[shape.outline], at: shape.origin, scale: shape.scale)
        let style = shapeStyle()
        for piece in motion.pieces {
            var tags = ASSTags()
            tags.add("an7")
            tags.add(piece, from: .zero)
            tags.add(clip: node.mask.map { scene.masks[$0] } ?? [], scene.canvas, piece.span)
            tags.add(sizeOf: piece)
            let fill = ASSFill(
                color: node.glyph.paint.firstColor, tracks: scene.tracks[node.track])
            tags.add([(1, fill)], piece.span)
            addEvent(.shapes, piece.span, style: style, tags.bytes(with: path))
        }
    }
}

extension Instant {
    /// The nearest hundredth of a second.
    var centiseconds: Int { max(0, (ticks + 50) / 100) }
}

extension Track<Double> {
    /// The time from the first instant at which an opacity is above 0 to the last one; nil where it never is.
    func shown(until end: Instant) -> Range<Instant>? {
        let spans = shownSpans(until: end)
        guard let first = spans.first, let last = spans.last else { return nil }
        return first.lowerBound..<last.upperBound
    }
}
