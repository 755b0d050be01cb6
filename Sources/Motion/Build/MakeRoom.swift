extension SceneBuilder {
    /// Enlarges the canvas as far as it may grow for text that moves out of it, and adds the
    /// warning of text that still leaves it.
    ///
    /// Needs all nodes but those of the card and the bar, and `passing`.
    mutating func makeRoom() throws(SceneError) {
        dropWarningOfPassing()
        var warning = try warningOfMotion()
        if warning != nil, layout.room.holdsMotion, try growCanvas() {
            warning = try warningOfMotion()
        }
        if let warning { scene.warnings.append(warning) }
    }

    private func warningOfMotion() throws(SceneError) -> Warning? {
        try ClippingDetector.warning(
            of: scene, instances, passing: passing, in: layout.room, until: deadline)
    }

    /// Takes away the warning of text beyond a side that only glyphs which run through the canvas
    /// leave.
    private mutating func dropWarningOfPassing() {
        let room = layout.room
        guard !passing.isEmpty, room.isTextTooWide || room.isTextTooHigh else { return }
        let canvas = Rect(x: 0, y: 0, width: layout.width, height: layout.height)
        var cut = layout.blocks.reduce(into: [] as Edges) { cut, block in
            guard let marks = block.markBounds(in: layout.glyphs) else { return }
            cut.formUnion(canvas.sides(cutting: marks))
        }
        for index in layout.glyphs.indices {
            guard let ink = layout.glyphs[index].ink else { continue }
            let margins = choreography.blocks[layout.glyphs[index].block].paint.margins
            let place = layout.place(ofGlyph: index)
            let box = place.map { $0.map.bounds(of: ink.bounds) } ?? ink.bounds
            cut.formUnion(
                canvas.sides(cutting: box.grown(by: margins)).subtracting(passing[index] ?? []))
        }
        let isTooWide = room.isTextTooWide && !cut.isDisjoint(with: [.left, .right])
        let isTooHigh = room.isTextTooHigh && !cut.isDisjoint(with: [.top, .bottom])
        guard (isTooWide, isTooHigh) != (room.isTextTooWide, room.isTextTooHigh),
            let index = scene.warnings.firstIndex(where: { $0.code == .clipped && $0.block == nil })
        else { return }
        if isTooWide || isTooHigh {
            scene.warnings[index] = .clippedText(isTooWide: isTooWide, isTooHigh: isTooHigh)
        } else {
            scene.warnings.remove(at: index)
        }
    }

    /// Enlarges the canvas for nodes that move out of it, equally on opposite sides, where the text
    /// decides its size.
    ///
    /// - Returns: True if it has grown.
    private mutating func growCanvas() throws(SceneError) -> Bool {
        let room = layout.room
        guard !room.isWidthGiven || !room.isHeightGiven else { return false }
        let overflow = try ClippingDetector.overflow(
            of: scene, instances, passing: passing, until: deadline)
        func more(_ sides: Double..., beside length: Double, isGiven: Bool) -> Double {
            let most = max(((room.maximumSide - length) / 2).rounded(.down), 0)
            let wanted = sides.max() ?? 0
            return isGiven || wanted <= 0.01 ? 0 : min(wanted.rounded(.up), most)
        }
        let x = more(
            overflow.left, overflow.right, beside: scene.width, isGiven: room.isWidthGiven)
        let y = more(
            overflow.top, overflow.bottom, beside: scene.height, isGiven: room.isHeightGiven)
        guard x > 0 || y > 0 else { return false }
        scene.pad(byX: x, y: y)
        return true
    }
}
