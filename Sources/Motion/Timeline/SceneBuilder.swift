extension Choreography {
    /// Returns the layout with everything that happens to it.
    ///
    /// - Parameters:
    ///   - layout: The typeset text.
    ///   - appearance: The background and the names of the scene.
    ///   - limits: The bounds of the scene.
    ///   - deadline: The end of the work.
    /// - Returns: The scene.
    /// - Throws: `SceneError` when the scene would go past a limit, or the time is over.
    package func scene(
        of layout: Layout, appearance: Appearance, limits: SceneLimits,
        deadline: WorkDeadline = WorkDeadline()
    ) throws(SceneError) -> Scene {
        var scene = try plainScene(
            of: layout, appearance: appearance, limits: limits, deadline: deadline)
        // By index, because reading a block copies it.
        if layout.blocks.indices.contains(where: { !layout.blocks[$0].alternatives.isEmpty }) {
            scene.spellPictures()
        }
        return scene
    }

    /// Returns the scene with the characters that stand for pictures; `growth` is the width in CSS
    /// pixels by which motion is known to extend the canvas on its left and on its right.
    private func plainScene(
        of layout: Layout, growth: Double = 0, appearance: Appearance, limits: SceneLimits,
        deadline: WorkDeadline
    ) throws(SceneError) -> Scene {
        guard isAnimated else { return try still(layout, appearance, deadline) }
        let schedule = try Schedule(
            self, layout, growth: growth, seed: appearance.seed, limits: limits,
            deadline: deadline)
        let speed = try speed(forTotal: schedule.total)
        let seconds = schedule.total / speed
        guard seconds <= limits.cycleSeconds else {
            throw .cycleTooLong(
                seconds: seconds, limit: limits.cycleSeconds,
                parameter: wait(beyond: limits.cycleSeconds * speed, ofTotal: schedule.total))
        }
        var builder = SceneBuilder(
            self, layout, schedule, speed: speed, appearance: appearance, deadline)
        let scene = try builder.scene(limits)
        // Texts that run through the canvas have their full way only once it has grown for other
        // motion.
        let grown = (scene.width - layout.width) / 2
        guard growth == 0, grown > 0, schedule.runsThrough else { return scene }
        var wider = try plainScene(
            of: layout, growth: grown, appearance: appearance, limits: limits, deadline: deadline)
        wider.work += scene.work - layout.work
        return wider
    }

    /// Returns the parameter of the longest wait if the cycle is within a limit without it; nil if
    /// the cycle is too long without any wait.
    private func wait(beyond limit: Double, ofTotal total: Double) -> String? {
        let count = Double(blocks.count)
        let waits = [
            ("hold", sequence.replaces ? hold * count : hold),
            ("gap", sequence == .together ? 0 : gap * (count - 1)), ("delay", delay),
        ]
        guard let longest = waits.max(by: { $0.1 < $1.1 }), total - longest.1 <= limit else {
            return nil
        }
        return longest.0
    }

    private func speed(forTotal total: Double) throws(SceneError) -> Double {
        let speed: Double
        switch pace {
        case .speed(let own): speed = own
        case .cycle(let seconds):
            speed = total / seconds
            guard speed >= 0.1, speed <= 10 else {
                throw .cycleOutOfReach(speed: speed, parameter: "cycle")
            }
        }
        guard let mostSeconds, total / speed > mostSeconds else { return speed }
        let least = total / mostSeconds
        guard least <= 10 else { throw .cycleOutOfReach(speed: least, parameter: "maxCycle") }
        return least
    }

    private func still(
        _ layout: Layout, _ appearance: Appearance, _ deadline: WorkDeadline
    ) throws(SceneError) -> Scene {
        var hidden = GlyphTracks.shown
        hidden.opacity.keyframes[0].value = 0
        let count = layout.blocks.count
        func isFinished(_ block: Int) -> Bool { sequence.finishes(with: block, of: count) }
        let numbers = layout.blocks.flatMap(\.numbers).map { digit in
            let isFinished = isFinished(digit.block)
            return SceneNode(
                digit, as: .lineNumber, track: isFinished ? 0 : 1, isFinished: isFinished)
        }
        var scene = Scene(
            of: layout,
            blocks: layout.blocks.indices.map {
                SceneBlock(
                    layout.blocks[$0], blocks[$0], entrance: .zero ... .zero, exit: nil)
            },
            nodes: layout.glyphs.map { glyph in
                let isFinished = isFinished(glyph.block)
                return SceneNode(glyph, track: isFinished ? 0 : 1, isFinished: isFinished)
            } + numbers
                + layout.titleBar.map {
                    SceneNode($0, as: .titleBar, track: 0, isFinished: true)
                },
            tracks: [.shown, hidden], duration: .zero, loop: loop, appearance: appearance)
        scene.addParts(of: layout)
        for block in layout.blocks.indices {
            let isFinished = isFinished(block)
            var drawing = MarkDrawing(of: block, seed: appearance.seed)
            for mark in layout.blocks[block].marks {
                let words = layout.blocks[block].words(of: mark, in: layout.glyphs)
                drawing.add(mark.style, words, to: &scene, isFinished: isFinished) { _, _ in
                    isFinished ? 0 : 1
                }
            }
        }
        if let bar = layout.bar { scene.addBar(bar, track: 0) }
        try scene.joinGlyphs(layout.glyphs.count, until: deadline)
        return scene
    }
}

extension SceneBlock {
    fileprivate init(
        _ layout: BlockLayout, _ block: Choreography.Block, entrance: ClosedRange<Instant>,
        exit: ClosedRange<Instant>?
    ) {
        var layout = layout
        // The instances that show are among the nodes.
        if !layout.instances.isEmpty { layout.instances = [] }
        self.init(
            layout, effectName: block.effectName.name, effectTitle: block.effectName.title,
            entrance: entrance, exit: exit, paint: block.paint)
    }
}

/// Builds a scene from a schedule, part by part: glyphs, decoys, cursors.
private struct SceneBuilder {
    private let choreography: Choreography
    private let layout: Layout
    private let schedule: Schedule
    private let speed: Double
    private var scene: Scene
    /// Makes all tracks, one after another.
    private var track = TrackBuilder<Double>()
    private var fill = TrackBuilder<ColorMix>()
    /// The properties of the glyph that is being built.
    private var moved: [Property] = []
    /// The indices of the scene's masks.
    private var knownMasks: [[MaskSpan]: Int] = [:]
    /// The nodes of glyphs that leave the canvas by intent.
    private var passing: Set<Int> = []
    /// Where cursors stand beside glyphs that are not upright, by their nodes.
    private var cursorPlaces: [Int: Place] = [:]
    private var instances = InstanceNodes()
    private let deadline: WorkDeadline
    /// The keyframes of the schedule, and of the cursors so far.
    private var keyframes: Int

