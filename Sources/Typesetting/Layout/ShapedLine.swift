import CPango
import Motion

/// A line as Pango shaped it: runs from left to right, cut into clusters in logical order.
struct ShapedLine {
    struct ShapedRun {
        var face: FontFace
        var isRightToLeft: Bool
        var glyphs: UnsafeMutablePointer<PangoGlyphInfo>
    }

    /// The least that shaping keeps together.
    struct Cluster {
        /// UTF-8 offsets into the block's text.
        var start: Int
        var end: Int
        /// The left end of its advance, in CSS pixels from the line's left end.
        var x: Double
        var advance: Double
        var run: Int
        /// Its glyphs, from left to right, in the run's.
        var glyphs: Range<Int>
    }

    private(set) var runs: [ShapedRun] = []
    /// By rising `start`.
    private(set) var clusters: [Cluster] = []
    /// The sum of the advances.
    private(set) var width = 0.0

    /// From the UTF-8 offset `trailing` on, the line is the white space at which it was wrapped,
    /// which takes no room.
    ///
    /// - Throws: `LibraryFault.font` when a run's font could not be chosen or opened.
    init(
        _ line: UnsafeMutablePointer<PangoLayoutLine>, library: FontLibrary, trailing: Int
    ) throws(LibraryFault) {
        var next = line.pointee.runs
        while let node = next {
            next = node.pointee.next
            guard let data = node.pointee.data else { continue }
            try add(
                data.assumingMemoryBound(to: PangoGlyphItem.self).pointee, library: library,
                trailing: trailing)
        }
        if runs.count > 1 || runs.first?.isRightToLeft == true {
            clusters.sort { $0.start < $1.start }
        }
    }

    private mutating func add(
        _ item: PangoGlyphItem, library: FontLibrary, trailing: Int
    ) throws(LibraryFault) {
        guard let font = item.item.pointee.analysis.font else { throw .font(nil) }
        guard let glyphs = item.glyphs else { throw .memory }
        let start = Int(item.item.pointee.offset)
        let end = start + Int(item.item.pointee.length)
        let isRightToLeft = item.item.pointee.analysis.level & 1 == 1
        let count = Int(glyphs.pointee.num_glyphs)
        guard count > 0, let shapes = glyphs.pointee.glyphs,
            let offsets = glyphs.pointee.log_clusters
        else { return }
        runs.append(
            ShapedRun(
                face: try library.face(of: font), isRightToLeft: isRightToLeft, glyphs: shapes))

        var first = 0
        var right = end
        while first < count {
            var last = first
            var advance = 0
            while last < count, offsets[last] == offsets[first] {
                advance += Int(shapes[last].geometry.width)
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
                    run: runs.count - 1, glyphs: first..<last))
            width += pixels
            first = last
        }
    }
}
