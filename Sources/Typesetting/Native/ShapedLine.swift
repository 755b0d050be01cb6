import CPango
import Motion
import Raster

/// A line as Pango shapes it: runs from left to right, cut into clusters in logical order.
struct ShapedLine {
    struct Run {
        var face: FontFace
        /// Pango's number of the script.
        var script: UInt8
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

    /// Pango's units in a CSS pixel.
    static let unitsPerPixel = Double(PANGO_SCALE)

    /// UTF-8 offset into the block's text.
    let start: Int
    /// True for the first line of a paragraph.
    let beginsParagraph: Bool
    let direction: Direction
    private(set) var runs: [Run] = []
    /// The piece of the paragraph in each run; none unless they are to be kept, because few texts
    /// need them.
    private(set) var pieces: [ShapedParagraph.Piece] = []
    /// By rising `start`.
    private(set) var clusters: [Cluster] = []
    private(set) var glyphs: [Glyph] = []
    /// The sum of the advances.
    private(set) var width = 0.0

    /// Puts a line's runs in their order on the line.
    ///
    /// The white space at the end of a wrapped line takes no room. `start` is the line's UTF-8 offset.
    ///
    /// - Throws: `LibraryFault.font` when a run's font could not be opened.
    init(
        _ line: consuming ParagraphLine, of paragraph: ShapedParagraph, start: Int,
        in text: SegmentedText, _ library: FontLibrary, keepsPieces: Bool
    ) throws(LibraryFault) {
        self.start = start
        beginsParagraph = start == paragraph.bytes.lowerBound
        direction = paragraph.direction
        let end = line.runs.last?.piece.bytes.upperBound ?? start
        clusters.reserveCapacity(end - start)
        glyphs.reserveCapacity(end - start)
        let trailing = line.isWrapped ? text.trailingSpace(in: start..<end) : .max
        if line.isWrapped { try line.removeFinalSpace(of: paragraph) }
        line.reorder(in: paragraph)
        try line.trimLetterSpacing()
        for run in line.runs {
            try add(run, of: paragraph, trailing: trailing, library)
            if keepsPieces { pieces.append(run.piece) }
        }
        if runs.count > 1 || runs.first?.isRightToLeft == true {
            clusters.sort { $0.start < $1.start }
        }
    }

    /// Returns the smallest union of clusters and graphemes that begins with a cluster.
    func unit(from first: Int, in text: SegmentedText) -> Range<Int> {
        var last = first + 1
        var end = clusters[first].end
        while last < clusters.count, clusters[last].start < end || !text.isGraphemeBoundary(end) {
            end = max(end, clusters[last].end)
            last += 1
        }
        return first..<last
    }

    /// Returns the UTF-8 offsets of the characters of neighbouring clusters.
    func bytes(of clusters: Range<Int>) -> Range<Int> {
        self.clusters[clusters.lowerBound].start..<self.clusters[clusters.upperBound - 1].end
    }

    /// Returns the left and the right end of the advances of neighbouring clusters.
    func ends(of clusters: Range<Int>) -> (left: Double, right: Double) {
        var left = Double.infinity
        var right = -Double.infinity
        for index in clusters {
            let cluster = self.clusters[index]
            left = min(left, cluster.x)
            right = max(right, cluster.x + cluster.advance)
        }
        return (left, right)
    }

    /// Adds a run; from the UTF-8 offset `trailing` on, the line takes no room.
    private mutating func add(
        _ run: ParagraphLine.Run, of paragraph: ShapedParagraph, trailing: Int,
        _ library: FontLibrary
    ) throws(LibraryFault) {
        let start = run.piece.bytes.lowerBound
        let end = run.piece.bytes.upperBound
        let isRightToLeft = paragraph.level(of: run.piece) & 1 == 1
        let string = run.glyphs
        let count = string.count
        runs.append(
            Run(
                face: try library.face(of: paragraph.font(of: run.piece).pointer),
                script: paragraph.script(of: run.piece), isRightToLeft: isRightToLeft))

        var first = 0
        var right = end
        while first < count {
            let firstGlyph = glyphs.count
            var last = first
            var advance = 0
            while last < count, string.cluster(of: last) == string.cluster(of: first) {
                advance += Int(string[last].geometry.width)
                glyphs.append(Glyph(string[last]))
                last += 1
            }
            // In text from right to left the cluster that ends where this one begins comes next
            // in reading order before it.
            let clusterStart = start + string.cluster(of: first)
            let clusterEnd =
                isRightToLeft ? right : last < count ? start + string.cluster(of: last) : end
            right = clusterStart
            let pixels =
                clusterStart >= trailing ? 0 : max(Double(advance) / Self.unitsPerPixel, 0)
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
    /// `PANGO_GLYPH_EMPTY`, a macro that is not imported.
    static let emptySymbol: UInt32 = 0x0FFF_FFFF

    fileprivate init(_ glyph: PangoGlyphInfo) {
        symbol =
            glyph.glyph == Self.emptySymbol
            ? .empty
            : glyph.glyph & GlyphMeasuring.unknownFlag != 0 ? .missing : .glyph(glyph.glyph)
        advance = Double(glyph.geometry.width) / ShapedLine.unitsPerPixel
        offset = Point(
            x: Double(glyph.geometry.x_offset) / ShapedLine.unitsPerPixel,
            y: Double(glyph.geometry.y_offset) / ShapedLine.unitsPerPixel)
    }
}