    init(
        _ choreography: Choreography, _ layout: Layout, _ schedule: Schedule, speed: Double,
        appearance: Appearance, _ deadline: WorkDeadline
    ) {
        self.choreography = choreography
        self.layout = layout
        self.schedule = schedule
        self.deadline = deadline
        keyframes = schedule.keyframes
        self.speed = speed
        scene = Scene(
            of: layout, blocks: [], nodes: [], tracks: [],
            duration: Instant(seconds: schedule.total / speed), loop: choreography.loop,
            appearance: appearance)
    }

    mutating func scene(_ limits: SceneLimits) throws(SceneError) -> Scene {
        scene.nodes.reserveCapacity(layout.glyphs.count)
        scene.blocks.reserveCapacity(schedule.phases.count)
        for block in schedule.phases.indices { try addBlock(block) }
        try addMasks()
        scene.addParts(of: layout)
        try addOverlays()
        try addDecoys()
        let turns = try addInstances()
        try addLineNumbers(limits)
        addTitleBar()
        for block in schedule.phases.indices where choreography.blocks[block].cursor != .none {
            try addCursor(of: block, limits)
        }
        takeTurns(turns)
        try addCopies()
        placeNodes()
        try addUnderlayTracks()
        try takeOutOverlaps()
        try addMarks()
        try addPaintMotion(limits)
        try addShimmers(limits)
        try scene.joinGlyphs(layout.glyphs.count, until: deadline)
        let clipping = try clippingWarning()
        try addCardAndBar()
        let warnings = [
            clipping, try FlashDetector.warning(of: scene, instances, until: deadline),
            FlashDetector.paintWarning(of: scene), FlashDetector.shimmerWarning(of: scene),
        ]
        scene.warnings += warnings.compactMap { $0 } + warningsOfDigits
        scene.work +=
            Schedule.work(ofKeyframes: keyframes) + ClippingDetector.work(ofKeyframes: keyframes)
        return scene
    }

    /// The warnings of blocks that stand because their effects move digits and their texts have
    /// none.
    private var warningsOfDigits: [Warning] {
        layout.blocks.indices.filter { block in
            choreography.blocks[block].effect.needsDigits
                && WrittenNumber.all(in: layout.glyphs[layout.blocks[block].glyphs]).isEmpty
        }.map { .noDigits(block: $0, effect: choreography.blocks[$0].effectName.name) }
    }

    /// Returns the warning of text that leaves the canvas while it moves, once the canvas has grown
    /// as far as it may.
    private mutating func clippingWarning() throws(SceneError) -> Warning? {
        dropWarningOfWidth()
        let warning = try self.warningOfMotion()
        guard warning != nil, layout.room.holdsMotion, try makeRoom() else { return warning }
        return try warningOfMotion()
    }

    private func warningOfMotion() throws(SceneError) -> Warning? {
        try ClippingDetector.warning(
            of: scene, instances, passing: passing, in: layout.room, until: deadline)
    }

    /// Takes away the warning that the text is too wide if only glyphs that run through the canvas
    /// leave it.
    private mutating func dropWarningOfWidth() {
        guard !passing.isEmpty, layout.room.isTextTooWide else { return }
        let canvas = Rect(x: 0, y: 0, width: layout.width, height: layout.height)
        let isCut = layout.glyphs.indices.contains { index in
            guard !passing.contains(index), let ink = layout.glyphs[index].ink else { return false }
            let margins = choreography.blocks[layout.glyphs[index].block].paint.margins
            let place = layout.place(ofGlyph: index)
            let box = place.map { $0.map.bounds(of: ink.bounds) } ?? ink.bounds
            return !canvas.holdsAcross(box.grown(by: margins))
        }
        let areMarksCut = layout.blocks.contains { block in
            block.markBounds(in: layout.glyphs).map { !canvas.holdsAcross($0) } ?? false
        }
        guard !isCut, !areMarksCut,
            let index = scene.warnings.firstIndex(where: { $0.code == .clipped && $0.block == nil })
        else { return }
        if layout.room.isTextTooHigh {
            scene.warnings[index] = .clippedText(isTooWide: false, isTooHigh: true)
        } else {
            scene.warnings.remove(at: index)
        }
    }

    /// Enlarges the canvas for nodes that move out of it, equally on opposite sides, where the text
    /// decides its size.
    ///
    /// - Returns: True if it has grown.
    private mutating func makeRoom() throws(SceneError) -> Bool {
        let room = layout.room
        guard !room.isWidthGiven || !room.isHeightGiven else { return false }
        let overflow = try ClippingDetector.overflow(
            of: scene, instances, passing: passing, until: deadline)
        func more(_ sides: Double..., beside length: Double, isGiven: Bool) -> Double {
            let most = max(((room.maximumSide - length) / 2).rounded(.down), 0)
            let wanted = sides.max() ?? 0
            return isGiven || wanted <= 0.01 ? 0 : min(wanted.rounded(.up), most)
        }
        let x = more(
            overflow.left, overflow.right, beside: scene.width, isGiven: room.isWidthGiven)
        let y = more(
            overflow.top, overflow.bottom, beside: scene.height, isGiven: room.isHeightGiven)
        guard x > 0 || y > 0 else { return false }
        scene.pad(byX: x, y: y)
        return true
    }

    // MARK: Glyphs

    private mutating func addBlock(_ block: Int) throws(SceneError) {
        let phases = schedule.phases[block]
        func instants(_ entry: Schedule.Entry) -> ClosedRange<Instant> {
            let end = Instant(seconds: (entry.start + entry.duration) / speed)
            return Instant(seconds: entry.start / speed)...end
        }
        scene.blocks.append(
            SceneBlock(
                layout.blocks[block], choreography.blocks[block], entrance: instants(phases[0]),
                exit: phases.first { $0.kind == .exit }.map(instants)))
        let glyphs = layout.blocks[block].glyphs
        let isFinished = choreography.sequence.finishes(with: block, of: schedule.phases.count)
        func add(_ glyph: Int, track: Int) {
            scene.nodes.append(
                SceneNode(
                    layout.glyphs[glyphs.lowerBound + glyph], track: track,
                    isFinished: isFinished))
        }
        // Glyphs that have the same tracks in every phase share them.
        let first = scene.tracks.count
        var indices = [Int](repeating: 0, count: phases.count)
        if phases.count == 1 {
            let count = phases[0].phase.tracks.count
            scene.tracks.reserveCapacity(first + count)
            for index in 0..<count {
                indices[0] = index
                try addTracks(phases, indices, of: block)
            }
            for (glyph, index) in phases[0].phase.assignment.enumerated() {
                add(glyph, track: first + index)
            }
            return
        }
        var known: [Int: Int] = [:]
        for glyph in phases[0].phase.assignment.indices {
            var key = 0
            for entry in phases.indices {
                indices[entry] = phases[entry].phase.assignment[glyph]
                // All runs of an emphasis have one phase, and there may be many runs.
                if entry > 0, phases[entry].kind == .emphasis,
                    phases[entry - 1].kind == .emphasis
                {
                    continue
                }
                key = key * phases[entry].phase.tracks.count + indices[entry]
            }
            if let track = known[key] {
                add(glyph, track: track)
                continue
            }
            known[key] = scene.tracks.count
            add(glyph, track: scene.tracks.count)
            try addTracks(phases, indices, of: block)
        }
    }

