extension SceneBuilder {
    /// Adds the picture behind everything, the card, unless it stands still on the whole canvas and
    /// on no picture, and the bar beside the text, once the canvas has its final size.
    ///
    /// Needs all other nodes and the size of the canvas.
    mutating func addCardAndBar() throws(SceneError) {
        guard !layout.hasCardOfEachBlock else { return try addCardOfEachBlock() }
        // The card and the bar move with the text on a canvas that has grown.
        let (text, before) = (scene.blocks[0].layout.rect, layout.blocks[0].rect)
        func moved(_ rect: Rect) -> Rect {
            rect.offset(byX: text.x - before.x, y: text.y - before.y)
        }
        let box = layout.card.map(moved) ?? scene.canvas
        if choreography.cardMotion != nil || box != scene.canvas || layout.backdrop != nil {
            let card = scene.takeCard()
            addBackdrop()
            try add(card, in: box, cardTime)
        }
        if var bar = layout.bar {
            bar.rect = moved(bar.rect)
            scene.addBar(bar, track: try cardTrack(of: .bar(bar), in: box, cardTime))
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

    /// When a card comes, and how.
    private struct CardTime {
        /// Nil for a card that stands.
        let motion: CardMotion?
        /// Seconds before `speed`.
        let start: Double
        /// The start of its exit in seconds before `speed`; nil for a card that stays.
        let exit: Double?
    }

    /// The time of the card behind all texts.
    private var cardTime: CardTime {
        CardTime(
            motion: choreography.cardMotion, start: choreography.timing.delay,
            exit: schedule.cardExit)
    }

    /// The seconds in which the card of a block comes and leaves, unless a request says how.
    private static let cardFade = 0.2

    /// Adds a card behind each block, which comes and leaves with it.
    private mutating func addCardOfEachBlock() throws(SceneError) {
        let card = scene.takeCard()
        addBackdrop()
        for block in schedule.phases.indices {
            try deadline.checkScene()
            let phases = schedule.phases[block]
            let start = phases[0].start
            let end = phases.last { $0.kind == .exit }?.end ?? schedule.total
            let own = choreography.cardMotion
            let duration = min(own?.duration ?? Self.cardFade, max(end - start, 0) / 2)
            let motion = CardMotion(
                own?.effect ?? .fade, duration: duration, easing: own?.easing ?? .easeOut,
                direction: own?.direction ?? .right)
            let box = scene.blocks[block].layout.cardBox(padding: layout.room.padding)
            let first = scene.nodes.count
            let exit = end - duration
            try add(card, in: box, CardTime(motion: motion, start: start, exit: exit))
            for node in first..<scene.nodes.count {
                scene.nodes[node].isFinished = scene.nodes[node].isFinished && isFinished(block)
            }
            let spans = motion.mask(of: box, from: start, to: exit, speed: speed)
            guard !spans.isEmpty else { continue }
            let mask = index(ofMask: spans)
            for node in first..<scene.nodes.count { scene.nodes[node].mask = mask }
        }
    }

    /// Adds the picture behind everything, if there is one.
    private mutating func addBackdrop() {
        guard let backdrop = layout.backdrop else { return }
        scene.addBackdrop(backdrop, track: scene.tracks.count)
        scene.tracks.append(.shown)
    }

    /// Adds the parts of a card as nodes, in place of a card on the whole canvas.
    private mutating func add(
        _ card: Card, in box: Rect, _ time: CardTime
    ) throws(SceneError) {
        if card.hasGround {
            scene.addGround(of: card, in: box, track: try cardTrack(of: .ground, in: box, time))
        }
        if let border = card.border {
            let track = try cardTrack(of: .border, in: box, time)
            scene.addBorder(border, of: card, in: box, track: track)
            if time.motion?.effect == .draw {
                let track = try cardTrack(of: .pen(width: border.width), in: box, time)
                scene.addPen(border, of: card, in: box, track: track)
            }
        }
        guard !layout.titleBar.isEmpty, choreography.cardMotion != nil,
            !layout.hasCardOfEachBlock
        else { return }
        let track = try cardTrack(of: .titleBar, in: box, time)
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
        of part: CardMotion.Part, in box: Rect, _ time: CardTime
    ) throws(SceneError) -> Int {
        guard let motion = time.motion else {
            scene.tracks.append(.shown)
            return scene.tracks.count - 1
        }
        let entrance = motion.entrance(of: part, in: box, on: scene.canvas)
        var phases = [
            Schedule.Entry(kind: .entrance, start: time.start, phase: entrance)
        ]
        if let exit = time.exit {
            phases.append(Schedule.Entry(kind: .exit, start: exit, phase: entrance.mirrored))
        }
        let castsShadow = choreography.blocks[0].paint.hasShadow
        try addTracks(phases, phases.map { _ in 0 }, castsShadow: castsShadow)
        return scene.tracks.count - 1
    }
}

extension BlockLayout {
    /// Returns the box of the block's own card, on whole pixels.
    func cardBox(padding: Double) -> Rect {
        let box = rect.grown(by: Margins(all: padding))
        let (left, top) = (box.x.rounded(.down), box.y.rounded(.down))
        return Rect(
            x: left, y: top, width: box.maxX.rounded(.up) - left,
            height: box.maxY.rounded(.up) - top)
    }
}
