import Motion

/// The animations of a document: what several glyphs share is a rule, what differs stands inline.
///
/// The rule of most glyphs needs no class: it reaches every element that may move.
struct SVGMotions {
    /// What glyphs have in common that follow one rule.
    private struct Pattern {
        let timings: [CSSAnimation.Timing]
        let fills: [CSSAnimation.Fill]
        var uses = 0
        /// The lists and durations of its uses; of many only the first.
        var variants: [(variant: Variant, uses: Int)] = []

        mutating func count(_ variant: Variant) {
            uses += 1
            if let known = variants.firstIndex(where: { $0.variant == variant }) {
                variants[known].uses += 1
            } else if variants.count < 16 {
                variants.append((variant, 1))
            }
        }

        /// What the rule says: the variant of most uses.
        var usual: Variant {
            var best = variants[0]
            for candidate in variants where candidate.uses > best.uses { best = candidate }
            return best.variant
        }
    }

    private struct Variant: Equatable {
        /// Numbers of the keyframe lists.
        let lists: [Int]
        let durations: [Int]
    }

    /// What one or more glyphs do, apart from when where that is given for itself.
    private struct Kind {
        let tracks: GlyphTracks
        let scale: Double
        let isFinished: Bool
        var animations: [CSSAnimation]
        var pattern = 0
        var lists: [Int] = []
    }

    /// What one glyph does.
    private struct Use {
        let kind: Int
        /// Its own delay and duration where it differs from its kind in nothing else.
        let timing: (delay: Instant, duration: Int)?
    }

    private var patterns: [Pattern] = []
    /// What each pattern's rule says, once all uses are counted.
    private var usual: [Variant] = []
    /// The pattern whose rule needs no class.
    private var main: Int?
    /// The distinct keyframe lists, in the order of their first use.
    private var lists: [[UInt8]] = []
    private var listNumbers: [[UInt8]: Int] = [:]
    private var kinds: [Kind] = []
    /// For each drawn glyph what it does; nil for what stands still.
    private var uses: [Use?]
    private let cycle: Int?
    private let loop: Loop
    /// Whether moving elements stand in groups about whose origin they turn.
    let turns: Bool

    /// Whether nothing is animated.
    var isEmpty: Bool { lists.isEmpty }

    init(_ scene: Scene, _ groups: [SVGGroup], turns: Bool) {
        loop = scene.loop
        cycle = scene.loop == .count(1) ? nil : scene.duration.ticks
        self.turns = turns
        uses = [Use?](repeating: nil, count: scene.layout.glyphs.count)
        var kindOfTrack = [Int](repeating: -1, count: scene.tracks.count)
        for group in groups {
            for glyph in group.glyphs {
                let track = scene.trackOfGlyph[glyph]
                let use = use(
                    of: scene.tracks[track], group.scale, isFinished: scene.isFinished[glyph],
                    known: kindOfTrack[track])
                if use.timing == nil { kindOfTrack[track] = use.kind }
                if !kinds[use.kind].animations.isEmpty { uses[glyph] = use }
            }
        }
        if cycle == nil { align(scene) }
        for index in kinds.indices { classify(index) }
        for use in uses {
            guard let use else { continue }
            let variant = Variant(lists: kinds[use.kind].lists, durations: durations(use))
            patterns[kinds[use.kind].pattern].count(variant)
        }
        usual = patterns.map(\.usual)
        for index in patterns.indices where patterns[index].uses > 1 {
            if patterns[index].uses > main.map({ patterns[$0].uses }) ?? 0 { main = index }
        }
    }

    // MARK: Kinds

    private mutating func use(
        of tracks: GlyphTracks, _ scale: Double, isFinished: Bool, known: Int
    ) -> Use {
        if known >= 0, kinds[known].scale == scale, kinds[known].isFinished == isFinished {
            return Use(kind: known, timing: nil)
        }
        // Most glyphs do what the one before did, at another time.
        if let last = kinds.indices.last, cycle == nil, kinds[last].scale == scale,
            kinds[last].isFinished == isFinished, kinds[last].animations.count == 1,
            let timing = tracks.timing(like: kinds[last].tracks)
        {
            return Use(kind: last, timing: timing)
        }
        kinds.append(
            Kind(
                tracks: tracks, scale: scale, isFinished: isFinished,
                animations: animations(of: tracks, scale, isFinished: isFinished)))
        return Use(kind: kinds.count - 1, timing: nil)
    }