    /// Adds tracks that are hidden before the entrance, at rest after it, hidden after the exit.
    ///
    /// - Parameters:
    ///   - phases: The phases of the block.
    ///   - indices: The index of the tracks within each phase.
    ///   - block: The index of the block.
    /// - Throws: `SceneError.deadline`.
    private mutating func addTracks(
        _ phases: [Schedule.Entry], _ indices: [Int], of block: Int
    ) throws(SceneError) {
        try deadline.checkScene(every: 64)
        if phases[0].start > 0 { track.add(0, value: 0, easing: .hold) }
        if !moved.isEmpty { moved.removeAll(keepingCapacity: true) }
        var isPainted = false
        // By index, because reading phases and tracks copies them.
        for index in phases.indices {
            let own = indices[index]
            let delay = phases[index].phase.tracks[own].delay
            if phases[index].phase.tracks[own].opacity.isEmpty {
                if phases[index].kind != .emphasis {
                    track.add(phases[index].start / speed, value: 1, easing: .hold)
                }
            } else {
                track.add(
                    phases[index].phase.tracks[own].opacity, from: phases[index].start, delay,
                    speed: speed)
            }
            if phases[index].kind == .exit {
                track.add(phases[index].end / speed, value: 0, easing: .hold)
            }
            for move in phases[index].phase.tracks[own].moves.indices {
                let property = phases[index].phase.tracks[own].moves[move].property
                if !moved.contains(property) { moved.append(property) }
            }
            isPainted = isPainted || !phases[index].phase.tracks[own].fill.isEmpty
        }
        var tracks = GlyphTracks(opacity: Track(keyframes: track.finish()))
        if moved.count > 1 { moved.sort { $0.rawValue < $1.rawValue } }
        for property in moved
        where property != .shadowOpacity || choreography.blocks[block].paint.hasShadow {
            for index in phases.indices {
                let own = indices[index]
                let delay = phases[index].phase.tracks[own].delay
                for move in phases[index].phase.tracks[own].moves.indices
                where phases[index].phase.tracks[own].moves[move].property == property {
                    let keyframes = phases[index].phase.tracks[own].moves[move].keyframes
                    track.add(keyframes, from: phases[index].start, delay, speed: speed)
                }
            }
            tracks.append(PropertyTrack(property, Track(keyframes: track.finish())))
        }
        if isPainted {
            for index in phases.indices {
                let own = phases[index].phase.tracks[indices[index]]
                fill.add(own.fill, from: phases[index].start, own.delay, speed: speed)
            }
            tracks.fill = Track(keyframes: fill.finish())
        }
        scene.tracks.append(tracks)
    }

    /// Adds the boxes within which glyphs and their outlines are drawn in phases with a mask.
    private mutating func addMasks() throws(SceneError) {
        for (block, phases) in schedule.phases.enumerated()
        where phases.contains(where: { $0.phase.masks != nil }) {
            for (glyph, node) in layout.blocks[block].glyphs.enumerated() {
                try deadline.checkScene(every: 64)
                let spans = phases.flatMap { maskSpans(ofGlyph: glyph, of: block, in: $0) }
                if !spans.isEmpty { scene.nodes[node].mask = index(ofMask: spans) }
            }
        }
    }

    /// Returns the spans of the mask of a glyph of a block in a phase; empty for the whole canvas.
    private func maskSpans(
        ofGlyph glyph: Int, of block: Int, in entry: Schedule.Entry
    ) -> [MaskSpan] {
        guard let masks = entry.phase.masks, let box = masks.boxes[glyph] else { return [] }
        let reach = masks.holdsOutlines ? choreography.blocks[block].paint.outlineReach : 0
        let spans = masks.spans.isEmpty ? [(0, entry.phase.duration)] : masks.spans
        return spans.compactMap { span in
            let start = Instant(seconds: (entry.start + span.0) / speed)
            let end = Instant(seconds: (entry.start + span.1) / speed)
            guard start < end else { return nil }
            return mask(
                box.grown(by: Margins(all: reach)), cutAt: masks.edges, ofGlyph: glyph, of: block,
                start..<end)
        }
    }

    /// Returns a box as the mask of a glyph of a block for a span.
    private func mask(
        _ box: Rect, cutAt edges: Edges, ofGlyph glyph: Int, of block: Int, _ span: Range<Instant>
    ) -> MaskSpan {
        let node = layout.blocks[block].glyphs.lowerBound + glyph
        guard layout.place(ofGlyph: node) == nil else {
            // The sides of the canvas lie in other directions than its own, and no further away.
            // The canvas may grow by the font size; renderers are inexact with sides that are far
            // out.
            let beyond = layout.width + layout.height + 4 * layout.blocks[block].size
            return MaskSpan(
                start: span.lowerBound, end: span.upperBound,
                rect: box.opened(by: beyond, but: edges))
        }
        return MaskSpan(
            start: span.lowerBound, end: span.upperBound, rect: scene.opened(box, but: edges),
            edges: edges)
    }

    private mutating func index(ofMask spans: [MaskSpan]) -> Int {
        if let known = knownMasks[spans] { return known }
        knownMasks[spans] = scene.masks.count
        scene.masks.append(spans)
        return scene.masks.count - 1
    }

    /// Adds overlays in the colour of an effect to the glyphs of blocks whose paint has a gradient.
    private mutating func addOverlays() throws(SceneError) {
        for (block, own) in choreography.blocks.enumerated() where own.paint.hasGradient {
            guard case .blend(let color) = own.effect.colorChange(in: .entrance) else { continue }
            // The tracks of overlays by the tracks of their glyphs.
            var tracks: [Int: Int] = [:]
            let parts = scene.nodes.indices.filter {
                scene.nodes[$0].role.isPart && scene.nodes[$0].glyph.block == block
            }
            for node in Array(layout.blocks[block].glyphs) + parts {
                try deadline.checkScene(every: 8)
                let track = scene.nodes[node].track
                if scene.tracks[track].fill != nil {
                    tracks[track] = scene.tracks.count
                    scene.tracks.append(scene.tracks[track].overlay)
                    scene.tracks[track].fill = nil
                }
                guard let overlayTrack = tracks[track],
                    let glyph = scene.nodes[node].glyph.overlaid(in: color)
                else { continue }
                let role: SceneNode.Role =
                    if case .part(let whole) = scene.nodes[node].role {
                        .overlay(of: whole)
                    } else { .overlay(of: node) }
                var overlay = SceneNode(
                    glyph, as: role, track: overlayTrack, isFinished: false)
                overlay.mask = scene.nodes[node].mask
                scene.nodes.append(overlay)
            }
        }
    }

