package import Bytes

/// A picture that may stand in a text, in the place of one character, or behind everything.
package struct TextPicture: Hashable, Sendable {
    package let name: ByteString
    /// In pixels.
    package let width: Int
    /// In pixels.
    package let height: Int
    /// True if the file says that no pixel is transparent.
    package let isOpaque: Bool
    /// A PNG or WebP file of this size, which may be damaged.
    package let file: [UInt8]

    package init(
        name: ByteString, width: Int, height: Int, isOpaque: Bool = false, file: [UInt8]
    ) {
        self.name = name
        self.width = width
        self.height = height
        self.isOpaque = isOpaque
        self.file = file
    }

    // Files of equal sizes are rare, and bytes take long to hash.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(file.count)
    }

    /// Its width as a multiple of its height.
    package var aspectRatio: Double { Double(width) / Double(height) }

    /// The character in the place of a picture: OBJECT REPLACEMENT CHARACTER.
    package static let character: Unicode.Scalar = "\u{FFFC}"
}

extension Scene {
    /// Puts the words that stand for pictures into the texts and glyphs, in the place of their
    /// characters, for people who read them.
    mutating func spellPictures() {
        let spelled = blocks.indices.filter { !blocks[$0].layout.alternatives.isEmpty }
        for block in spelled { spellPictures(ofBlock: block) }
        for index in nodes.indices {
            guard let glyph = nodes[index].role.source, nodes[index].role.name != .decoy else {
                continue
            }
            nodes[index].glyph.text = nodes[glyph].glyph.text
        }
    }

    private mutating func spellPictures(ofBlock block: Int) {
        let layout = blocks[block].layout
        let written = Array(layout.text.utf16)
        var spelled: [UInt16] = []
        /// The code units of `written` that are spelled, or passed over.
        var end = 0
        for index in layout.glyphs {
            let (start, length) = (nodes[index].glyph.start, nodes[index].glyph.length)
            guard let words = layout.alternatives[index] else {
                nodes[index].glyph.start += spelled.count - end
                continue
            }
            spelled += written[end..<start]
            nodes[index].glyph.start = spelled.count
            nodes[index].glyph.text = words
            nodes[index].glyph.length = words.utf16.count
            spelled += words.utf16
            end = start + length
        }
        spelled += written[end...]
        blocks[block].layout.text = String(decoding: spelled, as: UTF16.self)
    }
}
