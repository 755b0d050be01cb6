import Bytes
import Motion

/// The CSS animations of a document: rules at its head, attributes on its elements.
///
/// Glyphs that move alike share keyframes and a rule; a property in which one differs from its rule
/// is written inline. The rule of most glyphs needs no class: it selects every element that may
/// move.
struct SVGAnimations {
    /// A rule for elements whose animations agree in easing, fill mode and composition.
    private struct Rule {
        let timings: [CSSAnimation.Timing]
        let fills: [CSSAnimation.Fill]
        /// True for each animation whose values are combined with those before.
        let additions: [Bool]
        /// The number of glyphs that it applies to.
        var uses = 0
        /// The declarations that would suit those glyphs, counted; the first 16 that occur.
        private var candidates: [(declaration: Declaration, uses: Int)] = []

        init(_ animations: [CSSAnimation]) {
            timings = animations.map(\.timing)
            fills = animations.map(\.fill)
            additions = animations.map(\.isAdded)
        }

        func suits(_ animations: [CSSAnimation]) -> Bool {
            timings.count == animations.count
                && animations.indices.allSatisfy {
                    timings[$0] == animations[$0].timing && fills[$0] == animations[$0].fill
                        && additions[$0] == animations[$0].isAdded
                }
        }

        /// Counts a glyph with these animations; `duration` is its own, where it has one.
        mutating func count(_ animations: [CSSAnimation], keyframes: [Int], duration: Int?) {
            uses += 1
            func time(_ index: Int) -> Int { duration ?? animations[index].duration }
            let known = candidates.firstIndex { candidate, _ in
                candidate.keyframes == keyframes
                    && keyframes.indices.allSatisfy {
                        candidate.durations[$0] == time($0)
                    }
            }
            if let known {
                candidates[known].uses += 1
            } else if candidates.count < 16 {
                let declaration = Declaration(
                    keyframes: keyframes, durations: keyframes.indices.map(time))
                candidates.append((declaration, 1))
            }
        }

        /// The declaration that suits most glyphs; of equally many the first.
        var bestDeclaration: Declaration {
            var best = candidates[0]
            for candidate in candidates where candidate.uses > best.uses { best = candidate }
            return best.declaration
        }
    }

    /// The values that a rule states and a glyph may override.
    private struct Declaration {
        /// For each animation an index into `keyframes` of the document.
        let keyframes: [Int]
        /// For each animation its duration in ticks.
        let durations: [Int]
    }

    /// The animations of glyphs that have the same tracks, or that differ in delays and duration
    /// only.
    private struct AnimationSet {
        /// The tracks of its first glyph, as an index into the scene's.
        let track: Int
        /// CSS pixels in one of the glyph's units.
        let scale: Double
        let isFinished: Bool
        /// The glyphs' own colours, where the animations depend on them.
        let colors: SVGColors?
        /// The first glyph's own offset across, in CSS pixels, where each has one.
        let offset: Double?
        var animations: [CSSAnimation]
        /// The number of distinct tracks that it stands for, as far as their delays differ only.
        var variants = 1
        /// Index into `rules`.
        var rule = 0
        /// For each animation an index into `keyframes`.
        var keyframes: [Int] = []
    }

    /// The animations of one glyph.
    private struct GlyphAnimations {
        /// Index into `sets`.
        let set: Int
        let timing: GlyphTiming
        /// Its own offset across, in CSS pixels, where it has one.
        let offset: Double?
    }

    /// The delays and duration of a glyph's animations.
    private enum GlyphTiming {
        /// Those of the set.
        case same
        /// Those of its only animation.
        case own(delay: Instant, duration: Int)
        /// The set's durations, and delays that differ from the set's by so many ticks: by `first`
        /// up to `boundary`, by `last` from there on.
        case shifted(first: Int, boundary: Int, last: Int)

        /// The duration in ticks, where it differs from the set's.
        var duration: Int? {
            if case .own(_, let duration) = self { duration } else { nil }
        }
    }

    /// The elements that draw each glyph: one, or a further one for each layer beneath its fill.
    private struct GlyphElements {
        private struct Element {
            let track: Int
            let animations: GlyphAnimations
        }

        /// For each glyph its last element; nil where it is not drawn.
        private var last: [Element?]
        /// For each glyph the number of its first element; -1 where it is not drawn.
        private var first: [Int]
        /// The numbers of all other elements.
        private var others: [Int] = []

