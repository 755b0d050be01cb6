import CPango
import Motion

/// Sets one block: lines into runs into glyphs, the units that can move alone.
struct BlockSetter {
    private let text: StyledText
    private let index: Int
    private let library: FontLibrary
    private let catalog: FontCatalog
    private var inks: InkTable

    private var block = SetBlock()
    private var words = WordCounter()
    private let boundaries: GraphemeBoundaries
    /// The style at the walk's place, and the span that it comes from.
    private var style: SpanStyle
    private var span = 0
    /// The box of glyphs of that style in the face that `boxFace` is.
    private var box: BoxMetrics?
    private var boxFace: FontFace?
    /// The walk's place in UTF-16 code units and the UTF-8 offset that it belongs to.
    private var place = (utf16: 0, utf8: 0)
    private var missing: [String] = []

    init(
        _ text: StyledText, index: Int, library: FontLibrary, catalog: FontCatalog,
        inks: consuming InkTable
    ) {
        self.text = text
        self.index = index
        self.library = library
        self.catalog = catalog
        self.inks = inks
        style = text.spans[0].style
        boundaries = GraphemeBoundaries(text.text)
    }

    /// Reads the lines of `layout`, which holds this block's text, laid out.
    mutating func set(
        _ layout: OpaquePointer, _ context: OpaquePointer
    ) throws(LibraryFault) -> (block: SetBlock, inks: InkTable) {
        block.glyphs.reserveCapacity(text.text.utf8.count)
        var next = pango_layout_get_lines_readonly(layout)
        while let node = next {
            next = node.pointee.next
            guard let line = node.pointee.data?.assumingMemoryBound(to: PangoLayoutLine.self)
            else { continue }
            let following = next?.pointee.data?.assumingMemoryBound(to: PangoLayoutLine.self)
            let isWrapped = following.map { $0.pointee.is_paragraph_start == 0 } ?? false
            try set(line, isWrapped: isWrapped, context)
        }
        warn()
        return (block, inks)
    }

    private mutating func set(
        _ line: UnsafeMutablePointer<PangoLayoutLine>, isWrapped: Bool, _ context: OpaquePointer
    ) throws(LibraryFault) {
        let start = Int(line.pointee.start_index)
        let end = start + Int(line.pointee.length)
        if line.pointee.is_paragraph_start != 0, start > 0 { words.breakLine() }
        let shaped = try ShapedLine(
            line, library: library,
            trailing: isWrapped ? text.text.trailingSpace(in: start..<end) : .max)
        let direction: Direction =
            pango_layout_line_get_resolved_direction(line) == PANGO_DIRECTION_RTL
            ? .rightToLeft : .leftToRight
        var set = SetLine(
            glyphs: block.glyphs.count..<block.glyphs.count, runs: [], width: shaped.width,
            ascent: -.infinity, height: 0, direction: direction)
        var lowest = -Double.infinity
        var first = 0
        while first < shaped.clusters.count {
            let last = unitEnd(from: first, in: shaped)
            try addUnit(shaped, first..<last, to: &set)
            let rect = block.glyphs[block.glyphs.count - 1].rect
            set.ascent = max(set.ascent, -rect.y)
            lowest = max(lowest, rect.maxY)
            first = last
        }
        set.glyphs = set.glyphs.lowerBound..<block.glyphs.count
        if set.glyphs.isEmpty {
            walk(to: start)
            let metrics = BoxMetrics(try emptyLineFace(style.type, context), style.type)
            (set.ascent, lowest) = (metrics.top, metrics.height - metrics.top)
        }
        set.height = set.ascent + lowest
        block.lines.append(set)
    }

    /// Where the smallest union of clusters and graphemes ends that begins with a cluster.
    private func unitEnd(from first: Int, in shaped: ShapedLine) -> Int {
        var last = first + 1
        var end = shaped.clusters[first].end
        while last < shaped.clusters.count,
            shaped.clusters[last].start < end || !boundaries.contains(end)
        {
            end = max(end, shaped.clusters[last].end)
            last += 1
        }
        return last
    }

    /// The font that an empty line takes its height from.
    private func emptyLineFace(
        _ style: TypeStyle, _ context: OpaquePointer
    ) throws(LibraryFault) -> FontFace {
        let description = FontDescription(style, catalog)
        guard let font = pango_context_load_font(context, description.pointer) else {
            throw .font(nil)
        }
        defer { g_object_unref(UnsafeMutableRawPointer(font)) }
        return try library.face(of: font)
    }

