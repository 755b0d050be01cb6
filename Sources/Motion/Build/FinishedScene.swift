extension Choreography {
    /// Returns a still picture of the finished text.
    func finishedScene(
        of layout: Layout, _ appearance: Appearance, until deadline: WorkDeadline
    ) throws(SceneError) -> Scene {
        var hidden = GlyphTracks.shown
        hidden.opacity.keyframes[0].value = 0
        let count = layout.blocks.count
        func isFinished(_ block: Int) -> Bool { sequence.finishes(with: block, of: count) }
        let numbers = layout.blocks.flatMap(\.numbers).map { digit in
            let isFinished = isFinished(digit.block)
            return SceneNode(
                digit, as: .lineNumber, track: isFinished ? 0 : 1, isFinished: isFinished)
        }
        var scene = Scene(
            of: layout,
            blocks: layout.blocks.indices.map {
                SceneBlock(
                    layout.blocks[$0], blocks[$0], entrance: .zero ... .zero, exit: nil)
            },
            nodes: layout.glyphs.map { glyph in
                let isFinished = isFinished(glyph.block)
                return SceneNode(glyph, track: isFinished ? 0 : 1, isFinished: isFinished)
            } + numbers
                + layout.titleBar.map {
                    SceneNode($0, as: .titleBar, track: 0, isFinished: true)
                },
            duration: .zero, loop: loop, appearance: appearance)
        scene.tracks = [.shown, hidden]
        scene.addParts(of: layout)
        for block in layout.blocks.indices {
            let isFinished = isFinished(block)
            var drawing = MarkDrawing(of: block, numbered: block, seed: appearance.seed)
            for mark in layout.blocks[block].marks {
                let words = layout.blocks[block].words(of: mark, in: layout.glyphs)
                drawing.add(mark.style, words, to: &scene, isFinished: isFinished) { _, _ in
                    isFinished ? 0 : 1
                }
            }
        }
        let box = layout.card ?? scene.canvas
        if layout.hasCardOfEachBlock || box != scene.canvas || layout.backdrop != nil {
            let card = scene.takeCard()
            if let backdrop = layout.backdrop { scene.addBackdrop(backdrop, track: 0) }
            let boxes =
                layout.hasCardOfEachBlock
                ? layout.blocks.indices.filter(isFinished).map {
                    layout.blocks[$0].cardBox(padding: layout.room.padding)
                } : [box]
            for box in boxes {
                if card.hasGround { scene.addGround(of: card, in: box, track: 0) }
                if let border = card.border { scene.addBorder(border, of: card, in: box, track: 0) }
            }
        }
        if let bar = layout.bar { scene.addBar(bar, track: 0) }
        try scene.joinGlyphs(layout.glyphs.count, until: deadline)
        return scene
    }
}
