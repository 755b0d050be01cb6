extension SceneBuilder {
    /// Adds the glyphs that stand in for those of words in another colour: where a sweep passes, and
    /// over gradients, which cannot change.
    ///
    /// Needs the tracks of words that are said, and the masks and the parts of glyphs.
    mutating func addSpokenOverlays() throws(SceneError) {
        var hidden: [HiddenKey: Int] = [:]
        var number = 0
        let parts = scene.nodes.indices.filter { scene.nodes[$0].role.name == .part }
        for (block, style) in spokenBlocks {
            for word in layout.blocks[block].words {
                let (start, end) = (word.firstInstant, word.endInstant)
                let nodes =
                    Array(word.glyphs)
                    + parts.filter { word.glyphs.contains(scene.nodes[$0].role.source ?? -1) }
                var overlays: [SpokenOverlay] = []
                if style.kind == .sweep, let color = style.color {
                    let sweeps = sweeps(over: word, of: block, scale: style.scale)
                    overlays.append(
                        SpokenOverlay(nil, from: start, to: end, sweeps.map(\.uncovered)))
                    overlays.append(
                        SpokenOverlay(
                            color, from: start, to: style.pastColor == nil ? nil : end,
                            sweeps.map(\.covered)))
                }
                if !hasPlainFill(block) {
                    if style.kind != .sweep, let color = style.color {
                        overlays.append(SpokenOverlay(color, from: start, to: end))
                    }
                    if let color = style.pastColor {
                        overlays.append(SpokenOverlay(color, from: end, to: nil))
                    }
                }
                guard let first = overlays.first, let last = overlays.last else { continue }
                let covered = nodes.filter {
                    scene.nodes[$0].glyph.overlaid(in: SpokenStyle.usualColor) != nil
                }
                for overlay in overlays {
                    number += 1
                    for node in covered { try add(overlay, number, of: node) }
                }
                for node in covered {
                    try hideFill(of: node, from: first.start, to: last.end, &hidden)
                }
            }
        }
    }

    /// Adds a glyph, or a part of one, over itself.
    private mutating func add(
        _ overlay: SpokenOverlay, _ number: Int, of node: Int
    ) throws(SceneError) {
        try deadline.checkScene(every: 16)
        let own = scene.nodes[node]
        guard overlay.start < overlay.end ?? scene.duration,
            let glyph = overlay.color.map({ own.glyph.overlaid(in: $0) }) ?? own.glyph
        else { return }
        var tracks = scene.tracks[own.track]
        if overlay.color != nil { tracks.fill = nil }
        tracks.opacity = tracks.opacity.multiplied(
            by: .shown(from: overlay.start, to: overlay.end))
        try keyframes.add(tracks.keyframeCount)
        if scene.tracks.last != tracks { scene.tracks.append(tracks) }
        let source = own.role.source ?? node
        var added = SceneNode(
            glyph, as: .overlay(of: source), track: scene.tracks.count - 1, isFinished: false)
        added.overlayNumber = number
        added.mask = own.mask
        if let sweep = overlay.sweeps.first(where: { $0.glyphs.contains(source) }) {
            let masks = own.mask.map { scene.masks[$0] } ?? []
            added.mask = index(ofMask: MaskSpan.intersections(of: masks, and: sweep.spans))
        }
        scene.nodes.append(added)
    }

    /// Hides the fill of a node, but not what lies beneath it, while others stand in for it.
    private mutating func hideFill(
        of node: Int, from start: Instant, to end: Instant?, _ known: inout [HiddenKey: Int]
    ) throws(SceneError) {
        guard start < end ?? scene.duration else { return }
        let key = HiddenKey(track: scene.nodes[node].track, start: start, end: end)
        if known[key] == nil {
            var tracks = scene.tracks[key.track]
            let shown = Track<Double>.shown(from: start, to: end).keyframes.map {
                Keyframe($0.time, value: 1 - $0.value, easing: $0.easing)
            }
            tracks.opacity = tracks.opacity.multiplied(by: Track(keyframes: shown))
            try keyframes.add(tracks.keyframeCount)
            known[key] = scene.tracks.count
            scene.tracks.append(tracks)
        }
        if let track = known[key] { scene.nodes[node].track = track }
    }
}

/// Glyphs of a word over themselves.
private struct SpokenOverlay {
    /// Nil for the glyph's own paint.
    let color: Color?
    let start: Instant
    /// Nil for as long as the glyph shows.
    let end: Instant?
    /// The masks of the parts of the word; none for glyphs that are not cut.
    let sweeps: [SweepMask]

    init(
        _ color: Color?, from start: Instant, to end: Instant?, _ sweeps: [SweepMask] = []
    ) {
        (self.color, self.start, self.end, self.sweeps) = (color, start, end, sweeps)
    }
}