        init(count: Int) {
            last = [Element?](repeating: nil, count: count)
            first = [Int](repeating: -1, count: count)
        }

        mutating func add(
            _ element: Int, ofGlyph glyph: Int, track: Int, _ animations: GlyphAnimations
        ) {
            last[glyph] = Element(track: track, animations: animations)
            if first[glyph] < 0 { first[glyph] = element } else { others.append(element) }
        }

        /// Returns the animations of an earlier element that has the same motion.
        func animations(ofGlyph glyph: Int, track: Int) -> GlyphAnimations? {
            last[glyph].flatMap { $0.track == track ? $0.animations : nil }
        }

        /// The numbers of all elements: the first of each glyph, then all others.
        var inGlyphOrder: [Int] { first.filter { $0 >= 0 } + others }
    }

    private var rules: [Rule] = []
    /// For each rule the declaration that it states.
    private var declarations: [Declaration] = []
    /// The rule that applies without a class, as an index into `rules`; the most used.
    private var defaultRule: Int?
    /// The distinct contents of `@keyframes`, in the order of their first use.
    private var keyframes: [CSSAnimation.Keyframes] = []
    private var keyframeIndices: [CSSAnimation.Keyframes: Int] = [:]
    private var sets: [AnimationSet] = []
    /// For each element of a glyph its animations; nil where it does not move.
    private var animationsOfElement: [GlyphAnimations?] = []
    private let iterations: CSSIterations
    /// True if glyphs have offsets of their own.
    private let hasOffsets: Bool
    /// True if every glyph is drawn about a pivot, in a group that is moved there.
    let usesPivots: Bool

    /// Ticks of one cycle; nil where it is played once.
    private var cycle: Int? { iterations.cycle }

    /// Bytes of all `@keyframes`.
    var keyframeBytes: Int {
        keyframes.reduce(0) { $0 + $1.text.count + ($1.darkText?.count ?? 0) + 22 }
    }

    /// True if nothing is animated.
    var isEmpty: Bool { keyframes.isEmpty }

    /// - Throws: `EncodingError.deadline`.
    init(
        _ scene: Scene, _ groups: [SVGGroup], usesPivots: Bool, hasOffsets: Bool,
        _ context: EncodingContext
    ) throws(EncodingError) {
        iterations = CSSIterations(scene)
        self.usesPivots = usesPivots
        self.hasOffsets = hasOffsets && scene.glyphsSpread
        animationsOfElement.reserveCapacity(
            groups.last.map { $0.firstElement + $0.nodes.count } ?? 0)
        var known = [GlyphAnimations?](repeating: nil, count: scene.tracks.count)
        var elements = GlyphElements(count: scene.nodes.count)
        for group in groups {
            for glyph in group.nodes {
                try context.checkDeadline(every: 8)
                let track = scene.nodes[glyph].track(in: group.part)
                let own =
                    earlierAnimations(
                        ofGlyph: glyph, track, in: scene.tracks, scale: group.coordinates.scale,
                        elements)
                    ?? animations(
                        ofTrack: track, in: scene.tracks, scale: group.coordinates.scale,
                        isFinished: scene.nodes[glyph].isFinished, group.colors, known: known[track]
                    )
                if own.timing.duration == nil { known[track] = own }
                elements.add(animationsOfElement.count, ofGlyph: glyph, track: track, own)
                animationsOfElement.append(sets[own.set].animations.isEmpty ? nil : own)
            }
        }
        if cycle == nil { alignUnsharedKeyframes(scene) }
        for index in sets.indices { chooseRule(ofSet: index) }
        for element in elements.inGlyphOrder {
            guard let own = animationsOfElement[element] else { continue }
            rules[sets[own.set].rule].count(
                sets[own.set].animations, keyframes: sets[own.set].keyframes,
                duration: own.timing.duration)
        }
        declarations = rules.map(\.bestDeclaration)
        for index in rules.indices where rules[index].uses > 1 {
            if rules[index].uses > defaultRule.map({ rules[$0].uses }) ?? 0 { defaultRule = index }
        }
    }

    // MARK: Sets

