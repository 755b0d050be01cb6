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
    var spokenBlocks: [(block: Int, style: SpokenStyle)] {
        layout.blocks.indices.compactMap { block in
            guard !layout.blocks[block].words.isEmpty,
                let style = choreography.blocks[block].time?.spoken
            else { return nil }
            return (block, style)
        }
    }

    /// True if the colour of a block's glyphs is one, which may change, and no gradient, over which
    /// glyphs in another colour lie.
    func hasPlainFill(_ block: Int) -> Bool {
        !choreography.blocks[block].paint.hasGradient
    }
}

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
        start = word.firstInstant
        end = word.endInstant
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
    /// - Returns: The tracks with the changes.
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

extension ArraySlice<Glyph> {
    /// The middle of the boxes of all glyphs that are no white space.
    var center: Point {
        var box: Rect?
        for glyph in self where !glyph.isWhitespace {
            box = box?.union(glyph.rect) ?? glyph.rect
        }
        return box?.center ?? .zero
    }
}