    private func animations(
        of tracks: GlyphTracks, _ scale: Double, isFinished: Bool
    ) -> [CSSAnimation] {
        let own = CSSTrack.tracks(of: tracks, isFinished: isFinished)
        let writer = CSSWriter(scale: scale)
        return cycle.map { CSSCycle(writer: writer, length: $0).animations(of: own) }
            ?? CSSOnce(writer: writer).animations(of: own)
    }

    /// Long lists that no two glyphs share pack better when all count from the cycle's start: they
    /// have the same percentages then, and no delay or duration of their own.
    private mutating func align(_ scene: Scene) {
        var counts: [[UInt8]: Int] = [:]
        for kind in kinds {
            for animation in kind.animations where animation.isLong {
                counts[animation.keyframes, default: 0] += 1
            }
        }
        guard 2 * counts.count > kinds.count else { return }
        for index in kinds.indices {
            let isRare = kinds[index].animations.contains {
                $0.isLong && counts[$0.keyframes] == 1
            }
            guard isRare else { continue }
            let tracks = CSSTrack.tracks(
                of: kinds[index].tracks, isFinished: kinds[index].isFinished)
            kinds[index].animations = CSSCycle(
                writer: CSSWriter(scale: kinds[index].scale), length: scene.duration.ticks
            ).animations(of: tracks)
        }
    }

    private mutating func classify(_ index: Int) {
        let animations = kinds[index].animations
        guard !animations.isEmpty else { return }
        kinds[index].lists = animations.map { number(of: $0.keyframes) }
        let pattern = Pattern(timings: animations.map(\.timing), fills: animations.map(\.fill))
        let known = patterns.lastIndex {
            $0.timings == pattern.timings && $0.fills == pattern.fills
        }
        kinds[index].pattern = known ?? patterns.count
        if known == nil { patterns.append(pattern) }
    }

    private func durations(_ use: Use) -> [Int] {
        use.timing.map { [$0.duration] } ?? kinds[use.kind].animations.map(\.duration)
    }

    private func delays(_ use: Use) -> [Int] {
        use.timing.map { [$0.delay.ticks] } ?? kinds[use.kind].animations.map(\.delay.ticks)
    }

    private mutating func number(of keyframes: [UInt8]) -> Int {
        if let number = listNumbers[keyframes] { return number }
        listNumbers[keyframes] = lists.count
        lists.append(keyframes)
        return lists.count - 1
    }

    // MARK: Elements

    /// Writes the attributes of an element that moves as a glyph does.
    func writeAttributes(ofGlyph glyph: Int, _ names: SVGNames, to sink: inout ByteSink) {
        guard let use = uses[glyph] else {
            // The rule must not reach what stands still among what moves.
            if main != nil { sink.append(" style=\"animation:none\"") }
            return
        }
        let pattern = kinds[use.kind].pattern
        guard patterns[pattern].uses > 1 else { return writeWhole(use, names, &sink) }
        if pattern != main {
            sink.append(" class=\"")
            sink.append(names.prefix)
            sink.append("m")
            sink.append(pattern)
            sink.append("\"")
        }
        writeDifference(use, from: usual[pattern], names, &sink)
    }

    /// All of it, where no rule helps.
    private func writeWhole(_ use: Use, _ names: SVGNames, _ sink: inout ByteSink) {
        let (delays, durations) = (delays(use), durations(use))
        sink.append(" style=\"animation:")
        for (index, animation) in kinds[use.kind].animations.enumerated() {
            if index > 0 { sink.append(",") }
            writeName(kinds[use.kind].lists[index], names, &sink)
            sink.append(" ")
            write(animation.timing, animation.fill, duration: durations[index], &sink)
            guard delays[index] > 0 else { continue }
            sink.append(" ")
            sink.append(seconds: delays[index], of: durations[index])
        }
        sink.append("\"")
    }

    private func writeDifference(
        _ use: Use, from usual: Variant, _ names: SVGNames, _ sink: inout ByteSink
    ) {
        let (delays, durations) = (delays(use), durations(use))
        var separator: StaticString = " style=\""
        if delays.contains(where: { $0 > 0 }) {
            sink.append(separator)
            sink.append("animation-delay:")
            writeTimes(delays, durations, &sink)
            separator = ";"
        }
        if durations != usual.durations {
            sink.append(separator)
            sink.append("animation-duration:")
            writeTimes(durations, durations, &sink)
            separator = ";"
        }
        if kinds[use.kind].lists != usual.lists {
            sink.append(separator)
            sink.append("animation-name:")
            for (index, list) in kinds[use.kind].lists.enumerated() {
                if index > 0 { sink.append(",") }
                writeName(list, names, &sink)
            }
            separator = ";"
        }
        if separator.utf8CodeUnitCount == 1 { sink.append("\"") }
    }

