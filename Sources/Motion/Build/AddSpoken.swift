extension SceneBuilder {
    /// Changes the words that have times as they are said: their opacity, size, and colour.
    ///
    /// Needs the glyphs with their tracks, and gives those that change tracks of their own.
    mutating func addSpokenChanges() throws(SceneError) {
        for (block, style) in spokenBlocks {
            var known: [SpokenKey: Int] = [:]
            for word in layout.blocks[block].words {
                let change = SpokenChange(style, of: word, changesFill: hasPlainFill(block))
                guard change.changesAny else { continue }
                let center = layout.glyphs[word.glyphs].center
                for node in word.glyphs {
                    try deadline.checkScene(every: 16)
                    let upright = layout.place(ofGlyph: node) == nil
                    let own = layout.glyphs[node].rect.center
                    let key = SpokenKey(
                        track: scene.nodes[node].track, word: word.glyphs.lowerBound,
                        way: upright && style.scale != 1 ? own.vector - center.vector : .zero)
                    if known[key] == nil {
                        let tracks = change.changed(scene.tracks[key.track], by: key.way)
                        try keyframes.add(tracks.keyframeCount)
                        known[key] = scene.tracks.count
                        scene.tracks.append(tracks)
                    }
                    if let track = known[key] { scene.nodes[node].setTrack(track) }
                }
            }
        }
    }

    /// The blocks of which words change as they are said, with the style.
    private var spokenBlocks: [(block: Int, style: SpokenStyle)] {
        layout.blocks.indices.compactMap { block in
            guard !layout.blocks[block].words.isEmpty,
                let style = choreography.blocks[block].time?.spoken
            else { return nil }
            return (block, style)
        }
    }

    /// True if the colour of a block's glyphs is one, which may change, and no gradient, over which
    /// glyphs in another colour lie.
    private func hasPlainFill(_ block: Int) -> Bool {
        !choreography.blocks[block].paint.hasGradient
    }

    /// Adds the glyphs in another colour that lie over words: those that a sweep uncovers, and those
    /// over gradients.
    ///
    /// Needs the tracks of words that are said, and the masks and the parts of glyphs.
    mutating func addSpokenOverlays() throws(SceneError) {
        let parts = scene.nodes.indices.filter { scene.nodes[$0].role.name == .part }
        for (block, style) in spokenBlocks {
            for word in layout.blocks[block].words {
                let span =
                    Instant(seconds: word.start)..<Instant(seconds: max(word.start, word.end))
                let nodes =
                    Array(word.glyphs)
                    + parts.filter { word.glyphs.contains(scene.nodes[$0].role.source ?? -1) }
                if style.kind == .sweep, let color = style.color {
                    let end = style.pastColor == nil ? nil : span.upperBound
                    let sweeps = sweeps(over: word, of: block, in: span)
                    for node in nodes {
                        let glyph = scene.nodes[node].role.source ?? node
                        let sweep = sweeps.first { $0.glyphs.contains(glyph) }
                        try addOverlay(
                            of: node, in: color, span.lowerBound, end, sweep?.spans ?? [])
                    }
                }
                guard !hasPlainFill(block) else { continue }
                if style.kind == .color || style.kind == .box, let color = style.color {
                    for node in nodes {
                        try addOverlay(of: node, in: color, span.lowerBound, span.upperBound)
                    }
                }
                guard let color = style.pastColor else { continue }
                for node in nodes { try addOverlay(of: node, in: color, span.upperBound, nil) }
            }
        }
    }

    /// Adds a glyph, or a part of one, in a colour over itself.
    ///
    /// - Parameters:
    ///   - node: The node of the glyph or the part.
    ///   - color: The colour.
    ///   - start: The instant from which it shows.
    ///   - end: The instant at which it no longer does; nil for as long as its glyph.
    ///   - sweep: The spans of the mask that uncovers it.
    private mutating func addOverlay(
        of node: Int, in color: Color, _ start: Instant, _ end: Instant?, _ sweep: [MaskSpan] = []
    ) throws(SceneError) {
        try deadline.checkScene(every: 16)
        let own = scene.nodes[node]
        guard start < end ?? scene.duration, let glyph = own.glyph.overlaid(in: color) else {
            return
        }
        var tracks = scene.tracks[own.track]
        tracks.fill = nil
        tracks.opacity = tracks.opacity.multiplied(by: .shown(from: start, to: end))
        try keyframes.add(tracks.keyframeCount)
        let isKnown = scene.tracks.last == tracks
        if !isKnown { scene.tracks.append(tracks) }
        var overlay = SceneNode(
            glyph, as: .overlay(of: own.role.source ?? node), track: scene.tracks.count - 1,
            isFinished: false)
        overlay.mask = own.mask
        if !sweep.isEmpty {
            let masks = own.mask.map { scene.masks[$0] } ?? []
            overlay.mask = index(ofMask: MaskSpan.intersections(of: masks, and: sweep))
        }
        scene.nodes.append(overlay)
    }
}

