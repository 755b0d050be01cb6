extension SceneBuilder {
    /// Adds the boxes within which glyphs and their outlines are drawn in phases with a mask.
    ///
    /// Needs the nodes of the glyphs.
    mutating func addMasks() throws(SceneError) {
        for (block, phases) in schedule.phases.enumerated()
        where phases.contains(where: { $0.phase.masks != nil }) {
            for (glyph, node) in layout.blocks[block].glyphs.enumerated() {
                try deadline.checkScene(every: 64)
                var spans: [MaskSpan] = []
                for entry in phases { spans += maskSpans(ofGlyph: glyph, of: block, in: entry) }
                if !spans.isEmpty { scene.nodes[node].mask = index(ofMask: spans) }
            }
        }
    }

    /// Returns the spans of the mask of a glyph of a block in a phase; empty for the whole canvas.
    func maskSpans(
        ofGlyph glyph: Int, of block: Int, in entry: Schedule.Entry
    ) -> [MaskSpan] {
        guard let masks = entry.phase.masks, let box = masks.boxes[glyph] else { return [] }
        let reach = masks.holdsOutlines ? choreography.blocks[block].paint.outlineReach : 0
        let cut = box.grown(by: Margins(all: reach))
        var found: [MaskSpan] = []
        for span in masks.spans.isEmpty ? [(0, entry.phase.duration)] : masks.spans {
            guard let shown = instants(of: entry, from: span.0, to: span.1) else { continue }
            found.append(mask(cut, cutAt: masks.edges, ofGlyph: glyph, of: block, shown))
        }
        return found
    }

    /// Returns a box as the mask of a glyph of a block for a span.
    func mask(
        _ box: Rect, cutAt edges: Edges, ofGlyph glyph: Int, of block: Int, _ span: Range<Instant>
    ) -> MaskSpan {
        let node = layout.blocks[block].glyphs.lowerBound + glyph
        guard layout.place(ofGlyph: node) == nil else {
            // The sides of the canvas lie in other directions than its own, and no further away.
            // The canvas may grow by the font size; renderers are inexact with sides that are far
            // out.
            let beyond = layout.width + layout.height + 4 * layout.blocks[block].size
            return MaskSpan(
                start: span.lowerBound, end: span.upperBound,
                rect: box.opened(by: beyond, but: edges))
        }
        return MaskSpan(
            start: span.lowerBound, end: span.upperBound, rect: scene.opened(box, but: edges),
            edges: edges)
    }
}
