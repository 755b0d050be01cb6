import Motion

/// The animations of a document: what several glyphs share is a rule with a class, what differs
/// stands inline.
struct SVGMotions {
    /// What a rule says; glyphs of it differ in delays, and in cycles in the lists' names.
    private struct Pattern: Equatable {
        let timings: [CSSAnimation.Timing]
        let fills: [CSSAnimation.Fill]
        /// Numbers of the keyframe lists; in cycles not part of the rule.
        let lists: [Int]
    }

    private struct Use {
        let pattern: Int
        let animations: [CSSAnimation]
        let lists: [Int]
    }

    private var patterns: [(pattern: Pattern, uses: Int, durations: [(own: [Int], uses: Int)])] = []
    /// The distinct keyframe lists, in the order of their first use.
    private var lists: [[UInt8]] = []
    private var listNumbers: [[UInt8]: Int] = [:]
    /// For each drawn glyph what it does; nil for what stands still.
    private var uses: [Use?]
    /// Tracks with the scale in which they were met, to answer for equal ones.
    private var known: [Key: Use] = [:]
    private let cycle: Int?
    private let loop: Loop

    private struct Key: Hashable {
        var track: Int
        var scale: Double
        var isFinished: Bool
    }

    /// Whether nothing is animated.
    var isEmpty: Bool { lists.isEmpty }

    init(_ scene: Scene, _ groups: [SVGGroup]) {
        loop = scene.loop
        cycle = scene.loop == .count(1) ? nil : scene.duration.ticks
        uses = [Use?](repeating: nil, count: scene.layout.glyphs.count)
        for group in groups {
            for glyph in group.glyphs {
                let key = Key(
                    track: scene.trackOfGlyph[glyph], scale: group.scale,
                    isFinished: scene.isFinished[glyph])
                let use = known[key] ?? use(of: scene.tracks[key.track], key)
                known[key] = use
                guard !use.animations.isEmpty else { continue }
                uses[glyph] = use
                count(use)
            }
        }
    }

    private mutating func use(of tracks: GlyphTracks, _ key: Key) -> Use {
        let cssTracks = CSSTrack.tracks(of: tracks, isFinished: key.isFinished)
        let writer = CSSWriter(scale: key.scale)
        let animations =
            cycle.map { CSSCycle(writer: writer, length: $0).animations(of: cssTracks) }
            ?? CSSOnce(writer: writer).animations(of: cssTracks)
        let numbers = animations.map { number(of: $0.keyframes) }
        let pattern = Pattern(
            timings: animations.map(\.timing), fills: animations.map(\.fill),
            lists: cycle == nil ? numbers : [])
        let index = patterns.lastIndex { $0.pattern == pattern }
        if index == nil, !animations.isEmpty { patterns.append((pattern, 0, [])) }
        return Use(
            pattern: index ?? patterns.count - 1, animations: animations, lists: numbers)
    }

    private mutating func number(of keyframes: [UInt8]) -> Int {
        if let number = listNumbers[keyframes] { return number }
        listNumbers[keyframes] = lists.count
        lists.append(keyframes)
        return lists.count - 1
    }

    private mutating func count(_ use: Use) {
        patterns[use.pattern].uses += 1
        let durations = use.animations.map(\.duration)
        if let own = patterns[use.pattern].durations.firstIndex(where: { $0.own == durations }) {
            patterns[use.pattern].durations[own].uses += 1
        } else if patterns[use.pattern].durations.count < 16 {
            patterns[use.pattern].durations.append((durations, 1))
        }
    }

    /// The durations that a rule gives: those of most of its glyphs.
    private func usualDurations(_ pattern: Int) -> [Int] {
        var best = patterns[pattern].durations.first
        for candidate in patterns[pattern].durations where candidate.uses > best?.uses ?? 0 {
            best = candidate
        }
        return best?.own ?? []
    }

    // MARK: Writing

    /// Writes the attributes of an element that moves as a glyph does.
    func writeAttributes(ofGlyph glyph: Int, _ names: SVGNames, to sink: inout ByteSink) {
        guard let use = uses[glyph] else { return }
        guard patterns[use.pattern].uses > 1 else {
            sink.append(" style=\"animation:")
            for (index, animation) in use.animations.enumerated() {
                if index > 0 { sink.append(",") }
                writeName(use.lists[index], names, &sink)
                sink.append(" ")
                write(animation, duration: animation.duration, &sink)
                writeDelay(animation, " ", &sink)
            }
            return sink.append("\"")
        }
        sink.append(" class=\"")
        sink.append(names.prefix)
        sink.append("m")
        sink.append(use.pattern)
        sink.append("\"")
        let usual = usualDurations(use.pattern)
        let ownDurations = use.animations.map(\.duration)
        let hasDelay = use.animations.contains { $0.delay > .zero }
        guard cycle != nil || hasDelay || ownDurations != usual else { return }
        sink.append(" style=\"")
        if cycle != nil {
            sink.append("animation-name:")
            for (index, list) in use.lists.enumerated() {
                if index > 0 { sink.append(",") }
                writeName(list, names, &sink)
            }
            return sink.append("\"")
        }
        if hasDelay {
            sink.append("animation-delay:")
            for (index, animation) in use.animations.enumerated() {
                if index > 0 { sink.append(",") }
                sink.append(seconds: animation.delay.ticks, of: animation.duration)
            }
        }
        if ownDurations != usual {
            sink.append(hasDelay ? ";animation-duration:" : "animation-duration:")
            for (index, duration) in ownDurations.enumerated() {
                if index > 0 { sink.append(",") }
                sink.append(seconds: duration, of: duration)
            }
        }
        sink.append("\"")
    }

    private func writeName(_ list: Int, _ names: SVGNames, _ sink: inout ByteSink) {
        sink.append(names.prefix)
        sink.append(SVGNames.letters(list))
    }

    private func writeDelay(
        _ animation: CSSAnimation, _ separator: StaticString, _ sink: inout ByteSink
    ) {
        guard animation.delay > .zero else { return }
        sink.append(separator)
        sink.append(seconds: animation.delay.ticks, of: animation.duration)
    }

    /// Duration, easing, count and fill.
    private func write(
        _ animation: CSSAnimation, duration: Int, _ sink: inout ByteSink
    ) {
        sink.append(seconds: duration, of: cycle == nil ? duration : 0)
        sink.append(" ")
        sink.append(css: animation.timing)
        if cycle != nil {
            switch loop {
            case .infinite: sink.append(" infinite")
            case .count(let count):
                sink.append(" ")
                sink.append(count)
            }
        }
        if animation.fill != .none {
            sink.append(" ")
            sink.append(animation.fill.rawValue)
        }
    }

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
        let pattern = patterns[index].pattern
        let durations = usualDurations(index)
        sink.append(".")
        sink.append(names.prefix)
        sink.append("m")
        sink.append(index)
        sink.append("{animation:")
        for place in pattern.timings.indices {
            if place > 0 { sink.append(",") }
            if cycle == nil {
                writeName(pattern.lists[place], names, &sink)
                sink.append(" ")
            }
            let animation = CSSAnimation(
                keyframes: [], timing: pattern.timings[place], delay: .zero,
                duration: durations[place], fill: pattern.fills[place])
            write(animation, duration: durations[place], &sink)
        }
        sink.append("}")
    }
}