    /// Returns the animations of an earlier element of a glyph, in another layer, where all layers
    /// move as one.
    private func earlierAnimations(
        ofGlyph glyph: Int, _ track: Int, in tracks: [GlyphTracks], scale: Double,
        _ elements: GlyphElements
    ) -> GlyphAnimations? {
        // What differs between layers depends on colours too.
        guard let earlier = elements.animations(ofGlyph: glyph, track: track),
            sets[earlier.set].scale == scale, !tracks[track].hasOwnUnderlay
        else { return nil }
        return earlier
    }

    /// Finds the animation set of a glyph, or adds one.
    ///
    /// - Parameters:
    ///   - track: The glyph's motion, as an index into `tracks`.
    ///   - tracks: The scene's motions.
    ///   - scale: CSS pixels in one of the glyph's units.
    ///   - isFinished: True if the finished text shows the glyph.
    ///   - colors: The glyph's own colours.
    ///   - known: The animations of an earlier glyph with the same tracks.
    /// - Returns: The glyph's set and timing.
    private mutating func animations(
        ofTrack track: Int, in tracks: [GlyphTracks], scale: Double, isFinished: Bool,
        _ colors: SVGColors, known: GlyphAnimations?
    ) -> GlyphAnimations {
        let dependsOnColors = CSSTrack.dependsOnColors(tracks[track], colors)
        let ownColors = dependsOnColors ? colors : nil
        if let known, sets[known.set].scale == scale, sets[known.set].colors == ownColors,
            sets[known.set].isFinished == isFinished
        {
            return known
        }
        let offset = hasOffsets ? CSSTrack.offset(of: tracks[track]) : nil
        // Most glyphs move as the one before, at another time.
        if let last = sets.indices.last, cycle == nil || offset != nil,
            sets[last].scale == scale, sets[last].isFinished == isFinished,
            sets[last].colors == ownColors, (sets[last].offset == nil) == (offset == nil),
            let timing = timing(ofTrack: track, offset, relativeTo: last, in: tracks)
        {
            return GlyphAnimations(set: last, timing: timing, offset: offset)
        }
        sets.append(
            AnimationSet(
                track: track, scale: scale, isFinished: isFinished, colors: ownColors,
                offset: offset, animations: []))
        sets[sets.count - 1].animations = animations(
            ofSet: sets.count - 1, tracks[track], colors, cycle: cycle)
        return GlyphAnimations(set: sets.count - 1, timing: .same, offset: offset)
    }

    /// Makes the animations of a set.
    ///
    /// - Parameters:
    ///   - set: Its index.
    ///   - tracks: Its tracks.
    ///   - colors: The own colours of its glyphs.
    ///   - cycle: The ticks of a cycle, where keyframes count in percent of that.
    /// - Returns: The animations, with their keyframes under both colour schemes.
    private func animations(
        ofSet set: Int, _ tracks: GlyphTracks, _ colors: SVGColors, cycle: Int?
    ) -> [CSSAnimation] {
        let cssTracks = CSSTrack.tracks(
            of: tracks, isFinished: sets[set].isFinished, isOpaque: colors.areOpaque,
            offset: sets[set].offset)
        func animations(_ color: Color) -> [CSSAnimation] {
            let writer = CSSWriter(scale: sets[set].scale, color: color, fill: tracks.fill)
            guard let cycle else {
                return FiniteCSSAnimations(writer: writer).animations(of: cssTracks)
            }
            return LoopingCSSAnimations(writer: writer, cycle: cycle).animations(of: cssTracks)
        }
        let result = animations(colors.color)
        guard let dark = sets[set].colors?.dark else { return result }
        // The same tracks make the same animations; only what is written differs.
        return zip(result, animations(dark)).map { light, dark in
            var both = light
            let text = dark.keyframes.text
            if text != light.keyframes.text { both.keyframes.darkText = text }
            return both
        }
    }

    /// Returns the timing with which a glyph shares a set.
    ///
    /// - Parameters:
    ///   - track: The glyph's motion, as an index into `tracks`.
    ///   - offset: Its own offset, where it has one.
    ///   - set: The index of the set.
    ///   - tracks: The scene's motions.
    /// - Returns: Nil where the glyph moves in another way.
    private mutating func timing(
        ofTrack track: Int, _ offset: Double?, relativeTo set: Int, in tracks: [GlyphTracks]
    ) -> GlyphTiming? {
        if offset == nil, sets[set].animations.count == 1,
            let timing = Self.timing(ofTrack: track, relativeTo: sets[set].track, in: tracks)
        {
            return .own(delay: timing.delay, duration: timing.duration)
        }
        guard !sets[set].animations.isEmpty else { return nil }
        let shifted = tracks.withUnsafeBufferPointer { tracks in
            var shifts = TrackShifts(factor: (offset ?? 1) / (sets[set].offset ?? 1))
            return shifts.matches(tracks, track, sets[set].track, isFinished: sets[set].isFinished)
                ? shifts : nil
        }
        guard let shifted, cycle == nil || shifted.isNone else { return nil }
        sets[set].variants += 1
        return .shifted(
            first: shifted.first ?? 0, boundary: shifted.boundary,
            last: shifted.last ?? shifted.first ?? 0)
    }

