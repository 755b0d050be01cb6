/// The phases of each block, in seconds before `speed`.
struct Schedule {
    /// A phase of one block with its start.
    ///
    /// A class, because it is read for every glyph, and a phase is expensive to copy.
    final class Entry: Sendable {
        let kind: Phase.Kind
        let start: Double
        let phase: Phase
        /// The marks that are drawn in an entrance.
        let marks: [MarkTiming]

        init(kind: Phase.Kind, start: Double, phase: Phase, marks: [MarkTiming] = []) {
            self.kind = kind
            self.start = start
            self.phase = phase
            self.marks = marks
        }

        var end: Double { start + phase.duration }

        /// Seconds of the phase and its marks.
        var duration: Double { marks.reduce(phase.duration) { max($0, $1.end) } }
    }

    /// The phases of each block in their order.
    let phases: [[Entry]]
    /// The time of the texts: after the entrance of the card, and up to its exit.
    let texts: ClosedRange<Double>
    /// The start of the card's exit; nil where it stays.
    let cardExit: Double?
    /// The end of the last phase or hold.
    let total: Double
    /// The time from one run of the emphasis to the next one; nil if there is none.
    let emphasisPeriod: Double?
    /// The keyframes of all phases.
    let keyframes: KeyframeCount
    /// True if some phase has nodes besides its glyphs.
    let hasNodes: Bool
    /// True if light passes over glyphs in some phase.
    let hasLight: Bool
    /// True if some phase has glyphs at other instances of their fonts.
    let hasAxes: Bool

    /// True if text runs through the canvas: its way depends on the size.
    var runsThrough: Bool {
        phases.contains { $0.contains { !$0.phase.leavesCanvas.isEmpty } }
    }

    /// Schedules everything on a canvas that reaches beyond the layout on each side, by so many CSS
    /// pixels across and down.
    init(
        _ choreography: Choreography, _ layout: Layout, growth: SIMD2<Double>, seed: UInt64,
        limits: SceneLimits, deadline: WorkDeadline
    ) throws(SceneError) {
        var scheduler = Scheduler(
            choreography, layout, growth: growth, seed: seed, limits: limits, deadline: deadline)
        switch choreography.sequence {
        case .queue, .together: try scheduler.stack()
        case .replace: try scheduler.replace()
        case .rotate: try scheduler.rotate()
        case .timed: try scheduler.time()
        }
        phases = scheduler.phases
        let (start, end) = (choreography.cardMotion == nil ? 0 : choreography.lead, scheduler.total)
        texts = start...max(start, end)
        let leaves = choreography.cardLeaves && !layout.hasCardOfEachBlock
        let exit = leaves ? choreography.cardMotion : nil
        cardExit = exit.map { _ in end }
        total = end + (exit?.duration ?? 0)
        emphasisPeriod = scheduler.emphasisPeriod
        keyframes = scheduler.keyframes
        hasNodes = scheduler.hasNodes
        hasLight = scheduler.hasLight
        hasAxes = scheduler.hasAxes
    }

    /// Returns the megapixels that take as long to compose as so many keyframes to make: the
    /// tracks, the cursor's path, and the ink's bounds.
    static func work(ofKeyframes count: Int) -> Double { 1e-3 * Double(count) }
}

/// Asks the effects for the phases, one after another.
private struct Scheduler {
    private(set) var phases: [[Schedule.Entry]]
    private(set) var total = 0.0
    /// The time from one run of the emphasis to the next one; nil if there is none.
    private(set) var emphasisPeriod: Double?
    /// The keyframes of all phases so far.
    private(set) var keyframes: KeyframeCount
    private(set) var hasNodes = false
    private(set) var hasLight = false
    /// True if some phase has glyphs at other instances of their fonts.
    private(set) var hasAxes = false

