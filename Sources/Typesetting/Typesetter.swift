import CPango
package import Motion

/// Sets text on Pango.
///
/// Not `Sendable`: each worker has its own, with its own font map, and keeps it, because fonts and
/// shapes are read once.
package final class Typesetter {
    private let catalog: FontCatalog
    private let fonts: FontMap
    private let context: TextContext
    private let paragraph: ParagraphLayout
    private let library = FontLibrary()
    /// How many layouts were made.
    private var layouts: UInt64 = 0

    package init(catalog: FontCatalog) throws(TypesettingError) {
        self.catalog = catalog
        fonts = try FontMap()
        context = try TextContext(fonts)
        paragraph = try ParagraphLayout(context)
    }

    /// The texts in their final places, stacked.
    ///
    /// - Throws: `TypesettingError.canvasTooLarge` when an automatic canvas would be.
    package func layout(
        _ texts: [StyledText], on canvas: CanvasRequest
    ) throws(TypesettingError) -> Layout {
        library.trim()
        let wrapWidth = canvas.width.map { max($0 - 2 * canvas.padding, 0) }
        var blocks: [SetBlock] = []
        layouts += 1
        var inks = InkTable(layout: layouts)
        for (index, text) in texts.enumerated() {
            paragraph.set(text, width: wrapWidth, catalog)
            var setter = BlockSetter(
                text, index: index, library: library, catalog: catalog, inks: inks)
            let set = try setter.set(paragraph.pointer, context.pointer)
            blocks.append(set.block)
            inks = set.inks
        }
        var placer = BlockPlacer(canvas, texts)
        return try placer.place(blocks, inks)
    }
}
