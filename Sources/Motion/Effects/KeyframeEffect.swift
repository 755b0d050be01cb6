/// An effect of keyframes that each item runs in its turn.
///
/// To add one, write a `Definition` in `KeyframeEffects.swift` and name it in
/// `EffectCatalog.swift`.
package struct KeyframeEffect: Effect {
    /// The effect as data, with the defaults of its parameters.
    package struct Definition: Sendable {
        package var name: String
        package var title: String
        /// The effect file as canonical JSON, which is part of entity tags; nil for Titlecard's
        /// own.
        package var source: String?
        var defaults: Defaults
        /// True if the text leaves at once; otherwise the entrance runs backwards.
        var vanishes = false
        /// Reads the effect's own parameters and returns the keyframes of its items.
        var keyframes:
            @Sendable (_ parameters: inout ParameterReader, _ easing: TimingFunction)
                throws(ParameterFault) -> ItemKeyframes
    }

    /// The defaults of the parameters that all of these effects have.
    package struct Defaults: Sendable {
        package var grouping = Grouping.glyph
        package var order = ItemOrder.forward
        /// Seconds.
        package var interval = 0.03
        /// Seconds.
        package var duration = 0.5
        /// Nil for an effect without the parameter.
        package var easing: TimingFunction? = .easeOut
        /// Nil for an effect without the parameter.
        package var mask: Mask? = Mask.none

        package init() {}

        init(
            by grouping: Grouping = .glyph, order: ItemOrder = .forward, interval: Double,
            duration: Double, easing: TimingFunction? = .easeOut, mask: Mask? = nil
        ) {
            self.grouping = grouping
            self.order = order
            self.interval = interval
            self.duration = duration
            self.easing = easing
            self.mask = mask
        }
    }

    private let stagger: Stagger
    /// Seconds of each item.
    private let duration: Double
    private let keyframes: ItemKeyframes
    package let axes: AxisMotion?
    private let mask: Mask
    private let vanishes: Bool

    init(
        _ definition: Definition, _ parameters: inout ParameterReader
    ) throws(ParameterFault) {
        let defaults = definition.defaults
        stagger = Stagger(
            &parameters, by: defaults.grouping, order: defaults.order,
            interval: defaults.interval)
        duration = parameters.seconds(
            "duration", default: defaults.duration, "Seconds for which each item moves.")
        var easing = TimingFunction.linear
        if let fallback = defaults.easing {
            easing = parameters.easing("easing", default: fallback, "How each item moves.")
        }
        // All parameters are read, even if one of them is missing.
        let keyframes = Result { () throws(ParameterFault) in
            try definition.keyframes(&parameters, easing)
        }
        mask = defaults.mask.map { parameters.mask(default: $0) } ?? .none
        self.keyframes = try keyframes.get()
        axes = AxisMotion(self.keyframes.axes, duration: duration)
        vanishes = definition.vanishes
    }

    package func colorChange(in kind: Phase.Kind) -> ColorChange {
        guard !(kind == .exit && vanishes),
            let paints = keyframes.properties.first(where: { $0.property == .color })?.keyframes
        else { return .none }
        var colors: [Color] = []
        for case .color(let color) in paints.map(\.value) where !colors.contains(color) {
            colors.append(color)
        }
        guard let color = colors.first else { return .none }
        return colors.count == 1 && color.isOpaque ? .blend(color) : .other
    }

    package var isEmphasis: Bool {
        !(keyframes.properties.isEmpty && keyframes.axes.isEmpty)
            && keyframes.properties.allSatisfy { property, keyframes in
                keyframes.first?.value.isTypeset(of: property) ?? true
            } && keyframes.axes.allSatisfy { $0.stops[0].value == nil }
    }

    package func entrance(of block: EffectBlock) throws(SceneError) -> Phase {
        // The motion is made here, and not when requests are read: curves such as springs take a
        // while.
        let motion = try KeyframeMotion(keyframes, of: block)
        let instances = axes.flatMap { block.instances(of: $0) }
        let glyphs = block.glyphs.count + (instances?.count ?? 0)
        try block.checkLimit(glyphs * motion.keyframeCount)
        var phase = try stagger.phase(of: block, lasting: duration, motion, mask)
        phase.axes = instances.map { stagger.axes(of: block, lasting: duration, $0) }
        return phase
    }

    package func exit(of block: EffectBlock) throws(SceneError) -> Phase {
        vanishes ? .vanishing(block) : try entrance(of: block).mirrored
    }
}

extension KeyframeEffect.Definition {
    /// Makes an effect of fixed keyframes, such as an operator's.
    ///
    /// - Parameters:
    ///   - name: The name in requests.
    ///   - title: The name for people.
    ///   - defaults: The defaults of its parameters.
    ///   - keyframes: At least one; each property ends as typeset.
    ///   - source: The effect file as canonical JSON; different effects have different ones.
    package init(
        name: String, title: String, _ defaults: KeyframeEffect.Defaults,
        keyframes: [EffectKeyframe],
        source: String? = nil
    ) {
        self.init(name: name, title: title, source: source, defaults: defaults) { _, easing in
            ItemKeyframes(keyframes, easing: easing)
        }
    }
}

/// The boxes at whose edges glyphs are cut while they move.
package enum Mask: String, CaseIterable, Sendable {
    case none, line, item
}

extension ParameterReader {
    /// Reads the parameter `mask`.
    mutating func mask(default fallback: Mask) -> Mask {
        choice(
            "mask", default: fallback,
            "The box that cuts items at the side that they come from: none, their line's, or their "
                + "own.")
    }
}