    /// Adds the numbers beside lines. A number shows with the first glyph of its line; beside an
    /// empty line it shows with the next glyph, or with the last one if none follows.
    private mutating func addLineNumbers(_ limits: SceneLimits) throws(SceneError) {
        for (number, block) in layout.blocks.enumerated()
        where !block.numbers.isEmpty && !block.glyphs.isEmpty {
            var first = [Int?](repeating: nil, count: block.lines.count)
            for node in block.glyphs.reversed() { first[layout.glyphs[node].line] = node }
            var next = block.glyphs.upperBound - 1
            for line in first.indices.reversed() {
                next = first[line] ?? next
                first[line] = next
            }
            let entrance = schedule.phases[number][0]
            var before: [Glyph] = []
            if entrance.phase.numbersWay != nil, case let other = layout.blocks[number - 1],
                other.firstNumber == block.firstNumber
            {
                // The same digits of the same numbers.
                before = other.numbers
            }
            var tracks: [NumberMotion: Int] = [:]
            for (index, digit) in block.numbers.enumerated() {
                let node = first[digit.line] ?? next
                var motion = NumberMotion(line: scene.nodes[node].track)
                if index < before.count {
                    motion.start = Point(
                        x: before[index].rect.x - digit.rect.x,
                        y: before[index].rect.y - digit.rect.y)
                }
                let track = tracks[motion] ?? scene.tracks.count
                if track == scene.tracks.count {
                    tracks[motion] = track
                    scene.tracks.append(try numberTracks(motion, entrance, of: number, limits))
                }
                scene.nodes.append(
                    SceneNode(
                        digit, as: .lineNumber, track: track,
                        isFinished: scene.nodes[node].isFinished))
            }
        }
    }

    /// How a digit beside a line moves.
    private struct NumberMotion: Hashable {
        /// The index in `Scene.tracks` of the motion of the line's first glyph.
        let line: Int
        /// The offset of the digit in the block before, in CSS pixels; nil where it comes with its
        /// line.
        var start: Point?
    }

    /// Returns the tracks of a digit beside a line of a block: the opacity of the line, or tracks
    /// that show the digit throughout the entrance and move it from its position in the block
    /// before.
    private mutating func numberTracks(
        _ motion: NumberMotion, _ entrance: Schedule.Entry, of block: Int, _ limits: SceneLimits
    ) throws(SceneError) -> GlyphTracks {
        let opacity = scene.tracks[motion.line].opacity
        guard let start = motion.start, let way = entrance.phase.numbersWay else {
            return GlyphTracks(opacity: opacity)
        }
        let phase = scene.blocks[block].entrance
        keyframes += 2 * way.count
        guard keyframes <= limits.keyframes else {
            throw .tooManyKeyframes(count: keyframes, limit: limits.keyframes)
        }
        track.add(0, value: 0, easing: .hold)
        track.add(phase.lowerBound.seconds, value: 1, easing: .hold)
        for keyframe in opacity.keyframes where keyframe.time >= phase.upperBound {
            track.add(keyframe.time.seconds, value: keyframe.value, easing: keyframe.easing)
        }
        var tracks = GlyphTracks(opacity: Track(keyframes: track.finish()))
        for (property, distance) in [(Property.offsetX, start.x), (.offsetY, start.y)]
        where distance != 0 && !way.isEmpty {
            let own = way.map {
                Keyframe($0.time, value: distance * $0.value, easing: $0.easing)
            }
            track.add(own, from: entrance.start, 0, speed: speed)
            tracks[property] = Track(keyframes: track.finish())
        }
        return tracks
    }

    /// Adds the nodes of the bar above the text, which never change.
    private mutating func addTitleBar() {
        guard !layout.titleBar.isEmpty else { return }
        let track = scene.tracks.count
        scene.tracks.append(.shown)
        scene.nodes += layout.titleBar.map {
            SceneNode($0, as: .titleBar, track: track, isFinished: true)
        }
    }

    /// Adds a node that the finished text does not show.
    private mutating func add(_ glyph: Glyph, as role: SceneNode.Role, _ tracks: GlyphTracks) {
        scene.nodes.append(
            SceneNode(glyph, as: role, track: scene.tracks.count, isFinished: false))
        scene.tracks.append(tracks)
    }

    /// Makes strokes follow the edges of the ink where the parts of a letter overlap.
    private mutating func takeOutOverlaps() throws(SceneError) {
        // At rest there is no stroke.
        guard scene.movedProperties.contains(.strokeOpacity),
            scene.tracks.contains(where: \.hasStroke)
        else { return }
        let hasStroke = scene.tracks.map(\.hasStroke)
        var isFollowed = [Bool](repeating: false, count: scene.definitions.outlines.count)
        for index in scene.nodes.indices where hasStroke[scene.nodes[index].track] {
            if let shape = scene.shape(ofNode: index) { isFollowed[shape.outline] = true }
        }
        for index in isFollowed.indices where isFollowed[index] {
            try deadline.checkScene()
            scene.definitions.takeOutOverlaps(ofOutline: index)
        }
    }

    /// Adds the tracks of outlines and shadows that move otherwise than their glyphs.
    private mutating func addUnderlayTracks() throws(SceneError) {
        guard choreography.blocks.contains(where: \.paint.hasUnderlay),
            scene.tracks.contains(where: { $0.hasOwnOutline || $0.hasOwnShadow })
        else { return }
        func index(of tracks: GlyphTracks, _ known: Int...) -> Int {
            if let same = known.first(where: { scene.tracks[$0] == tracks }) { return same }
            scene.tracks.append(tracks)
            return scene.tracks.count - 1
        }
        let underlays = try scene.tracks.indices.map { track throws(SceneError) in
            try deadline.checkScene(every: 8)
            let outline = index(of: scene.tracks[track].outline, track)
            return (outline: outline, shadow: index(of: scene.tracks[track].shadow, track, outline))
        }
        for index in scene.nodes.indices {
            let underlay = underlays[scene.nodes[index].track]
            scene.nodes[index].outlineTrack = underlay.outline
            scene.nodes[index].shadowTrack = underlay.shadow
        }
    }

    // MARK: Paint

    /// Moves gradients in whole turns, as many as come nearest to the wanted duration, so that a
    /// cycle ends as it began.
    private mutating func addPaintMotion(_ limits: SceneLimits) throws(SceneError) {
        guard let motion = choreography.paintMotion else { return }
        let turns = max((schedule.total / motion.duration).rounded(), 1)
        let pieces = motion.easing.clampedPieces
        let count = turns * Double((motion.kind == .breathe ? 2 : 1) * pieces.count)
        guard Double(keyframes) + count <= Double(limits.keyframes) else {
            throw .tooManyKeyframes(
                count: keyframes + Int(min(count, 1e9)), limit: limits.keyframes)
        }
        let seconds = scene.duration.seconds / turns
        /// Adds a change that begins after so many turns.
        func add(_ start: Double, _ length: Double, from first: Double, to last: Double) {
            track.add(pieces, start, length, from: first, to: last) { $0 * seconds }
        }
        switch motion.kind {
        case .breathe:
            for turn in 0..<Int(turns) {
                add(Double(turn), 0.5, from: 0, to: 1)
                add(Double(turn) + 0.5, 0.5, from: 1, to: 0)
            }
        case .pan, .spin, .sweep:
            if motion.easing == .linear {
                add(0, turns, from: 0, to: turns)
            } else {
                for turn in 0..<Int(turns) {
                    add(Double(turn), 1, from: Double(turn), to: Double(turn + 1))
                }
            }
        }
        keyframes += Int(count)
        scene.paintMotion = PaintMotion(
            motion.kind, count: Int(turns), turns: Track(keyframes: track.finish()))
    }