// MARK: Sweeps

/// A part of a word that is read in one direction on one line, and the mask that runs over it.
private struct Sweep {
    let glyphs: Range<Int>
    let spans: [MaskSpan]
}

extension SceneBuilder {
    /// Returns the sweeps over the parts of a word, which follow each other in the order in which
    /// they are read and share its time by their widths.
    ///
    /// The mask of each opens from the side at which its part begins, over the shaped glyphs of all
    /// of it.
    private func sweeps(
        over word: TimedWord, of block: Int, in span: Range<Instant>
    ) -> [Sweep] {
        let runs = visualRuns(of: word.glyphs, in: block)
        let widths = runs.map(\.box.width)
        let all = widths.reduce(0, +)
        let ticks = Double(span.upperBound.ticks - span.lowerBound.ticks)
        var passed = 0.0
        return zip(runs, widths).map { run, width in
            func instant(_ way: Double) -> Instant {
                Instant(
                    ticks: span.lowerBound.ticks + Int((ticks * way / max(all, 1e-9)).rounded()))
            }
            let (start, end) = (instant(passed), instant(passed + width))
            passed += width
            // Ink may reach beyond its box where the part begins, and above and below it.
            let reach = layout.blocks[block].size
            let box = run.box.grown(
                by: Margins(
                    left: run.isLeftToRight ? reach : 0, top: reach,
                    right: run.isLeftToRight ? 0 : reach, bottom: reach))
            var first = box
            first.width = reach
            if !run.isLeftToRight { first.x = box.maxX - reach }
            var spans: [MaskSpan] = []
            if span.lowerBound < start {
                spans.append(MaskSpan(start: span.lowerBound, end: start, rect: first))
            }
            if start < end {
                spans.append(
                    MaskSpan(
                        start: start, end: end, rect: box,
                        opening: MaskOpening(from: first, easing: .linear)))
            }
            return Sweep(glyphs: run.glyphs, spans: spans)
        }
    }

    /// Returns the parts of a word that lie on one line and are read in one direction, in the order
    /// in which they are read, without white space.
    private func visualRuns(
        of word: Range<Int>, in block: Int
    ) -> [(glyphs: Range<Int>, box: Rect, isLeftToRight: Bool)] {
        let lines = layout.blocks[block].lines
        var runs: [(glyphs: Range<Int>, box: Rect, isLeftToRight: Bool)] = []
        var last: (line: Int, isLeftToRight: Bool)?
        for index in word {
            let glyph = layout.glyphs[index]
            let run = lines[glyph.line].runs.first { $0.glyphs.contains(index) }
            let isLeftToRight = (run?.direction ?? lines[glyph.line].direction) == .leftToRight
            if let last, last == (glyph.line, isLeftToRight), let own = runs.indices.last {
                runs[own].glyphs = runs[own].glyphs.lowerBound..<index + 1
                if !glyph.isWhitespace { runs[own].box = runs[own].box.union(glyph.rect) }
            } else if !glyph.isWhitespace {
                runs.append((index..<index + 1, glyph.rect, isLeftToRight))
                last = (glyph.line, isLeftToRight)
            }
        }
        return runs
    }
}