extension Stagger {
    /// Gives each item the tracks of a motion.
    ///
    /// - Parameters:
    ///   - block: The block.
    ///   - duration: The seconds of each item.
    ///   - motion: The motion.
    ///   - mask: The boxes at whose edges glyphs are cut.
    /// - Returns: A phase that ends with the last item.
    /// - Throws: `SceneError.deadline`.
    func phase(
        of block: EffectBlock, lasting duration: Double, _ motion: KeyframeMotion, _ mask: Mask
    ) throws(SceneError) -> Phase {
        let schedule = schedule(of: block, lasting: duration)
        var phase = try self.phase(of: block, schedule, lasting: duration, motion)
        phase.followsWords = schedule.followsWords
        switch mask {
        case .none: break
        case .line: phase.mask(Items(block.glyphs, by: .line), of: block, duration, motion)
        case .item: phase.mask(schedule.items, of: block, duration, motion)
        }
        return phase
    }

    /// Gives each item, or each glyph, the tracks for its start and its box.
    private func phase(
        of block: EffectBlock, _ schedule: Starts, lasting duration: Double,
        _ motion: KeyframeMotion
    ) throws(SceneError) -> Phase {
        let items = schedule.items
        var item = KeyframeMotion.Item(duration: duration, em: block.em)
        var tracks: [PhaseTracks] = []
        guard motion.dependsOnGlyph || motion.dependsOnBox else {
            let shared = motion.tracks(of: item)
            tracks = [PhaseTracks](repeating: shared, count: items.count)
            for number in tracks.indices { tracks[number].delay = schedule.starts[number] }
            return Phase(items: items, tracks: tracks, duration: schedule.end)
        }
        let boxes = items.unions(of: block.glyphs.map(\.rect))
        func add(_ number: Int) throws(SceneError) {
            try block.deadline.checkScene(every: 16)
            item.size = (boxes[number].width, boxes[number].height)
            tracks.append(motion.tracks(of: item))
            tracks[tracks.count - 1].delay = schedule.starts[number]
        }
        guard motion.dependsOnGlyph else {
            tracks.reserveCapacity(items.count)
            for number in 0..<items.count { try add(number) }
            return Phase(items: items, tracks: tracks, duration: schedule.end)
        }
        tracks.reserveCapacity(block.glyphs.count)
        let middles = items.middles(of: block.glyphs)
        for (glyph, place) in zip(block.glyphs, zip(items.itemOfGlyph, middles)) {
            item.center = glyph.rect.center
            item.distance = item.center.x - place.1
            try add(place.0)
        }
        return Phase(
            tracks: tracks, assignment: Array(tracks.indices), duration: schedule.end)
    }
}

extension Stagger {
    /// Takes each item through the steps of its font.
    fileprivate func axes(
        of block: EffectBlock, lasting duration: Double, _ instances: AxisInstances
    ) -> PhaseAxes {
        let schedule = schedule(of: block, lasting: duration)
        var axes = PhaseAxes(instances)
        for (glyph, item) in schedule.items.itemOfGlyph.enumerated() {
            guard let steps = instances.steps(ofGlyph: glyph) else { continue }
            let start = schedule.starts[item]
            axes.add(steps.first, of: glyph, from: 0, to: start)
            for span in steps.spans {
                axes.add(
                    span.instance, of: glyph, from: start + span.start * duration,
                    to: start + span.end * duration)
            }
        }
        return axes
    }
}

extension Items {
    /// Returns the union of the rectangles of each item's glyphs.
    func unions(of rects: [Rect]) -> [Rect] {
        var unions = [Rect?](repeating: nil, count: count)
        for (item, rect) in zip(itemOfGlyph, rects) {
            unions[item] = unions[item]?.union(rect) ?? rect
        }
        return unions.map { $0 ?? Rect(x: 0, y: 0, width: 0, height: 0) }
    }

    /// Returns for each glyph the middle of the union of its item's boxes on its line, as an x in
    /// CSS pixels.
    fileprivate func middles(of glyphs: ArraySlice<Glyph>) -> [Double] {
        struct Key: Hashable {
            let item: Int
            let line: Int
        }
        var unions: [Key: Rect] = [:]
        let keys = zip(itemOfGlyph, glyphs).map { Key(item: $0, line: $1.line) }
        for (key, glyph) in zip(keys, glyphs) {
            unions[key] = unions[key]?.union(glyph.rect) ?? glyph.rect
        }
        return keys.map { unions[$0]?.center.x ?? 0 }
    }
}

extension Phase {
    /// Cuts glyphs where they come out of the union of their item's boxes and its ink at rest.
    ///
    /// Shadows are not cut, because cut shadows would jump at the end of the phase; they appear in
    /// the second half of each item's time.
    ///
    /// - Parameters:
    ///   - items: The items whose boxes count.
    ///   - block: The block.
    ///   - duration: The seconds that each item moves.
    ///   - motion: Its motion; items that do not leave their places are cut on all sides.
    fileprivate mutating func mask(
        _ items: Items, of block: EffectBlock, _ duration: Double, _ motion: KeyframeMotion
    ) {
        let boxes = items.unions(
            of: block.glyphs.map { glyph in
                glyph.ink.map { glyph.rect.union($0.bounds) } ?? glyph.rect
            })
        masks = PhaseMasks(
            // White space may have an underline.
            boxes: zip(items.itemOfGlyph, block.glyphs).map { item, glyph in
                glyph.isWhitespace && glyph.ink == nil ? nil : boxes[item]
            }, edges: motion.origin.isEmpty ? .all : motion.origin)
        let appearing = [Keyframe(duration / 2, value: 0.0), Keyframe(duration, value: 1)]
        for index in tracks.indices { tracks[index].moves.append((.shadowOpacity, appearing)) }
    }
}
