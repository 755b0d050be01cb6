import Bytes
import Motion
import Raster

/// The outlines and lines of a scene on the grids of its drawings, written as Lottie's shapes.
struct LottieShapes {
    /// The grid step of lines without an outline, such as cursors, in CSS pixels.
    private static let lineStep = 1.0 / 32

    private let outlines: [Outline]
    /// The font units in one grid step of each outline.
    private let unitsPerStep: [Double]
    /// The common box of all outlines in ems, which packs better than a box for each.
    private let emBox: Rect
    /// The contours of outlines that lines follow.
    private var contours: [Int: [LottieContours.Contour]] = [:]
    private let cache: any GlyphCache

    init(_ scene: Scene, _ cache: any GlyphCache) {
        self.cache = cache
        outlines = scene.definitions.edgesOfOutlines
        var scales = [Double](repeating: 0, count: outlines.count)
        for node in scene.nodes {
            guard let shape = node.glyph.ink?.shape else { continue }
            scales[shape.outline] = max(scales[shape.outline], shape.scale)
        }
        unitsPerStep = scales.map { $0 > 0 ? LottieContours.unitsPerStep(scale: $0) : 1 }
        var box: Rect?
        for (outline, scale) in zip(outlines, scales) where scale > 0 {
            let bounds = outline.boundsInEms
            box = box?.union(bounds) ?? bounds
        }
        emBox = box ?? Rect(x: 0, y: 0, width: 0, height: 0)
    }

    /// Returns the position of a glyph's pen and the CSS pixels in a grid step of its drawing.
    func grid(of ink: Ink, _ glyph: Glyph) -> (pen: Point, step: Double) {
        guard let shape = ink.shape else {
            return (Point(x: glyph.rect.x, y: glyph.baseline), Self.lineStep)
        }
        return (shape.origin, shape.scale * unitsPerStep[shape.outline])
    }