// MARK: Boxes

extension SceneBuilder {
    /// Adds the boxes behind words that are said.
    ///
    /// Needs the tracks of glyphs, and lies behind all of them and their copies.
    mutating func addSpokenBoxes() throws(SceneError) {
        for (block, style) in spokenBlocks
        where style.kind == .box && !style.box.isTransparent {
            let words = layout.blocks[block].words
            var last: (word: TimedWord, run: (glyphs: Range<Int>, box: Rect, isLeftToRight: Bool))?
            for (number, word) in words.enumerated() {
                let runs = visualRuns(of: word.glyphs, in: block)
                var end = word.end
                if style.boxMotion == .slide, number + 1 < words.count {
                    end = max(words[number + 1].start, word.start)
                }
                for (line, lineRuns) in lineParts(of: runs) {
                    let box = wordBox(around: lineRuns, on: line, of: block)
                    var from: Rect?
                    if style.boxMotion == .slide, runs.count == 1, let last,
                        layout.glyphs[last.run.glyphs.lowerBound].line == line
                    {
                        from = wordBox(around: [last.run], on: line, of: block)
                    }
                    try addBox(
                        box, style.box, from: from, behind: lineRuns[0].glyphs.lowerBound,
                        Instant(seconds: word.start)..<Instant(seconds: max(word.start, end)))
                }
                last = runs.last.map { (word, $0) }
            }
        }
    }

    private typealias VisualRun = (glyphs: Range<Int>, box: Rect, isLeftToRight: Bool)

    /// Returns the runs of a word by their lines.
    private func lineParts(of runs: [VisualRun]) -> [(line: Int, runs: [VisualRun])] {
        var parts: [(line: Int, runs: [VisualRun])] = []
        for run in runs {
            let line = layout.glyphs[run.glyphs.lowerBound].line
            if let last = parts.indices.last, parts[last].line == line {
                parts[last].runs.append(run)
            } else {
                parts.append((line, [run]))
            }
        }
        return parts
    }

    /// Returns the box behind a part of a word: as high as the line's letters, and a little wider
    /// than the part.
    private func wordBox(around runs: [VisualRun], on line: Int, of block: Int) -> Rect {
        let (em, baseline) = (layout.blocks[block].size, layout.blocks[block].lines[line].baseline)
        let all = runs.dropFirst().reduce(runs[0].box) { $0.union($1.box) }
        var (top, bottom) = (baseline - 0.74 * em, baseline + 0.22 * em)
        for index in layout.blocks[block].glyphs where layout.glyphs[index].line == line {
            guard let ink = layout.glyphs[index].ink?.bounds else { continue }
            (top, bottom) = (min(top, ink.y), max(bottom, ink.maxY))
        }
        return Rect(x: all.x, y: top, width: all.width, height: bottom - top)
            .grown(by: Margins(left: 0.16 * em, top: 0.1 * em, right: 0.16 * em, bottom: 0.1 * em))
    }

    /// The most seconds in which a box slides to its word.
    private static let slide = 0.15

