import Bytes
package import Motion

/// The scene itself: each glyph's rectangle and tracks (docs/api.md).
package struct JSONFormat: OutputFormat {
    package static let name = "json"
    package static let title = "JSON"
    package static let mediaType = "application/json"
    package static let fileExtension = "json"
    package static let isText = true

    /// True if the file has the shapes of glyphs.
    private let hasShapes: Bool

    package init(_ parameters: inout ParameterReader) {
        hasShapes = parameters.boolean(
            "outlines", default: false,
            "Adds the shapes of glyphs, for programs that draw them: outlines, lines, and "
                + "pictures.")
    }

    package func price(of scene: Scene, _ context: EncodingContext) throws(EncodingError) -> Price {
        var bytes = 4096.0
        for block in scene.blocks { bytes += Double(2 * block.layout.text.utf8.count + 1024) }
        let sizes = scene.tracks.map(\.jsonSize)
        for node in scene.nodes {
            bytes += 320 + sizes[node.track]
            if let mask = node.mask { bytes += Double(90 * scene.masks[mask].count) }
        }
        bytes += gradientBytes(scene)
        for shimmer in scene.shimmers { bytes += 1024 + shimmer.passage.keyframes.jsonSize() }
        if let motion = scene.paintMotion { bytes += 64 + motion.turns.keyframes.jsonSize() }
        if hasShapes {
            let tally = SceneTally(scene)
            bytes += Double(160 * scene.nodes.count + 20 * tally.commands) + tally.pictureBytes
        }
        return Price(ofText: bytes)
    }

    /// Returns the most bytes of the gradients in their places.
    private func gradientBytes(_ scene: Scene) -> Double {
        // A gradient that travels has its stops twice.
        let times = scene.paintMotion == nil ? 1.0 : 2.0
        return scene.blocks.reduce(0) { sum, block in
            guard let gradient = block.paint.fill.gradient else { return sum }
            let places =
                switch block.paint.gradientBox {
                case .block: 1
                case .line: block.layout.lines.count
                case .glyph: block.layout.glyphs.count
                }
            let stops = StraightGradient(gradient, in: block.layout.rect).stops.count
            return sum + times * Double(places * (100 + 45 * stops))
        }
    }

    package func encode(
        _ scene: Scene, _ context: EncodingContext
    ) throws(EncodingError) -> [UInt8] {
        var writer = SceneWriter(scene, JSONDrawing(scene, hasShapes: hasShapes))
        try writer.write(context)
        return writer.bytes()
    }
}

/// Writes a scene as JSON, key by key.
private struct SceneWriter: ~Copyable {
    private let scene: Scene
    private var drawing: JSONDrawing
    private var sink: ByteSink
    /// The easing that was written last, which most often follows again.
    private var lastCurve: CubicBezier?
    private var lastCurveText: [UInt8] = []

    init(_ scene: Scene, _ drawing: consuming JSONDrawing) {
        self.scene = scene
        self.drawing = drawing
        sink = ByteSink(capacity: 1024 + 512 * scene.nodes.count)
    }

    consuming func bytes() -> [UInt8] {
        sink.bytes()
    }

    mutating func write(_ context: EncodingContext) throws(EncodingError) {
        sink.append("{\"version\":1,\"width\":")
        sink.append(scene.width, decimals: 4)
        sink.append(",\"height\":")
        sink.append(scene.height, decimals: 4)
        sink.append(",\"title\":")
        sink.append(jsonString: scene.appearance.title)
        if let language = scene.appearance.language {
            sink.append(",\"lang\":")
            sink.append(jsonString: language)
        }
        writeCard()
        sink.append(",\"duration\":")
        sink.append(scene.duration)
        sink.append(",\"finished\":")
        sink.append(scene.blocks.map(\.entrance.upperBound).max() ?? .zero)
        sink.append(",\"loop\":")
        switch scene.loop {
        case .count(let count): sink.append(count)
        case .infinite: sink.append("\"infinite\"")
        }
        if let motion = scene.paintMotion {
            sink.append(",\"paintTurns\":")
            write(motion.turns)
        }
        sink.append(",\"seed\":")
        sink.append(Int(clamping: scene.appearance.seed))
        sink.append(",\"blocks\":[")
        for index in scene.blocks.indices {
            if index > 0 { sink.append(UInt8(ascii: ",")) }
            writeBlock(index)
        }
        if !scene.shimmers.isEmpty { writeShimmers() }
        sink.append("],\"glyphs\":[")
        for index in scene.nodes.indices {
            try context.check(textBytes: sink.count, every: 8)
            if index > 0 { sink.append(UInt8(ascii: ",")) }
            writeGlyph(index)
        }
        sink.append("]")
        try drawing.writeDefinitions(context, to: &sink)
        sink.append(",\"warnings\":[")
        for (index, warning) in scene.warnings.enumerated() {
            if index > 0 { sink.append(UInt8(ascii: ",")) }
            write(warning)
        }
        sink.append("]}")
    }

