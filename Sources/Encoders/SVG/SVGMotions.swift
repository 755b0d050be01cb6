import Motion

/// The animations of a document: what several glyphs share is a rule, what differs stands inline.
///
/// The rule of most glyphs needs no class: it reaches every element that may move.
struct SVGMotions {
    /// What glyphs have in common that follow one rule.
    struct Pattern {
        let timings: [CSSAnimation.Timing]
        let fills: [CSSAnimation.Fill]
        var uses = 0
        /// The lists and durations of its uses; of many only the first.
        var variants: [(variant: Variant, uses: Int)] = []

        /// Counts a use with these lists, and for each its duration.
        mutating func count(_ lists: [Int], _ duration: (_ place: Int) -> Int) {
            uses += 1
            let known = variants.firstIndex { known, _ in
                known.lists == lists
                    && lists.indices.allSatisfy { known.durations[$0] == duration($0) }
            }
            if let known {
                variants[known].uses += 1
            } else if variants.count < 16 {
                variants.append((Variant(lists: lists, durations: lists.indices.map(duration)), 1))
            }
        }

        /// What the rule says: the variant of most uses.
        var usual: Variant {
            var best = variants[0]
            for candidate in variants where candidate.uses > best.uses { best = candidate }
            return best.variant
        }
    }

    struct Variant {
        /// Numbers of the keyframe lists.
        let lists: [Int]
        let durations: [Int]
    }

    /// What one or more glyphs do, apart from when where that is given for itself.
    struct Kind {
        let tracks: GlyphTracks
        let scale: Double
        let isFinished: Bool
        var animations: [CSSAnimation]
        var pattern = 0
        var lists: [Int] = []
    }

    /// What one glyph does.
    struct Use {
        let kind: Int
        /// Its own delay and duration where it differs from its kind in nothing else.
        let timing: (delay: Instant, duration: Int)?

        /// How long one of its kind's animations takes.
        func duration(_ animations: [CSSAnimation], _ place: Int) -> Int {
            timing?.duration ?? animations[place].duration
        }
    }

    private(set) var patterns: [Pattern] = []
    /// What each pattern's rule says, once all uses are counted.
    private(set) var usual: [Variant] = []
    /// The pattern whose rule needs no class.
    private(set) var main: Int?
    /// The distinct keyframe lists, in the order of their first use.
    private(set) var lists: [[UInt8]] = []
    private(set) var listNumbers: [[UInt8]: Int] = [:]
    private(set) var kinds: [Kind] = []
    /// For each drawn glyph what it does; nil for what stands still.
    private(set) var uses: [Use?]
    let cycle: Int?
    let loop: Loop
    /// Whether moving elements stand in groups about whose origin they turn.
    let turns: Bool

    /// Whether nothing is animated.
    var isEmpty: Bool { lists.isEmpty }

    init(
        _ scene: Scene, _ groups: [SVGGroup], turns: Bool, _ workshop: Workshop
    ) throws(EncodingError) {
        loop = scene.loop
        cycle = scene.loop == .count(1) ? nil : scene.duration.ticks
        self.turns = turns
        uses = [Use?](repeating: nil, count: scene.layout.glyphs.count)
        var kindOfTrack = [Int](repeating: -1, count: scene.tracks.count)
        for group in groups {
            for glyph in group.glyphs {
                try workshop.checkDeadline(every: 8)
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
            let animations = kinds[use.kind].animations
            patterns[kinds[use.kind].pattern].count(kinds[use.kind].lists) {
                use.duration(animations, $0)
            }
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

    /// How long one of a use's animations takes.
    func duration(_ use: Use, _ place: Int) -> Int {
        use.duration(kinds[use.kind].animations, place)
    }

    /// When one of a use's animations begins.
    func delay(_ use: Use, _ place: Int) -> Int {
        use.timing?.delay.ticks ?? kinds[use.kind].animations[place].delay.ticks
    }

    private mutating func number(of keyframes: [UInt8]) -> Int {
        if let number = listNumbers[keyframes] { return number }
        listNumbers[keyframes] = lists.count
        lists.append(keyframes)
        return lists.count - 1
    }
}