    /// Adds the light that passes over blocks, with one track for all phases with equal bands.
    private mutating func addShimmers(_ limits: SceneLimits) throws(SceneError) {
        guard schedule.hasCopiesOrLight else { return }
        for (block, phases) in schedule.phases.enumerated() {
            var bands: [ShimmerBand] = []
            for case let shimmer? in phases.map(\.phase.shimmer)
            where !bands.contains(shimmer.band) { bands.append(shimmer.band) }
            for band in bands {
                for entry in phases {
                    guard let shimmer = entry.phase.shimmer, shimmer.band == band else { continue }
                    try deadline.checkScene(every: 64)
                    let pieces = shimmer.easing.clampedPieces
                    keyframes += 2 * pieces.count
                    guard keyframes <= limits.keyframes else {
                        throw .tooManyKeyframes(count: keyframes, limit: limits.keyframes)
                    }
                    track.add(pieces, entry.start, entry.phase.duration, from: 0, to: 1) {
                        [speed] in $0 / speed
                    }
                }
                let passage = Track(keyframes: track.finish())
                scene.shimmers.append(SceneShimmer(block: block, band, passage: passage))
            }
        }
    }

    // MARK: Marks

    /// The seconds in which marks fade out as their block leaves.
    private static let markFade = 0.3

    private mutating func addMarks() throws(SceneError) {
        for (block, phases) in schedule.phases.enumerated() where !phases[0].marks.isEmpty {
            let isFinished = choreography.sequence.finishes(
                with: block, of: schedule.phases.count)
            let exits = phases.dropFirst().filter { $0.kind != .emphasis }.map { entry in
                let fade = min(entry.phase.duration, Self.markFade)
                return (start: entry.start / speed, end: (entry.start + fade) / speed)
            }
            var drawing = MarkDrawing(of: block, seed: scene.appearance.seed)
            for mark in phases[0].marks {
                try deadline.checkScene()
                let start = (phases[0].start + mark.start) / speed
                let duration = (mark.end - mark.start) / speed
                drawing.add(mark.style, mark.words, to: &scene, isFinished: isFinished) {
                    share, scene in
                    scene.tracks.append(
                        GlyphTracks(
                            drawnFrom: start + share.lowerBound * duration,
                            to: start + share.upperBound * duration, fading: exits))
                    return scene.tracks.count - 1
                }
            }
        }
    }

    // MARK: Copies

    private struct CopyKey: Hashable {
        var number: Int
        var color: Color?
        var edges: Edges
    }

    /// Adds the glyphs that show once more, first in front of the text, then behind it.
    private mutating func addCopies() throws(SceneError) {
        guard schedule.hasCopiesOrLight else { return }
        for isBehind in [false, true] {
            for block in schedule.phases.indices {
                try addCopies(of: block, isBehind: isBehind)
                if !isBehind { try addRepeats(of: block) }
            }
        }
    }

    /// Adds the glyphs that are drawn once more beside themselves.
    private mutating func addRepeats(of block: Int) throws(SceneError) {
        let phases = schedule.phases[block].filter { !$0.phase.repeats.isEmpty }
        for kind in [Phase.Kind.entrance, .emphasis] {
            // All runs of a kind have one phase.
            let runs = phases.filter { $0.kind == kind }
            guard let phase = runs.first?.phase else { continue }
            var known: [Int: Int] = [:]
            for (number, node) in layout.blocks[block].glyphs.enumerated() {
                try deadline.checkScene(every: 64)
                guard let distance = phase.repeats[number] else { continue }
                passing.insert(node)
                var glyph = layout.glyphs[node]
                guard glyph.ink != nil else { continue }
                glyph.move(byX: distance, y: 0)
                let motion = phase.assignment[number]
                let index = known[motion] ?? scene.tracks.count
                if known[motion] == nil {
                    known[motion] = index
                    scene.tracks.append(tracks(of: phase.tracks[motion], in: runs))
                }
                scene.nodes.append(
                    SceneNode(glyph, as: .slice(of: node), track: index, isFinished: false))
                for part in layout.blocks[block].parts[node] ?? [] {
                    scene.nodes.append(
                        SceneNode(
                            part.only(of: glyph), as: .slice(of: node), track: index,
                            isFinished: false))
                }
            }
        }
    }

    /// Returns the tracks of a node that shows only in some phases, and moves alike in each of
    /// them.
    private mutating func tracks(
        of motion: PhaseTracks, in runs: [Schedule.Entry]
    ) -> GlyphTracks {
        track.add(0, value: 0, easing: .hold)
        for run in runs {
            track.add(run.start / speed, value: 1, easing: .hold)
            track.add(run.end / speed, value: 0, easing: .hold)
        }
        var tracks = GlyphTracks(opacity: Track(keyframes: track.finish()))
        for move in motion.moves {
            for run in runs { track.add(move.keyframes, from: run.start, 0, speed: speed) }
            tracks[move.property] = Track(keyframes: track.finish())
        }
        return tracks
    }

    private mutating func addCopies(of block: Int, isBehind: Bool) throws(SceneError) {
        let phases = schedule.phases[block].filter { !$0.phase.copies.isEmpty }
        var known: Set<CopyKey> = []
        for phase in phases {
            for (number, copy) in phase.phase.copies.enumerated()
            where (copy.color != nil) == isBehind {
                let key = CopyKey(number: number, color: copy.color, edges: copy.edges)
                guard known.insert(key).inserted else { continue }
                // The copy is the same in all phases; only its spans differ.
                let spans = phases.flatMap { entry in
                    let copies = entry.phase.copies
                    guard number < copies.count, copies[number].color == key.color,
                        copies[number].edges == key.edges
                    else { return [(start: Double, end: Double, x: Double)]() }
                    return copies[number].spans.map {
                        (
                            start: (entry.start + $0.start) / speed,
                            end: (entry.start + $0.end) / speed, x: $0.x
                        )
                    }
                }
                try add(copy, showing: spans, of: block)
            }
        }
    }