    /// Writes long keyframes that no two glyphs share in percent of the whole cycle.
    ///
    /// They have the same percentages then, and no delay or duration of their own, which packs
    /// better.
    private mutating func alignUnsharedKeyframes(_ scene: Scene) {
        var counts: [CSSAnimation.Keyframes: Int] = [:]
        for set in sets {
            for animation in set.animations where animation.hasInnerKeyframes {
                counts[animation.keyframes, default: 0] += set.variants
            }
        }
        guard 2 * counts.count > sets.reduce(0, { $0 + $1.variants }) else { return }
        for index in sets.indices {
            let isUnshared = sets[index].animations.contains {
                $0.hasInnerKeyframes && counts[$0.keyframes] == 1
            }
            guard isUnshared else { continue }
            sets[index].animations = animations(
                ofSet: index, scene.tracks[sets[index].track],
                sets[index].colors ?? .opaque, cycle: scene.duration.ticks)
        }
    }

    /// Numbers a set's keyframes and finds the rule for it.
    private mutating func chooseRule(ofSet index: Int) {
        let animations = sets[index].animations
        guard !animations.isEmpty else { return }
        sets[index].keyframes = animations.map { self.index(ofKeyframes: $0.keyframes) }
        let known = rules.lastIndex { $0.suits(animations) }
        sets[index].rule = known ?? rules.count
        if known == nil { rules.append(Rule(animations)) }
    }

    private mutating func index(ofKeyframes content: CSSAnimation.Keyframes) -> Int {
        if let index = keyframeIndices[content] { return index }
        keyframeIndices[content] = keyframes.count
        keyframes.append(content)
        return keyframes.count - 1
    }

    /// Returns the duration of one of a glyph's animations, in ticks.
    private func duration(_ own: GlyphAnimations, _ animation: Int) -> Int {
        own.timing.duration ?? sets[own.set].animations[animation].duration
    }

    /// Returns the delay of one of a glyph's animations, in ticks.
    private func delay(_ own: GlyphAnimations, _ animation: Int) -> Int {
        let ticks = sets[own.set].animations[animation].delay.ticks
        return switch own.timing {
        case .same: ticks
        case .own(let delay, _): delay.ticks
        case .shifted(let first, let boundary, let last):
            ticks + (ticks < boundary ? first : last)
        }
    }

    // MARK: Attributes

    /// Writes the attributes of an element that moves as a glyph does, by the glyph's number among
    /// the elements of all groups.
    func writeAttributes(ofElement element: Int, _ names: SVGNames, to sink: inout ByteSink) {
        guard let own = animationsOfElement[element] else {
            // The default rule selects also elements that stand still among those that move.
            if defaultRule != nil { sink.append(" style=\"animation:none\"") }
            return
        }
        let rule = sets[own.set].rule
        guard rules[rule].uses > 1 else { return writeWhole(own, names, &sink) }
        if rule != defaultRule {
            sink.append(" class=\"")
            sink.append(names.prefix)
            sink.append("m")
            sink.append(rule)
            sink.append("\"")
        }
        writeOverrides(own, of: declarations[rule], names, &sink)
    }

    /// Writes animations that no rule states.
    private func writeWhole(
        _ own: GlyphAnimations, _ names: SVGNames, _ sink: inout ByteSink
    ) {
        sink.append(" style=\"")
        if let offset = own.offset {
            write(offset, own, &sink)
            sink.append(";")
        }
        sink.append("animation:")
        for (index, animation) in sets[own.set].animations.enumerated() {
            if index > 0 { sink.append(",") }
            sink.append(nameOfKeyframes: sets[own.set].keyframes[index], names)
            sink.append(" ")
            let (delay, duration) = (delay(own, index), duration(own, index))
            write(animation.timing, animation.fill, duration: duration, &sink)
            guard delay > 0 else { continue }
            sink.append(" ")
            sink.append(seconds: delay, of: duration)
        }
        writeComposition(sets[own.set].animations.map(\.isAdded), &sink)
        sink.append("\"")
    }