    private mutating func addBox(
        _ box: Rect, _ paint: Paint, from: Rect?, behind glyph: Int, _ span: Range<Instant>
    ) throws(SceneError) {
        guard !span.isEmpty else { return }
        var tracks = GlyphTracks(
            opacity: scene.tracks(ofNode: glyph).opacity.multiplied(
                by: .shown(from: span.lowerBound, to: span.upperBound)))
        if let from {
            let ticks = min(
                Int(Self.slide * Instant.perSecond), span.upperBound.ticks - span.lowerBound.ticks)
            func track(_ first: Double, _ last: Double) -> Track<Double>? {
                guard first != last else { return nil }
                return Track(keyframes: [
                    Keyframe(span.lowerBound, value: first, easing: .easeOut),
                    Keyframe(
                        Instant(ticks: span.lowerBound.ticks + ticks), value: last, easing: .linear),
                ])
            }
            tracks[.offsetX] = track(from.center.x - box.center.x, 0)
            tracks[.offsetY] = track(from.center.y - box.center.y, 0)
            tracks[.scaleX] = track(from.width / max(box.width, 1e-3), 1)
            tracks[.scaleY] = track(from.height / max(box.height, 1e-3), 1)
        }
        try keyframes.add(tracks.keyframeCount)
        scene.tracks.append(tracks)
        let em = layout.glyphs[glyph].size
        let shape = Ink.Shape(
            outline: scene.definitions.outlines.count, origin: Point(x: box.x, y: box.maxY),
            scale: 1)
        scene.definitions.outlines.append(
            .box(
                box.width, box.height, radius: min(0.2 * em, box.width / 2, box.height / 2),
                insets: [0]))
        var shown = layout.glyphs[glyph]
        (shown.text, shown.length) = ("", 0)
        (shown.paint, shown.hasBlockPaint) = (paint, false)
        shown.rect = box
        shown.ink = Ink(shape: shape, details: [], bounds: box)
        scene.nodes.append(
            SceneNode(shown, as: .wordBox, track: scene.tracks.count - 1, isFinished: false))
    }
}

// MARK: Tracks

/// A track that words share, and the way from their middle to that of a glyph.
private struct SpokenKey: Hashable {
    let track: Int
    /// The first glyph of the word.
    let word: Int
    /// CSS pixels.
    let way: SIMD2<Double>
}

/// The changes of one word as it is said.
private struct SpokenChange {
    private let style: SpokenStyle
    private let start: Instant
    private let end: Instant
    private let changesFill: Bool

    /// The most ticks of a change of opacity or size.
    private static let ramp = 1200

    init(_ style: SpokenStyle, of word: TimedWord, changesFill: Bool) {
        self.style = style
        self.changesFill = changesFill
        start = Instant(seconds: word.start)
        end = Instant(seconds: max(word.start, word.end))
    }

    /// The colour while the word is said; nil for its own.
    private var color: Color? {
        changesFill && (style.kind == .color || style.kind == .box) ? style.color : nil
    }

    private var pastColor: Color? { changesFill ? style.pastColor : nil }

    var changesAny: Bool {
        style.scale != 1 || style.upcomingOpacity != 1 || style.pastOpacity != 1 || color != nil
            || pastColor != nil
    }

    /// Returns tracks with the changes.
    ///
    /// - Parameters:
    ///   - tracks: The tracks of a glyph.
    ///   - way: The way from the middle of the word to that of the glyph, in CSS pixels.
    func changed(_ tracks: GlyphTracks, by way: SIMD2<Double>) -> GlyphTracks {
        var changed = tracks
        if style.upcomingOpacity != 1 || style.pastOpacity != 1 {
            changed.opacity = tracks.opacity.multiplied(
                by: course(style.upcomingOpacity, 1, style.pastOpacity))
        }
        if style.scale != 1 {
            let course = course(1, style.scale, 1)
            changed[.scale] = (tracks[.scale] ?? Track(keyframes: [Keyframe(.zero, value: 1)]))
                .multiplied(by: course)
            for (property, distance) in [(Property.offsetX, way.x), (.offsetY, way.y)]
            where distance != 0 || tracks[property] != nil {
                let own = tracks[property]?.keyframes ?? [Keyframe(.zero, value: 0)]
                let joined = JoinedTracks.joined([own, course.keyframes], tolerance: 0.01) {
                    SIMD4($0[0] * $0[1] + ($0[1] - 1) * distance, 0, 0, 0)
                }
                changed[property] = Track(
                    keyframes: joined.map {
                        Keyframe($0.time, value: $0.value.x, easing: $0.easing)
                    }
                )
            }
        }
        if color != nil || pastColor != nil { changed.fill = painted(tracks.fill) }
        return changed
    }