    /// Writes the background, and its corners and border, where it has any.
    private mutating func writeCard() {
        let card = scene.appearance.card
        let canvas = Rect(x: 0, y: 0, width: scene.width, height: scene.height)
        write(card.background, as: "background")
        drawing.writeGradient(of: card.background, in: canvas, as: "backgroundGradient", to: &sink)
        if let dark = card.darkBackground {
            write(dark, as: "darkBackground")
            drawing.writeGradient(of: dark, in: canvas, as: "darkBackgroundGradient", to: &sink)
        }
        if card.cornerRadius > 0 {
            sink.append(",\"cornerRadius\":")
            let radius = card.cornerRadius(
                width: scene.width, height: scene.height)
            sink.append(radius, decimals: 4)
        }
        guard let border = card.border else { return }
        sink.append(",\"borderWidth\":")
        sink.append(border.width, decimals: 4)
        write(.color(border.color), as: "borderColor")
        if let dark = border.darkColor { write(.color(dark), as: "darkBorderColor") }
    }

    /// Writes a member with a colour, or a gradient in words.
    private mutating func write(_ paint: Paint, as name: StaticString) {
        sink.append(",\"")
        sink.append(name)
        sink.append("\":\"")
        sink.append(text: paint.text)
        sink.append("\"")
    }

    // MARK: Blocks

    private mutating func writeBlock(_ index: Int) {
        let block = scene.blocks[index]
        sink.append("{\"index\":")
        sink.append(index)
        sink.append(",\"text\":")
        sink.append(jsonString: block.layout.text)
        sink.append(",\"effect\":\"")
        sink.append(text: block.effectName)
        sink.append("\",\"enterStart\":")
        write(block.entrance.lowerBound)
        sink.append(",\"enterEnd\":")
        write(block.entrance.upperBound)
        sink.append(",\"exitStart\":")
        write(block.exit?.lowerBound)
        sink.append(",\"exitEnd\":")
        write(block.exit?.upperBound)
        writeUnderlay(block.paint)
        sink.append(",\"rect\":")
        let box = scene.box(ofBlock: index)
        write(box)
        sink.append(",\"lines\":[")
        let isStraight = scene.isUpright || box == block.layout.rect
        for (number, line) in block.layout.lines.enumerated() {
            if number > 0 { sink.append(UInt8(ascii: ",")) }
            write(line, number, in: isStraight ? line.rect : box)
        }
        sink.append("]}")
    }

    /// Writes the light that passes over blocks, between them and the glyphs.
    private mutating func writeShimmers() {
        sink.append("],\"shimmers\":[")
        for (index, shimmer) in scene.shimmers.enumerated() {
            sink.append(index > 0 ? ",{\"block\":" : "{\"block\":")
            sink.append(shimmer.block)
            drawing.writeGradient(
                of: .gradient(shimmer.band.gradient),
                in: scene.box(ofBlock: shimmer.block), isLight: true, as: "gradient", to: &sink)
            sink.append(",\"passage\":")
            write(shimmer.passage)
            sink.append("}")
        }
    }