    /// Writes the properties in which a glyph differs from its rule.
    private func writeOverrides(
        _ own: GlyphAnimations, of declaration: Declaration, _ names: SVGNames,
        _ sink: inout ByteSink
    ) {
        var separator: StaticString = " style=\""
        if let offset = own.offset {
            sink.append(separator)
            write(offset, own, &sink)
            separator = ";"
        }
        var (hasDelay, hasOwnDuration) = (false, false)
        // Closures that call methods would copy all of this for each glyph.
        for index in sets[own.set].keyframes.indices {
            if delay(own, index) > 0 { hasDelay = true }
            if duration(own, index) != declaration.durations[index] { hasOwnDuration = true }
        }
        if hasDelay {
            sink.append(separator)
            sink.append("animation-delay:")
            writeTimes(of: own, areDelays: true, &sink)
            separator = ";"
        }
        if hasOwnDuration {
            sink.append(separator)
            sink.append("animation-duration:")
            writeTimes(of: own, areDelays: false, &sink)
            separator = ";"
        }
        if sets[own.set].keyframes != declaration.keyframes {
            sink.append(separator)
            sink.append("animation-name:")
            for (index, keyframes) in sets[own.set].keyframes.enumerated() {
                if index > 0 { sink.append(",") }
                sink.append(nameOfKeyframes: keyframes, names)
            }
            separator = ";"
        }
        if separator.utf8CodeUnitCount == 1 { sink.append("\"") }
    }

    /// Writes a glyph's own offset across.
    private func write(_ offset: Double, _ own: GlyphAnimations, _ sink: inout ByteSink) {
        sink.append("--x:")
        CSSWriter(scale: sets[own.set].scale).write(length: offset, &sink)
    }

    /// Writes the delay or the duration of each animation; one for all where they are equal.
    private func writeTimes(of own: GlyphAnimations, areDelays: Bool, _ sink: inout ByteSink) {
        let animations = sets[own.set].keyframes.indices
        var (isOne, shortest) = (true, Int.max)
        for index in animations {
            if time(own, index, isDelay: areDelays) != time(own, 0, isDelay: areDelays) {
                isOne = false
            }
            shortest = min(shortest, duration(own, index))
        }
        for index in isOne ? animations.prefix(1) : animations {
            if index > 0 { sink.append(",") }
            sink.append(
                seconds: time(own, index, isDelay: areDelays),
                of: isOne ? shortest : duration(own, index))
        }
    }

    private func time(_ own: GlyphAnimations, _ animation: Int, isDelay: Bool) -> Int {
        isDelay ? delay(own, animation) : duration(own, animation)
    }

    /// Writes duration, easing, count and fill.
    private func write(
        _ timing: CSSAnimation.Timing, _ fill: CSSAnimation.Fill, duration: Int,
        _ sink: inout ByteSink
    ) {
        sink.append(seconds: duration, of: cycle == nil ? duration : 0)
        sink.append(" ")
        sink.append(css: timing)
        iterations.write(to: &sink)
        switch fill {
        case .none: break
        case .backwards: sink.append(" backwards")
        case .forwards: sink.append(" forwards")
        case .both: sink.append(" both")
        }
    }

    /// Writes how animations of one property are combined, where they do not replace each other.
    private func writeComposition(_ additions: [Bool], _ sink: inout ByteSink) {
        guard additions.contains(true) else { return }
        for (index, isAdded) in additions.enumerated() {
            sink.append(index == 0 ? ";animation-composition:" : ",")
            sink.append(isAdded ? "add" : "replace")
        }
    }

    // MARK: Rules

    func writeRules(_ names: SVGNames, to sink: inout ByteSink) {
        guard !isEmpty else { return }
        for (index, content) in keyframes.enumerated() {
            write(content.text, ofKeyframes: index, names, &sink)
        }
        if keyframes.contains(where: { $0.darkText != nil }) {
            sink.append("@media(prefers-color-scheme:dark){")
            for (index, content) in keyframes.enumerated() {
                if let text = content.darkText { write(text, ofKeyframes: index, names, &sink) }
            }
            sink.append("}")
        }
        for index in rules.indices where rules[index].uses > 1 {
            writeRule(index, names, &sink)
        }
        sink.append("@media(prefers-reduced-motion:reduce){.")
        sink.append(names.prefix)
        sink.append(" *{animation:none!important}}")
    }