    private mutating func add(
        _ copy: PhaseCopy, showing spans: [(start: Double, end: Double, x: Double)], of block: Int
    ) throws(SceneError) {
        track.add(0, value: 0, easing: .hold)
        for span in spans {
            track.add(span.start, value: 1, easing: .hold)
            track.add(span.end, value: 0, easing: .hold)
        }
        var tracks = GlyphTracks(opacity: Track(keyframes: track.finish()))
        for span in spans { track.add(span.start, value: span.x, easing: .hold) }
        // A hidden copy has no offset.
        if let end = spans.last?.end { track.add(end, value: 0, easing: .hold) }
        tracks[.offsetX] = Track(keyframes: track.finish())
        // Masks do not cut shadows.
        if choreography.blocks[block].paint.hasShadow {
            tracks[.shadowOpacity] = Track(keyframes: [Keyframe(.zero, value: 0)])
        }
        for (number, node) in layout.blocks[block].glyphs.enumerated() {
            try deadline.checkScene(every: 64)
            let parts = layout.blocks[block].parts[node] ?? []
            let glyph = layout.glyphs[node]
            for glyph in [glyph] + parts.map({ $0.only(of: glyph) }) {
                guard glyph.ink != nil,
                    let shape = copy.color.map({ glyph.overlaid(in: $0) }) ?? glyph
                else { continue }
                let role = copy.color == nil ? SceneNode.Role.slice(of: node) : .copy(of: node)
                var added = SceneNode(
                    shape, as: role, track: scene.tracks.count, isFinished: false)
                if !copy.boxes.isEmpty {
                    let span = mask(
                        copy.boxes[number], cutAt: copy.edges, ofGlyph: number, of: block,
                        .zero..<scene.duration)
                    added.mask = index(ofMask: [span])
                }
                scene.nodes.append(added)
            }
        }
        scene.tracks.append(tracks)
    }

    // MARK: Card and bar

    /// Adds the card, if it moves, and the bar beside the text, once the canvas has its final size.
    private mutating func addCardAndBar() throws(SceneError) {
        if let motion = choreography.cardMotion { try addCard(motion) }
        if var bar = layout.bar {
            // The bar moves with the text on a canvas that has grown.
            let (rect, before) = (scene.blocks[0].layout.rect, layout.blocks[0].rect)
            bar.rect = bar.rect.offset(byX: rect.x - before.x, y: rect.y - before.y)
            scene.addBar(bar, track: try cardTrack(of: .bar(bar)))
        }
        let spans =
            choreography.cardMotion?.mask(
                on: (scene.width, scene.height), from: choreography.delay,
                to: schedule.cardExit, speed: speed) ?? []
        guard !spans.isEmpty else { return }
        let mask = index(ofMask: spans)
        for index in scene.nodes.indices.suffix(scene.cardNodeCount) {
            scene.nodes[index].mask = mask
        }
        for index in scene.nodes.indices where scene.nodes[index].role == .titleBar {
            scene.nodes[index].mask = mask
        }
    }

    /// Adds the parts of the card as nodes, in place of a card that stands still.
    private mutating func addCard(_ motion: CardMotion) throws(SceneError) {
        let card = scene.appearance.card
        scene.appearance.card = Card(background: .transparent)
        if card.hasGround {
            scene.addGround(of: card, track: try cardTrack(of: .ground))
        }
        if let border = card.border {
            scene.addBorder(border, of: card, track: try cardTrack(of: .border))
            if motion.effect == .draw {
                let track = try cardTrack(of: .pen(width: border.width))
                scene.addPen(border, of: card, track: track)
            }
        }
        guard !layout.titleBar.isEmpty else { return }
        let track = try cardTrack(of: .titleBar)
        for index in scene.nodes.indices where scene.nodes[index].role == .titleBar {
            let node = scene.nodes[index]
            scene.nodes[index] = SceneNode(
                node.glyph, as: node.role, track: track, isFinished: node.isFinished)
        }
    }

    /// Adds the tracks of a part of the card; the part always shows if the card does not move.
    ///
    /// - Returns: Its index.
    private mutating func cardTrack(of part: CardMotion.Part) throws(SceneError) -> Int {
        guard let motion = choreography.cardMotion else {
            scene.tracks.append(.shown)
            return scene.tracks.count - 1
        }
        let entrance = motion.entrance(of: part, on: (scene.width, scene.height))
        var phases = [
            Schedule.Entry(kind: .entrance, start: choreography.delay, phase: entrance)
        ]
        if let exit = schedule.cardExit {
            phases.append(Schedule.Entry(kind: .exit, start: exit, phase: entrance.mirrored))
        }
        try addTracks(phases, phases.map { _ in 0 }, of: 0)
        return scene.tracks.count - 1
    }

    // MARK: Decoys

    private struct Decoy {
        let glyph: Int
        var shape: Glyph
        var spans: [(start: Double, end: Double)]
        /// CSS pixels below its glyph's place.
        var shift: Double
        /// Its moves, from the start of each phase in seconds; empty if it stands still.
        var moves: [(start: Double, property: Property, keyframes: [Keyframe<Double, Double>])] =
            []
        /// The spans of its mask; empty for the whole canvas.
        var masks: [MaskSpan] = []

        var firstInstant: Instant { Instant(seconds: spans.first?.start ?? 0) }
    }

    private struct DecoyKey: Hashable {
        var glyph: Int
        var character: Int
        var shift: Double
    }

    /// Adds one glyph for each position and distinct character, in the order in which they first
    /// show.
    private mutating func addDecoys() throws(SceneError) {
        var decoys: [Decoy] = []
        for (block, phases) in schedule.phases.enumerated() {
            decoys += try self.decoys(of: block, phases)
        }
        let order = decoys.indices.sorted {
            (decoys[$0].firstInstant, decoys[$0].glyph) < (
                decoys[$1].firstInstant, decoys[$1].glyph
            )
        }
        for index in order {
            try deadline.checkScene(every: 64)
            add(decoys[index])
        }
    }

    private func decoys(
        of block: Int, _ phases: [Schedule.Entry]
    ) throws(SceneError) -> [Decoy] {
        var decoys: [Decoy] = []
        var known: [DecoyKey: Int] = [:]
        let characters = layout.blocks[block].characters
        let first = layout.blocks[block].glyphs.lowerBound
        for entry in phases {
            for decoy in entry.phase.decoys where decoy.character < characters.count {
                try deadline.checkScene(every: 64)
                let spans = decoy.spans.map {
                    ((entry.start + $0.start) / speed, (entry.start + $0.end) / speed)
                }
                let key = DecoyKey(
                    glyph: first + decoy.glyph, character: decoy.character, shift: decoy.shift)
                let index = known[key] ?? decoys.count
                if index == decoys.count {
                    known[key] = index
                    decoys.append(
                        Decoy(
                            glyph: key.glyph, shape: characters[decoy.character], spans: [],
                            shift: decoy.shift))
                }
                decoys[index].spans += spans
                guard !decoy.moves.isEmpty else { continue }
                decoys[index].moves += decoy.moves.map { (entry.start, $0.property, $0.keyframes) }
                decoys[index].masks += maskSpans(ofGlyph: decoy.glyph, of: block, in: entry)
            }
        }
        return decoys
    }

