import Bytes
import Motion
import Raster

/// The ink of one glyph, shared by glyphs that look the same.
///
/// Coordinates are whole grid steps from the pen, so that equal drawings compare equal.
struct LottieDrawing: Hashable {
    enum Part: Hashable {
        /// Index into `Layout.outlines`.
        case outline(Int)
        case line(LottieBox)
        /// Index into `Layout.bitmaps`.
        case picture(Int, LottieBox)
    }

    /// How shapes are drawn; lengths are grid steps.
    enum Form: Hashable {
        /// Each part filled.
        case fill
        /// A line along all contours.
        case outline(width: Double)
        /// All parts, and a line of a width along their contours, as one shape.
        case silhouette(outline: Double)

        /// The width of the line along contours.
        var width: Double {
            switch self {
            case .fill: 0
            case .outline(let width), .silhouette(let width): width
            }
        }

        /// True if a fill and a line overlap.
        var hasOverlap: Bool {
            if case .silhouette(let outline) = self { outline > 0 } else { false }
        }
    }

    let ink: LottieInk
    var form = Form.fill
    /// In the order in which they are drawn.
    let parts: [Part]
    /// How its shapes change; nil where they do not.
    var change: Change?

    struct Change: Hashable {
        /// Index into `Scene.tracks`.
        let track: Int
        /// The index of the glyph that alone has the drawing; nil where all with the motion have it.
        let glyph: Int?
    }

    /// True if fill and line would show where they overlap: the silhouette is cut out of its ink.
    ///
    /// Players and the specification have no other way that composes both: rlottie dims everything
    /// below a layer that is partly transparent itself.
    var isMatte: Bool {
        form.hasOverlap && (change != nil || !ink.isOpaque)
    }

    /// True if it consists of shapes in its ink only.
    var isShape: Bool {
        !parts.contains { if case .picture = $0 { true } else { false } }
    }
}

/// The content of a glyph's layer and its position.
struct LottiePlacement {
    enum Content: Equatable {
        /// The shapes of a drawing, in the layer itself; index into `LottieAssets.drawings`.
        case shapes(Int)
        /// An asset made of a drawing; index into `LottieAssets.drawings`.
        case composition(Int)
        /// An asset made of a drawing that has the glyph's opacity itself; index into
        /// `LottieAssets.drawings`.
        case wholeComposition(Int)
        /// A picture alone; index into `Layout.bitmaps`.
        case picture(Int)

        /// Index of the drawing whose shapes are in the layer itself.
        var shapes: Int? {
            if case .shapes(let index) = self { index } else { nil }
        }

        /// Returns the opacity of the layer; nil where its shapes have all of it.
        func opacity(_ tracks: GlyphTracks) -> [Keyframe<Instant, Double>]? {
            let opacity = ShareTrack.keyframes(of: tracks.opacity.keyframes)
            switch self {
            case .shapes: return nil
            case .composition, .picture: return opacity
            case .wholeComposition:
                // rlottie takes a 255th of all below a matte of which nothing is seen.
                let presence = Self.presence(opacity)
                return presence.count > 1 ? presence : nil
            }
        }

        /// Returns jumps to 1 where an opacity begins to be above 0, and back to 0.
        private static func presence(_ opacity: [Keyframe<Instant, Double>]) -> [Keyframe<
            Instant, Double
        >] {
            var result: [Keyframe<Instant, Double>] = []
            for (index, keyframe) in opacity.enumerated() {
                let next = index + 1 < opacity.count ? opacity[index + 1] : keyframe
                let rises = keyframe.value == 0 && keyframe.easing != .hold && next.value > 0
                let value = keyframe.value > 0 || rises ? 1.0 : 0
                guard value != result.last?.value else { continue }
                if rises, result.isEmpty {
                    result.append(Keyframe(.zero, value: 0, easing: .hold))
                }
                let instant = Instant(ticks: keyframe.time.ticks + (rises ? 1 : 0))
                result.append(Keyframe(instant, value: value, easing: .hold))
            }
            return result
        }
    }

