extension SceneBuilder {
    /// Adds the picture behind everything, the card, unless it stands still on the whole canvas and
    /// on no picture, and the bar beside the text, once the canvas has its final size.
    ///
    /// Needs all other nodes and the size of the canvas.
    mutating func addCardAndBar() throws(SceneError) {
        // The card and the bar move with the text on a canvas that has grown.
        let (text, before) = (scene.blocks[0].layout.rect, layout.blocks[0].rect)
        func moved(_ rect: Rect) -> Rect {
            rect.offset(byX: text.x - before.x, y: text.y - before.y)
        }
        let box = layout.card.map(moved) ?? scene.canvas
        if choreography.cardMotion != nil || box != scene.canvas || layout.backdrop != nil {
            let card = scene.takeCard()
            addBackdrop()
            try add(card, in: box)
        }
        if var bar = layout.bar {
            bar.rect = moved(bar.rect)
            scene.addBar(bar, track: try cardTrack(of: .bar(bar), in: box))
        }
        let spans =
            choreography.cardMotion?.mask(
                of: box, from: choreography.timing.delay, to: schedule.cardExit, speed: speed)
            ?? []
        guard !spans.isEmpty else { return }
        let mask = index(ofMask: spans)
        for index in scene.nodes.indices
        where [.titleBar, .card, .bar].contains(scene.nodes[index].role.name) {
            scene.nodes[index].mask = mask
        }
    }

    /// Adds the picture behind everything, if there is one.
    private mutating func addBackdrop() {
        guard let backdrop = layout.backdrop else { return }
        scene.addBackdrop(backdrop, track: scene.tracks.count)
        scene.tracks.append(.shown)
    }

    /// Adds the parts of a card as nodes, in place of a card on the whole canvas.
    private mutating func add(_ card: Card, in box: Rect) throws(SceneError) {
        if card.hasGround {
            scene.addGround(of: card, in: box, track: try cardTrack(of: .ground, in: box))
        }
        if let border = card.border {
            let track = try cardTrack(of: .border, in: box)
            scene.addBorder(border, of: card, in: box, track: track)
            if choreography.cardMotion?.effect == .draw {
                let track = try cardTrack(of: .pen(width: border.width), in: box)
                scene.addPen(border, of: card, in: box, track: track)
            }
        }
        guard !layout.titleBar.isEmpty, choreography.cardMotion != nil else { return }
        let track = try cardTrack(of: .titleBar, in: box)
        for index in scene.nodes.indices where scene.nodes[index].role == .titleBar {
            let node = scene.nodes[index]
            scene.nodes[index] = SceneNode(
                node.glyph, as: node.role, track: track, isFinished: node.isFinished)
        }
    }

    /// Adds the tracks of a part of the card; the part always shows if the card does not move.
    ///
    /// - Returns: Its index.
    private mutating func cardTrack(
        of part: CardMotion.Part, in box: Rect
    ) throws(SceneError) -> Int {
        guard let motion = choreography.cardMotion else {
            scene.tracks.append(.shown)
            return scene.tracks.count - 1
        }
        let entrance = motion.entrance(of: part, in: box, on: scene.canvas)
        var phases = [
            Schedule.Entry(kind: .entrance, start: choreography.timing.delay, phase: entrance)
        ]
        if let exit = schedule.cardExit {
            phases.append(Schedule.Entry(kind: .exit, start: exit, phase: entrance.mirrored))
        }
        let castsShadow = choreography.blocks[0].paint.hasShadow
        try addTracks(phases, phases.map { _ in 0 }, castsShadow: castsShadow)
        return scene.tracks.count - 1
    }
}