    private let choreography: Choreography
    private let layout: Layout
    private let growth: SIMD2<Double>
    /// The boxes of the blocks with their outlines and shadows; empty if no effect needs them.
    private let drawn: [Rect]
    private let seed: UInt64
    private let limits: SceneLimits
    private let deadline: WorkDeadline

    init(
        _ choreography: Choreography, _ layout: Layout, growth: SIMD2<Double>, seed: UInt64,
        limits: SceneLimits, deadline: WorkDeadline
    ) {
        self.choreography = choreography
        self.layout = layout
        self.growth = growth
        drawn =
            choreography.needsInk
            ? layout.blocks.indices.map {
                layout.drawnBox(ofBlock: $0, margins: choreography.blocks[$0].paint.margins)
            } : []
        self.seed = seed
        self.limits = limits
        keyframes = KeyframeCount(limit: limits.keyframes)
        self.deadline = deadline
        phases = Array(repeating: [], count: layout.blocks.count)
    }

    // MARK: Sequences

    /// Schedules blocks that stay until the last one has arrived.
    mutating func stack() throws(SceneError) {
        var next = choreography.lead
        for block in phases.indices {
            let phase = try entrance(of: block)
            let start = choreography.sequence == .queue ? next : choreography.lead
            let duration = try addEntrance(phase, of: block, at: start)
            next = start + duration + choreography.timing.gap
            total = max(total, start + duration)
        }
        total += try stand(phases.indices, from: total)
        guard choreography.exit.isAtEnd else { return try rewind() }
        let start = total
        for block in phases.indices {
            let phase = try exit(of: block)
            add(phase, .exit, of: block, at: start)
            total = max(total, start + phase.duration)
        }
    }

    /// Takes blocks that came gradually back to the beginning of a loop, instead of cutting them
    /// off.
    private mutating func rewind() throws(SceneError) {
        try rewind(phases.indices, from: total)
    }

    private mutating func rewind(_ blocks: Range<Int>, from start: Double) throws(SceneError) {
        guard choreography.loop == .infinite, case .between = choreography.exit else { return }
        for block in blocks {
            guard let phase = rewind(of: block) else { continue }
            try count(phase)
            add(phase, .rewind, of: block, at: start)
            total = max(total, start + phase.duration)
        }
    }

    /// Returns the way back to the beginning of a block's entrance; nil where nothing changes.
    private func rewind(of block: Int) -> Phase? {
        let entrance = phases[block][0]
        let own =
            entrance.phase.duration > 0
            ? entrance.phase.rewind(
                toHidden: entrance.start > 0,
                castsShadow: choreography.blocks[block].paint.hasShadow) : nil
        // Marks fade out beside text that stands.
        return own ?? (entrance.marks.isEmpty ? nil : entrance.phase.rest)
    }

    /// Schedules the first block so that it stays, and the others so that each leaves before the
    /// next one arrives.
    mutating func rotate() throws(SceneError) {
        guard phases.count > 1 else { return try stack() }
        let duration = try addEntrance(entrance(of: 0), of: 0, at: choreography.lead)
        try replace(
            1..<phases.count, from: choreography.lead + duration + choreography.timing.gap)
        let leaving = phases[phases.count - 1].last { $0.kind == .exit }?.start ?? total
        guard choreography.exit.isAtEnd else { return try rewind(0..<1, from: leaving) }
        let phase = try exit(of: 0)
        add(phase, .exit, of: 0, at: leaving)
        total = max(total, leaving + phase.duration)
    }

    /// Schedules blocks so that each leaves before the next one arrives.
    mutating func replace() throws(SceneError) {
        try replace(phases.indices, from: choreography.lead)
    }