    /// Writes the outline and the shadows of a block, where it has any.
    private mutating func writeUnderlay(_ paint: TextPaint) {
        if let outline = paint.outline {
            sink.append(",\"outlineWidth\":")
            sink.append(outline.width, decimals: 4)
            write(.color(outline.color), as: "outlineColor")
            if let dark = outline.darkColor { write(.color(dark), as: "darkOutlineColor") }
        }
        if !paint.shadows.isEmpty {
            sink.append(",\"shadow\":\"")
            sink.append(text: paint.shadows.text)
            sink.append("\"")
            write(paint.shadows, as: "shadows")
        }
        if let shadows = paint.darkShadows { write(shadows, as: "darkShadows") }
    }

    private mutating func write(_ shadows: [Shadow], as name: StaticString) {
        sink.append(",\"")
        sink.append(name)
        sink.append("\":[")
        for (number, shadow) in shadows.enumerated() {
            sink.append(number > 0 ? ",{\"offsetX\":" : "{\"offsetX\":")
            sink.append(shadow.offsetX, decimals: 4)
            sink.append(",\"offsetY\":")
            sink.append(shadow.offsetY, decimals: 4)
            sink.append(",\"blurRadius\":")
            sink.append(shadow.blurRadius, decimals: 4)
            write(.color(shadow.color), as: "color")
            sink.append("}")
        }
        sink.append("]")
    }

    private mutating func write(_ instant: Instant?) {
        guard let instant else { return sink.append("null") }
        sink.append(instant)
    }

    private mutating func write(_ line: Line, _ number: Int, in box: Rect) {
        sink.append("{\"index\":")
        sink.append(number)
        sink.append(",\"rect\":")
        write(box)
        sink.append(",\"baseline\":")
        sink.append(line.baseline, decimals: 4)
        sink.append(",\"direction\":\"")
        sink.append(text: line.direction.rawValue)
        sink.append("\",\"runs\":[")
        for (number, run) in line.runs.enumerated() {
            if number > 0 { sink.append(UInt8(ascii: ",")) }
            write(run)
        }
        sink.append("]}")
    }

    private mutating func write(_ run: Run) {
        let font = run.font
        sink.append("{\"font\":")
        sink.append(jsonString: font.text)
        sink.append(",\"family\":")
        sink.append(jsonString: font.family)
        sink.append(",\"weight\":")
        sink.append(font.weight)
        sink.append(font.isItalic ? ",\"style\":\"italic\"" : ",\"style\":\"normal\"")
        sink.append(",\"size\":")
        sink.append(font.size, decimals: 4)
        sink.append(",\"css\":")
        sink.append(jsonString: font.css)
        sink.append(",\"features\":")
        sink.append(jsonString: font.features)
        sink.append(",\"variations\":")
        sink.append(jsonString: font.variations)
        sink.append(",\"letterSpacing\":")
        sink.append(font.letterSpacing, decimals: 4)
        sink.append(",\"lang\":")
        sink.append(jsonString: font.language)
        sink.append(",\"color\":\"")
        sink.append(text: run.paint.text)
        sink.append("\",\"direction\":\"")
        sink.append(text: run.direction.rawValue)
        sink.append("\",\"glyphs\":[")
        for (number, glyph) in run.glyphs.enumerated() {
            if number > 0 { sink.append(UInt8(ascii: ",")) }
            sink.append(glyph)
        }
        sink.append("]}")
    }

    // MARK: Glyphs

