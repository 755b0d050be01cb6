import Raster

/// The character that each glyph of a line draws, for texts in several colours.
///
/// A cluster of a line holds all characters that change places, such as a vowel sign and the consonant
/// that it stands before; here each glyph has the first of the characters that it is made of.
struct DrawnCharacters {
    private let paragraph: ShapedParagraph
    /// For each glyph of the line the UTF-8 offset of its character; nil where that is not known.
    private var offsets: [Int?]
    private var knownRuns: Set<Int> = []

    init(of line: ShapedLine, _ paragraph: ShapedParagraph) {
        self.paragraph = paragraph
        offsets = [Int?](repeating: nil, count: line.glyphs.count)
    }

    /// Returns the offset of the character that a glyph of a cluster draws; the cluster's offset if
    /// it is not known.
    mutating func character(
        ofGlyph glyph: Int, in cluster: ShapedLine.Cluster, of line: ShapedLine
    ) throws(LibraryFault) -> Int {
        if knownRuns.insert(cluster.run).inserted { try read(cluster.run, of: line) }
        return offsets[glyph] ?? cluster.start
    }

    private mutating func read(_ run: Int, of line: ShapedLine) throws(LibraryFault) {
        let glyphs = line.clusters.filter { $0.run == run }.flatMap(\.glyphs).sorted().filter {
            if case .empty = line.glyphs[$0].symbol { false } else { true }
        }
        let drawn = try paragraph.characterGlyphs(of: line.pieces[run], line.runs[run].face.shapes)
        // Pango draws some characters in its own way, and adds hyphens.
        guard glyphs.count == drawn.count else { return }
        for (glyph, own) in zip(glyphs, drawn) {
            if case .glyph(let number) = line.glyphs[glyph].symbol, number != own.number { return }
        }
        for (glyph, own) in zip(glyphs, drawn) { offsets[glyph] = own.cluster }
    }
}
