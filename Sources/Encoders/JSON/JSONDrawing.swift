import Bytes
import Motion
import Raster

/// The ink of a scene's nodes, for players that draw it: each outline, picture, and gradient once,
/// in the order of the first reference.
struct JSONDrawing: ~Copyable {
    /// A gradient where it fills a box of the canvas.
    struct PlacedGradient: Hashable {
        let gradient: Gradient
        let box: Rect
        /// True if it is light that passes, which moves on its own.
        var isLight = false
    }

    private let scene: Scene
    /// True if nodes have their shapes.
    let hasShapes: Bool
    private var outlines = Numbering<Int>()
    private var bitmaps = Numbering<Int>()
    private var gradients = Numbering<PlacedGradient>()
    /// The largest scale at which each outline is drawn.
    private var scales: [Double]

    init(_ scene: Scene, hasShapes: Bool) {
        self.scene = scene
        self.hasShapes = hasShapes
        scales = [Double](repeating: 0, count: scene.definitions.outlines.count)
    }

    // MARK: References

    /// Returns the number of the outline of a shape.
    mutating func number(of shape: Ink.Shape) -> Int {
        scales[shape.outline] = max(scales[shape.outline], shape.scale)
        return outlines.number(of: shape.outline)
    }

    /// Returns the number of the bitmap of a picture.
    mutating func number(of picture: Ink.Picture) -> Int {
        bitmaps.number(of: picture.bitmap)
    }

    /// Returns the number of a gradient in its place.
    mutating func number(of gradient: PlacedGradient) -> Int {
        gradients.number(of: gradient)
    }

    // MARK: Definitions

    /// Writes the outlines, pictures, and gradients to which nodes refer.
    func writeDefinitions(
        _ context: EncodingContext, to sink: inout ByteSink
    ) throws(EncodingError) {
        sink.append(",\"gradients\":[")
        for (number, placed) in gradients.values.enumerated() {
            if number > 0 { sink.append(",") }
            write(placed, &sink)
        }
        sink.append("]")
        guard hasShapes else { return }
        sink.append(",\"outlines\":[")
        for (number, index) in outlines.values.enumerated() {
            try context.check(textBytes: sink.count, every: 8)
            if number > 0 { sink.append(",") }
            write(scene.definitions.edge(ofOutline: index), scale: scales[index], &sink)
        }
        sink.append("],\"images\":[")
        for (number, index) in bitmaps.values.enumerated() {
            try context.check(textBytes: sink.count)
            if number > 0 { sink.append(",") }
            try write(scene.definitions.bitmaps[index], context, &sink)
        }
        sink.append("]")
    }

    private func write(_ placed: PlacedGradient, _ sink: inout ByteSink) {
        let motion = placed.isLight ? nil : scene.paintMotion?.kind.motion(of: placed.gradient)
        let gradient = StraightGradient(
            motion == .pan ? placed.gradient.mirrored : placed.gradient, in: placed.box)
        func write(_ name: StaticString, _ number: Double) {
            sink.append(name)
            sink.append(number, decimals: 4)
        }
        switch gradient.geometry {
        case .ellipse(let center, let radii):
            write("{\"type\":\"radial\",\"x\":", center.x)
            write(",\"y\":", center.y)
            write(",\"radiusX\":", radii.x)
            write(",\"radiusY\":", radii.y)
        case .sweep(let center, let degrees):
            write("{\"type\":\"conic\",\"x\":", center.x)
            write(",\"y\":", center.y)
            write(",\"angle\":", degrees)
        case .line, nil:
            var line = GradientLine(start: placed.box.center, end: placed.box.center)
            if case .line(let own)? = gradient.geometry { line = own }
            write("{\"x1\":", line.start.x)
            write(",\"y1\":", line.start.y)
            write(",\"x2\":", line.end.x)
            write(",\"y2\":", line.end.y)
        }
        if gradient.repeats { sink.append(",\"repeats\":true") }
        if let motion {
            sink.append(",\"motion\":\"")
            sink.append(text: motion.rawValue)
            write("\",\"centerX\":", placed.box.center.x)
            write(",\"centerY\":", placed.box.center.y)
        }
        sink.append(",\"stops\":[")
        for (number, stop) in gradient.stops.enumerated() {
            sink.append(number > 0 ? ",{\"offset\":" : "{\"offset\":")
            sink.append(stop.offset, decimals: 6)
            sink.append(",\"color\":\"")
            // `transparent` would be black in a mix with its neighbour.
            sink.append(text: stop.color.hexText)
            sink.append("\"}")
        }
        sink.append("]}")
    }

    private func write(_ outline: Outline, scale: Double, _ sink: inout ByteSink) {
        sink.append("{\"unitsPerEm\":")
        sink.append(outline.unitsPerEm, decimals: 4)
        sink.append(",\"length\":")
        sink.append(outline.contourLengths.max() ?? 0, decimals: 1)
        sink.append(",\"box\":{\"x\":")
        sink.append(membersOf: outline.bounds)
        sink.append("},\"path\":\"")
        sink.append(SVGPath.text(of: outline, SVGPath.Precision(scale: scale)))
        sink.append("\"}")
    }

    private func write(
        _ bitmap: Bitmap, _ context: EncodingContext, _ sink: inout ByteSink
    ) throws(EncodingError) {
        let file = try EncodingError.catching { () throws(LibraryFault) in
            try context.painter.file(of: bitmap)
        }
        sink.append("{\"width\":")
        sink.append(bitmap.width)
        sink.append(",\"height\":")
        sink.append(bitmap.height)
        sink.append(",\"url\":\"")
        sink.append(addressOfImage: file)
        sink.append("\"}")
    }
}

extension ByteSink {
    /// Appends a rectangle, from the value of `x` to the value of `height`.
    mutating func append(membersOf rect: Rect) {
        append(rect.x, decimals: 4)
        append(",\"y\":")
        append(rect.y, decimals: 4)
        append(",\"width\":")
        append(rect.width, decimals: 4)
        append(",\"height\":")
        append(rect.height, decimals: 4)
    }
}