    let content: Content
    /// The point of the content that lies on `position`, in the content's units.
    let anchor: Point
    /// A point of the canvas in CSS pixels.
    let position: Point
    /// CSS pixels in one of the content's units.
    let scale: Double
}

/// The distinct drawings of a scene, and the assets that layers refer to.
struct LottieAssets {
    /// The grid step of lines without an outline, such as cursors, in CSS pixels.
    private static let lineStep = 1.0 / 32
    /// Grid steps between a drawing's ink and its asset's edge, where it is cut off: a pixel at least.
    private static let margin = 64

    private let scene: Scene
    private let layout: Layout
    /// For each outline the font units in one grid step.
    private let unitsPerStep: [Double]
    /// The box of all outlines in ems: one for all packs better than one for each.
    private let emBox: Rect
    /// The distinct drawings, in the order of their first use.
    private(set) var drawings: [LottieDrawing] = []
    /// For each drawing the box of an asset of it.
    private(set) var boxes: [LottieBox] = []
    /// For each drawing true if it is an asset.
    private var isAsset: [Bool] = []
    /// For each drawing the CSS pixels in a grid step of its first use.
    private var steps: [Double] = []
    /// For each of the layout's pictures true if a glyph draws it.
    private var isShown: [Bool]
    private var indices: [LottieDrawing: Int] = [:]
    /// The contours of outlines that lines follow.
    private var contours: [Int: [LottieContours.Contour]] = [:]
    /// The gradient that was used last, which most often follows again.
    private var lastGradient: LottieGradientBox?

    init(_ scene: Scene) {
        self.scene = scene
        layout = scene.layout
        isShown = [Bool](repeating: false, count: layout.bitmaps.count)
        var scales = [Double](repeating: 0, count: layout.outlines.count)
        for glyph in layout.glyphs {
            guard let shape = glyph.ink?.shape else { continue }
            scales[shape.outline] = max(scales[shape.outline], shape.scale)
        }
        unitsPerStep = scales.map { $0 > 0 ? LottieContours.unitsPerStep(scale: $0) : 1 }
        var box: Rect?
        for (outline, scale) in zip(layout.outlines, scales) where scale > 0 {
            let bounds = outline.bounds.inEms(of: outline.unitsPerEm)
            box = box?.union(bounds) ?? bounds
        }
        emBox = box ?? Rect(x: 0, y: 0, width: 0, height: 0)
    }

    /// Returns the content of a layer of a glyph, which may become an asset; nil where a part of a
    /// glyph is never seen.
    mutating func placement(
        ofGlyph number: Int, in part: SceneLayer.Part
    ) -> LottiePlacement? {
        let glyph = layout.glyphs[number]
        let track = scene.track(ofGlyph: number, in: part)
        let tracks = scene.tracks[track]
        guard let ink = glyph.ink, tracks.shows else { return nil }
        switch part {
        case .fill:
            return placement(of: ink, glyph, number: number, tracks)
        case .outline(let outline):
            guard !outline.color.isTransparent else { return nil }
            return placement(
                ofShapes: ink, glyph, track: track, in: outline.color,
                at: .zero
            ) { .outline(width: outline.width / $0) }
        case .shadow(let shadow):
            guard shadow.blurRadius == 0 else { return nil }
            let outline = scene.blocks[glyph.block].paint.outline?.width ?? 0
            return placement(
                ofShapes: ink, glyph, track: track, in: shadow.color,
                at: Point(x: shadow.offsetX, y: shadow.offsetY)
            ) { .silhouette(outline: outline / $0) }
        }
    }