    private func write(
        _ text: [UInt8], ofKeyframes index: Int, _ names: SVGNames, _ sink: inout ByteSink
    ) {
        sink.append("@keyframes ")
        sink.append(nameOfKeyframes: index, names)
        sink.append("{")
        sink.append(text)
        sink.append("}")
    }

    private func writeRule(_ rule: Int, _ names: SVGNames, _ sink: inout ByteSink) {
        sink.append(".")
        sink.append(names.prefix)
        if rule == defaultRule {
            sink.append(usesPivots ? ">g>g>*{animation:" : ">g>*{animation:")
        } else {
            // More specific than the default rule.
            sink.append(" .")
            sink.append(names.prefix)
            sink.append("m")
            sink.append(rule)
            sink.append("{animation:")
        }
        for index in rules[rule].timings.indices {
            if index > 0 { sink.append(",") }
            sink.append(nameOfKeyframes: declarations[rule].keyframes[index], names)
            sink.append(" ")
            write(
                rules[rule].timings[index], rules[rule].fills[index],
                duration: declarations[rule].durations[index], &sink)
        }
        writeComposition(rules[rule].additions, &sink)
        sink.append("}")
    }
}

extension Scene {
    /// True if most glyphs of some block have an offset of their own, with which they fade.
    fileprivate var glyphsSpread: Bool {
        // Otherwise a block has one offset when it enters.
        var offsets: Set<Double> = []
        for tracks in tracks {
            if let offset = CSSTrack.offset(of: tracks) { offsets.insert(offset) }
            if offsets.count > 2 * blocks.count { return true }
        }
        return false
    }
}

extension ByteSink {
    fileprivate mutating func append(nameOfKeyframes index: Int, _ names: SVGNames) {
        append(names.prefix)
        append(lettersOf: index)
    }
}

// MARK: Timing

extension SVGAnimations {
    /// Returns the delay and duration of a motion that equals another one at another time.
    ///
    /// - Returns: Nil where the motions differ in more than that, or have more than two keyframes.
    private static func timing(
        ofTrack own: Int, relativeTo other: Int, in tracks: [GlyphTracks]
    ) -> (delay: Instant, duration: Int)? {
        // By pointer, because a motion that is passed on is copied.
        tracks.withUnsafeBufferPointer { tracks in
            guard let first = Transition(tracks[own].opacity),
                let second = Transition(tracks[other].opacity), first.isLike(second),
                tracks[own].fill == nil, tracks[other].fill == nil,
                tracks[own].others.count == tracks[other].others.count
            else { return nil }
            for index in tracks[own].others.indices {
                guard
                    tracks[own].others[index].property == tracks[other].others[index].property,
                    matches(
                        tracks[own].others[index].track, first,
                        tracks[other].others[index].track, second)
                else { return nil }
            }
            return first.easing == .hold
                ? (first.end, 0) : (first.start, first.end.ticks - first.start.ticks)
        }
    }

    /// Returns true if two tracks are alike, each at the instants of its glyph's opacity.
    @inline(__always)
    private static func matches(
        _ one: Track<Double>, _ oneOpacity: Transition, _ other: Track<Double>,
        _ otherOpacity: Transition
    ) -> Bool {
        guard let first = Transition(one), let second = Transition(other) else { return false }
        return first.isLike(second) && first.hasInstants(of: oneOpacity)
            && second.hasInstants(of: otherOpacity)
    }

    /// The only change of a track with two keyframes.
    private struct Transition {
        let start: Instant
        let end: Instant
        let from: Double
        let to: Double
        let easing: Easing

        @inline(__always)
        init?(_ track: Track<Double>) {
            guard track.keyframes.count == 2 else { return nil }
            start = track.keyframes[0].time
            end = track.keyframes[1].time
            from = track.keyframes[0].value
            to = track.keyframes[1].value
            easing = track.keyframes[0].easing
        }

        /// Returns true if both have the same values and easing.
        func isLike(_ other: Transition) -> Bool {
            from == other.from && to == other.to && easing == other.easing
        }