/// A track of glyphs whose fill is hidden for a while.
private struct HiddenKey: Hashable {
    let track: Int
    let start: Instant
    let end: Instant?
}

/// The mask of a part of a word.
private struct SweepMask {
    let glyphs: Range<Int>
    let spans: [MaskSpan]
}

extension SceneBuilder {
    /// Returns the masks of the parts of a word, over which the sweep passes one after another, in the
    /// order in which they are read: they share its time by their widths.
    ///
    /// Each sweep runs from the side at which its part begins, over the shaped glyphs of all of it.
    ///
    /// - Returns: The masks of what is covered with the colour, and of what is not covered yet.
    private func sweeps(
        over word: TimedWord, of block: Int, scale: Double
    ) -> [(covered: SweepMask, uncovered: SweepMask)] {
        let runs = visualRuns(of: word.glyphs, in: block)
        let all = runs.reduce(0) { $0 + $1.box.width }
        let center = layout.glyphs[word.glyphs].center
        let (first, last) = (word.firstInstant, word.endInstant)
        let ticks = Double(last.ticks - first.ticks)
        var passed = 0.0
        return runs.map { run in
            func instant(_ way: Double) -> Instant {
                Instant(ticks: first.ticks + Int((ticks * way / max(all, 1e-9)).rounded()))
            }
            let start = instant(passed)
            passed += run.box.width
            let end = instant(passed)
            let ways = SweepWay(
                over: run.box.scaled(by: scale, about: center), fromLeft: run.isLeftToRight,
                reach: layout.blocks[block].size)
            func mask(_ from: Rect, _ to: Rect) -> SweepMask {
                let spans = [
                    MaskSpan(start: first, end: start, rect: from),
                    MaskSpan(
                        start: start, end: end, rect: to,
                        opening: MaskOpening(from: from, easing: .linear)),
                    MaskSpan(start: end, end: last, rect: to),
                ]
                return SweepMask(glyphs: run.glyphs, spans: spans.filter { $0.start < $0.end })
            }
            return (
                mask(ways.covered(0), ways.covered(1)), mask(ways.uncovered(0), ways.uncovered(1))
            )
        }
    }
}

/// The boxes on either side of the line that sweeps over a part of a word.
private struct SweepWay {
    private let box: Rect
    private let isFromLeft: Bool
    /// How far ink may reach beyond its box, in CSS pixels.
    private let reach: Double

    /// CSS pixels by which what is not covered yet goes on beneath what is, so that no seam shows.
    private static let overlap = 1.0

    init(over box: Rect, fromLeft isFromLeft: Bool, reach: Double) {
        self.box = box
        self.isFromLeft = isFromLeft
        self.reach = reach
    }

    /// Returns the box of what is covered once a share of the way is done.
    func covered(_ share: Double) -> Rect {
        part(from: -reach, to: box.width * share)
    }

    /// Returns the box of what is not covered once a share of the way is done.
    func uncovered(_ share: Double) -> Rect {
        part(from: box.width * share - Self.overlap, to: box.width + reach)
    }

    /// Returns a part of the box, in CSS pixels from the side at which it begins.
    private func part(from start: Double, to end: Double) -> Rect {
        Rect(
            x: isFromLeft ? box.x + start : box.maxX - end, y: box.y - reach, width: end - start,
            height: box.height + 2 * reach)
    }
}

extension MaskSpan {
    /// Returns the spans in which any of two masks cuts; where both do, the part that both leave.
    fileprivate static func intersections(
        of masks: [MaskSpan], and sweeps: [MaskSpan]
    ) -> [MaskSpan] {
        guard !masks.isEmpty else { return sweeps }
        let instants = Set((masks + sweeps).flatMap { [$0.start, $0.end] }).sorted()
        return zip(instants, instants.dropFirst()).compactMap { start, end in
            let both = [masks, sweeps].compactMap { spans in
                spans.first { $0.start <= start && end <= $0.end }?.part(from: start, to: end)
            }
            guard let first = both.first else { return nil }
            guard both.count == 2 else { return first }
            var joined = MaskSpan(
                start: start, end: end, rect: first.rect.intersection(both[1].rect))
            let openings = both.map { $0.opening?.from ?? $0.rect }
            let from = openings[0].intersection(openings[1])
            if from != joined.rect { joined.opening = MaskOpening(from: from, easing: .linear) }
            return joined
        }
    }

    /// Returns a part of the span.
    private func part(from start: Instant, to end: Instant) -> MaskSpan {
        let last = Instant(ticks: end.ticks - 1)
        var part = self
        (part.start, part.end) = (start, end)
        guard opening != nil else { return part }
        part.rect = end == self.end ? rect : rect(at: last)
        part.opening = MaskOpening(from: rect(at: start), easing: .linear)
        return part
    }
}
