/// When each block's phases are, in seconds before `speed`.
struct Schedule {
    struct PlacedPhase {
        let kind: Phase.Kind
        let start: Double
        let phase: Phase

        var end: Double { start + phase.duration }
    }

    /// For each block its phases in their order.
    private(set) var phases: [[PlacedPhase]]
    /// The end of the last phase or hold.
    private(set) var total = 0.0
    /// How many keyframes all phases have so far.
    private var keyframes = 0

    private let choreography: Choreography
    private let layout: Layout
    private let seed: UInt64
    private let limit: Int

    init(
        _ choreography: Choreography, _ layout: Layout, seed: UInt64, limits: SceneLimits
    ) throws(SceneError) {
        self.choreography = choreography
        self.layout = layout
        self.seed = seed
        limit = limits.keyframes
        phases = Array(repeating: [], count: layout.blocks.count)
        switch choreography.sequence {
        case .queue, .together: try stack()
        case .replace: try replace()
        }
    }

    // MARK: Sequences

    private mutating func stack() throws(SceneError) {
        var next = choreography.delay
        for block in phases.indices {
            let phase = try entrance(of: block)
            let start = choreography.sequence == .queue ? next : choreography.delay
            place(phase, .entrance, of: block, at: start)
            next = start + phase.duration + choreography.gap
            total = max(total, start + phase.duration)
        }
        total += choreography.hold
        let leaves =
            switch choreography.departure {
            case .auto, .effect: true
            case .between, .none: false
            }
        guard leaves else { return }
        let start = total
        for block in phases.indices {
            let phase = try exit(of: block)
            place(phase, .exit, of: block, at: start)
            total = max(total, start + phase.duration)
        }
    }

    private mutating func replace() throws(SceneError) {
        var time = choreography.delay
        var arriving = try entrance(of: 0)
        for block in phases.indices {
            place(arriving, .entrance, of: block, at: time)
            time += arriving.duration + choreography.hold
            let isLast = block == phases.count - 1
            if !isLast, let change = change(from: block) {
                place(change.leaving, .exit, of: block, at: time)
                arriving = change.arriving
                try count(arriving)
            } else if !isLast || lastLeaves {
                let phase = try exit(of: block)
                place(phase, .exit, of: block, at: time)
                time += phase.duration + (isLast ? 0 : choreography.gap)
                if !isLast { arriving = try entrance(of: block + 1) }
            }
        }
        total = time
    }

    /// Whether in `replace` the last block leaves too.
    private var lastLeaves: Bool {
        switch choreography.departure {
        case .auto, .effect: true
        case .between, .none: choreography.loop != .count(1)
        }
    }

    private mutating func place(
        _ phase: Phase, _ kind: Phase.Kind, of block: Int, at start: Double
    ) {
        phases[block].append(PlacedPhase(kind: kind, start: start, phase: phase))
    }

    // MARK: Phases

    private mutating func entrance(of block: Int) throws(SceneError) -> Phase {
        let phase = try choreography.blocks[block].effect.entrance(
            of: effectBlock(block, .entrance))
        try count(phase)
        return phase
    }

    private mutating func exit(of block: Int) throws(SceneError) -> Phase {
        let seen = effectBlock(block, .exit)
        let phase: Phase
        switch choreography.departure {
        case .none: phase = .vanishing(seen)
        case .effect(let effect):
            var leaving = try effect.exit(of: seen)
            // Its characters were set behind those of the block's own effect.
            let first = choreography.blocks[block].effect.characters.count
            for decoy in leaving.decoys.indices { leaving.decoys[decoy].character += first }
            phase = leaving
        case .between, .auto: phase = try choreography.blocks[block].effect.exit(of: seen)
        }
        try count(phase)
        return phase
    }

    /// The change into the next block, where both have an effect that knows one.
    private func change(from block: Int) -> (leaving: Phase, arriving: Phase)? {
        let (old, new) = (choreography.blocks[block].effect, choreography.blocks[block + 1].effect)
        guard type(of: old) == type(of: new) else { return nil }
        return new.change(
            from: effectBlock(block, .exit), to: effectBlock(block + 1, .entrance))
    }

    private func effectBlock(_ block: Int, _ kind: Phase.Kind) -> EffectBlock {
        EffectBlock(
            glyphs: layout.glyphs[layout.blocks[block].glyphs],
            em: layout.blocks[block].size,
            randomness: PhaseRandomness(seed: seed, block: block, phase: kind),
            keyframes: (used: keyframes, limit: limit))
    }

    private mutating func count(_ phase: Phase) throws(SceneError) {
        let counts = phase.tracks.map { tracks in
            tracks.moves.reduce(tracks.opacity.count + 1) { $0 + $1.keyframes.count }
        }
        keyframes += phase.assignment.reduce(0) { $0 + counts[$1] }
        keyframes += phase.decoys.reduce(0) { $0 + 2 * $1.spans.count }
        guard keyframes <= limit else {
            throw .tooManyKeyframes(count: keyframes, limit: limit)
        }
    }
}