    private mutating func replace(
        _ blocks: Range<Int>, from start: Double
    ) throws(SceneError) {
        var time = start
        var arriving = try entrance(of: blocks.lowerBound)
        for block in blocks {
            let duration = try addEntrance(arriving, of: block, at: time)
            time += try duration + stand(block..<block + 1, from: time + duration)
            let isLast = block == phases.count - 1
            if !isLast, let change = try change(from: block) {
                try count(change.leaving)
                add(change.leaving, .exit, of: block, at: time)
                time += change.delay
                arriving = change.arriving
                try count(arriving)
            } else if !isLast || choreography.exit.isAtEnd || choreography.loop != .count(1) {
                let phase = try exit(of: block)
                add(phase, .exit, of: block, at: time)
                time += phase.duration + (isLast ? 0 : choreography.timing.gap)
                if !isLast { arriving = try entrance(of: block + 1) }
            }
        }
        total = time
    }

    /// Schedules blocks at their own times, in which the entrance and the exit play faster where
    /// there is no room for both.
    mutating func time() throws(SceneError) {
        for block in phases.indices { try time(block) }
        total = max(total, choreography.timing.cycle.seconds(for: total))
    }

    private mutating func time(_ block: Int) throws(SceneError) {
        let start = choreography.blocks[block].time?.start ?? 0
        var entrance = try entrance(of: block)
        var marks = try MarkTiming.timings(
            of: layout.blocks[block], in: layout.glyphs, arrivingIn: entrance, until: deadline)
        try count(marks)
        var exit = try exit(of: block)
        let arrival = marks.reduce(entrance.duration) { max($0, $1.end) }
        let words = layout.blocks[block].words
        let end =
            choreography.blocks[block].time?.end ?? choreography.timing.hold
            + (words.map(\.end).max() ?? start + arrival + exit.duration)
        let length = max(end - start, 0)
        // Where one ends as the other begins, both have the same tick: sums that differ in their last
        // digit would round to two.
        let leaving: Double
        if entrance.followsWords, let last = words.last {
            let lastStart = min(max(last.start - start, 0), length)
            let room = min(exit.duration, (length - lastStart) / 2)
            leaving = Instant(seconds: end - room).seconds
            entrance.arrive(by: leaving - start)
            let factor = Self.share(of: arrival, in: leaving - start)
            marks = marks.map { $0.faster(by: factor) }
        } else if arrival + exit.duration > length - 1 / Instant.perSecond {
            let share = arrival / max(arrival + exit.duration, .leastNormalMagnitude)
            leaving = Instant(seconds: start + length * share).seconds
            let factor = Self.share(of: arrival, in: leaving - start)
            entrance = entrance.faster(by: factor)
            marks = marks.map { $0.faster(by: factor) }
        } else {
            leaving = end - exit.duration
        }
        exit = exit.faster(by: Self.share(of: exit.duration, in: end - leaving))
        let entry = Schedule.Entry(kind: .entrance, start: start, phase: entrance, marks: marks)
        phases[block].append(entry)
        try addEmphasis(of: block, in: min(start + entry.duration, leaving)...leaving)
        add(exit, .exit, of: block, at: leaving)
        if let change = weightChange(of: block, from: start, to: end) {
            try count(change)
            // Behind the exit: runs of the emphasis are neighbours.
            add(change, .emphasis, of: block, at: start)
        }
        total = max(total, end)
    }

    /// Returns a phase in which the words of a block have another weight while they are said, and
    /// nothing else changes; nil where they keep theirs.
    private func weightChange(of block: Int, from start: Double, to end: Double) -> Phase? {
        guard let motion = choreography.blocks[block].time?.spoken?.axes,
            let instances = effectBlock(block, .entrance).instances(of: motion)
        else { return nil }
        let glyphs = layout.blocks[block].glyphs
        var axes = PhaseAxes(instances)
        for word in layout.blocks[block].words {
            for glyph in word.glyphs {
                axes.add(
                    instances.steps(ofGlyph: glyph - glyphs.lowerBound)?.first,
                    of: glyph - glyphs.lowerBound, from: max(word.start - start, 0),
                    to: word.end - start)
            }
        }
        var phase = Phase(
            tracks: [PhaseTracks(opacity: [])],
            assignment: [Int](repeating: 0, count: glyphs.count),
            duration: max(end - start, 0))
        phase.axes = axes
        return phase
    }