    /// Returns the content of the layer of a glyph's fill.
    ///
    /// A glyph that fades has its shapes in its own layer, where the opacity of their fill changes:
    /// rlottie dims everything below a layer that is partly transparent itself. So has a glyph whose
    /// fill changes otherwise.
    ///
    /// - Parameters:
    ///   - ink: The glyph's drawing.
    ///   - glyph: The glyph.
    ///   - number: Its index.
    ///   - tracks: Its motion.
    /// - Returns: The layer's content and position.
    private mutating func placement(
        of ink: Ink, _ glyph: Glyph, number: Int, _ tracks: GlyphTracks
    ) -> LottiePlacement {
        for case .picture(let picture) in ink.details { isShown[picture.bitmap] = true }
        if ink.shape == nil, ink.isOnePart, case .picture(let picture)? = ink.details.first {
            let fit = LottieImageFit(layout.bitmaps[picture.bitmap], over: picture.rect)
            return LottiePlacement(
                content: .picture(picture.bitmap), anchor: .zero, position: fit.topLeft,
                scale: fit.scale)
        }
        let (pen, step) = grid(of: ink, glyph)
        var drawing = LottieDrawing(
            ink: paint(ofGlyph: number, about: pen, step: step),
            parts: parts(of: ink, about: pen, step: step))
        if tracks.hasStroke, case .outline(let outline)? = drawing.parts.first,
            contours[outline] == nil
        {
            contours[outline] = LottieContours.contours(
                of: layout.outlines[outline], unitsPerStep: unitsPerStep[outline])
        }
        if tracks.isPainted, !drawing.isShape {
            drawing.change = LottieDrawing.Change(
                track: scene.trackOfGlyph[number], glyph: number)
        }
        let index = index(of: drawing, step, strokeWidth: tracks.largestStrokeWidth)
        if drawing.isShape, tracks.fades || tracks.isPainted {
            return LottiePlacement(
                content: .shapes(index), anchor: .zero, position: pen, scale: step)
        }
        isAsset[index] = true
        return LottiePlacement(
            content: .composition(index), anchor: penPosition(inDrawing: index), position: pen,
            scale: step)
    }

    /// Returns the content of a layer beneath the fill, which has the glyph's shapes in one colour;
    /// nil where it has none.
    ///
    /// - Parameters:
    ///   - ink: The glyph's drawing.
    ///   - glyph: The glyph.
    ///   - track: The index of the motion of what lies beneath its fill.
    ///   - color: The colour.
    ///   - offset: The distance from the glyph, in its own coordinates.
    ///   - form: Returns how the shapes are drawn; called with the CSS pixels in a grid step.
    /// - Returns: The layer's content and position.
    private mutating func placement(
        ofShapes ink: Ink, _ glyph: Glyph, track: Int, in color: Color, at offset: Point,
        form: (Double) -> LottieDrawing.Form
    ) -> LottiePlacement? {
        let (pen, step) = grid(of: ink, glyph)
        var drawing = LottieDrawing(
            ink: .color(color), form: form(step),
            parts: parts(of: ink, about: pen, step: step, withPictures: false))
        guard !drawing.parts.isEmpty else { return nil }
        let position = Point(x: pen.x + offset.x, y: pen.y + offset.y)
        let fades = scene.tracks[track].fades
        if fades, drawing.form.hasOverlap {
            drawing.change = LottieDrawing.Change(track: track, glyph: nil)
        }
        let index = index(of: drawing, step, strokeWidth: 0)
        if fades, drawing.change == nil {
            return LottiePlacement(
                content: .shapes(index), anchor: .zero, position: position, scale: step)
        }
        isAsset[index] = true
        return LottiePlacement(
            content: fades ? .wholeComposition(index) : .composition(index),
            anchor: penPosition(inDrawing: index), position: position, scale: step)
    }

    /// Returns the position of a glyph's pen and the CSS pixels in a grid step of its drawing.
    private func grid(of ink: Ink, _ glyph: Glyph) -> (pen: Point, step: Double) {
        guard let shape = ink.shape else {
            return (Point(x: glyph.rect.x, y: glyph.baseline), Self.lineStep)
        }
        return (shape.origin, shape.scale * unitsPerStep[shape.outline])
    }