    /// Returns the parts of a drawing of a glyph; see `LottieDrawing`.
    func parts(
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

    /// Keeps the contours of a drawing's outline, for a line that follows them.
    mutating func keepContours(of drawing: LottieDrawing) {
        guard case .outline(let outline)? = drawing.parts.first, contours[outline] == nil else {
            return
        }
        contours[outline] = LottieContours.contours(
            of: outlines[outline], unitsPerStep: unitsPerStep[outline])
    }

    /// Returns the box around the parts of a drawing; it contains the common box of all outlines in
    /// place of its outline's, unless `isTight` is true.
    func box(of drawing: LottieDrawing, isTight: Bool) -> LottieBox {
        var box: LottieBox?
        for part in drawing.parts {
            let own =
                switch part {
                case .outline(let index):
                    LottieBox(
                        around: isTight ? outlines[index].boundsInEms : emBox,
                        stepsPerEm: outlines[index].unitsPerEm / unitsPerStep[index])
                case .line(let box), .picture(_, let box): box
                }
            box = box?.union(own) ?? own
        }
        return box ?? LottieBox(width: 0, height: 0)
    }

    // MARK: Writing

    /// Writes parts of a drawing in its form; the first part is on top. `step` is in CSS pixels.
    func write(
        _ parts: [LottieDrawing.Part], in form: LottieDrawing.Form, step: Double,
        _ paint: LottiePaint, _ keyframes: inout LottieKeyframes, to sink: inout ByteSink
    ) {
        if form == .fill {
            return write(parts, paint, step: step, &keyframes, to: &sink)
        }
        if !paint.draw.isEmpty, let contours = contours(of: parts) {
            write(contours, paint.draw, &keyframes, to: &sink)
        } else {
            writePaths(parts, to: &sink)
            if form.width > 0 { sink.append(UInt8(ascii: ",")) }
        }
        if form.width > 0 {
            let width = Keyframe(Instant.zero, value: form.width)
            sink.append(
                lottieLine: paint, opacity: paint.opacity,
                width: keyframes.property(of: [width], decimals: 2), cap: form.cap)
        }
        if case .silhouette = form { sink.append(lottieFill: paint) }
    }

    /// Writes shapes with their fill and, over it, their stroke.
    private func write(
        _ parts: [LottieDrawing.Part], _ paint: LottiePaint, step: Double,
        _ keyframes: inout LottieKeyframes, to sink: inout ByteSink
    ) {
        guard let stroke = paint.stroke, let contours = contours(of: parts) else {
            return write(parts, paint, to: &sink)
        }
        sink.append("{\"ty\":\"gr\",\"it\":[")
        write(contours, paint.draw, &keyframes, to: &sink)
        sink.append(
            lottieLine: paint, opacity: stroke.opacity,
            width: keyframes.property(of: stroke.width, scale: 1 / step, decimals: 2))
        sink.appendLottieGroupEnd()
        sink.append(",{\"ty\":\"gr\",\"it\":[")
        write(parts, paint, to: &sink)
        sink.appendLottieGroupEnd()
    }

    /// Returns the contours of a drawing's outline that a line follows; nil where none does.
    private func contours(of parts: [LottieDrawing.Part]) -> [LottieContours.Contour]? {
        guard case .outline(let outline)? = parts.first, let contours = contours[outline],
            !contours.isEmpty
        else { return nil }
        return contours
    }

    /// Writes contours as far as a line follows them, each with a comma.
    ///
    /// Each contour has a length, and so a trim path, of its own. One stroke for all lets them fade
    /// as one.
    private func write(
        _ contours: [LottieContours.Contour], _ draw: [Keyframe<Instant, Double>],
        _ keyframes: inout LottieKeyframes, to sink: inout ByteSink
    ) {
        let longest = contours.reduce(0) { max($0, $1.length) }
        for contour in contours {
            write(contour, draw, longest: longest, &keyframes, to: &sink)
        }
    }

    /// Writes a contour as far as a line follows it, and a comma.
    ///
    /// The line is a share of the longest contour's length; a trim path is a share of the contour's
    /// own.
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
    /// All shapes have one fill, so that they fade as one. In a translucent paint, which shows
    /// overlaps, each has its own.
    private func write(
        _ parts: [LottieDrawing.Part], _ paint: LottiePaint, to sink: inout ByteSink
    ) {
        guard !paint.isOpaque, parts.count > 1 else {
            writePaths(parts, to: &sink)
            return sink.append(lottieFill: paint)
        }
        for (index, part) in parts.reversed().enumerated() {
            sink.append(index > 0 ? ",{\"ty\":\"gr\",\"it\":[" : "{\"ty\":\"gr\",\"it\":[")
            write([part], paint, to: &sink)
            sink.appendLottieGroupEnd()
        }
    }

    /// Writes the paths of parts, separated by commas.
    private func writePaths(_ parts: [LottieDrawing.Part], to sink: inout ByteSink) {
        for (index, part) in parts.enumerated() {
            if index > 0 { sink.append(UInt8(ascii: ",")) }
            write(part, over: parts[0], to: &sink)
        }
    }

    /// Writes the paths of a part; a line runs in the direction of the first part, so that it does
    /// not cut a hole into it.
    private func write(
        _ part: LottieDrawing.Part, over first: LottieDrawing.Part, to sink: inout ByteSink
    ) {
        switch (part, first) {
        case (.outline(let index), _):
            sink.append(
                LottieContours.text(
                    of: outlines[index], unitsPerStep: unitsPerStep[index], cache))
        case (.line(let box), .outline(let index)):
            sink.append(contour: box.corners(clockwise: outlines[index].isClockwise))
        case (.line(let box), _): sink.append(contour: box.corners(clockwise: true))
        case (.picture, _): break
        }
    }
}

extension Outline {
    fileprivate var boundsInEms: Rect {
        Rect(
            x: bounds.x / unitsPerEm, y: bounds.y / unitsPerEm, width: bounds.width / unitsPerEm,
            height: bounds.height / unitsPerEm)
    }
}

extension ByteSink {
    /// Appends the end of a group of shapes.
    ///
    /// lottie-web draws nothing of a file in which a group has no opacity.
    mutating func appendLottieGroupEnd() {
        append(",{\"ty\":\"tr\",\"o\":{\"a\":0,\"k\":100}}]}")
    }
}