    /// Returns a number before, while, and after the word is said.
    private func course(_ before: Double, _ during: Double, _ after: Double) -> Track<Double> {
        let ticks = min(Self.ramp, max((end.ticks - start.ticks) / 2, 1))
        var keyframes = [Keyframe(start, value: before, easing: Easing.easeOut)]
        keyframes.append(
            Keyframe(Instant(ticks: start.ticks + ticks), value: during, easing: .hold))
        if after != during {
            let leaving = max(end, Instant(ticks: start.ticks + ticks + 1))
            keyframes.append(Keyframe(leaving, value: during, easing: .easeOut))
            keyframes.append(Keyframe(Instant(ticks: leaving.ticks + ticks), value: after))
        }
        if before == during { keyframes.removeFirst() }
        return Track(keyframes: keyframes)
    }

    /// Returns the colours of a glyph with those of the word: its own ones elsewhere.
    private func painted(_ fill: Track<ColorMix>?) -> Track<ColorMix> {
        let own = fill ?? Track(keyframes: [Keyframe(.zero, value: .own)])
        var keyframes = own.keyframes.filter { $0.time < start }
        func add(_ instant: Instant, _ value: ColorMix, _ easing: Easing) {
            if let last = keyframes.indices.last, keyframes[last].easing != .hold {
                // A change that the word interrupts goes on up to it.
                let before = Instant(ticks: instant.ticks - 1)
                if keyframes[last].time < before {
                    keyframes.append(Keyframe(before, value: own.value(at: before), easing: .hold))
                }
                keyframes[keyframes.count - 1].easing = .hold
            }
            keyframes.append(Keyframe(instant, value: value, easing: easing))
        }
        if keyframes.isEmpty, start > .zero {
            keyframes.append(Keyframe(.zero, value: own.value(at: .zero), easing: .hold))
        }
        if start < end { add(start, color.map { ColorMix($0) } ?? own.value(at: start), .hold) }
        if let pastColor {
            add(end, ColorMix(pastColor), .hold)
        } else {
            add(end, own.value(at: end), .hold)
            keyframes += own.keyframes.filter { $0.time > end }
        }
        return Track(keyframes: keyframes)
    }
}

extension Track<Double> {
    /// An opacity of 1 from one instant to another, or to the end, and of 0 before and after.
    fileprivate static func shown(from start: Instant, to end: Instant?) -> Track<Double> {
        var keyframes = [Keyframe(start, value: 1.0, easing: Easing.hold)]
        if start > .zero { keyframes.insert(Keyframe(.zero, value: 0, easing: .hold), at: 0) }
        if let end, end > start { keyframes.append(Keyframe(end, value: 0, easing: .hold)) }
        return Track(keyframes: keyframes)
    }

    /// Returns the product with another track.
    fileprivate func multiplied(by other: Track<Double>) -> Track<Double> {
        Track(keyframes: JoinedTracks.product([keyframes, other.keyframes]))
    }
}

extension GlyphTracks {
    /// The number of keyframes.
    fileprivate var keyframeCount: Int {
        others.reduce(opacity.keyframes.count + (fill?.keyframes.count ?? 0)) {
            $0 + $1.track.keyframes.count
        }
    }
}

extension ArraySlice<Glyph> {
    /// The middle of the boxes of all glyphs that are no white space.
    fileprivate var center: Point {
        var box: Rect?
        for glyph in self where !glyph.isWhitespace {
            box = box?.union(glyph.rect) ?? glyph.rect
        }
        return box?.center ?? .zero
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