    private mutating func writeGlyph(_ index: Int) {
        let node = scene.nodes[index]
        let place = scene.place(ofNode: index)
        let shift = place.map { $0.shift(of: node.glyph) } ?? .zero
        var glyph = node.glyph
        if place != nil { glyph.move(byX: shift.x, y: shift.y) }
        sink.append("{\"index\":")
        sink.append(index)
        sink.append(",\"block\":")
        sink.append(glyph.block)
        sink.append(",\"line\":")
        sink.append(glyph.line)
        sink.append(",\"word\":")
        sink.append(glyph.word)
        sink.append(",\"role\":\"")
        sink.append(node.role.name)
        sink.append("\",\"text\":")
        sink.append(jsonString: glyph.text)
        if node.role == .glyph {
            sink.append(",\"range\":{\"start\":")
            sink.append(glyph.start)
            sink.append(",\"length\":")
            sink.append(glyph.length)
            sink.append("}")
        }
        switch node.role {
        case .part(let target), .decoy(let target), .overlay(let target), .slice(let target),
            .copy(let target):
            sink.append(",\"glyph\":")
            sink.append(target)
        case .mark(let number): write(scene.marks[number])
        case .card(let scheme), .bar(let scheme): write(scheme)
        case .glyph, .cursor, .lineNumber, .titleBar: break
        }
        sink.append(",\"whitespace\":")
        sink.append(glyph.isWhitespace ? "true" : "false")
        sink.append(",\"color\":\"")
        sink.append(text: glyph.paint.text)
        sink.append("\"")
        let dark = scene.darkPaint(ofNode: index)
        if glyph.paint.gradient != nil || dark?.gradient != nil {
            let box = scene.gradientRect(ofNode: index).offset(byX: shift.x, y: shift.y)
            if glyph.paint.gradient != nil {
                sink.append(",\"gradientRect\":")
                write(box)
            }
            drawing.writeGradient(of: glyph.paint, in: box, as: "gradient", to: &sink)
            drawing.writeGradient(of: dark, in: box, as: "darkGradient", to: &sink)
        }
        if let dark { write(dark, as: "darkColor") }
        sink.append(",\"rect\":")
        write(glyph.rect)
        sink.append(",\"baseline\":")
        sink.append(glyph.baseline, decimals: 4)
        if let place {
            sink.append(",\"turn\":")
            sink.append(place.turn, decimals: 3)
        }
        drawing.write(glyph.ink, to: &sink)
        let tracks = scene.tracks[node.track]
        sink.append(",\"opacity\":")
        write(tracks.opacity)
        for other in tracks.others {
            sink.append(",\"")
            sink.append(other.property.name)
            sink.append("\":")
            write(other.track)
        }
        if case .mark(let number) = node.role { writePen(of: scene.marks[number]) }
        if let fill = tracks.fill {
            sink.append(",\"fill\":")
            write(fill, own: glyph.color)
        }
        if let mask = node.mask { write(scene.masks[mask], movedBy: shift) }
        sink.append("}")
    }

    /// Writes the one colour scheme under which a node is shown.
    private mutating func write(_ scheme: SceneLayer.Scheme) {
        switch scheme {
        case .any: break
        case .light: sink.append(",\"scheme\":\"light\"")
        case .dark: sink.append(",\"scheme\":\"dark\"")
        }
    }

    private mutating func write(_ mark: SceneMark) {
        sink.append(",\"mark\":\"")
        sink.append(text: mark.kind.rawValue)
        if mark.isBehind != mark.kind.isBehind {
            sink.append(mark.isBehind ? "\",\"layer\":\"behind" : "\",\"layer\":\"front")
        }
        sink.append(mark.line.cap == .round ? "\",\"cap\":\"round\"" : "\",\"cap\":\"butt\"")
    }

    /// Writes the tracks of a pen, by which a mark is a line without a fill.
    private mutating func writePen(of mark: SceneMark) {
        let pen: [(Property, Double)] = [
            (.strokeWidth, mark.line.width), (.fillOpacity, 0), (.strokeOpacity, 1),
        ]
        for (property, value) in pen {
            sink.append(",\"")
            sink.append(property.name)
            sink.append("\":")
            write(Track(keyframes: [Keyframe(.zero, value: value)]))
        }
    }

    private mutating func write(_ track: Track<Double>) {
        var separator: StaticString = "[{\"time\":"
        for keyframe in track.keyframes {
            // Keyframes are most of a file, so each is written in one go.
            let value = keyframe.value
            sink.append(atMost: 96) { target in
                var count = target.write(separator)
                count += DecimalText.write(
                    tenThousandths: UInt(keyframe.time.ticks.magnitude), isNegative: false,
                    to: target + count)
                count += (target + count).write(",\"value\":")
                return count
                    + DecimalText.write(
                        tenThousandths: DecimalText.scaled(value, by: 10_000),
                        isNegative: value < 0, to: target + count)
            }
            separator = ",{\"time\":"
            write(keyframe.easing)
        }
        sink.append("]")
    }

