import Bytes
import Motion

/// Writes a scene as JSON, key by key.
struct JSONSceneWriter: ~Copyable {
    let scene: Scene
    let nodes: [SceneNode]
    var drawing: JSONDrawing
    var sink: ByteSink
    /// The index of the node that is written.
    private(set) var index = 0
    /// The index of its motion.
    private(set) var track = 0
    /// The distance by which its place on a path moves it.
    private(set) var shift = SIMD2<Double>.zero
    /// The turn of its place in degrees; nil for a node upright in its box.
    private(set) var turn: Double?
    /// Its paint under a dark colour scheme; nil if it does not differ.
    private(set) var darkPaint: Paint?
    /// The box that its gradients fill; nil where it has none.
    private(set) var gradientBox: Rect?
    /// The sign in front of its next member.
    private var separator = UInt8(ascii: "{")
    /// The easing that was written last, which most often follows again.
    private var lastCurve: CubicBezier?
    private var lastCurveText: [UInt8] = []

    init(_ scene: Scene, _ drawing: consuming JSONDrawing) {
        self.scene = scene
        nodes = scene.nodes
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
        if drawing.hasShapes { try writeLayers(context) }
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
        writeGradient(of: card.background, in: canvas, as: "backgroundGradient")
        if let dark = card.darkBackground {
            write(dark, as: "darkBackground")
            writeGradient(of: dark, in: canvas, as: "darkBackgroundGradient")
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

    /// Writes a member with the number of a paint's gradient in a box; nothing for a colour.
    private mutating func writeGradient(of paint: Paint, in box: Rect, as name: StaticString) {
        guard let gradient = paint.gradient else { return }
        sink.append(",\"")
        sink.append(name)
        sink.append("\":")
        sink.append(drawing.number(of: JSONDrawing.PlacedGradient(gradient: gradient, box: box)))
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
        if block.isTimed { writeTimes(of: block) }
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

    /// Writes when a block comes and has gone, and its words with their times.
    private mutating func writeTimes(of block: SceneBlock) {
        sink.append(",\"at\":")
        write(block.entrance.lowerBound)
        sink.append(",\"until\":")
        write(block.exit?.upperBound)
        guard !block.layout.words.isEmpty else { return }
        sink.append(",\"times\":[")
        for (number, word) in block.layout.words.enumerated() {
            sink.append(number > 0 ? ",{\"at\":" : "{\"at\":")
            write(Instant(seconds: word.start))
            sink.append(",\"until\":")
            write(Instant(seconds: word.end))
            sink.append(",\"first\":")
            sink.append(word.glyphs.lowerBound)
            sink.append(",\"last\":")
            sink.append(word.glyphs.upperBound - 1)
            sink.append("}")
        }
        sink.append("]")
    }

    /// Writes the light that passes over blocks, between them and the glyphs.
    private mutating func writeShimmers() {
        sink.append("],\"shimmers\":[")
        for (index, shimmer) in scene.shimmers.enumerated() {
            sink.append(index > 0 ? ",{\"block\":" : "{\"block\":")
            sink.append(shimmer.block)
            sink.append(",\"gradient\":")
            sink.append(
                drawing.number(
                    of: JSONDrawing.PlacedGradient(
                        gradient: shimmer.band.gradient, box: scene.box(ofBlock: shimmer.block),
                        isLight: true)))
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
        self.index = index
        track = nodes[index].track
        let place = scene.place(ofNode: index)
        turn = place?.turn
        shift = place?.shift(of: nodes[index].glyph.rect) ?? .zero
        darkPaint = scene.darkPaint(ofNode: index)
        gradientBox =
            nodes[index].glyph.paint.gradient == nil && darkPaint?.gradient == nil
            ? nil : moved(scene.gradientRect(ofNode: index))
        separator = UInt8(ascii: "{")
        members()
        sink.append("}")
    }

    /// Begins a member of a glyph.
    @inline(__always)
    mutating func begin(_ name: StaticString) {
        let separator = separator
        sink.append(atMost: name.utf8CodeUnitCount + 4) { target in
            target[0] = separator
            target[1] = UInt8(ascii: "\"")
            let end = 2 + (target + 2).write(name)
            return end + (target + end).write("\":")
        }
        self.separator = UInt8(ascii: ",")
    }

    /// Writes a text that JSON does not escape.
    mutating func write(word: String) {
        sink.append(UInt8(ascii: "\""))
        sink.append(text: word)
        sink.append(UInt8(ascii: "\""))
    }

    mutating func write(_ range: Range<Int>) {
        sink.append("{\"start\":")
        sink.append(range.lowerBound)
        sink.append(",\"length\":")
        sink.append(range.count)
        sink.append("}")
    }

    mutating func write(_ rects: [Rect]) {
        var separator: StaticString = "[{\"x\":"
        for rect in rects {
            sink.append(separator)
            sink.append(membersOf: rect)
            sink.append("}")
            separator = ",{\"x\":"
        }
        sink.append("]")
    }

    mutating func write(_ pictures: [Ink.Picture]) {
        var separator: StaticString = "[{\"image\":"
        for picture in pictures {
            sink.append(separator)
            sink.append(drawing.number(of: picture))
            sink.append(",\"x\":")
            sink.append(membersOf: picture.rect)
            sink.append("}")
            separator = ",{\"image\":"
        }
        sink.append("]")
    }

    mutating func write(_ track: Track<Double>) {
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

    mutating func write(_ track: Track<ColorMix>, own: Color) {
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

    mutating func write(_ mask: [MaskSpan], movedBy shift: SIMD2<Double>) {
        var separator: StaticString = "[{\"start\":"
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

    mutating func write(_ rect: Rect) {
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

extension ByteSink {
    /// Appends an instant in seconds, with only the decimals that it has.
    fileprivate mutating func append(_ instant: Instant) {
        append(
            UInt(instant.ticks.magnitude), decimals: 4, isNegative: instant.ticks < 0,
            leadingZero: true)
    }
}

extension Place {
    /// Returns the distance by which the place moves the centre of a box.
    fileprivate func shift(of box: Rect) -> SIMD2<Double> {
        let center = box.center.vector
        return map(center) - center
    }
}
