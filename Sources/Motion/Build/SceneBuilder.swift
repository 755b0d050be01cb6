/// Builds a scene from a schedule.
///
/// Each step is a function in a file of its own: `addMarks` is in AddMarks.swift.
struct SceneBuilder {
    /// Takes all steps in their order, and returns the scene.
    ///
    /// Each step adds its nodes after those of earlier steps: the order of the steps is the order
    /// of `Scene.nodes`. The comments give the other reasons for the place of a step.
    mutating func build() throws(SceneError) -> Scene {
        // First: later steps find the node of a glyph by the index of the glyph.
        try addGlyphs()
        // Before the parts and all that moves with a glyph.
        try addSpokenChanges()
        // Before all copies of these nodes, which have the same masks.
        try addMasks()
        // After the masks, which parts have too.
        scene.addParts(of: layout)
        // After the parts, which have overlays too.
        try addOverlays()
        // Just before the instances: all decoys are neighbours (`Scene.withDecoysInOrder`).
        try addNodes(.text)
        // After the overlays, which have instances too.
        let shared = try addInstances()
        // Before `takeTurns`: a number follows its glyph over the whole cycle.
        try addLineNumbers()
        // Before the card, which gives the title bar its motion.
        addTitleBar()
        // Before `takeTurns`: a cursor follows the glyphs over the whole cycle.
        try addCursors()
        // Before the tracks of underlays: this step gives all parts of a node one track.
        takeTurns(shared)
        // After all other text, those behind it last (`Scene.textLayers`).
        try addNodes(.front)
        // After the cursors and all that follows the glyphs whose fills this step hides.
        try addSpokenOverlays()
        try addNodes(.behind)
        // Beside the copies, which lie behind all other text.
        try addSpokenBoxes()
        // After the last node that stands for a glyph or beside one.
        placeNodes()
        // After the last track of the text, and before the marks: their outlines keep `draw`.
        try addUnderlayTracks()
        // After the last node with a pen, and before `joinGlyphs`, which compares outlines.
        try takeOutOverlaps()
        // After all text: its layers end at the first mark (`Scene.contentLayers`).
        try addMarks()
        // Before the warnings, which examine it.
        try addPaintMotion()
        // Before `joinGlyphs`: glyphs are translucent where light passes.
        try addShimmers()
        // After places, tracks, outlines, and light, which decide which glyphs are blended once.
        try scene.joinGlyphs(layout.glyphs.count, until: deadline)
        // After all nodes that move with the text as the canvas grows.
        try makeRoom()
        // After the canvas has its size, and last of the nodes (`Scene.cardNodeCount`).
        try addCardAndBar()
        // Last: flashes of all nodes count.
        try addWarnings()
        scene.work +=
            Schedule.work(ofKeyframes: keyframes.used)
            + ClippingDetector.work(ofKeyframes: keyframes.used)
        return scene
    }

    let choreography: Choreography
    let layout: Layout
    let schedule: Schedule
    let speed: Double
    let deadline: WorkDeadline
    var scene: Scene
    /// The keyframes of the schedule, and those that steps have added.
    var keyframes: KeyframeCount
    /// Makes the motions of glyphs and of the card, one after another.
    var motions: MotionBuilder
    /// Makes all other tracks, one after another.
    var track = TrackBuilder<Double>()
    /// The indices of the scene's masks.
    var knownMasks: [[MaskSpan]: Int] = [:]
    /// The sides at which nodes of glyphs leave the canvas by intent.
    var passing: [Int: Edges] = [:]
    /// Where cursors stand beside glyphs that are not upright, by their nodes.
    var cursorPlaces: [Int: Place] = [:]
    var instances = InstanceNodes()

    init(
        _ choreography: Choreography, _ layout: Layout, _ schedule: Schedule, speed: Double,
        appearance: Appearance, _ deadline: WorkDeadline
    ) {
        self.choreography = choreography
        self.layout = layout
        self.schedule = schedule
        self.speed = speed
        self.deadline = deadline
        scene = Scene(
            of: layout, duration: Instant(seconds: schedule.total / speed), loop: choreography.loop,
            appearance: appearance)
        if let period = schedule.emphasisPeriod { scene.emphasisPeriod = period / speed }
        keyframes = schedule.keyframes
        motions = MotionBuilder(speed: speed)
    }
}

// MARK: Shared by several steps

extension SceneBuilder {
    /// Returns true if the finished text shows a block.
    func isFinished(_ block: Int) -> Bool {
        choreography.sequence.finishes(with: block, of: schedule.phases.count)
    }

    /// Returns a span of a phase as instants of the cycle; nil if it is empty.
    ///
    /// - Parameters:
    ///   - entry: The phase.
    ///   - start: The start of the span, in seconds before `speed` from the start of the phase.
    ///   - end: The end of the span, counted in the same way.
    /// - Returns: The instants.
    func instants(
        of entry: Schedule.Entry, from start: Double, to end: Double
    ) -> Range<Instant>? {
        let first = Instant(seconds: (entry.start + start) / speed)
        let last = Instant(seconds: (entry.start + end) / speed)
        return first < last ? first..<last : nil
    }

    /// Adds the motion of a node over all phases; see `MotionBuilder.tracks`.
    mutating func addTracks(
        _ phases: [Schedule.Entry], _ indices: [Int], castsShadow: Bool
    ) throws(SceneError) {
        try deadline.checkScene(every: 64)
        scene.tracks.append(motions.tracks(phases, indices, castsShadow: castsShadow))
    }

    /// Adds a node that the finished text does not show.
    mutating func add(_ glyph: Glyph, as role: SceneNode.Role, _ tracks: GlyphTracks) {
        scene.nodes.append(
            SceneNode(glyph, as: role, track: scene.tracks.count, isFinished: false))
        scene.tracks.append(tracks)
    }

    /// Returns the index of a mask, which it adds to the scene if no node has had it.
    mutating func index(ofMask spans: [MaskSpan]) -> Int {
        if let known = knownMasks[spans] { return known }
        knownMasks[spans] = scene.masks.count
        scene.masks.append(spans)
        return scene.masks.count - 1
    }
}