    /// Returns the factor, 1 at most, by which a duration has room in a length of time.
    private static func share(of duration: Double, in length: Double) -> Double {
        duration > length ? max(length, 0) / duration : 1
    }

    /// Adds as many runs of the emphasis as a block has time for while it stands.
    private mutating func addEmphasis(
        of block: Int, in time: ClosedRange<Double>
    ) throws(SceneError) {
        guard let emphasis = choreography.emphasis else { return }
        let run = try emphasis.effect.entrance(of: effectBlock(block, .entrance))
        guard run.duration > 0 else { return }
        let period = run.duration + emphasis.interval
        emphasisPeriod = period
        let seconds = time.upperBound - time.lowerBound
        for number in 0..<runs(of: period, in: seconds + emphasis.interval, atLeast: 0) {
            try count(run)
            add(run, .emphasis, of: block, at: time.lowerBound + Double(number) * period)
        }
    }

    /// Schedules the emphasis of blocks that stand from a time on: as many runs as there is time
    /// for, one at least.
    ///
    /// - Returns: The seconds in which they stand.
    private mutating func stand(
        _ blocks: Range<Int>, from start: Double
    ) throws(SceneError) -> Double {
        let least = max(choreography.timing.hold, choreography.paintMotion?.duration ?? 0)
        guard let emphasis = choreography.emphasis else { return least }
        var run: [Phase] = []
        for block in blocks {
            run.append(try emphasis.effect.entrance(of: effectBlock(block, .entrance)))
        }
        let length = run.map(\.duration).max() ?? 0
        guard length > 0 else { return least }
        let period = length + emphasis.interval
        emphasisPeriod = period
        for number in 0..<runs(of: period, in: least + emphasis.interval, atLeast: 1) {
            for (block, phase) in zip(blocks, run) {
                try self.count(phase)
                add(phase, .emphasis, of: block, at: start + Double(number) * period)
            }
        }
        return max(least, length)
    }

    /// Returns how many runs of the emphasis there is time for.
    private func runs(of period: Double, in seconds: Double, atLeast least: Double) -> Int {
        // The addition keeps rounding from taking a run away.
        let fitting = seconds / period + 1e-9
        // Each run has a keyframe at least.
        return Int(min(max(fitting, least), Double(limits.keyframes) + 1))
    }

    /// Adds the entrance of a block with its marks.
    ///
    /// - Returns: The seconds that both take.
    private mutating func addEntrance(
        _ phase: Phase, of block: Int, at start: Double
    ) throws(SceneError) -> Double {
        let marks = try MarkTiming.timings(
            of: layout.blocks[block], in: layout.glyphs, arrivingIn: phase, until: deadline)
        try count(marks)
        let entry = Schedule.Entry(kind: .entrance, start: start, phase: phase, marks: marks)
        phases[block].append(entry)
        return entry.duration
    }

    private mutating func add(
        _ phase: Phase, _ kind: Phase.Kind, of block: Int, at start: Double
    ) {
        phases[block].append(Schedule.Entry(kind: kind, start: start, phase: phase))
    }

    // MARK: Phases

    private mutating func entrance(of block: Int) throws(SceneError) -> Phase {
        var seen = effectBlock(block, .entrance)
        if let time = choreography.blocks[block].time {
            let first = layout.blocks[block].glyphs.lowerBound
            seen.words = layout.blocks[block].words.map { word in
                TimedWord(
                    glyphs: word.glyphs.lowerBound - first..<word.glyphs.upperBound - first,
                    start: word.start - time.start, end: word.end - time.start)
            }
        }
        let phase = try choreography.blocks[block].effect.entrance(of: seen)
        try count(phase)
        return phase
    }

