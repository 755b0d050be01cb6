extension SceneBuilder {
    /// Adds the card, if it moves, and the bar beside the text, once the canvas has its final size.
    ///
    /// Needs all other nodes and the size of the canvas.
    mutating func addCardAndBar() throws(SceneError) {
        if let motion = choreography.cardMotion { try addCard(motion) }
        if var bar = layout.bar {
            // The bar moves with the text on a canvas that has grown.
            let (rect, before) = (scene.blocks[0].layout.rect, layout.blocks[0].rect)
            bar.rect = bar.rect.offset(byX: rect.x - before.x, y: rect.y - before.y)
            scene.addBar(bar, track: try cardTrack(of: .bar(bar)))
        }
        let spans =
            choreography.cardMotion?.mask(
                on: (scene.width, scene.height), from: choreography.delay,
                to: schedule.cardExit, speed: speed) ?? []
        guard !spans.isEmpty else { return }
        let mask = index(ofMask: spans)
        for index in scene.nodes.indices.suffix(scene.cardNodeCount) {
            scene.nodes[index].mask = mask
        }
        for index in scene.nodes.indices where scene.nodes[index].role == .titleBar {
            scene.nodes[index].mask = mask
        }
    }

    /// Adds the parts of the card as nodes, in place of a card that stands still.
    private mutating func addCard(_ motion: CardMotion) throws(SceneError) {
        let card = scene.appearance.card
        scene.appearance.card = Card(background: .transparent)
        if card.hasGround {
            scene.addGround(of: card, track: try cardTrack(of: .ground))
        }
        if let border = card.border {
            scene.addBorder(border, of: card, track: try cardTrack(of: .border))
            if motion.effect == .draw {
                let track = try cardTrack(of: .pen(width: border.width))
                scene.addPen(border, of: card, track: track)
            }
        }
        guard !layout.titleBar.isEmpty else { return }
        let track = try cardTrack(of: .titleBar)
        for index in scene.nodes.indices where scene.nodes[index].role == .titleBar {
            let node = scene.nodes[index]
            scene.nodes[index] = SceneNode(
                node.glyph, as: node.role, track: track, isFinished: node.isFinished)
        }
    }

    /// Adds the tracks of a part of the card; the part always shows if the card does not move.
    ///
    /// - Returns: Its index.
    private mutating func cardTrack(of part: CardMotion.Part) throws(SceneError) -> Int {
        guard let motion = choreography.cardMotion else {
            scene.tracks.append(.shown)
            return scene.tracks.count - 1
        }
        let entrance = motion.entrance(of: part, on: (scene.width, scene.height))
        var phases = [
            Schedule.Entry(kind: .entrance, start: choreography.delay, phase: entrance)
        ]
        if let exit = schedule.cardExit {
            phases.append(Schedule.Entry(kind: .exit, start: exit, phase: entrance.mirrored))
        }
        let castsShadow = choreography.blocks[0].paint.hasShadow
        try addTracks(phases, phases.map { _ in 0 }, castsShadow: castsShadow)
        return scene.tracks.count - 1
    }
}
