import Bytes
import Motion
import Raster

/// The `<defs>` of a document: each outline and picture once.
struct SVGDefinitions {
    private let ink: Definitions
    /// The largest scale at which each outline is drawn; 0 where no glyph draws it.
    private var scales: [Double]
    /// The offset that the path data of each outline contains, in font units.
    ///
    /// Glyphs with pivots are drawn about the centres of their boxes. An outline that contains its
    /// first glyph's distance from there needs no `x` and `y` in most glyphs.
    private var shifts: [Point]
    /// True if lines are drawn along the contours of glyphs.
    private let hasStrokes: Bool
    /// The outlines of marks, along which lines are drawn.
    private let drawnMarks: Set<Int>

    init(_ scene: borrowing Scene, usesPivots: Bool, hasStrokes: Bool) {
        ink = scene.definitions
        self.hasStrokes = hasStrokes
        drawnMarks = scene.drawnMarks
        scales = [Double](repeating: 0, count: ink.outlines.count)
        shifts = [Point](repeating: .zero, count: ink.outlines.count)
        let nodes = scene.nodes.span
        // Decoys first: they are many, and centred on the glyphs that they stand for.
        for areDecoys in [true, false] {
            for index in nodes.indices where nodes[index].standsIn == areDecoys {
                guard let shape = nodes[index].glyph.ink?.shape else { continue }
                add(
                    shape, from: nodes[index].glyph.rect.center,
                    centersX: areDecoys || usesPivots, centersY: usesPivots)
            }
        }
    }

    private mutating func add(
        _ shape: Ink.Shape, from center: Point, centersX: Bool, centersY: Bool
    ) {
        if scales[shape.outline] == 0 {
            shifts[shape.outline] = Point(
                x: centersX ? ((shape.origin.x - center.x) / shape.scale).rounded() : 0,
                y: centersY ? ((shape.origin.y - center.y) / shape.scale).rounded() : 0)
        }
        scales[shape.outline] = max(scales[shape.outline], shape.scale)
    }

    /// Returns the offset that an outline's path data contains, in CSS pixels.
    func shift(ofOutline outline: Int, scale: Double) -> Point {
        Point(x: shifts[outline].x * scale, y: shifts[outline].y * scale)
    }

    /// Writes the paths and pictures.
    func write(
        _ names: SVGNames, _ context: EncodingContext, to sink: inout ByteSink
    ) throws(EncodingError) {
        let paths = context.scratch(of: SVGFormat.self) { SVGPathTable() }
        try writePaths(names, &paths.value, context, to: &sink)
        for index in ink.bitmaps.indices {
            try context.check(textBytes: sink.count)
            sink.append("<image id=\"")
            sink.append(names.prefix)
            sink.append("p")
            sink.append(index)
            sink.append("\"")
            try writeAttributes(ofBitmap: index, context, to: &sink)
            sink.append("/>")
        }
    }

    private func writePaths(
        _ names: SVGNames, _ paths: inout SVGPathTable, _ context: EncodingContext,
        to sink: inout ByteSink
    ) throws(EncodingError) {
        for index in ink.outlines.indices where scales[index] > 0 {
            try context.check(textBytes: sink.count, every: 64)
            sink.append("<path id=\"")
            sink.append(names.prefix)
            sink.append(lettersOf: index)
            sink.append("\"")
            writeAttributes(ofOutline: index, &paths, context, to: &sink)
            sink.append("/>")
        }
    }

    /// Returns the attributes of the paths and pictures, for documents that repeat them.
    func repeated(_ context: EncodingContext) throws(EncodingError) -> Repeated {
        var repeated = Repeated()
        let paths = context.scratch(of: SVGFormat.self) { SVGPathTable() }
        for index in ink.outlines.indices {
            try context.checkDeadline(every: 64)
            var sink = ByteSink()
            if scales[index] > 0 {
                writeAttributes(ofOutline: index, &paths.value, context, to: &sink)
            }
            repeated.outlines.append(sink.bytes())
        }
        for index in ink.bitmaps.indices {
            try context.checkDeadline()
            var sink = ByteSink()
            try writeAttributes(ofBitmap: index, context, to: &sink)
            repeated.bitmaps.append(sink.bytes())
        }
        return repeated
    }

    /// The attributes of paths and pictures, by outline and by bitmap.
    struct Repeated {
        var outlines: [[UInt8]] = []
        var bitmaps: [[UInt8]] = []
    }

    private func writeAttributes(
        ofOutline index: Int, _ paths: inout SVGPathTable, _ context: EncodingContext,
        to sink: inout ByteSink
    ) {
        let outline = ink.edge(ofOutline: index)
        sink.append(" d=\"")
        sink.append(
            paths.text(
                of: outline, SVGPath.Precision(scale: scales[index]), shift: shifts[index],
                context.cache))
        sink.append("\"")
        if hasStrokes || drawnMarks.contains(index) {
            // Dashes begin anew with each contour, and the longest is 1 long.
            sink.append(" pathLength=\"")
            sink.append(outline.relativeLength, decimals: 4)
            sink.append("\"")
        }
    }

    private func writeAttributes(
        ofBitmap index: Int, _ context: EncodingContext, to sink: inout ByteSink
    ) throws(EncodingError) {
        let bitmap = ink.bitmaps[index]
        sink.append(" width=\"")
        sink.append(bitmap.width)
        sink.append("\" height=\"")
        sink.append(bitmap.height)
        sink.append("\" href=\"")
        sink.append(
            addressOfImage: try EncodingError.catching { () throws(LibraryFault) in
                try context.painter.file(of: bitmap)
            })
        sink.append("\"")
    }
}

extension Scene {
    /// The outlines of marks that are drawn from their starts to their ends.
    fileprivate var drawnMarks: Set<Int> {
        guard !marks.isEmpty else { return [] }
        let drawn = nodes.filter { $0.isStroke && tracks[$0.track][.draw] != nil }
        return Set(drawn.compactMap { $0.glyph.ink?.shape?.outline })
    }
}
