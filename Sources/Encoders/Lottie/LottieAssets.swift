import Motion

/// The distinct drawings of a scene, and which of them layers refer to.
struct LottieAssets {
    /// Steps of lines that stand alone, such as cursors, in CSS pixels.
    private static let lineStep = 1.0 / 32
    /// Steps between a drawing's ink and the edge that cuts it off: a pixel at least.
    private static let margin = 64

    let layout: Layout
    /// For each outline the font units in one step.
    let unitsPerStep: [Double]
    /// The box of all outlines in ems: one for all packs better than one for each.
    private let emBox: Rect
    /// The distinct drawings, in the order of their first use.
    private(set) var drawings: [LottieDrawing] = []
    /// For each drawing the box that an asset of it has.
    private(set) var boxes: [LottieBox] = []
    /// For each drawing whether it is an asset.
    private(set) var isAsset: [Bool] = []
    /// For each drawing the CSS pixels in a step of its first use.
    private(set) var steps: [Double] = []
    /// For each of the layout's pictures whether anything shows it.
    private(set) var isShown: [Bool]
    private var numbers: [LottieDrawing: Int] = [:]

    init(_ layout: Layout) {
        self.layout = layout
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

    /// What a glyph's layer shows.
    ///
    /// Of glyphs that fade each has its shapes in its own layer, where their fill fades: rlottie dims
    /// all that lies below a layer that is partly transparent itself.
    mutating func use(of ink: Ink, _ glyph: Glyph, fades: Bool) -> LottieUse {
        for case .picture(let picture) in ink.details { isShown[picture.bitmap] = true }
        if ink.shape == nil, ink.isOnePart, case .picture(let picture)? = ink.details.first {
            let fitted = LottiePicture(layout.bitmaps[picture.bitmap], over: picture.rect)
            return LottieUse(
                content: .picture(picture.bitmap), anchor: .zero, place: fitted.place,
                scale: fitted.scale)
        }
        let place = ink.shape?.origin ?? Point(x: glyph.rect.x, y: glyph.baseline)
        let step = ink.shape.map { $0.scale * unitsPerStep[$0.outline] } ?? Self.lineStep
        let drawing = drawing(ink, glyph.color, about: place, step: step)
        let number = number(of: drawing, step)
        if fades, drawing.isShape {
            return LottieUse(content: .shapes(number), anchor: .zero, place: place, scale: step)
        }
        isAsset[number] = true
        return LottieUse(
            content: .composition(number), anchor: pen(ofDrawing: number), place: place,
            scale: step)
    }

    /// Where in an asset its drawing's pen is.
    func pen(ofDrawing number: Int) -> Point {
        Point(x: Double(-boxes[number].left), y: Double(-boxes[number].top))
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
        isAsset.append(false)
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
        return (box ?? LottieBox(width: 0, height: 0)).grown(by: Self.margin)
    }
}

extension Rect {
    fileprivate func inEms(of units: Double) -> Rect {
        Rect(x: x / units, y: y / units, width: width / units, height: height / units)
    }
}