    /// Returns the ink of a glyph's fill.
    private mutating func paint(
        ofGlyph number: Int, about pen: Point, step: Double
    ) -> LottieInk {
        switch layout.glyphs[number].paint {
        case .color(let color): return .color(color)
        case .gradient(let gradient):
            let box = scene.gradientRect(ofGlyph: number)
            if let last = lastGradient, last.box == box, last.gradient == gradient {
                return last.ink(about: pen, step: step)
            }
            let new = LottieGradientBox(gradient, in: box)
            lastGradient = new
            return new.ink(about: pen, step: step)
        }
    }

    /// Returns the position of a drawing's pen in its asset.
    private func penPosition(inDrawing index: Int) -> Point {
        Point(x: Double(-boxes[index].left), y: Double(-boxes[index].top))
    }

    private func parts(
        of ink: Ink, about pen: Point, step: Double, withPictures: Bool = true
    ) -> [LottieDrawing.Part] {
        var parts = ink.shape.map { [LottieDrawing.Part.outline($0.outline)] } ?? []
        for detail in ink.details {
            let box = LottieBox(detail.bounds, about: pen, step: step)
            switch detail {
            case .line: parts.append(.line(box))
            case .picture(let picture):
                if withPictures { parts.append(.picture(picture.bitmap, box)) }
            }
        }
        return parts
    }

    /// Returns the index of a drawing, which is added where it is new.
    ///
    /// - Parameters:
    ///   - drawing: The drawing.
    ///   - step: CSS pixels in a grid step.
    ///   - strokeWidth: The largest width of a line along its contours, in CSS pixels.
    /// - Returns: The index.
    private mutating func index(
        of drawing: LottieDrawing, _ step: Double, strokeWidth: Double
    ) -> Int {
        if let index = indices[drawing] { return index }
        indices[drawing] = drawings.count
        drawings.append(drawing)
        steps.append(step)
        isAsset.append(false)
        // An asset with a line that changes is one glyph's own.
        let stroke = drawing.change == nil ? 0 : strokeWidth / step
        let width = max(stroke, drawing.form.width)
        let box = box(of: drawing) { _ in emBox }
        boxes.append(box.grown(by: Self.margin + Int((width / 2).rounded(.up))))
        return drawings.count - 1
    }

    /// Returns the box around the parts of a drawing.
    ///
    /// - Parameters:
    ///   - drawing: The drawing.
    ///   - emBox: Returns the box of an outline in ems.
    /// - Returns: The box in grid steps.
    private func box(of drawing: LottieDrawing, emBox: (Outline) -> Rect) -> LottieBox {
        var box: LottieBox?
        for part in drawing.parts {
            let own =
                switch part {
                case .outline(let outline):
                    LottieBox(
                        around: emBox(layout.outlines[outline]),
                        stepsPerEm: layout.outlines[outline].unitsPerEm / unitsPerStep[outline])
                case .line(let box), .picture(_, let box): box
                }
            box = box?.union(own) ?? own
        }
        return box ?? LottieBox(width: 0, height: 0)
    }

    // MARK: Writing

    /// Writes the assets, separated by commas.
    ///
    /// - Returns: True if there are any.
    func write(
        _ timeline: LottieTimeline, _ context: EncodingContext, to sink: inout ByteSink
    ) throws(EncodingError) -> Bool {
        var isFirst = true
        var keyframes = LottieKeyframes()
        for index in drawings.indices where isAsset[index] {
            try context.check(textBytes: sink.count, every: 8)
            if !isFirst { sink.append(UInt8(ascii: ",")) }
            isFirst = false
            write(asset: index, timeline, &keyframes, context.cache, to: &sink)
        }
        for (index, bitmap) in layout.bitmaps.enumerated() where isShown[index] {
            try context.check(textBytes: sink.count)
            if !isFirst { sink.append(UInt8(ascii: ",")) }
            isFirst = false
            sink.append("{\"id\":\"p")
            sink.append(index)
            sink.append("\",\"w\":")
            sink.append(bitmap.width)
            sink.append(",\"h\":")
            sink.append(bitmap.height)
            sink.append(",\"u\":\"\",\"p\":\"data:image/png;base64,")
            let png = try EncodingError.catching { () throws(LibraryFault) in
                try context.painter.png(of: bitmap)
            }
            sink.append(Base64.standard.encoded(png))
            sink.append("\",\"e\":1}")
        }
        return !isFirst
    }