    /// Adds a decoy that is centred in the glyph's box, on its baseline.
    private mutating func add(_ decoy: Decoy) {
        let glyph = layout.glyphs[decoy.glyph]
        var shape = decoy.shape
        shape.block = glyph.block
        shape.line = glyph.line
        shape.word = glyph.word
        shape.move(
            byX: glyph.rect.center.x - shape.rect.center.x,
            y: glyph.baseline - shape.baseline + decoy.shift)
        if decoy.firstInstant > .zero { track.add(0, value: 0, easing: .hold) }
        for span in decoy.spans {
            track.add(span.start, value: 1, easing: .hold)
            track.add(span.end, value: 0, easing: .hold)
        }
        var tracks = GlyphTracks(opacity: Track(keyframes: track.finish()))
        for property in Set(decoy.moves.map(\.property)).sorted(by: { $0.rawValue < $1.rawValue })
        where property != .shadowOpacity || choreography.blocks[shape.block].paint.hasShadow {
            for move in decoy.moves where move.property == property {
                track.add(move.keyframes, from: move.start, 0, speed: speed)
            }
            tracks.append(PropertyTrack(property, Track(keyframes: track.finish())))
        }
        // The digits of a drum move as one.
        if !decoy.moves.isEmpty, scene.tracks.last == tracks { scene.tracks.removeLast() }
        add(shape, as: .decoy(of: decoy.glyph), tracks)
        if !decoy.masks.isEmpty {
            scene.nodes[scene.nodes.count - 1].mask = index(ofMask: decoy.masks)
        }
    }

    // MARK: Instances

    /// A part of a glyph's time in which it is drawn at another instance of its font.
    private struct Turn {
        let shape: Ink.Shape?
        var spans: [Range<Instant>]
    }

    private struct TurnKey: Hashable {
        let motion: Int
        let instance: Int
    }

    /// Tracks that are seen for a part of their time.
    private struct PartKey: Hashable {
        let track: Int
        let spans: [Range<Instant>]
        let isInside: Bool
    }

    /// A node that other nodes replace for a part of its time.
    private struct SharedNode {
        let node: Int
        let spans: [Range<Instant>]
        /// The nodes that replace it, each with its spans.
        var others: [(node: Int, spans: [Range<Instant>])] = []
    }

    /// Adds glyphs at other instances of their fonts as decoys, then overlays over them. Each has
    /// the motion of the node that it stands for.
    private mutating func addInstances() throws(SceneError) -> [SharedNode] {
        guard schedule.hasAxes else { return [] }
        let first = scene.nodes.count
        var overlays: [Int: Int] = [:]
        for index in scene.nodes.indices {
            if case .overlay(let glyph) = scene.nodes[index].role { overlays[glyph] = index }
        }
        var shared: [SharedNode] = []
        var colored: [(node: Int, turns: [Turn])] = []
        for (block, phases) in schedule.phases.enumerated()
        where phases.contains(where: { $0.phase.axes != nil }) {
            let motions = phases.map { entry in
                layout.blocks[block].instances.firstIndex {
                    $0.motion == entry.phase.axes?.instances.motion
                } ?? 0
            }
            for (glyph, node) in layout.blocks[block].glyphs.enumerated() {
                try deadline.checkScene(every: 16)
                let turns = turns(ofGlyph: glyph, in: phases, motions)
                guard !turns.isEmpty else { continue }
                shared.append(share(node, turns, as: .decoy(of: node)))
                if overlays[node] != nil { colored.append((node, turns)) }
            }
        }
        for (node, turns) in colored {
            try deadline.checkScene(every: 16)
            if let overlay = overlays[node] {
                shared.append(share(overlay, turns, as: .overlay(of: node)))
            }
        }
        instances.nodes = first..<scene.nodes.count
        return shared
    }

    /// Returns the instances of a glyph in the order in which they first show.
    private func turns(
        ofGlyph glyph: Int, in phases: [Schedule.Entry], _ motions: [Int]
    ) -> [Turn] {
        var turns: [Turn] = []
        var known: [TurnKey: Int] = [:]
        for (entry, motion) in zip(phases, motions) {
            guard let axes = entry.phase.axes, let own = axes.instances.glyphs[glyph] else {
                continue
            }
            for span in axes.spans[glyph] {
                let start = Instant(seconds: (entry.start + span.start) / speed)
                let end = Instant(seconds: (entry.start + span.end) / speed)
                guard start < end else { continue }
                let key = TurnKey(motion: motion, instance: span.instance)
                let index = known[key] ?? turns.count
                if index == turns.count {
                    known[key] = index
                    turns.append(Turn(shape: own.shapes[span.instance], spans: []))
                }
                turns[index].spans.append(start..<end)
            }
        }
        for index in turns.indices { turns[index].spans = turns[index].spans.joined }
        return turns
    }

    /// Adds the nodes that replace another node for a part of its time.
    private mutating func share(
        _ index: Int, _ turns: [Turn], as role: SceneNode.Role
    ) -> SharedNode {
        var shared = SharedNode(node: index, spans: turns.flatMap(\.spans).joined)
        let node = scene.nodes[index]
        guard let ink = node.glyph.ink, let own = ink.shape else { return shared }
        for turn in turns {
            var shape = turn.shape
            shape?.origin.x += own.origin.x
            shape?.origin.y += own.origin.y
            guard let ink = ink.with(shape, of: scene.definitions.outlines) else { continue }
            var added = node
            added.glyph.ink = ink
            added.role = role
            added.isFinished = false
            shared.others.append((scene.nodes.count, turn.spans))
            scene.nodes.append(added)
        }
        return shared
    }

    /// Limits each node to its part of the time that it shares with others.
    ///
    /// Until then every node has the motion of the whole time, which cursors and line numbers
    /// follow.
    private mutating func takeTurns(_ shared: [SharedNode]) {
        guard !shared.isEmpty else { return }
        var known: [PartKey: Int] = [:]
        func part(_ key: PartKey) -> Int {
            if let index = known[key] { return index }
            known[key] = scene.tracks.count
            scene.tracks.append(scene.tracks[key.track].seen(in: key.spans, key.isInside))
            return scene.tracks.count - 1
        }
        for one in shared {
            let track = scene.nodes[one.node].track
            instances.opacities[one.node] = scene.tracks[track].opacity
            scene.nodes[one.node].setTrack(
                part(PartKey(track: track, spans: one.spans, isInside: false)))
            for other in one.others {
                scene.nodes[other.node].setTrack(
                    part(PartKey(track: track, spans: other.spans, isInside: true)))
            }
        }
        removeUnusedTracks()
    }

    private mutating func removeUnusedTracks() {
        var indices = [Int?](repeating: nil, count: scene.tracks.count)
        var tracks: [GlyphTracks] = []
        for node in scene.nodes.indices {
            let track = scene.nodes[node].track
            let index = indices[track] ?? tracks.count
            if index == tracks.count {
                indices[track] = index
                tracks.append(scene.tracks[track])
            }
            scene.nodes[node].setTrack(index)
        }
        scene.tracks = tracks
    }