        func hasInstants(of other: Transition) -> Bool {
            start == other.start && end == other.end
        }
    }
}

extension Track<ColorMix> {
    /// The share of the glyph's own colour.
    fileprivate var shares: [Keyframe<Instant, Double>] {
        keyframes.map {
            Keyframe($0.time, value: $0.value.ownShare, easing: $0.easing)
        }
    }
}

/// The two times by which one motion is later than another that is the same otherwise: up to some
/// instant by the first, from there on by the last.
private struct TrackShifts {
    private(set) var first: Int?
    private(set) var last: Int?
    private var lastOfFirst = Int.min
    private var firstOfLast = Int.max

    /// The instant from which on motions are shifted by `last`, in ticks of the other motion.
    var boundary: Int { firstOfLast }

    /// True if there is no difference in time.
    var isNone: Bool { first ?? 0 == 0 && last ?? 0 == 0 }

    /// The factor by which the motion's offsets across are larger than the other's.
    private let factor: Double

    init(factor: Double) {
        self.factor = factor
    }

    /// Finds the shifts of a motion.
    ///
    /// - Parameters:
    ///   - tracks: The motions of a scene.
    ///   - own: The index of the motion.
    ///   - other: The index of the other one.
    ///   - isFinished: True if the finished text shows the glyphs.
    /// - Returns: True if the motions differ in nothing else.
    mutating func matches(
        _ tracks: UnsafeBufferPointer<GlyphTracks>, _ own: Int, _ other: Int, isFinished: Bool
    ) -> Bool {
        guard tracks[own].others.count == tracks[other].others.count,
            (tracks[own].fill == nil) == (tracks[other].fill == nil),
            matches(
                tracks[own].opacity.keyframes, tracks[other].opacity.keyframes,
                base: isFinished ? 1 : 0, factor: 1)
        else { return false }
        for index in tracks[own].others.indices {
            let property = tracks[own].others[index].property
            guard property == tracks[other].others[index].property,
                matches(
                    tracks[own].others[index].track.keyframes,
                    tracks[other].others[index].track.keyframes, base: property.identity,
                    factor: property == .offsetX ? factor : 1)
            else { return false }
        }
        if let fill = tracks[own].fill, let otherFill = tracks[other].fill {
            guard fill.keyframes.count == otherFill.keyframes.count,
                zip(fill.keyframes, otherFill.keyframes).allSatisfy({ $0.value == $1.value }),
                matches(fill.shares, otherFill.shares, base: 1, factor: 1)
            else { return false }
        }
        return lastOfFirst < firstOfLast
    }

    private mutating func matches(
        _ own: [Keyframe<Instant, Double>], _ other: [Keyframe<Instant, Double>], base: Double,
        factor: Double
    ) -> Bool {
        if factor == 1 { return matches(own, other, base: base) { $0 == $1 } }
        return matches(own, other, base: base) { abs($0 - $1 * factor) <= 1e-6 * abs($0) }
    }

    @inline(__always)
    private mutating func matches(
        _ own: [Keyframe<Instant, Double>], _ other: [Keyframe<Instant, Double>], base: Double,
        _ areAlike: (Double, Double) -> Bool
    ) -> Bool {
        guard own.count == other.count else { return false }
        guard own.count > 1 else { return own.first?.value == other.first?.value }
        var shift: Int?
        for index in own.indices {
            guard own[index].easing == other[index].easing,
                areAlike(own[index].value, other[index].value)
            else { return false }
            // What is before a jump at the beginning has held for ever.
            if index == 0, own[0].easing == .hold, own[1].value == base,
                own.count == 2 || own[2].value == base
            {
                continue
            }
            let difference = own[index].time.ticks - other[index].time.ticks
            if let shift, difference != shift {
                // Only rests may be longer or shorter.
                guard own[index].value == base, own[index - 1].value == base else { return false }
            }
            shift = difference
            guard takes(difference, at: other[index].time.ticks) else { return false }
        }
        return true
    }

    private mutating func takes(_ shift: Int, at instant: Int) -> Bool {
        if first == nil { first = shift }
        if shift == first, last == nil || instant < firstOfLast {
            lastOfFirst = max(lastOfFirst, instant)
            return true
        }
        guard last == nil || last == shift else { return false }
        last = shift
        firstOfLast = min(firstOfLast, instant)
        return true
    }
}
