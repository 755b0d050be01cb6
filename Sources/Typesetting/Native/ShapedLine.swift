import CPango
import Motion

/// A line as Pango shapes it: runs from left to right, cut into clusters in logical order.
struct ShapedLine {
    struct Run {
        var face: FontFace
        var isRightToLeft: Bool
    }

    /// The least that shaping keeps together.
    struct Cluster {
        /// UTF-8 offsets into the block's text.
        var start: Int
        var end: Int
        /// The left end of its advance, in CSS pixels from the line's left end.
        var x: Double
        var advance: Double
        /// Index into `runs`.
        var run: Int
        /// Indices into `glyphs`, from left to right.
        var glyphs: Range<Int>
    }

    /// One glyph of a font; lengths in CSS pixels.
    struct Glyph {
        enum Symbol {
            /// A character that draws nothing.
            case empty
            /// A character that no font has.
            case missing
            /// The glyph's number in its font.
            case glyph(UInt32)
        }

        var symbol: Symbol
        var advance: Double
        /// From the pen to the glyph's origin; y grows downwards.
        var offset: Point
    }

    /// UTF-8 offset into the block's text.
    let start: Int
    /// True for the first line of a paragraph.
    let beginsParagraph: Bool
    let direction: Direction
    private(set) var runs: [Run] = []
    /// By rising `start`.
    private(set) var clusters: [Cluster] = []
    private(set) var glyphs: [Glyph] = []
    /// The sum of the advances.
    private(set) var width = 0.0

    /// Reads a line of a laid-out text.
    ///
    /// The white space at the end of a wrapped line takes no room.
    ///
    /// - Throws: `LibraryFault.font` when a run's font could not be chosen or opened.
    init(
        _ line: UnsafeMutablePointer<PangoLayoutLine>, isWrapped: Bool, of text: SegmentedText,
        _ library: FontLibrary
    ) throws(LibraryFault) {
        start = Int(line.pointee.start_index)
        beginsParagraph = line.pointee.is_paragraph_start != 0
        direction =
            pango_layout_line_get_resolved_direction(line) == PANGO_DIRECTION_RTL
            ? .rightToLeft : .leftToRight
        let length = Int(line.pointee.length)
        clusters.reserveCapacity(length)
        glyphs.reserveCapacity(length)
        let trailing = isWrapped ? text.trailingSpace(in: start..<start + length) : .max
        var next = line.pointee.runs
        while let node = next {
            next = node.pointee.next
            guard let data = node.pointee.data else { continue }
            try add(
                data.assumingMemoryBound(to: PangoGlyphItem.self).pointee, trailing: trailing,
                library)
        }
        if runs.count > 1 || runs.first?.isRightToLeft == true {
            clusters.sort { $0.start < $1.start }
        }
    }

    /// Adds a run; from the UTF-8 offset `trailing` on, the line takes no room.
    private mutating func add(
        _ item: PangoGlyphItem, trailing: Int, _ library: FontLibrary
    ) throws(LibraryFault) {
        guard let font = item.item.pointee.analysis.font else { throw .font(nil) }
        guard let string = item.glyphs else { throw .memory }
        let start = Int(item.item.pointee.offset)
        let end = start + Int(item.item.pointee.length)
        let isRightToLeft = item.item.pointee.analysis.level & 1 == 1
        let count = Int(string.pointee.num_glyphs)
        guard count > 0, let shapes = string.pointee.glyphs,
            let offsets = string.pointee.log_clusters
        else { return }
        runs.append(Run(face: try library.face(of: font), isRightToLeft: isRightToLeft))

        var first = 0
        var right = end
        while first < count {
            let firstGlyph = glyphs.count
            var last = first
            var advance = 0
            while last < count, offsets[last] == offsets[first] {
                advance += Int(shapes[last].geometry.width)
                glyphs.append(Glyph(shapes[last]))
                last += 1
            }
            // In text from right to left the cluster that ends where this one begins comes next
            // in reading order before it.
            let clusterStart = start + Int(offsets[first])
            let clusterEnd =
                isRightToLeft ? right : last < count ? start + Int(offsets[last]) : end
            right = clusterStart
            let pixels =
                clusterStart >= trailing ? 0 : max(Double(advance) / Double(PANGO_SCALE), 0)
            clusters.append(
                Cluster(
                    start: clusterStart, end: clusterEnd, x: width, advance: pixels,
                    run: runs.count - 1, glyphs: firstGlyph..<glyphs.count))
            width += pixels
            first = last
        }
    }
}

extension ShapedLine.Glyph {
    fileprivate init(_ glyph: PangoGlyphInfo) {
        // `PANGO_GLYPH_EMPTY`, a macro that is not imported.
        let empty: UInt32 = 0x0FFF_FFFF
        symbol =
            glyph.glyph == empty
            ? .empty
            : glyph.glyph & GlyphMeasuring.unknownFlag != 0 ? .missing : .glyph(glyph.glyph)
        advance = Double(glyph.geometry.width) / Double(PANGO_SCALE)
        offset = Point(
            x: Double(glyph.geometry.x_offset) / Double(PANGO_SCALE),
            y: Double(glyph.geometry.y_offset) / Double(PANGO_SCALE))
    }
}
