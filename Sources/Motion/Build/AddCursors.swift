extension SceneBuilder {
    /// Adds the cursors, each with its steps beside the glyphs that show.
    ///
    /// Needs the glyphs, with their opacities over the whole cycle.
    mutating func addCursors() throws(SceneError) {
        for block in schedule.phases.indices where choreography.blocks[block].cursor != .none {
            try addCursor(of: block)
        }
    }

    private mutating func addCursor(of block: Int) throws(SceneError) {
        let own = choreography.blocks[block]
        let text = layout.blocks[block]
        let glyphs = layout.glyphs[text.glyphs]
        let path = CursorPath(
            CursorPositions(own.cursor, block: text, glyphs: glyphs), glyphs: glyphs,
            shown: try shownSpans(ofGlyphs: text.glyphs, of: block))
        let opacity = try blinking(of: block)
        let range = cursorTime(of: block)
        var steps = try path.steps(
            from: Instant(seconds: range.lowerBound / speed),
            to: Instant(seconds: range.upperBound / speed), until: deadline)
        guard let first = steps.first else { return }
        let turns = place(&steps, beside: text.glyphs)
        let beside = layout.glyphs[text.glyphs.lowerBound + first.glyph]
        let cursor = Glyph(
            block: block, line: beside.line, word: beside.word, text: "", start: 0,
            length: 0, isWhitespace: false, paint: .color(own.paint.fill.firstColor),
            hasBlockPaint: true,
            rect: first.position, baseline: beside.baseline, size: text.size,
            ink: Ink(shape: nil, details: [.line(first.position)], bounds: first.position))
        var tracks = GlyphTracks(opacity: opacity)
        tracks[.offsetX] = offsets(steps) { $0.x }
        tracks[.offsetY] = offsets(steps) { $0.y }
        tracks[.rotation] = turns
        add(cursor, as: .cursor, tracks)
    }

    /// Converts the steps of a cursor beside glyphs that have places: they count from the place of
    /// the first glyph, where the cursor stands.
    ///
    /// - Returns: The turns from that place; nil if there are none.
    private mutating func place(
        _ steps: inout [CursorPath.Step], beside glyphs: Range<Int>
    ) -> Track<Double>? {
        guard let first = layout.place(ofGlyph: glyphs.lowerBound + steps[0].glyph) else {
            return nil
        }
        cursorPlaces[scene.nodes.count] = first
        let back = first.map.inverse
        for index in steps.indices {
            let glyph = glyphs.lowerBound + steps[index].glyph
            guard let place = layout.place(ofGlyph: glyph) else { continue }
            let center = steps[index].position.center
            let target = back(place.map(center.vector))
            steps[index].position = steps[index].position
                .offset(byX: target.x - center.x, y: target.y - center.y)
            track.add(
                steps[index].instant.seconds, value: place.turn - first.turn, easing: .hold)
        }
        let turns = track.finish()
        return turns.count > 1 ? Track(keyframes: turns) : nil
    }

    /// Returns the spans in which each glyph shows, or a decoy in its place that counts for the
    /// cursor.
    private func shownSpans(
        ofGlyphs glyphs: Range<Int>, of block: Int
    ) throws(SceneError) -> [[Range<Instant>]] {
        var spans = glyphs.map {
            scene.tracks(ofNode: $0).opacity.shownSpans(until: scene.duration)
        }
        for entry in schedule.phases[block] {
            for (glyph, number) in entry.phase.assignment.enumerated() {
                try deadline.checkScene(every: 64)
                let tracks = entry.phase.tracks[number]
                let ramps = tracks.shownSpans.compactMap {
                    instants(
                        of: entry, from: tracks.delay + $0.start, to: tracks.delay + $0.end)
                }
                if !ramps.isEmpty { spans[glyph] = (spans[glyph] + ramps).joined }
            }
            for node in entry.phase.nodes where node.movesCursor {
                spans[node.glyph] += entry.phase.motions[node.motion].spans.compactMap {
                    instants(of: entry, from: $0.start, to: $0.end)
                }
                spans[node.glyph].sort { $0.lowerBound < $1.lowerBound }
            }
        }
        return spans
    }

    /// Returns the track of a coordinate counted from its first value; nil if it never changes.
    private mutating func offsets(
        _ steps: [CursorPath.Step], _ coordinate: (Rect) -> Double
    ) -> Track<Double>? {
        for step in steps {
            track.add(
                step.instant.seconds,
                value: coordinate(step.position) - coordinate(steps[0].position), easing: .hold)
        }
        let offsets = track.finish()
        return offsets.count > 1 ? Track(keyframes: offsets) : nil
    }

    /// Returns the time in which a block's cursor shows, in seconds before `speed`.
    private func cursorTime(of block: Int) -> ClosedRange<Double> {
        let isAlways = choreography.sequence == .together
        let last = schedule.phases.count - 1
        let start =
            block == 0 && choreography.sequence != .timed || isAlways
            ? schedule.texts.lowerBound : schedule.phases[block][0].start
        let isTimed = choreography.sequence == .timed
        var end =
            isTimed
            ? schedule.phases[block].last { $0.kind == .exit }?.end ?? start
            : block == last || isAlways
                ? schedule.texts.upperBound : schedule.phases[block + 1][0].start
        if let stay = choreography.blocks[block].cursorStay,
            let phase = schedule.phases[block].last(where: { $0.kind != .emphasis })
        {
            end = min(end, phase.end + stay)
        }
        return start...max(start, end)
    }

    /// Returns the opacity of a cursor that is solid before and while the text comes and goes,
    /// blinks while it stands and afterwards, and is off at the cycle's end.
    private mutating func blinking(of block: Int) throws(SceneError) -> Track<Double> {
        let range = cursorTime(of: block)
        let blink = choreography.blocks[block].cursorBlink
        let phases = schedule.phases[block].filter { $0.kind != .emphasis }
        let toggles = blink > 0 ? 2 * (range.upperBound - range.lowerBound) / blink : 0
        let count = Double(keyframes.used) + toggles
        guard toggles < 1 || count < Double(keyframes.limit) else {
            throw .tooManyKeyframes(count: Int(min(count, 1e9)), limit: keyframes.limit)
        }
        try keyframes.add(Int(toggles))
        track.reserveCapacity(Int(toggles) + 8)
        func add(_ time: Double, _ value: Double) {
            track.add(time / speed, value: value, easing: .hold)
        }
        if range.lowerBound > 0 { add(0, 0) }
        add(range.lowerBound, 1)
        for (index, entry) in phases.enumerated() where entry.start < range.upperBound {
            add(max(entry.start, range.lowerBound), 1)
            let next = index + 1 < phases.count ? phases[index + 1].start : schedule.total
            let end = min(next, range.upperBound)
            guard blink > 0 else { continue }
            var half = 1
            while entry.end + Double(half) * blink / 2 < end {
                add(entry.end + Double(half) * blink / 2, half.isMultiple(of: 2) ? 1 : 0)
                half += 1
            }
        }
        add(range.upperBound, 0)
        return Track(keyframes: track.finish())
    }
}
