import Bytes
import Motion

/// The CSS animations of a document: rules at its head, attributes on its elements.
///
/// Glyphs that move alike share keyframes and a rule; a property in which one differs from its rule
/// is written inline. The rule of most glyphs needs no class: it selects every element that may
/// move.
struct SVGAnimations {
    /// The elements that draw a glyph: one, or a further one for each layer beneath its fill.
    private struct GlyphElements {
        let first: Int
        var last: Int
        /// The motion of the last element, as an index into the scene's tracks.
        var track: Int
    }

    private let elements: [SVGElementAnimations]
    /// The animations of groups that fade around their glyphs, by the group's number, as indices
    /// into `elements`.
    private let fades: [Int: Int]
    private let rules: SVGAnimationRules
    private let iterations: CSSIterations
    /// True if every glyph is drawn about a pivot, in a group that is moved there.
    let usesPivots: Bool

    /// True if nothing is animated.
    var isEmpty: Bool { rules.isEmpty }

    /// Bytes of all `@keyframes`.
    var keyframeBytes: Int { rules.keyframeBytes }

    /// - Throws: `EncodingError.deadline`.
    init(
        _ scene: borrowing Scene, _ groups: [SVGGroup], _ moved: PropertySet,
        _ levels: SVGBlurLevels?, _ profile: SVGProfile, _ context: EncodingContext
    ) throws(EncodingError) {
        iterations = CSSIterations(scene)
        usesPivots = moved.usesCenter
        var sets = SVGAnimationSets(
            scene, cycle: iterations.cycle, movesAcross: moved.contains(.offsetX), levels)
        var elements: [SVGElementAnimations] = []
        elements.reserveCapacity(groups.last.map { $0.firstElement + $0.nodes.count } ?? 0)
        var elementOfTrack = [Int?](repeating: nil, count: scene.tracks.count)
        var drawn = [GlyphElements?](repeating: nil, count: scene.nodes.count)
        var others: [Int] = []
        for group in groups {
            let scale = group.coordinates.scale
            for glyph in group.nodes {
                try context.checkDeadline(every: 64)
                let track = scene.track(ofNode: glyph, in: group.part)
                let own: SVGElementAnimations
                // The differences between layers depend on colours too.
                if let earlier = drawn[glyph], earlier.track == track,
                    sets.sets[elements[earlier.last].set].rest.scale == scale,
                    !scene.tracks[track].hasOwnOutline
                {
                    own = elements[earlier.last]
                } else {
                    own = sets.animations(
                        ofTrack: track, scale: scale, isFinished: scene.nodes[glyph].isFinished,
                        group.colors, isWithinFade: group.fade != nil,
                        known: elementOfTrack[track].map { elements[$0] })
                }
                if own.timing.duration == nil { elementOfTrack[track] = elements.count }
                if drawn[glyph] != nil { others.append(elements.count) }
                drawn[glyph] = GlyphElements(
                    first: drawn[glyph]?.first ?? elements.count, last: elements.count,
                    track: track)
                elements.append(own)
            }
        }
        var fades: [Int: Int] = [:]
        for (index, group) in groups.enumerated() {
            guard let fade = group.fade else { continue }
            fades[index] = elements.count
            elements.append(sets.fade(ofTrack: fade, group.elementColors))
        }
        self.fades = fades
        if iterations.cycle == nil { sets.alignUnsharedKeyframes() }
        var order: [Int] = []
        order.reserveCapacity(elements.count)
        for case let glyph? in drawn { order.append(glyph.first) }
        rules = SVGAnimationRules(sets.sets, elements, order: order + others, profile)
        self.elements = elements
    }

    /// Writes the rules of elements and of moving paints.
    func writeRules(_ names: SVGNames, _ paints: SVGPaints, to sink: inout ByteSink) {
        rules.write(
            names, iterations, usesPivots: usesPivots, areInMasks: !paints.isEmpty, to: &sink)
        paints.writeRules(names, iterations, to: &sink)
        guard !isEmpty || !paints.isEmpty else { return }
        rules.writeControls(names, iterations, to: &sink)
    }

    /// Writes the keyframes with levels in place of blurs.
    func writeLeveledKeyframes(_ names: SVGNames, to sink: inout ByteSink) {
        rules.writeKeyframes(names, to: &sink) { $0.leveled }
    }