    /// Writes the asset of a drawing.
    private func write(
        asset index: Int, _ timeline: LottieTimeline, _ keyframes: inout LottieKeyframes,
        _ cache: any GlyphCache, to sink: inout ByteSink
    ) {
        let paint = paint(ofDrawing: index, &keyframes)
        sink.append("{\"id\":\"")
        sink.append(index)
        sink.append("\",\"layers\":[")
        if drawings[index].isMatte {
            writeMatte(index, paint, timeline, &keyframes, cache, to: &sink)
        } else {
            write(index, paint, timeline, &keyframes, cache, to: &sink)
        }
        sink.append("]}")
    }

    /// Estimates the bytes of all assets from some of them.
    func estimatedBytes(
        _ timeline: LottieTimeline, _ context: EncodingContext
    ) throws(EncodingError) -> Double {
        var keyframes = LottieKeyframes()
        let assets = drawings.indices.filter { isAsset[$0] }
        let weights = [Double](repeating: 1, count: assets.count)
        let sum = try SampledSum.estimate(weights) { index throws(EncodingError) in
            try context.checkDeadline()
            var sink = ByteSink()
            write(asset: assets[index], timeline, &keyframes, context.cache, to: &sink)
            return Double(sink.count + 1)
        }
        return sum + SceneTally(of: layout).pictureBytes
    }

    private func paint(
        ofDrawing index: Int, _ keyframes: inout LottieKeyframes
    ) -> LottiePaint {
        let drawing = drawings[index]
        guard let change = drawing.change else { return LottiePaint(drawing.ink, &keyframes) }
        return LottiePaint(
            scene.tracks[change.track], drawing.ink, isWhole: drawing.isMatte, &keyframes)
    }

    /// Writes the layers of a drawing.
    ///
    /// - Parameters:
    ///   - index: The drawing's index.
    ///   - paint: The paint of its shapes.
    ///   - timeline: The frames.
    ///   - keyframes: The writer of properties.
    ///   - cache: The shapes of outlines.
    ///   - sink: The file to append to.
    private func write(
        _ index: Int, _ paint: LottiePaint, _ timeline: LottieTimeline,
        _ keyframes: inout LottieKeyframes, _ cache: any GlyphCache, to sink: inout ByteSink
    ) {
        let drawing = drawings[index]
        // Shapes are one layer; pictures need layers of their own.
        let layers = drawing.isShape ? [drawing.parts] : drawing.parts.reversed().map { [$0] }
        for (layer, parts) in layers.enumerated() {
            if layer > 0 { sink.append(UInt8(ascii: ",")) }
            sink.append("{\"ddd\":0,\"ty\":")
            var position = penPosition(inDrawing: index)
            var scale = 1.0
            if case .picture(let picture, let box)? = parts.first {
                let fit = LottieImageFit(
                    layout.bitmaps[picture], over: box.rect(from: position), unit: steps[index])
                (position, scale) = (fit.topLeft, fit.scale)
                sink.append("2,\"refId\":\"p")
                sink.append(picture)
                sink.append("\"")
            } else {
                sink.append("4,\"shapes\":[")
                write(parts, of: index, paint, &keyframes, cache, to: &sink)
                sink.append("]")
            }
            writeEnd(ofLayerAt: position, scale: scale, timeline, to: &sink)
        }
    }