    /// Times of several animations; one for all where they are equal.
    private func writeTimes(_ ticks: [Int], _ durations: [Int], _ sink: inout ByteSink) {
        let isOne = ticks.allSatisfy { $0 == ticks[0] }
        let shortest = durations.min() ?? 0
        for index in isOne ? 0..<1 : ticks.indices {
            if index > 0 { sink.append(",") }
            sink.append(seconds: ticks[index], of: isOne ? shortest : durations[index])
        }
    }

    private func writeName(_ list: Int, _ names: SVGNames, _ sink: inout ByteSink) {
        sink.append(names.prefix)
        sink.append(SVGNames.letters(list))
    }

    /// Duration, easing, count and fill.
    private func write(
        _ timing: CSSAnimation.Timing, _ fill: CSSAnimation.Fill, duration: Int,
        _ sink: inout ByteSink
    ) {
        sink.append(seconds: duration, of: cycle == nil ? duration : 0)
        sink.append(" ")
        sink.append(css: timing)
        if cycle != nil {
            switch loop {
            case .infinite: sink.append(" infinite")
            case .count(let count):
                sink.append(" ")
                sink.append(count)
            }
        }
        guard fill != .none else { return }
        sink.append(" ")
        sink.append(fill.rawValue)
    }

    // MARK: Rules

    func writeRules(_ names: SVGNames, _ sink: inout ByteSink) {
        guard !isEmpty else { return }
        for (index, list) in lists.enumerated() {
            sink.append("@keyframes ")
            writeName(index, names, &sink)
            sink.append("{")
            sink.append(list)
            sink.append("}")
        }
        for index in patterns.indices where patterns[index].uses > 1 {
            writeRule(index, names, &sink)
        }
        sink.append("@media(prefers-reduced-motion:reduce){.")
        sink.append(names.prefix)
        sink.append(" *{animation:none!important}}")
    }

    private func writeRule(_ index: Int, _ names: SVGNames, _ sink: inout ByteSink) {
        sink.append(".")
        sink.append(names.prefix)
        if index == main {
            sink.append(turns ? ">g>g>*{animation:" : ">g>*{animation:")
        } else {
            // More specific than the rule of most glyphs.
            sink.append(" .")
            sink.append(names.prefix)
            sink.append("m")
            sink.append(index)
            sink.append("{animation:")
        }
        for place in patterns[index].timings.indices {
            if place > 0 { sink.append(",") }
            writeName(usual[index].lists[place], names, &sink)
            sink.append(" ")
            write(
                patterns[index].timings[place], patterns[index].fills[place],
                duration: usual[index].durations[place], &sink)
        }
        sink.append("}")
    }
}

extension GlyphTracks {
    /// When and how long a glyph moves that does the same as another but for that; nil where it
    /// does something else, or something longer than from one state to the next.
    fileprivate func timing(like other: GlyphTracks) -> (delay: Instant, duration: Int)? {
        guard opacity.keyframes.count == 2, opacity.isLike(other.opacity) else { return nil }
        for property in [Property.offsetX, .offsetY, .scale, .rotation] {
            switch (self[property], other[property]) {
            case (nil, nil): continue
            case (let one?, let two?):
                guard one.isLike(two), one.isInStep(with: opacity),
                    two.isInStep(with: other.opacity)
                else { return nil }
            default: return nil
            }
        }
        let (start, end) = (opacity.keyframes[0].instant, opacity.keyframes[1].instant)
        let isJump = opacity.keyframes[0].easing == .hold
        return isJump ? (end, 0) : (start, end.ticks - start.ticks)
    }
}

extension Track {
    /// Whether another track goes between the same two values in the same way.
    fileprivate func isLike(_ other: Track) -> Bool {
        keyframes.count == 2 && other.keyframes.count == 2
            && keyframes[0].value == other.keyframes[0].value
            && keyframes[1].value == other.keyframes[1].value
            && keyframes[0].easing == other.keyframes[0].easing
    }

    /// Whether another track of two keyframes changes at the same time.
    fileprivate func isInStep(with other: Track) -> Bool {
        keyframes[0].instant == other.keyframes[0].instant
            && keyframes[1].instant == other.keyframes[1].instant
    }
}