    private mutating func exit(of block: Int) throws(SceneError) -> Phase {
        var seen = effectBlock(block, .exit)
        let phase: Phase
        switch choreography.exit {
        case .none: phase = .vanishing(seen)
        case .effect(let effect):
            let first = layout.blocks[block].firstExitCharacter
            seen.characters = seen.characters.dropFirst(first)
            var leaving = try effect.exit(of: seen)
            leaving.renumberCharacters(from: first)
            phase = leaving
        case .between, .auto: phase = try choreography.blocks[block].effect.exit(of: seen)
        }
        try count(phase)
        return phase
    }

    /// Returns the change into the next block, if the effects of both know one.
    private func change(from block: Int) throws(SceneError) -> BlockChange? {
        try choreography.blocks[block].effect.change(
            from: effectBlock(block, .exit), to: effectBlock(block + 1, .entrance),
            with: choreography.blocks[block + 1].effect,
            ChangePause(gap: choreography.timing.gap, hasOwnExit: choreography.exit.isOwn))
    }

    private func effectBlock(_ block: Int, _ kind: Phase.Kind) -> EffectBlock {
        var markedLines: Set<Int> = []
        for mark in layout.blocks[block].marks {
            for glyph in mark.glyphs { markedLines.insert(layout.glyphs[glyph].line) }
        }
        let glyphs = layout.blocks[block].glyphs
        var seen = EffectBlock(
            glyphs: layout.glyphs[glyphs], em: layout.blocks[block].size,
            randomness: PhaseRandomness(
                seed: seed, block: choreography.firstBlock + block, phase: kind),
            keyframes: (used: keyframes.used, limit: keyframes.limit), deadline: deadline)
        if !layout.places.isEmpty { seen.places = layout.places[glyphs] }
        seen.path = layout.blocks[block].path
        seen.characters = layout.blocks[block].characters[...]
        seen.instances = layout.blocks[block].instances
        seen.lines = layout.blocks[block].lines
        seen.markedLines = markedLines
        seen.canvas = Rect(
            x: -growth.x, y: -growth.y, width: layout.width + 2 * growth.x,
            height: layout.height + 2 * growth.y)
        seen.margins = choreography.blocks[block].paint.margins
        if !drawn.isEmpty {
            seen.drawn = drawn[block]
            seen.texts = (
                drawn.reduce(drawn[block]) { $0.union($1) },
                layout.blocks[0].lines.first?.direction ?? .leftToRight
            )
        }
        return seen
    }

    private mutating func count(_ phase: Phase) throws(SceneError) {
        try deadline.checkScene()
        let counts = phase.tracks.map { tracks in
            tracks.moves.reduce(max(tracks.opacity.count, 1) + tracks.fill.count + 1) {
                $0 + $1.keyframes.count
            }
        }
        hasNodes = hasNodes || !phase.nodes.isEmpty
        hasLight = hasLight || phase.shimmer != nil
        var count = phase.assignment.reduce(0) { $0 + counts[$1] }
        // Each motion makes tracks; nodes that share one cost a little.
        count += phase.nodes.count - phase.motions.count
        count += phase.motions.reduce(0) { sum, motion in
            sum + 2 * motion.spans.count + motion.moves.reduce(0) { $0 + $1.keyframes.count }
        }
        if let axes = phase.axes {
            hasAxes = true
            for (glyph, spans) in axes.spans.enumerated() where !spans.isEmpty {
                let shown = Set(spans.map(\.instance)).count
                count += 2 * spans.count + shown * counts[phase.assignment[glyph]]
            }
        }
        try keyframes.add(count)
        let work = Schedule.work(ofKeyframes: keyframes.used)
        guard work <= limits.work else {
            throw .tooMuchWork(megapixels: work, limit: limits.work)
        }
    }

    private mutating func count(_ marks: [MarkTiming]) throws(SceneError) {
        try keyframes.add(
            marks.reduce(0) { $0 + MarkTiming.keyframesOfStroke * $1.strokeCount })
    }
}
