extension SceneBuilder {
    /// Enlarges the canvas as far as it may grow for text that moves out of it, and adds the
    /// warning of text that still leaves it.
    ///
    /// Needs all nodes but those of the card and the bar, and `passing`.
    mutating func makeRoom() throws(SceneError) {
        dropWarningOfWidth()
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

    /// Takes away the warning that the text is too wide if only glyphs that run through the canvas
    /// leave it.
    private mutating func dropWarningOfWidth() {
        guard !passing.isEmpty, layout.room.isTextTooWide else { return }
        let canvas = Rect(x: 0, y: 0, width: layout.width, height: layout.height)
        let isCut = layout.glyphs.indices.contains { index in
            guard !passing.contains(index), let ink = layout.glyphs[index].ink else { return false }
            let margins = choreography.blocks[layout.glyphs[index].block].paint.margins
            let place = layout.place(ofGlyph: index)
            let box = place.map { $0.map.bounds(of: ink.bounds) } ?? ink.bounds
            return !canvas.holdsAcross(box.grown(by: margins))
        }
        let areMarksCut = layout.blocks.contains { block in
            block.markBounds(in: layout.glyphs).map { !canvas.holdsAcross($0) } ?? false
        }
        guard !isCut, !areMarksCut,
            let index = scene.warnings.firstIndex(where: { $0.code == .clipped && $0.block == nil })
        else { return }
        if layout.room.isTextTooHigh {
            scene.warnings[index] = .clippedText(isTooWide: false, isTooHigh: true)
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