    /// Writes the attributes of an element that moves like a glyph, by the glyph's number among the
    /// elements of all groups.
    func writeAttributes(ofElement element: Int, _ names: SVGNames, to sink: inout ByteSink) {
        let own = elements[element]
        guard let style = rules.styles[own.set] else {
            // The default rule also selects still elements among those that move.
            if rules.defaultRule != nil { sink.append(" style=\"animation:none\"") }
            return
        }
        guard let rule = rules.rules[style.rule] else {
            return writeWhole(own, style, names, &sink)
        }
        if style.rule != rules.defaultRule { sink.append(class: .animations(style.rule), names) }
        writeOverrides(own, style, of: rule, names, &sink)
    }

    /// Writes the attribute of a group that fades around its glyphs.
    func writeFade(ofGroup group: Int, _ names: SVGNames, to sink: inout ByteSink) {
        guard let element = fades[group], let style = rules.styles[elements[element].set] else {
            return
        }
        writeWhole(elements[element], style, names, &sink)
    }

    /// Writes animations that no rule states.
    private func writeWhole(
        _ own: SVGElementAnimations, _ style: SVGAnimationRules.Style, _ names: SVGNames,
        _ sink: inout ByteSink
    ) {
        sink.append(" style=\"")
        if let offset = own.offset {
            write(offset, scale: style.scale, &sink)
            sink.append(";")
        }
        sink.append("animation:")
        for (index, animation) in style.animations.enumerated() {
            if index > 0 { sink.append(",") }
            let (delay, duration) = (
                own.timing.delay(of: animation), own.timing.duration(of: animation)
            )
            sink.append(animation, duration: duration, names, iterations)
            guard delay > 0 else { continue }
            sink.append(" ")
            sink.append(seconds: delay, of: duration)
        }
        sink.append(compositionOf: style.animations)
        sink.append("\"")
    }

    /// Writes the properties in which an element differs from its rule.
    private func writeOverrides(
        _ own: SVGElementAnimations, _ style: SVGAnimationRules.Style, of rule: [SVGAnimation],
        _ names: SVGNames, _ sink: inout ByteSink
    ) {
        var (hasDelay, hasDuration, hasKeyframes) = (false, false, false)
        for (animation, stated) in zip(style.animations, rule) {
            if own.timing.delay(of: animation) > 0 { hasDelay = true }
            if own.timing.duration(of: animation) != stated.duration { hasDuration = true }
            if animation.keyframes != stated.keyframes { hasKeyframes = true }
        }
        var attribute = SVGListAttribute("style", separator: ";")
        if let offset = own.offset {
            attribute.next(&sink)
            write(offset, scale: style.scale, &sink)
        }
        if hasDelay {
            attribute.next(&sink)
            sink.append("animation-delay:")
            writeTimes(own.timing, style.animations, &sink) { own.timing.delay(of: $0) }
        }
        if hasDuration {
            attribute.next(&sink)
            sink.append("animation-duration:")
            writeTimes(own.timing, style.animations, &sink) { own.timing.duration(of: $0) }
        }
        if hasKeyframes {
            attribute.next(&sink)
            sink.append("animation-name:")
            for (index, animation) in style.animations.enumerated() {
                if index > 0 { sink.append(",") }
                sink.append(nameOfKeyframes: animation.keyframes, names)
            }
        }
        attribute.end(&sink)
    }

    /// Writes a glyph's own offset across.
    private func write(_ offset: Double, scale: Double, _ sink: inout ByteSink) {
        sink.append("--x:")
        CSSWriter(scale: scale).write(length: offset, &sink)
    }

    /// Writes a time of each animation; one for all where they are equal.
    private func writeTimes(
        _ timing: SVGTiming, _ animations: [SVGAnimation], _ sink: inout ByteSink,
        _ time: (SVGAnimation) -> Int
    ) {
        let areEqual = animations.allSatisfy { time($0) == time(animations[0]) }
        let shortest = animations.reduce(.max) { min($0, timing.duration(of: $1)) }
        for (index, animation) in animations.enumerated() {
            if index > 0, areEqual { break }
            if index > 0 { sink.append(",") }
            sink.append(
                seconds: time(animation), of: areEqual ? shortest : timing.duration(of: animation))
        }
    }
}
