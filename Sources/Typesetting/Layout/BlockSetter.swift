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
    /// UTF-8 offsets at which graphemes begin, and the text's end; nil when every byte is one.
    private var boundaries: GraphemeBoundaries
    /// The span that the walk has reached.
    private var span = 0
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
        boundaries = GraphemeBoundaries(text.text)
    }

    /// - Parameter layout: Holds this block's text, laid out.
    mutating func set(
        _ layout: OpaquePointer, _ context: OpaquePointer
    ) throws(TypesettingError) -> (block: SetBlock, inks: InkTable) {
        block.glyphs.reserveCapacity(text.text.utf8.count)
        var next = pango_layout_get_lines_readonly(layout)
        while let node = next {
            next = node.pointee.next
            guard let line = node.pointee.data?.assumingMemoryBound(to: PangoLayoutLine.self)
            else { continue }
            let following = next?.pointee.data?.assumingMemoryBound(to: PangoLayoutLine.self)
            try set(line, isWrapped: following.map { $0.pointee.is_paragraph_start == 0 } ?? false, context)
        }
        warn()
        return (block, inks)
    }

    private mutating func set(
        _ line: UnsafeMutablePointer<PangoLayoutLine>, isWrapped: Bool, _ context: OpaquePointer
    ) throws(TypesettingError) {
        let start = Int(line.pointee.start_index)
        let end = start + Int(line.pointee.length)
        if line.pointee.is_paragraph_start != 0, start > 0 { words.breakLine() }
        let shaped = ShapedLine(
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
            var last = first + 1
            var unitEnd = shaped.clusters[first].end
            while last < shaped.clusters.count,
                shaped.clusters[last].start < unitEnd || !boundaries.contains(unitEnd)
            {
                unitEnd = max(unitEnd, shaped.clusters[last].end)
                last += 1
            }
            let glyph = unit(shaped, first..<last, line: block.lines.count)
            set.ascent = max(set.ascent, -glyph.rect.y)
            lowest = max(lowest, glyph.rect.maxY)
            add(glyph, of: shaped.runs[shaped.clusters[first].run], to: &set.runs)
            first = last
        }
        set.glyphs = set.glyphs.lowerBound..<block.glyphs.count
        if set.glyphs.isEmpty {
            let style = style(at: start)
            let metrics = BoxMetrics(try emptyLineFace(style.type, context), style.type)
            (set.ascent, lowest) = (metrics.top, metrics.height - metrics.top)
        }
        set.height = set.ascent + lowest
        block.lines.append(set)
    }

    /// The font that an empty line takes its height from.
    private func emptyLineFace(
        _ style: TypeStyle, _ context: OpaquePointer
    ) throws(TypesettingError) -> FontFace {
        let description = FontDescription(style)
        guard let font = pango_context_load_font(context, description.pointer) else {
            throw .failed("no font at all")
        }
        defer { g_object_unref(UnsafeMutableRawPointer(font)) }
        return library.face(of: font)
    }

    /// The glyph that several clusters make: the smallest union of clusters and graphemes.
    private mutating func unit(
        _ shaped: ShapedLine, _ clusters: Range<Int>, line: Int
    ) -> Glyph {
        let first = shaped.clusters[clusters.lowerBound]
        let end = shaped.clusters[clusters.upperBound - 1].end
        let style = style(at: first.start)
        let run = shaped.runs[first.run]
        let metrics = BoxMetrics(run.face, style.type)
        var (left, right) = (first.x, first.x + first.advance)
        for cluster in shaped.clusters[clusters].dropFirst() {
            left = min(left, cluster.x)
            right = max(right, cluster.x + cluster.advance)
        }
        let written = text.text.slice(first.start..<end)
        let isWhitespace = written.isWhitespace
        let utf16 = utf16Range(first.start..<end, written)
        let rect = Rect(
            x: left, y: -style.rise - metrics.top, width: right - left, height: metrics.height)
        return Glyph(
            block: index, line: line, word: words.word(isWhitespace: isWhitespace),
            role: .glyph, text: written, start: utf16.start, length: utf16.length,
            isWhitespace: isWhitespace, color: style.type.color,
            hasBlockColor: style.hasBlockColor, rect: rect, baseline: -style.rise,
            size: style.type.size,
            ink: ink(shaped, clusters, style: style, rect: rect, written: written))
    }

    private mutating func ink(
        _ shaped: ShapedLine, _ clusters: Range<Int>, style: SpanStyle, rect: Rect,
        written: String
    ) -> Ink? {
        var builder = InkBuilder(style: style, rect: rect, library: library)
        for cluster in shaped.clusters[clusters] where cluster.advance > 0 || !written.isWhitespace {
            let run = shaped.runs[cluster.run]
            let size = self.style(at: cluster.start, from: span).type.size
            var pen = cluster.x
            for glyph in cluster.glyphs {
                let info = run.glyphs[glyph]
                builder.add(info, of: run.face, size: size, pen: pen)
                pen += Double(info.geometry.width) / Double(PANGO_SCALE)
            }
            builder.decorate(run.face)
        }
        if builder.isMissing, !missing.contains(written) { missing.append(written) }
        return builder.ink(into: &inks)
    }

    private mutating func add(
        _ glyph: Glyph, of shaped: ShapedLine.ShapedRun, to runs: inout [Run]
    ) {
        let direction: Direction = shaped.isRightToLeft ? .rightToLeft : .leftToRight
        let number = block.glyphs.count
        block.glyphs.append(glyph)
        if let last = runs.indices.last, lastRun.face === shaped.face,
            lastRun.size == glyph.size, runs[last].color == glyph.color,
            runs[last].direction == direction
        {
            runs[last].glyphs.append(number)
            return
        }
        lastRun = (shaped.face, glyph.size)
        runs.append(
            Run(
                font: "\(shaped.face.name) \(glyph.size.shortText)px", color: glyph.color,
                direction: direction, glyphs: [number]))
    }

    /// What the run that was begun last is set in.
    private var lastRun: (face: FontFace?, size: Double) = (nil, 0)

    // MARK: Where the walk is

    private mutating func style(at offset: Int) -> SpanStyle {
        if span > 0, offset < text.spans[span - 1].end { span = 0 }
        while span + 1 < text.spans.count, offset >= text.spans[span].end { span += 1 }
        return text.spans[span].style
    }

    private func style(at offset: Int, from span: Int) -> SpanStyle {
        var span = span
        while span + 1 < text.spans.count, offset >= text.spans[span].end { span += 1 }
        return text.spans[span].style
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
            let used = block.lines.lazy.compactMap(\.runs.first).first?.font ?? ""
            let message = "no family \"\(family)\"; used \(familyName(ofRun: used))"
            let warning = Warning(code: .missingFont, message: message, block: index)
            if !block.warnings.contains(warning) { block.warnings.append(warning) }
        }
        guard !missing.isEmpty else { return }
        let shown = missing.prefix(10).map { text in
            let codes = text.unicodeScalars.map { "U+" + String($0.value, radix: 16, uppercase: true) }
            return "\"\(text)\" (\(codes.joined(separator: " ")))"
        }
        let more = missing.count > 10 ? " and \(missing.count - 10) more" : ""
        block.warnings.append(
            Warning(
                code: .missingGlyph,
                message: "no font has " + shown.joined(separator: ", ") + more, block: index))
    }

    /// A run's font up to its weight, slope and size.
    private func familyName(ofRun font: String) -> String {
        var words = font.split(separator: " ")
        while let last = words.last, words.count > 1,
            last.hasSuffix("px") || last == "italic" || Int(last) != nil
        {
            words.removeLast()
        }
        return words.joined(separator: " ")
    }
}
