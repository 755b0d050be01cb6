import CPango
package import Motion

/// Sets text on Pango.
///
/// Not `Sendable`: each worker has its own, with its own font map, and keeps it, because fonts and
/// shapes are read once.
package final class Typesetter {
    private let catalog: FontCatalog
    private let context: TextContext
    private let paragraph: ParagraphLayout
    private let library: FontLibrary
    /// How many layouts were made.
    private var layouts: UInt64 = 0

    package init(catalog: FontCatalog, cache: any GlyphCache) throws(LibraryFault) {
        // Pango starts threads of its own.
        try LibraryWatch.checkMemory()
        self.catalog = catalog
        library = try FontLibrary(catalog.configuration, cache)
        context = try TextContext(library.map)
        paragraph = try ParagraphLayout(context)
    }

    /// Whether another should take its place, because Pango keeps something of every font in every size
    /// that was ever asked for.
    package var isFull: Bool { library.isFull }

    /// Sets a sample, so that what the first text would open is open, and works.
    package func warmUp() throws(LibraryFault) {
        let style = TypeStyle(
            families: FontCatalog.fallback, size: 32, weight: 400, isItalic: false,
            letterSpacing: 0, lineHeight: 1.2, color: .transparent)
        let canvas = CanvasRequest(
            width: nil, height: nil, padding: 0, alignment: .start, verticalAlignment: .middle,
            spacing: 0)
        do {
            let sample = "Titlecard " + ThaiWords.sample
            _ = try layout([BlockText(try StyledText(plain: sample, style: style))], on: canvas)
        } catch {
            guard case .library(let fault) = error else {
                throw .warning("the sample cannot be set")
            }
            throw fault
        }
        guard ThaiWords.areFound(in: paragraph.pointer) else {
            throw .fonts("libthai cannot open its dictionary")
        }
    }

    /// The texts in their final places, with the characters that their effects show besides.
    ///
    /// - Throws: `TypesettingError.canvasTooLarge` when an automatic canvas would be;
    ///   `TypesettingError.library` when a library failed, after which the typesetter may draw other
    ///   fonts and has to be thrown away.
    package func layout(
        _ texts: [BlockText], on canvas: CanvasRequest
    ) throws(TypesettingError) -> Layout {
        let watch = try TypesettingError.catching { () throws(LibraryFault) in
            try LibraryWatch()
        }
        layouts += 1
        let wrapWidth = canvas.width.map { max($0 - 2 * canvas.padding, 0) }
        var inks = InkTable(layout: layouts)
        var blocks: [SetBlock] = []
        for (index, text) in texts.enumerated() {
            blocks.append(try set(text.text, index: index, wrapWidth: wrapWidth, &inks))
        }
        for (index, text) in texts.enumerated() where !text.characters.isEmpty {
            blocks[index].characters = try set(text.characters, like: text.text, &inks)
        }
        try TypesettingError.catching(watch.check)
        var placer = BlockPlacer(canvas, texts)
        return try placer.place(blocks, inks)
    }

    private func set(
        _ text: StyledText, index: Int, wrapWidth: Double?, _ inks: inout InkTable
    ) throws(TypesettingError) -> SetBlock {
        paragraph.set(text, width: wrapWidth, catalog)
        var setter = BlockSetter(
            text, index: index, library: library, catalog: catalog, inks: inks)
        let set = try TypesettingError.catching { () throws(LibraryFault) in
            try setter.set(paragraph.pointer, context.pointer)
        }
        inks = set.inks
        return set.block
    }

    /// Characters in a block's own style, each at its pen's place on a baseline at 0.
    private func set(
        _ characters: [String], like text: StyledText, _ inks: inout InkTable
    ) throws(TypesettingError) -> [Glyph] {
        // Each on a line of its own, so that no two are shaped together.
        let list = try StyledText(
            plain: characters.joined(separator: "\n"), style: text.base)
        let block = try set(list, index: 0, wrapWidth: nil, &inks)
        return block.lines.compactMap { line in
            line.glyphs.first.map { block.glyphs[$0] }
        }
    }
}

/// A block as typesetting needs it.
package struct BlockText: Sendable {
    package var text: StyledText
    /// What the block's effect shows besides the text.
    package var characters: [String]
    package var cursor: CursorShape

    package init(_ text: StyledText, characters: [String] = [], cursor: CursorShape = .none) {
        self.text = text
        self.characters = characters
        self.cursor = cursor
    }
}
