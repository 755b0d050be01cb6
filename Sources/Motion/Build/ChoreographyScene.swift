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
        if layout.blocks.contains(where: { !$0.alternatives.isEmpty }) { scene.spellPictures() }
        return scene
    }

    /// Returns the scene with the characters that stand for pictures; `growth` is the width
    /// and the height in CSS pixels by which motion is known to extend the canvas on each side.
    private func plainScene(
        of layout: Layout, growth: SIMD2<Double> = .zero, appearance: Appearance,
        limits: SceneLimits,
        deadline: WorkDeadline
    ) throws(SceneError) -> Scene {
        guard isAnimated else { return try finishedScene(of: layout, appearance, until: deadline) }
        let schedule = try Schedule(
            self, layout, growth: growth, seed: appearance.seed, limits: limits,
            deadline: deadline)
        if let longer = holdingLonger(than: schedule.total) {
            return try longer.plainScene(
                of: layout, growth: growth, appearance: appearance, limits: limits,
                deadline: deadline)
        }
        let speed = try speed(forTotal: schedule.total)
        let seconds = schedule.total / speed
        guard seconds <= limits.cycleSeconds else {
            throw .cycleTooLong(
                seconds: seconds, limit: limits.cycleSeconds,
                parameter: wait(beyond: limits.cycleSeconds * speed, ofTotal: schedule.total))
        }
        var builder = SceneBuilder(
            self, layout, schedule, speed: speed, appearance: appearance, deadline)
        let scene = try builder.build()
        // Texts that run through the canvas have their full way only once it has grown for other
        // motion.
        let grown = SIMD2(scene.width - layout.width, scene.height - layout.height) / 2
        guard growth == .zero, grown != .zero, schedule.runsThrough else { return scene }
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
            ("hold", sequence.replaces ? timing.hold * count : timing.hold),
            ("gap", sequence == .together || sequence == .timed ? 0 : timing.gap * (count - 1)),
            ("delay", timing.delay),
        ]
        guard let longest = waits.max(by: { $0.1 < $1.1 }), total - longest.1 <= limit else {
            return nil
        }
        return longest.0
    }

    /// Returns the factor that divides all times, which may follow from the length of the cycle.
    private func speed(forTotal total: Double) throws(SceneError) -> Double {
        let speed: Double
        switch timing.pace {
        case .speed(let own): speed = sequence == .timed ? 1 : own
        case .cycle(let seconds):
            speed = total / seconds
            guard speed >= 0.1, speed <= 10 else {
                throw .cycleOutOfReach(speed: speed, parameter: "cycle")
            }
        }
        let most = timing.cycle.seconds(for: total / speed)
        guard total / speed > most else { return speed }
        guard sequence != .timed else {
            throw .cycleTooLong(seconds: total, limit: most, parameter: "maxCycle")
        }
        let least = total / most
        guard least <= 10 else { throw .cycleOutOfReach(speed: least, parameter: "maxCycle") }
        return least
    }
}

extension SceneBlock {
    /// Makes the block of a scene, with the instants of its entrance and of its exit.
    init(
        _ layout: BlockLayout, _ block: Choreography.Block, entrance: ClosedRange<Instant>,
        exit: ClosedRange<Instant>?
    ) {
        var layout = layout
        // The instances that show are among the nodes.
        if !layout.instances.isEmpty { layout.instances = [] }
        self.init(
            layout, effectName: block.effectName.name, effectTitle: block.effectName.title,
            entrance: entrance, exit: exit, paint: block.paint)
        isTimed = block.time != nil
    }
}