    /// Writes a silhouette as a layer, and one below of which it lets its own shape be seen.
    private func writeMatte(
        _ index: Int, _ paint: LottiePaint, _ timeline: LottieTimeline,
        _ keyframes: inout LottieKeyframes, _ cache: any GlyphCache, to sink: inout ByteSink
    ) {
        let drawing = drawings[index]
        let position = penPosition(inDrawing: index)
        let black = Color(red: 0, green: 0, blue: 0)
        sink.append("{\"ddd\":0,\"ty\":4,\"td\":1,\"shapes\":[")
        let opaque = LottiePaint(.color(black), &keyframes)
        write(drawing.parts, of: index, opaque, &keyframes, cache, to: &sink)
        sink.append("]")
        writeEnd(ofLayerAt: position, timeline, to: &sink)
        sink.append(",{\"ddd\":0,\"ty\":4,\"tt\":1,\"shapes\":[")
        sink.append(contour: matteBox(of: index).corners(clockwise: true))
        sink.append(lottieFill: paint)
        sink.append("]")
        writeEnd(ofLayerAt: position, timeline, to: &sink)
    }

    /// Returns the box of a silhouette, no larger than it must be: within it rlottie takes a 255th
    /// of what lies below.
    private func matteBox(of index: Int) -> LottieBox {
        let drawing = drawings[index]
        let ink = box(of: drawing) { outline in outline.bounds.inEms(of: outline.unitsPerEm) }
        return ink.grown(by: Int((drawing.form.width / 2 + 1 / steps[index]).rounded(.up)))
    }

    /// Writes the end of a layer that does not move.
    private func writeEnd(
        ofLayerAt position: Point, scale: Double = 1, _ timeline: LottieTimeline,
        to sink: inout ByteSink
    ) {
        sink.append(",\"ks\":{\"p\":")
        sink.append(lottiePoint: position)
        if scale != 1 {
            sink.append(",\"s\":")
            sink.append(lottieScale: scale)
        }
        sink.append("},\"ip\":0,\"op\":")
        sink.append(timeline.lastFrame)
        sink.append(",\"st\":0}")
    }

    /// Writes the shapes of a drawing with their paint.
    func write(
        shapesOf index: Int, _ paint: LottiePaint, _ keyframes: inout LottieKeyframes,
        _ cache: any GlyphCache, to sink: inout ByteSink
    ) {
        write(drawings[index].parts, of: index, paint, &keyframes, cache, to: &sink)
    }

    /// Writes shapes of a drawing in its form; what comes first is on top.
    private func write(
        _ parts: [LottieDrawing.Part], of index: Int, _ paint: LottiePaint,
        _ keyframes: inout LottieKeyframes, _ cache: any GlyphCache, to sink: inout ByteSink
    ) {
        let form = drawings[index].form
        if form == .fill {
            return write(parts, paint, step: steps[index], &keyframes, cache, to: &sink)
        }
        writePaths(parts, cache, to: &sink)
        if form.width > 0 {
            let width = Keyframe(Instant.zero, value: form.width)
            sink.append(UInt8(ascii: ","))
            sink.append(
                lottieLine: paint, opacity: paint.opacity,
                width: keyframes.property(of: [width], decimals: 2))
        }
        if case .silhouette = form { sink.append(lottieFill: paint) }
    }

    /// Writes shapes with their fill and, over it, their stroke.
    private func write(
        _ parts: [LottieDrawing.Part], _ paint: LottiePaint, step: Double,
        _ keyframes: inout LottieKeyframes, _ cache: any GlyphCache, to sink: inout ByteSink
    ) {
        guard let stroke = paint.stroke, case .outline(let outline)? = parts.first,
            let contours = contours[outline], !contours.isEmpty
        else { return write(parts, paint, cache, to: &sink) }
        // Each contour has a length and so a trim path of its own; one stroke for all, so that they
        // fade as one.
        sink.append("{\"ty\":\"gr\",\"it\":[")
        let longest = contours.reduce(0) { max($0, $1.length) }
        for contour in contours {
            write(contour, stroke.draw, longest: longest, &keyframes, to: &sink)
        }
        sink.append(
            lottieLine: paint, opacity: stroke.opacity,
            width: keyframes.property(of: stroke.width, scale: 1 / step, decimals: 2))
        sink.appendLottieGroupEnd()
        sink.append(",{\"ty\":\"gr\",\"it\":[")
        write(parts, paint, cache, to: &sink)
        sink.appendLottieGroupEnd()
    }