    // MARK: Places

    /// Gives every node that stands for a glyph, or beside one, the place of that glyph.
    private mutating func placeNodes() {
        guard !layout.places.isEmpty else { return }
        scene.places = scene.nodes.indices.map { index in
            switch scene.nodes[index].role {
            case .glyph: layout.places[index]
            case .part(let glyph), .decoy(let glyph), .overlay(let glyph), .slice(let glyph),
                .copy(let glyph):
                layout.places[glyph]
            case .cursor: cursorPlaces[index]
            case .mark, .lineNumber, .titleBar, .card, .bar: nil
            }
        }
    }

    // MARK: Cursors

    private mutating func addCursor(of block: Int, _ limits: SceneLimits) throws(SceneError) {
        let own = choreography.blocks[block]
        let text = layout.blocks[block]
        let glyphs = layout.glyphs[text.glyphs]
        let path = CursorPath(
            CursorPositions(own.cursor, block: text, glyphs: glyphs), glyphs: glyphs,
            shown: try shownSpans(ofGlyphs: text.glyphs, of: block))
        let opacity = try blinking(of: block, limits)
        let range = range(of: block)
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
            func instants(
                _ span: (start: Double, end: Double), _ delay: Double = 0
            ) -> Range<Instant>? {
                let start = Instant(seconds: (entry.start + (delay + span.start)) / speed)
                let end = Instant(seconds: (entry.start + (delay + span.end)) / speed)
                return start < end ? start..<end : nil
            }
            for (glyph, number) in entry.phase.assignment.enumerated() {
                try deadline.checkScene(every: 64)
                let tracks = entry.phase.tracks[number]
                let ramps = tracks.shownSpans.compactMap { instants($0, tracks.delay) }
                if !ramps.isEmpty { spans[glyph] = (spans[glyph] + ramps).joined }
            }
            for decoy in entry.phase.decoys where decoy.movesCursor {
                spans[decoy.glyph] += decoy.spans.compactMap { instants($0) }
                spans[decoy.glyph].sort { $0.lowerBound < $1.lowerBound }
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
    private func range(of block: Int) -> ClosedRange<Double> {
        let isAlways = choreography.sequence == .together
        let last = schedule.phases.count - 1
        let start =
            block == 0 || isAlways ? schedule.texts.lowerBound : schedule.phases[block][0].start
        var end =
            block == last || isAlways
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
    private mutating func blinking(
        of block: Int, _ limits: SceneLimits
    ) throws(SceneError) -> Track<Double> {
        let range = range(of: block)
        let blink = choreography.blocks[block].cursorBlink
        let phases = schedule.phases[block].filter { $0.kind != .emphasis }
        let toggles = blink > 0 ? 2 * (range.upperBound - range.lowerBound) / blink : 0
        let count = Double(keyframes) + toggles
        guard toggles < 1 || count < Double(limits.keyframes) else {
            throw .tooManyKeyframes(count: Int(min(count, 1e9)), limit: limits.keyframes)
        }
        keyframes += Int(toggles)
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

extension Scene {
    /// Adds the parts of glyphs in other paints, which move with their glyphs.
    fileprivate mutating func addParts(of layout: Layout) {
        // By index, because reading a block copies it.
        for block in layout.blocks.indices {
            let parts = layout.blocks[block].parts
            for index in parts.keys.sorted() {
                for part in parts[index] ?? [] {
                    var node = nodes[index]
                    node.glyph = part.only(of: node.glyph)
                    node.role = .part(of: index)
                    nodes.append(node)
                }
            }
        }
    }
}

extension GlyphTracks {
    /// Makes the motion of a stroke that is drawn in a span of seconds, and fades out in others.
    fileprivate init(
        drawnFrom start: Double, to end: Double, fading exits: [(start: Double, end: Double)]
    ) {
        var track = TrackBuilder<Double>()
        if start > 0 { track.add(0, value: 0, easing: .hold) }
        track.add(start, value: 1, easing: .hold)
        for exit in exits {
            track.add(exit.start, value: 1, easing: .linear)
            track.add(exit.end, value: 0, easing: .hold)
        }
        self.init(opacity: Track(keyframes: track.finish()))
        track.add(start, value: 0, easing: .easeInOut)
        track.add(end, value: 1, easing: .hold)
        let drawn = Track(keyframes: track.finish())
        if drawn.keyframes.count > 1 { self[.draw] = drawn }
    }
}

extension [Range<Instant>] {
    /// The same spans in rising order; spans that touch are joined.
    fileprivate var joined: [Range<Instant>] {
        var joined: [Range<Instant>] = []
        for span in sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = joined.last, span.lowerBound <= last.upperBound {
                let end = Swift.max(last.upperBound, span.upperBound)
                joined[joined.count - 1] = last.lowerBound..<end
            } else {
                joined.append(span)
            }
        }
        return joined
    }
}

extension TrackBuilder<Double> {
    /// Adds a change along the pieces of a curve.
    ///
    /// - Parameters:
    ///   - pieces: The pieces.
    ///   - start: The time at which it starts, in any unit.
    ///   - length: The time that it takes, in the same unit.
    ///   - first: The value at its start.
    ///   - last: The value at its end.
    ///   - seconds: Returns a time in seconds of the cycle.
    fileprivate mutating func add(
        _ pieces: [Easing.Part], _ start: Double, _ length: Double, from first: Double,
        to last: Double, seconds: (Double) -> Double
    ) {
        for piece in pieces {
            add(
                seconds(start + piece.start * length), value: first + (last - first) * piece.from,
                easing: piece.easing)
            add(
                seconds(start + piece.end * length), value: first + (last - first) * piece.to,
                easing: .hold)
        }
        add(seconds(start + length), value: last, easing: .hold)
    }
}

extension TrackBuilder {
    /// Adds the keyframes of a phase.
    ///
    /// - Parameters:
    ///   - keyframes: The keyframes, which count from the phase's start, after the delay.
    ///   - start: The phase's start in seconds before `speed`.
    ///   - delay: The tracks' delay in seconds before `speed`.
    ///   - speed: The factor that divides all times.
    fileprivate mutating func add(
        _ keyframes: [Keyframe<Double, Value>], from start: Double, _ delay: Double, speed: Double
    ) {
        guard let first = keyframes.first, let last = keyframes.indices.last else { return }
        if delay + first.time > 0 { add(start / speed, value: first.value, easing: .hold) }
        for index in keyframes.indices {
            let keyframe = keyframes[index]
            // Before a jump the first value holds already, and needs no second keyframe.
            if index == 0, last > 0, delay > 0, keyframes[1].time == keyframe.time { continue }
            // The last value holds until another phase says otherwise.
            add(
                (start + (delay + keyframe.time)) / speed, value: keyframe.value,
                easing: index == last ? .hold : keyframe.easing)
        }
    }
}
