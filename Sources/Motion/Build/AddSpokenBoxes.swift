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
                for (line, lineRuns) in boxedParts(of: word.glyphs, runs, in: block) {
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

    /// Returns the runs of a word that have a box together: those of a line between which no other word stands.
    /// Punctuation alone, which may stand at the other end of its line, has none.
    private func boxedParts(
        of word: Range<Int>, _ runs: [VisualRun], in block: Int
    ) -> [(line: Int, runs: [VisualRun])] {
        var parts: [(line: Int, runs: [VisualRun])] = []
        for run in runs {
            let line = layout.glyphs[run.glyphs.lowerBound].line
            if let last = parts.last, last.line == line, let neighbour = last.runs.last,
                !isApart(neighbour.box, run.box, on: line, of: word, in: block)
            {
                parts[parts.count - 1].runs.append(run)
            } else {
                parts.append((line, [run]))
            }
        }
        let lettered = parts.filter { part in
            part.runs.contains { run in
                run.glyphs.contains {
                    !layout.glyphs[$0].isWhitespace && !layout.glyphs[$0].isPunctuation
                }
            }
        }
        return lettered.isEmpty ? parts : lettered
    }

    /// Returns true if a glyph that is no part of a word stands between two boxes of it on a line.
    private func isApart(
        _ one: Rect, _ other: Rect, on line: Int, of word: Range<Int>, in block: Int
    ) -> Bool {
        let between = min(one.maxX, other.maxX)...max(one.x, other.x, min(one.maxX, other.maxX))
        return layout.blocks[block].glyphs.contains { index in
            let glyph = layout.glyphs[index]
            return !word.contains(index) && !glyph.isWhitespace
                && glyph.line == line && between.contains(glyph.rect.center.x)
        }
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
        // Another weight may stand in for the glyph.
        let shown = instances.opacities[glyph] ?? scene.tracks(ofNode: glyph).opacity
        var tracks = GlyphTracks(
            opacity: shown.multiplied(
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
        var drawn = layout.glyphs[glyph]
        (drawn.text, drawn.length) = ("", 0)
        (drawn.paint, drawn.hasBlockPaint) = (paint, false)
        drawn.rect = box
        drawn.ink = Ink(shape: shape, details: [], bounds: box)
        scene.nodes.append(
            SceneNode(drawn, as: .wordBox, track: scene.tracks.count - 1, isFinished: false))
    }
}

extension Glyph {
    fileprivate var isPunctuation: Bool {
        text.unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation,
                .initialPunctuation, .finalPunctuation, .otherPunctuation:
                true
            default: false
            }
        }
    }
}