    /// Writes a contour as far as a line follows it, and a comma.
    ///
    /// The line has a share of the longest contour's length; a trim path goes by the contour's own.
    private func write(
        _ contour: LottieContours.Contour, _ draw: [Keyframe<Instant, Double>], longest: Double,
        _ keyframes: inout LottieKeyframes, to sink: inout ByteSink
    ) {
        let end = ShareTrack.keyframes(of: draw, scale: longest / max(contour.length, 1))
        guard end.contains(where: { $0.value < 1 }) else {
            sink.append(contour.text)
            return sink.append(UInt8(ascii: ","))
        }
        sink.append("{\"ty\":\"gr\",\"it\":[")
        sink.append(contour.text)
        sink.append(",{\"ty\":\"tm\",\"s\":{\"a\":0,\"k\":0},\"e\":")
        keyframes.write(end, scale: 100, decimals: 2, to: &sink)
        sink.append(",\"o\":{\"a\":0,\"k\":0},\"m\":1}")
        sink.appendLottieGroupEnd()
        sink.append(UInt8(ascii: ","))
    }

    /// Writes shapes and their fill.
    ///
    /// One fill for all, so that they fade as one; in a translucent paint, which shows overlaps, one
    /// for each.
    private func write(
        _ parts: [LottieDrawing.Part], _ paint: LottiePaint, _ cache: any GlyphCache,
        to sink: inout ByteSink
    ) {
        guard !paint.isOpaque, parts.count > 1 else {
            writePaths(parts, cache, to: &sink)
            return sink.append(lottieFill: paint)
        }
        for (index, part) in parts.reversed().enumerated() {
            sink.append(index > 0 ? ",{\"ty\":\"gr\",\"it\":[" : "{\"ty\":\"gr\",\"it\":[")
            write([part], paint, cache, to: &sink)
            sink.appendLottieGroupEnd()
        }
    }

    /// Writes the paths of parts, separated by commas.
    private func writePaths(
        _ parts: [LottieDrawing.Part], _ cache: any GlyphCache, to sink: inout ByteSink
    ) {
        for (index, part) in parts.enumerated() {
            if index > 0 { sink.append(UInt8(ascii: ",")) }
            write(part, over: parts[0], cache, to: &sink)
        }
    }

    /// Writes the paths of a part; a line runs in the direction of the first part, lest it cuts a
    /// hole into it.
    private func write(
        _ part: LottieDrawing.Part, over first: LottieDrawing.Part,
        _ cache: any GlyphCache, to sink: inout ByteSink
    ) {
        switch (part, first) {
        case (.outline(let index), _):
            sink.append(
                LottieContours.text(
                    of: layout.outlines[index], unitsPerStep: unitsPerStep[index], cache))
        case (.line(let box), .outline(let index)):
            sink.append(contour: box.corners(clockwise: layout.outlines[index].isClockwise))
        case (.line(let box), _): sink.append(contour: box.corners(clockwise: true))
        case (.picture, _): break
        }
    }
}

extension Rect {
    fileprivate func inEms(of units: Double) -> Rect {
        Rect(x: x / units, y: y / units, width: width / units, height: height / units)
    }
}

