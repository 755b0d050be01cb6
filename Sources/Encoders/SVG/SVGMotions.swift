import Motion

/// The animations of a document: what most glyphs share is one rule, what differs stands inline.
struct SVGMotions {
    /// A way to move, apart from when and how fast.
    private struct Pattern {
        let animations: [CSSAnimation]
        /// For each animation the number of its keyframe list.
        let lists: [Int]
        var uses = 0
        /// The durations of its uses; of many only the first.
        var durations: [(ticks: Int, uses: Int)] = []

        mutating func use(duration: Int) {
            uses += 1
            if let known = durations.firstIndex(where: { $0.ticks == duration }) {
                durations[known].uses += 1
            } else if durations.count < 16 {
                durations.append((duration, 1))
            }
        }
    }

    /// The one rule: for animations of this list, easing and duration only the delay is inline.
    private struct Rule {
        let list: Int
        let timing: Easing
        let duration: Int
    }

    private var patterns: [Pattern] = []
    /// For each pattern the tracks that it was met in first, and their scale.
    private var exemplars: [(tracks: GlyphTracks, scale: Double)] = []
    /// The distinct keyframe lists, in the order of their first use.
    private var lists: [[UInt8]] = []
    /// For each drawn glyph its pattern.
    private var patternOfGlyph: [Int]
    private var rule: Rule?

    /// Whether nothing is animated.
    var isEmpty: Bool { lists.isEmpty }

    init(_ scene: Scene, _ groups: [SVGGroup]) {
        patternOfGlyph = [Int](repeating: -1, count: scene.layout.glyphs.count)
        for group in groups {
            for glyph in group.glyphs {
                let track = scene.trackOfGlyph[glyph]
                let known = pattern(of: scene.tracks[track], group.scale)
                let pattern = known ?? add(scene.tracks[track], group.scale)
                patterns[pattern].use(duration: scene.tracks[track].cssTiming.duration)
                patternOfGlyph[glyph] = pattern
            }
        }
        rule = mostUsed()
    }

    /// The pattern met last is the likeliest.
    private func pattern(of tracks: GlyphTracks, _ scale: Double) -> Int? {
        for index in exemplars.indices.reversed()
        where exemplars[index].scale == scale && exemplars[index].tracks.moves(like: tracks) {
            return index
        }
        return nil
    }

    private mutating func add(_ tracks: GlyphTracks, _ scale: Double) -> Int {
        let animations = CSSAnimationBuilder(scale: scale).animations(of: tracks)
        var numbers: [Int] = []
        for animation in animations {
            if let known = lists.firstIndex(of: animation.keyframes) {
                numbers.append(known)
            } else {
                numbers.append(lists.count)
                lists.append(animation.keyframes)
            }
        }
        patterns.append(Pattern(animations: animations, lists: numbers))
        exemplars.append((tracks, scale))
        return patterns.count - 1
    }

    /// Of equally frequent patterns and durations the first.
    private func mostUsed() -> Rule? {
        var best: Pattern?
        for pattern in patterns where pattern.animations.count == 1 {
            if pattern.uses > best?.uses ?? 0 { best = pattern }
        }
        guard let best else { return nil }
        var duration = best.durations[0]
        for candidate in best.durations where candidate.uses > duration.uses {
            duration = candidate
        }
        return Rule(
            list: best.lists[0], timing: best.animations[0].timing, duration: duration.ticks)
    }

    // MARK: Writing

    /// Writes the `style` attribute of an element that moves as a glyph does, by `tracks`.
    func writeStyle(
        ofGlyph glyph: Int, _ tracks: GlyphTracks, scale: Double, _ names: SVGNames,
        to sink: inout ByteSink
    ) {
        guard !isEmpty else { return }
        let number = patternOfGlyph[glyph]
        sink.append(" style=\"")
        if patterns[number].animations.isEmpty {
            // The rule must not reach what stands still among what moves.
            sink.append("animation:none")
        } else if let rule, follows(rule, number) {
            let (delay, duration) = tracks.cssTiming
            sink.append("animation-delay:")
            sink.append(seconds: delay.ticks, of: duration)
            if duration != rule.duration {
                sink.append(";animation-duration:")
                sink.append(seconds: duration, of: duration)
            }
        } else {
            sink.append("animation:")
            let animations = CSSAnimationBuilder(scale: scale).animations(of: tracks)
            for (index, animation) in animations.enumerated() {
                if index > 0 { sink.append(",") }
                write(animation, list: patterns[number].lists[index], names, &sink)
            }
        }
        sink.append("\"")
    }

    private func follows(_ rule: Rule, _ pattern: Int) -> Bool {
        patterns[pattern].animations.count == 1 && patterns[pattern].lists[0] == rule.list
            && patterns[pattern].animations[0].timing == rule.timing
    }

    private func write(
        _ animation: CSSAnimation, list: Int, _ names: SVGNames, _ sink: inout ByteSink
    ) {
        sink.append(names.prefix)
        sink.append(SVGNames.letters(list))
        sink.append(" ")
        sink.append(seconds: animation.duration, of: animation.duration)
        sink.append(" ")
        sink.append(seconds: animation.delay.ticks, of: animation.duration)
        sink.append(" ")
        sink.append(css: animation.timing)
        sink.append(" backwards")
    }

    func writeRules(_ names: SVGNames, _ sink: inout ByteSink) {
        guard !isEmpty else { return }
        for (index, list) in lists.enumerated() {
            sink.append("@keyframes ")
            sink.append(names.prefix)
            sink.append(SVGNames.letters(index))
            sink.append("{")
            sink.append(list)
            sink.append("}")
        }
        if let rule {
            sink.append(".")
            sink.append(names.prefix)
            sink.append(">g>*{animation:")
            sink.append(names.prefix)
            sink.append(SVGNames.letters(rule.list))
            sink.append(" ")
            sink.append(seconds: rule.duration, of: rule.duration)
            sink.append(" ")
            sink.append(css: rule.timing)
            sink.append(" backwards}")
        }
        sink.append("@media(prefers-reduced-motion:reduce){.")
        sink.append(names.prefix)
        sink.append(" *{animation:none!important}}")
    }
}
