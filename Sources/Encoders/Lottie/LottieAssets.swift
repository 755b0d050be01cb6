import Motion

/// What the layers of a document refer to: each distinct drawing and picture once.
struct LottieAssets {
    /// Steps of lines that stand alone, such as cursors, in CSS pixels.
    private static let lineStep = 1.0 / 32
    /// Steps between a drawing's ink and the edge that cuts it off: a pixel at least.
    private static let margin = 64

    private let layout: Layout
    /// For each outline the font units in one step.
    private let unitsPerStep: [Double]
    /// The box of all outlines in ems: one for all packs better than one for each.
    private let emBox: Rect
    /// The distinct drawings, in the order of their first use.
    private(set) var drawings: [LottieDrawing] = []
    private(set) var boxes: [LottieBox] = []
    /// CSS pixels in a step of each drawing's first use.
    private var steps: [Double] = []
    private var numbers: [LottieDrawing: Int] = [:]

    init(_ layout: Layout) {
        self.layout = layout
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

    /// What a glyph's layer shows; adds the drawing where it is a new one.
    mutating func use(of ink: Ink, _ glyph: Glyph) -> LottieUse {
        if ink.shape == nil, ink.isOnePart, case .picture(let picture)? = ink.details.first {
            let fitted = LottiePicture(layout.bitmaps[picture.bitmap], over: picture.rect)
            return LottieUse(
                asset: .picture(picture.bitmap), anchor: .zero, place: fitted.place,
                scale: fitted.scale)
        }
        let place = ink.shape?.origin ?? Point(x: glyph.rect.x, y: glyph.baseline)
        let step = ink.shape.map { $0.scale * unitsPerStep[$0.outline] } ?? Self.lineStep
        let number = number(of: drawing(ink, glyph.color, about: place, step: step), step)
        return LottieUse(
            asset: .drawing(number),
            anchor: Point(x: Double(-boxes[number].left), y: Double(-boxes[number].top)),
            place: place, scale: step)
    }

    private func drawing(
        _ ink: Ink, _ color: Color, about place: Point, step: Double
    ) -> LottieDrawing {
        var parts = ink.shape.map { [LottieDrawing.Part.outline($0.outline)] } ?? []
        for detail in ink.details {
            let box = LottieBox(detail.bounds, about: place, step: step)
            switch detail {
            case .line: parts.append(.line(box))
            case .picture(let picture): parts.append(.picture(picture.bitmap, box))
            }
        }
        return LottieDrawing(color: color, parts: parts)
    }

    private mutating func number(of drawing: LottieDrawing, _ step: Double) -> Int {
        if let number = numbers[drawing] { return number }
        numbers[drawing] = drawings.count
        drawings.append(drawing)
        steps.append(step)
        boxes.append(box(of: drawing))
        return drawings.count - 1
    }

    private func box(of drawing: LottieDrawing) -> LottieBox {
        var box: LottieBox?
        for part in drawing.parts {
            let own =
                switch part {
                case .outline(let outline):
                    LottieBox(
                        around: emBox,
                        stepsPerEm: layout.outlines[outline].unitsPerEm / unitsPerStep[outline])
                case .line(let box), .picture(_, let box): box
                }
            box = box?.union(own) ?? own
        }
        return (box ?? LottieBox(around: emBox, stepsPerEm: 1)).grown(by: Self.margin)
    }

    // MARK: Writing

    func write(_ clock: LottieClock, _ contours: ContourTextCache, to sink: inout ByteSink) {
        sink.append("\"assets\":[")
        for (index, drawing) in drawings.enumerated() {
            if index > 0 { sink.append(UInt8(ascii: ",")) }
            write(drawing, index, clock, contours, to: &sink)
        }
        for (index, bitmap) in layout.bitmaps.enumerated() {
            if index > 0 || !drawings.isEmpty { sink.append(UInt8(ascii: ",")) }
            sink.append("{\"id\":")
            sink.append(.picture(index))
            sink.append(",\"w\":")
            sink.append(bitmap.width)
            sink.append(",\"h\":")
            sink.append(bitmap.height)
            sink.append(",\"u\":\"\",\"p\":\"data:image/png;base64,")
            sink.append(base64: bitmap.png)
            sink.append("\",\"e\":1}")
        }
        sink.append("]")
    }

    private func write(
        _ drawing: LottieDrawing, _ number: Int, _ clock: LottieClock,
        _ contours: ContourTextCache, to sink: inout ByteSink
    ) {
        let box = boxes[number]
        let pen = Point(x: Double(-box.left), y: Double(-box.top))
        sink.append("{\"id\":")
        sink.append(.drawing(number))
        sink.append(",\"layers\":[")
        // A file names what is on top first.
        for (index, part) in drawing.parts.reversed().enumerated() {
            if index > 0 { sink.append(UInt8(ascii: ",")) }
            sink.append("{\"ddd\":0,\"ty\":")
            switch part {
            case .outline(let outline):
                sink.append(
                    shape: contours.text(
                        of: layout.outlines[outline], unitsPerStep: unitsPerStep[outline]),
                    drawing.color)
                sink.append(still: pen)
            case .line(let line):
                var path = ByteSink(capacity: 256)
                path.append(contour: line)
                sink.append(shape: path.bytes(), drawing.color)
                sink.append(still: pen)
            case .picture(let picture, let target):
                sink.append("2,\"refId\":")
                sink.append(.picture(picture))
                let fitted = LottiePicture(
                    layout.bitmaps[picture], over: target.rect(from: pen), unit: steps[number])
                sink.append(still: fitted.place, scale: fitted.scale)
            }
            sink.append(",\"ip\":0,\"op\":")
            sink.append(clock.lastFrame)
            sink.append(",\"st\":0}")
        }
        sink.append("]}")
    }
}

extension Rect {
    fileprivate func inEms(of units: Double) -> Rect {
        Rect(x: x / units, y: y / units, width: width / units, height: height / units)
    }
}