extension Outline {
    /// True if its contours, taken together, run clockwise.
    fileprivate var isClockwise: Bool {
        var area = 0.0
        var start = Point.zero
        var current = Point.zero
        func add(_ point: Point) {
            area += current.cross(point)
            current = point
        }
        for segment in segments {
            switch segment {
            case .move(let point): (start, current) = (point, point)
            case .line(let point): add(point)
            case .quadratic(let control, let end):
                add(control)
                add(end)
            case .cubic(let first, let second, let end):
                add(first)
                add(second)
                add(end)
            case .close: add(start)
            }
        }
        return area > 0
    }
}

extension Point {
    fileprivate func cross(_ other: Point) -> Double {
        x * other.y - other.x * y
    }
}

/// An upright rectangle in grid steps.
struct LottieBox: Hashable {
    var left: Int
    var top: Int
    var right: Int
    var bottom: Int

    var width: Int { right - left }
    var height: Int { bottom - top }

    /// Makes the box of a canvas from its top left corner.
    init(width: Int, height: Int) {
        left = 0
        top = 0
        right = width
        bottom = height
    }

    /// Makes the box of a rectangle from an origin, its edges rounded to steps of so many units.
    init(_ rect: Rect, about origin: Point, step: Double) {
        left = Int(((rect.x - origin.x) / step).rounded())
        top = Int(((rect.y - origin.y) / step).rounded())
        // No line may vanish by rounding.
        right = max(Int(((rect.maxX - origin.x) / step).rounded()), left + 1)
        bottom = max(Int(((rect.maxY - origin.y) / step).rounded()), top + 1)
    }

    /// Makes the smallest box around a rectangle in ems.
    init(around ems: Rect, stepsPerEm: Double) {
        left = Int((ems.x * stepsPerEm).rounded(.down))
        top = Int((ems.y * stepsPerEm).rounded(.down))
        right = Int((ems.maxX * stepsPerEm).rounded(.up))
        bottom = Int((ems.maxY * stepsPerEm).rounded(.up))
    }

    /// Returns the box's rectangle where its origin has these coordinates.
    func rect(from origin: Point) -> Rect {
        Rect(
            x: origin.x + Double(left), y: origin.y + Double(top), width: Double(width),
            height: Double(height))
    }

    func union(_ other: LottieBox) -> LottieBox {
        var box = self
        box.left = min(left, other.left)
        box.top = min(top, other.top)
        box.right = max(right, other.right)
        box.bottom = max(bottom, other.bottom)
        return box
    }

    func grown(by steps: Int) -> LottieBox {
        var box = self
        box.left -= steps
        box.top -= steps
        box.right += steps
        box.bottom += steps
        return box
    }

    /// Returns the corners, clockwise or anticlockwise from the top left or the bottom left.
    func corners(clockwise: Bool) -> [LottieContours.Step] {
        typealias Step = LottieContours.Step
        let corners = [
            Step(x: left, y: top), Step(x: right, y: top), Step(x: right, y: bottom),
            Step(x: left, y: bottom),
        ]
        return clockwise ? corners : corners.reversed()
    }
}

/// The position and the scale of an image over a rectangle.
private struct LottieImageFit {
    /// Scales from here to a half become a little more than a half: at a half and below ThorVG takes
    /// another filter, which blurs.
    private static let nearlyHalf = 0.48

    let topLeft: Point
    /// The rectangle's units in one pixel of the image, across and down: bitmaps have the aspect
    /// ratio of the font's own picture.
    let scale: Double

    /// Centres a bitmap over a rectangle.
    ///
    /// - Parameters:
    ///   - bitmap: The image.
    ///   - rect: The rectangle that it covers.
    ///   - unit: CSS pixels in one of the rectangle's units.
    init(_ bitmap: Bitmap, over rect: Rect, unit: Double = 1) {
        var pixels = rect.width / Double(bitmap.width) * unit
        if pixels > Self.nearlyHalf { pixels = max(pixels, 0.5002) }
        scale = pixels / unit
        let center = rect.center
        topLeft = Point(
            x: center.x - scale * Double(bitmap.width) / 2,
            y: center.y - scale * Double(bitmap.height) / 2)
    }
}