    private mutating func write(_ track: Track<ColorMix>, own: Color) {
        var separator: StaticString = "[{\"time\":"
        for keyframe in track.keyframes {
            sink.append(separator)
            sink.append(keyframe.time)
            sink.append(",\"value\":\"")
            sink.append(text: keyframe.value.color(own: own).text)
            sink.append("\"")
            separator = ",{\"time\":"
            write(keyframe.easing)
        }
        sink.append("]")
    }

    private mutating func write(_ mask: [MaskSpan], movedBy shift: SIMD2<Double>) {
        var separator: StaticString = ",\"clip\":[{\"start\":"
        for span in mask {
            sink.append(separator)
            sink.append(span.start)
            sink.append(",\"end\":")
            sink.append(span.end)
            sink.append(",\"x\":")
            sink.append(membersOf: span.rect.offset(byX: shift.x, y: shift.y))
            if let opening = span.opening {
                sink.append(",\"from\":")
                write(opening.from)
                write(opening.easing)
            } else {
                sink.append("}")
            }
            separator = ",{\"start\":"
        }
        sink.append("]")
    }

    /// Writes an easing and the end of its keyframe.
    private mutating func write(_ easing: Easing) {
        switch easing {
        case .linear: sink.append("}")
        case .hold: sink.append(",\"easing\":\"hold\"}")
        case .cubic(let curve): write(curve)
        }
    }

    private mutating func write(_ curve: CubicBezier) {
        if lastCurve == curve { return sink.append(lastCurveText) }
        var text = ByteSink(capacity: 64)
        text.append(",\"easing\":[")
        for (index, value) in [curve.x1, curve.y1, curve.x2, curve.y2].enumerated() {
            if index > 0 { text.append(UInt8(ascii: ",")) }
            text.append(value, decimals: 4)
        }
        text.append("]}")
        lastCurve = curve
        lastCurveText = text.bytes()
        write(curve)
    }

    private mutating func write(_ rect: Rect) {
        sink.append("{\"x\":")
        sink.append(membersOf: rect)
        sink.append("}")
    }

    private mutating func write(_ warning: Warning) {
        sink.append("{\"code\":\"")
        sink.append(text: warning.code.rawValue)
        sink.append("\",\"message\":")
        sink.append(jsonString: warning.message)
        if let block = warning.block {
            sink.append(",\"block\":")
            sink.append(block)
        }
        if let padding = warning.padding {
            sink.append(",\"padding\":")
            sink.append(padding)
        }
        sink.append("}")
    }
}

extension Place {
    /// Returns the distance by which the place moves the centre of a glyph's box.
    fileprivate func shift(of glyph: Glyph) -> SIMD2<Double> {
        let center = glyph.rect.center.vector
        return map(center) - center
    }
}

extension GlyphTracks {
    /// The approximate bytes of its keyframes.
    fileprivate var jsonSize: Double {
        var size = opacity.keyframes.jsonSize()
        for index in others.indices { size += others[index].track.keyframes.jsonSize() }
        if let fill { size += fill.keyframes.jsonSize() }
        return size
    }
}

extension Array {
    fileprivate func jsonSize<Value>() -> Double where Element == Keyframe<Instant, Value> {
        var size = 12.0
        for keyframe in self {
            switch keyframe.easing {
            case .linear: size += 27
            case .hold: size += 44
            case .cubic: size += 58
            }
        }
        return size
    }
}

extension SceneNode.Role {
    fileprivate var name: StaticString {
        switch self {
        case .glyph: "glyph"
        case .decoy: "decoy"
        case .part: "part"
        case .overlay: "overlay"
        case .slice: "slice"
        case .copy: "copy"
        case .cursor: "cursor"
        case .mark: "mark"
        case .lineNumber: "line-number"
        case .titleBar: "title-bar"
        case .card: "card"
        case .bar: "bar"
        }
    }
}

extension ByteSink {
    /// Appends an instant in seconds, with only the decimals that it has.
    fileprivate mutating func append(_ instant: Instant) {
        append(
            UInt(instant.ticks.magnitude), decimals: 4, isNegative: instant.ticks < 0,
            leadingZero: true)
    }
}
