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

    private struct Use {
        let pattern: Int
        let animations: [CSSAnimation]
        let variant: Variant
    }

    private struct Key: Hashable {
        var track: Int
        var scale: Double
        var isFinished: Bool

        init(_ scene: Scene, _ glyph: Int, _ group: SVGGroup) {
            track = scene.trackOfGlyph[glyph]
            scale = group.scale
            isFinished = scene.isFinished[glyph]
        }
    }

    private var patterns: [Pattern] = []
    /// What each pattern's rule says, once all uses are counted.
    private var usual: [Variant] = []
    /// The pattern whose rule needs no class.
    private var main: Int?
    /// The distinct keyframe lists, in the order of their first use.
    private var lists: [[UInt8]] = []
    private var listNumbers: [[UInt8]: Int] = [:]
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
        var animations = Self.animations(of: scene, groups)
        if cycle == nil { Self.align(&animations, scene) }
        var known: [Key: Use] = [:]
        for group in groups {
            for glyph in group.glyphs {
                let key = Key(scene, glyph, group)
                let use = known[key] ?? use(of: animations[key] ?? [])
                known[key] = use
                guard !use.animations.isEmpty else { continue }
                uses[glyph] = use
                patterns[use.pattern].count(use.variant)
            }
        }
        usual = patterns.map(\.usual)
        for index in patterns.indices where patterns[index].uses > 1 {
            if patterns[index].uses > main.map({ patterns[$0].uses }) ?? 0 { main = index }
        }
    }

    /// What each kind of track does.
    private static func animations(
        of scene: Scene, _ groups: [SVGGroup]
    ) -> [Key: [CSSAnimation]] {
        let cycle = scene.loop == .count(1) ? nil : scene.duration.ticks
        var result: [Key: [CSSAnimation]] = [:]
        for group in groups {
            let writer = CSSWriter(scale: group.scale)
            for glyph in group.glyphs {
                let key = Key(scene, glyph, group)
                guard result[key] == nil else { continue }
                let tracks = CSSTrack.tracks(
                    of: scene.tracks[key.track], isFinished: key.isFinished)
                result[key] =
                    cycle.map { CSSCycle(writer: writer, length: $0).animations(of: tracks) }
                    ?? CSSOnce(writer: writer).animations(of: tracks)
            }
        }
        return result
    }

    /// Long lists that no two glyphs share pack better when all count from the cycle's start: they
    /// have the same percentages then, and no delay or duration of their own.
    private static func align(_ animations: inout [Key: [CSSAnimation]], _ scene: Scene) {
        var counts: [[UInt8]: Int] = [:]
        for own in animations.values {
            for animation in own { counts[animation.keyframes, default: 0] += 1 }
        }
        let rare = animations.filter { _, own in
            own.contains { $0.isLong && counts[$0.keyframes] == 1 }
        }
        guard 2 * rare.count > animations.count else { return }
        for key in rare.keys {
            let tracks = CSSTrack.tracks(of: scene.tracks[key.track], isFinished: key.isFinished)
            animations[key] = CSSCycle(
                writer: CSSWriter(scale: key.scale), length: scene.duration.ticks
            ).animations(of: tracks)
        }
    }

    private mutating func use(of animations: [CSSAnimation]) -> Use {
        let variant = Variant(
            lists: animations.map { number(of: $0.keyframes) },
            durations: animations.map(\.duration))
        let pattern = Pattern(timings: animations.map(\.timing), fills: animations.map(\.fill))
        var index = patterns.lastIndex {
            $0.timings == pattern.timings && $0.fills == pattern.fills
        }
        if index == nil, !animations.isEmpty {
            index = patterns.count
            patterns.append(pattern)
        }
        return Use(pattern: index ?? 0, animations: animations, variant: variant)
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
        guard patterns[use.pattern].uses > 1 else { return writeWhole(use, names, &sink) }
        if use.pattern != main {
            sink.append(" class=\"")
            sink.append(names.prefix)
            sink.append("m")
            sink.append(use.pattern)
            sink.append("\"")
        }
        writeDifference(use, from: usual[use.pattern], names, &sink)
    }

    /// All of it, where no rule helps.
    private func writeWhole(_ use: Use, _ names: SVGNames, _ sink: inout ByteSink) {
        sink.append(" style=\"animation:")
        for (index, animation) in use.animations.enumerated() {
            if index > 0 { sink.append(",") }
            writeName(use.variant.lists[index], names, &sink)
            sink.append(" ")
            write(animation.timing, animation.fill, duration: animation.duration, &sink)
            guard animation.delay > .zero else { continue }
            sink.append(" ")
            sink.append(seconds: animation.delay.ticks, of: animation.duration)
        }
        sink.append("\"")
    }

    private func writeDifference(
        _ use: Use, from usual: Variant, _ names: SVGNames, _ sink: inout ByteSink
    ) {
        let delays = use.animations.map(\.delay.ticks)
        let durations = use.variant.durations
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
        if use.variant.lists != usual.lists {
            sink.append(separator)
            sink.append("animation-name:")
            for (index, list) in use.variant.lists.enumerated() {
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