    /// Adds the glyph that several clusters make.
    private mutating func addUnit(
        _ shaped: ShapedLine, _ clusters: Range<Int>, to line: inout SetLine
    ) throws(LibraryFault) {
        let start = shaped.clusters[clusters.lowerBound].start
        let end = shaped.clusters[clusters.upperBound - 1].end
        let run = shaped.clusters[clusters.lowerBound].run
        walk(to: start)
        let metrics = boxMetrics(shaped.runs[run].face)
        var left = Double.infinity
        var right = -Double.infinity
        for cluster in clusters {
            left = min(left, shaped.clusters[cluster].x)
            right = max(right, shaped.clusters[cluster].x + shaped.clusters[cluster].advance)
        }
        let written = text.text.slice(start..<end)
        let isWhitespace = written.isWhitespace
        let utf16 = utf16Range(start..<end, written)
        var glyph = Glyph(
            block: index, line: block.lines.count, word: words.word(isWhitespace: isWhitespace),
            role: .glyph, text: written, start: utf16.start, length: utf16.length,
            isWhitespace: isWhitespace, color: style.type.color,
            hasBlockColor: style.hasBlockColor,
            rect: Rect(
                x: left, y: -style.rise - metrics.top, width: right - left,
                height: metrics.height),
            baseline: -style.rise, size: style.type.size, ink: nil)
        glyph.ink = try ink(shaped, clusters, of: glyph)
        add(glyph, of: shaped.runs[run], to: &line.runs)
    }

    private mutating func ink(
        _ shaped: ShapedLine, _ clusters: Range<Int>, of glyph: Glyph
    ) throws(LibraryFault) -> Ink? {
        var builder = InkBuilder()
        for index in clusters {
            let cluster = shaped.clusters[index]
            // White space at which a line was wrapped draws nothing.
            guard cluster.advance > 0 || !glyph.isWhitespace else { continue }
            walk(to: cluster.start)
            var pen = Point(x: cluster.x, y: -style.rise)
            for number in cluster.glyphs {
                let info = shaped.runs[cluster.run].glyphs[number]
                try builder.add(
                    info, of: shaped.runs[cluster.run].face, size: style.type.size, at: pen, &inks,
                    library)
                pen.x += Double(info.geometry.width) / Double(PANGO_SCALE)
            }
        }
        if style.isDecorated {
            let run = shaped.clusters[clusters.lowerBound].run
            builder.addLines(style, shaped.runs[run].face, along: glyph.rect)
        }
        if builder.isMissing, !missing.contains(glyph.text) { missing.append(glyph.text) }
        return builder.ink(&inks, library)
    }

    private mutating func add(
        _ glyph: Glyph, of shaped: ShapedLine.ShapedRun, to runs: inout [Run]
    ) {
        let direction: Direction = shaped.isRightToLeft ? .rightToLeft : .leftToRight
        let number = block.glyphs.count
        let last = runs.count - 1
        if last >= 0, lastRun.face === shaped.face, lastRun.size == glyph.size,
            runs[last].color == glyph.color, runs[last].direction == direction
        {
            runs[last].glyphs.append(number)
        } else {
            lastRun = (shaped.face, glyph.size)
            if firstFamily == nil { firstFamily = shaped.face.family }
            runs.append(
                Run(
                    font: "\(shaped.face.name) \(NumberText.of(glyph.size))px", color: glyph.color,
                    direction: direction, glyphs: [number]))
        }
        block.glyphs.append(glyph)
    }

    /// What the run that was begun last is set in.
    private var lastRun: (face: FontFace?, size: Double) = (nil, 0)
    /// The family of the block's first run.
    private var firstFamily: String?

    // MARK: Where the walk is

    /// Makes `style` that of an offset; the walk goes forward but for a few steps back.
    private mutating func walk(to offset: Int) {
        let isBefore = span > 0 && offset < text.spans[span - 1].end
        guard isBefore || offset >= text.spans[span].end else { return }
        var next = isBefore ? 0 : span
        while next + 1 < text.spans.count, offset >= text.spans[next].end { next += 1 }
        guard next != span else { return }
        span = next
        style = text.spans[next].style
        box = nil
    }

    private mutating func boxMetrics(_ face: FontFace) -> BoxMetrics {
        if let box, boxFace === face { return box }
        let metrics = BoxMetrics(face, style.type)
        (box, boxFace) = (metrics, face)
        return metrics
    }

    /// A range of the text in UTF-16 code units; the walk goes forward.
    private mutating func utf16Range(
        _ range: Range<Int>, _ written: String
    ) -> (start: Int, length: Int) {
        if boundaries.isASCII { return (range.lowerBound, range.count) }
        if range.lowerBound > place.utf8 {
            place.utf16 += text.text.slice(place.utf8..<range.lowerBound).utf16.count
        }
        let length = written.utf16.count
        defer { place = (place.utf16 + length, range.upperBound) }
        return (place.utf16, length)
    }

    // MARK: Warnings

    private mutating func warn() {
        let families = Set(text.spans.map(\.style.type.families)).sorted()
        for family in families.flatMap({ $0.split(separator: ",") }).map(String.init)
        where !catalog.contains(family) {
            let message = "no family \"\(family)\"; used \(firstFamily ?? "none")"
            let warning = Warning(code: .missingFont, message: message, block: index)
            if !block.warnings.contains(warning) { block.warnings.append(warning) }
        }
        guard !missing.isEmpty else { return }
        let shown = missing.prefix(10).map { text in
            let codes = text.unicodeScalars.map {
                "U+" + String($0.value, radix: 16, uppercase: true)
            }
            return "\"\(text)\" (\(codes.joined(separator: " ")))"
        }
        let more = missing.count > 10 ? " and \(missing.count - 10) more" : ""
        block.warnings.append(
            Warning(
                code: .missingGlyph,
                message: "no font has " + shown.joined(separator: ", ") + more, block: index))
    }
}
