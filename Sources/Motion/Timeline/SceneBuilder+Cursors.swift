// The typing cursors: one a block that has one.
extension SceneBuilder {
    mutating func addCursors(_ limits: SceneLimits) throws(SceneError) {
        for block in schedule.phases.indices where choreography.blocks[block].cursor != .none {
            try addCursor(of: block, limits)
        }
    }

    private mutating func addCursor(of block: Int, _ limits: SceneLimits) throws(SceneError) {
        let own = choreography.blocks[block]
        let layout = scene.layout.blocks[block]
        let walk = CursorWalk(
            places: CursorPlaces(
                own.cursor, block: layout, glyphs: scene.layout.glyphs[layout.glyphs]),
            glyphs: scene.layout.glyphs[layout.glyphs],
            shown: layout.glyphs.map {
                scene.tracks(ofGlyph: $0).opacity.shownSpans(until: scene.duration)
            })
        let opacity = try blinking(of: block, limits)
        let range = range(of: block)
        let steps = walk.steps(
            from: Instant(seconds: range.lowerBound / speed),
            to: Instant(seconds: range.upperBound / speed))
        guard let first = steps.first else { return }
        let beside = scene.layout.glyphs[layout.glyphs.lowerBound + first.glyph]
        let cursor = Glyph(
            block: block, line: beside.line, word: beside.word, role: .cursor, text: "", start: 0,
            length: 0, isWhitespace: false, color: own.color, hasBlockColor: true,
            rect: first.place, baseline: beside.baseline, size: layout.size,
            ink: Ink(shape: nil, details: [.line(first.place)], bounds: first.place))
        var tracks = GlyphTracks(opacity: opacity)
        func offsets(_ length: (Rect) -> Double) -> Track? {
            var builder = TrackBuilder(capacity: steps.count)
            for step in steps {
                builder.add(
                    step.instant.seconds, length(step.place) - length(first.place), .hold)
            }
            let track = builder.track()
            return track.keyframes.count > 1 ? track : nil
        }
        tracks.offsetX = offsets { $0.x }
        tracks.offsetY = offsets { $0.y }
        add(cursor, tracks)
    }

    /// When a block's cursor shows, in seconds before `speed`.
    private func range(of block: Int) -> ClosedRange<Double> {
        let isAlways = choreography.sequence == .together
        let last = schedule.phases.count - 1
        let start = block == 0 || isAlways ? 0 : schedule.phases[block][0].start
        let end =
            block == last || isAlways ? schedule.total : schedule.phases[block + 1][0].start
        return start...max(start, end)
    }

    /// Solid before and in phases, blinking between and after them, off at the cycle's end.
    private func blinking(of block: Int, _ limits: SceneLimits) throws(SceneError) -> Track {
        let range = range(of: block)
        let blink = choreography.blocks[block].cursorBlink
        let phases = schedule.phases[block]
        let toggles = blink > 0 ? 2 * (range.upperBound - range.lowerBound) / blink : 0
        guard toggles < Double(limits.keyframes) else {
            throw .tooManyKeyframes(count: Int(min(toggles, 1e9)), limit: limits.keyframes)
        }
        var opacity = TrackBuilder(capacity: Int(toggles) + 8)
        func add(_ time: Double, _ value: Double) {
            opacity.add(time / speed, value, .hold)
        }
        if range.lowerBound > 0 { add(0, 0) }
        add(range.lowerBound, 1)
        for (number, placed) in phases.enumerated() where placed.start < range.upperBound {
            add(max(placed.start, range.lowerBound), 1)
            let next = number + 1 < phases.count ? phases[number + 1].start : schedule.total
            let end = min(next, range.upperBound)
            guard blink > 0 else { continue }
            var half = 1
            while placed.end + Double(half) * blink / 2 < end {
                add(placed.end + Double(half) * blink / 2, half.isMultiple(of: 2) ? 1 : 0)
                half += 1
            }
        }
        add(range.upperBound, 0)
        return opacity.track()
    }
}

/// Follows the glyph that began to show last.
private struct CursorWalk {
    let places: CursorPlaces
    let glyphs: ArraySlice<Glyph>
    /// For each glyph when it shows.
    let shown: [[Range<Instant>]]

    struct Step {
        let instant: Instant
        let place: Rect
        /// Index in the block of the glyph that it stands beside.
        let glyph: Int
    }

    /// Where the cursor stands from which instant on; the first at `start`.
    func steps(from start: Instant, to end: Instant) -> [Step] {
        var instants: Set<Instant> = [start]
        for spans in shown {
            for span in spans {
                for edge in [span.lowerBound, span.upperBound] where edge > start && edge < end {
                    instants.insert(edge)
                }
            }
        }
        var steps: [Step] = []
        for instant in instants.sorted() {
            let beside = glyph(at: instant)
            let place = beside.map(places.behind) ?? places.start
            if steps.last?.place != place {
                steps.append(Step(instant: instant, place: place, glyph: beside ?? 0))
            }
        }
        return steps
    }

    /// The glyph that the cursor stands behind; nil while none shows.
    private func glyph(at instant: Instant) -> Int? {
        var newest: (since: Instant, glyph: Int)?
        for (index, spans) in shown.enumerated()
        where !glyphs[glyphs.startIndex + index].isWhitespace {
            guard let since = Self.since(spans, instant) else { continue }
            if since >= newest?.since ?? .zero { newest = (since, index) }
        }
        guard var glyph = newest?.glyph else { return nil }
        // It stands after the visible white space that follows on the line.
        let line = glyphs[glyphs.startIndex + glyph].line
        while glyph + 1 < shown.count, glyphs[glyphs.startIndex + glyph + 1].isWhitespace,
            glyphs[glyphs.startIndex + glyph + 1].line == line,
            Self.since(shown[glyph + 1], instant) != nil
        {
            glyph += 1
        }
        return glyph
    }

    private static func since(_ spans: [Range<Instant>], _ instant: Instant) -> Instant? {
        spans.first { $0.contains(instant) }?.lowerBound
    }
}

extension Track {
    /// When an opacity is above 0; a ramp from or to more than 0 counts throughout.
    func shownSpans(until end: Instant) -> [Range<Instant>] {
        var spans: [Range<Instant>] = []
        var since: Instant?
        func close(_ instant: Instant) {
            if let start = since, start < instant { spans.append(start..<instant) }
            since = nil
        }
        if let first = keyframes.first, first.value > 0 { since = .zero }
        for (index, keyframe) in keyframes.enumerated() {
            let next = index + 1 < keyframes.count ? keyframes[index + 1] : keyframe
            let shows = keyframe.value > 0 || keyframe.easing != .hold && next.value > 0
            if shows {
                if since == nil { since = keyframe.instant }
            } else {
                close(keyframe.instant)
            }
        }
        close(max(end, keyframes.last?.instant ?? end))
        return spans
    }
}
