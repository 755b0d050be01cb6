import Motion

/// The animations of glyphs that have the same tracks, or that differ in delays and duration only.
struct SVGAnimationSet {
    /// The look of the glyphs at rest, on which animations depend besides tracks.
    struct Rest: Equatable {
        /// CSS pixels in one of the glyph's units.
        let scale: Double
        /// True if the finished text shows the glyph.
        let isFinished: Bool
        /// The glyph's own colours; nil where its animations do not depend on them.
        let colors: SVGColors?
        var part = Part.whole
    }

    /// The properties that an element animates.
    enum Part {
        case whole
        /// The opacity of an element around glyphs, as a share of the alpha of its colours.
        case fade
        /// The other properties, for a glyph in such an element.
        case withinFade
    }

    /// The tracks of its first glyph, as an index into the scene's.
    let track: Int
    let rest: Rest
    /// The first glyph's own offset across, in CSS pixels, where each has one.
    let offset: Double?
    /// The animations; empty for glyphs that stand still.
    fileprivate(set) var animations: [CSSAnimation]
    /// The number of distinct tracks that it stands for and that differ in their delays only.
    fileprivate(set) var variants = 1
}

/// The animations of one element.
struct SVGElementAnimations {
    /// An index into `SVGAnimationSets.sets`.
    let set: Int
    let timing: SVGTiming
    /// Its own offset across, in CSS pixels, where it has one.
    let offset: Double?
}

/// The distinct animations of a scene.
struct SVGAnimationSets {
    private(set) var sets: [SVGAnimationSet] = []
    private let tracks: [GlyphTracks]
    private let duration: Instant
    /// Ticks of one cycle; nil where it is played once.
    private let cycle: Int?
    /// The levels that stand for blurs in WebKit; nil where no motion blurs.
    private let levels: SVGBlurLevels?
    /// True if most glyphs of some block have an offset of their own, with which they fade.
    private let hasOffsets: Bool

    init(_ scene: borrowing Scene, cycle: Int?, movesAcross: Bool, _ levels: SVGBlurLevels?) {
        tracks = scene.tracks
        duration = scene.duration
        self.cycle = cycle
        self.levels = levels
        // Otherwise a block has one offset when it enters.
        hasOffsets =
            movesAcross
            && Set(tracks.lazy.compactMap(CSSTrack.offset)).count > 2 * scene.blocks.count
    }

    /// Finds the animation set of an element, or adds one.
    ///
    /// - Parameters:
    ///   - track: The glyph's motion, as an index into the scene's tracks.
    ///   - scale: CSS pixels in one of the glyph's units.
    ///   - isFinished: True if the finished text shows the glyph.
    ///   - colors: The glyph's own colours.
    ///   - isWithinFade: True if an element around it has its opacity.
    ///   - known: The animations of an earlier element with the same tracks.
    /// - Returns: The element's set and timing.
    mutating func animations(
        ofTrack track: Int, scale: Double, isFinished: Bool, _ colors: SVGColors,
        isWithinFade: Bool, known: SVGElementAnimations?
    ) -> SVGElementAnimations {
        let rest = SVGAnimationSet.Rest(
            scale: scale, isFinished: isFinished,
            colors: CSSTrack.dependsOnColors(tracks[track], colors) ? colors : nil,
            part: isWithinFade ? .withinFade : .whole)
        if let known, sets[known.set].rest == rest { return known }
        let offset = hasOffsets ? CSSTrack.offset(of: tracks[track]) : nil
        // Most glyphs move like the one before, at another time.
        if let last = sets.indices.last, cycle == nil || offset != nil, sets[last].rest == rest,
            (sets[last].offset == nil) == (offset == nil),
            let timing = timing(ofTrack: track, offset, relativeTo: last)
        {
            return SVGElementAnimations(set: last, timing: timing, offset: offset)
        }
        sets.append(
            SVGAnimationSet(
                track: track, rest: rest, offset: offset,
                animations: animations(of: tracks[track], rest, offset: offset, cycle: cycle)))
        return SVGElementAnimations(set: sets.count - 1, timing: .same, offset: offset)
    }

    /// Adds the animations of an element that fades, and whose opacity is the alpha of colours.
    mutating func fade(ofTrack track: Int, _ colors: SVGColors) -> SVGElementAnimations {
        let rest = SVGAnimationSet.Rest(
            scale: 1, isFinished: true, colors: colors.areOpaque ? nil : colors, part: .fade)
        sets.append(
            SVGAnimationSet(
                track: track, rest: rest, offset: nil,
                animations: animations(of: tracks[track], rest, offset: nil, cycle: cycle)))
        return SVGElementAnimations(set: sets.count - 1, timing: .same, offset: nil)
    }

    /// Returns the animations of a set, with their keyframes under both colour schemes, in percent
    /// of the whole cycle where `cycle` is given.
    private func animations(
        of tracks: GlyphTracks, _ rest: SVGAnimationSet.Rest, offset: Double?, cycle: Int?
    ) -> [CSSAnimation] {
        let colors = rest.colors ?? .opaque
        let (cssTracks, hidden) = self.cssTracks(
            of: tracks, rest, isOpaque: colors.areOpaque, offset: offset)
        func animations(_ color: Color, _ levels: SVGBlurLevels?) -> [CSSAnimation] {
            let writer = CSSWriter(
                scale: rest.scale, color: color, levels: levels, isOfColor: rest.part == .fade)
            guard let cycle else {
                return FiniteCSSAnimations(writer: writer).animations(of: cssTracks)
            }
            return LoopingCSSAnimations(writer: writer, cycle: cycle, isOnce: self.cycle == nil)
                .animations(of: cssTracks, within: hidden)
        }
        // The same tracks make the same animations; only their text differs.
        func animations(_ levels: SVGBlurLevels?) -> [CSSAnimation] {
            var result = animations(colors.color, levels)
            guard let dark = colors.dark else { return result }
            for (index, animation) in animations(dark, levels).enumerated() {
                let text = animation.keyframes.content.text
                guard text != result[index].keyframes.content.text else { continue }
                result[index].keyframes.content.darkText = text
            }
            return result
        }
        guard let levels, tracks[.blur] != nil else { return animations(nil) }
        guard !levels.areForAll else { return animations(levels) }
        var result = animations(nil)
        for (index, animation) in animations(levels).enumerated() {
            let content = animation.keyframes.content
            guard content != result[index].keyframes.content else { continue }
            result[index].keyframes.leveled = content
        }
        return result
    }

    /// Returns the properties that a set animates, and the opacity of the element around them.
    private func cssTracks(
        of tracks: GlyphTracks, _ rest: SVGAnimationSet.Rest, isOpaque: Bool, offset: Double?
    ) -> (own: [CSSTrack], around: CSSTrack?) {
        func cssTracks(of tracks: GlyphTracks, isFinished: Bool) -> [CSSTrack] {
            CSSTrack.tracks(
                of: tracks, isFinished: isFinished, isOpaque: isOpaque, offset: offset)
        }
        guard rest.part != .whole else {
            return (cssTracks(of: tracks, isFinished: rest.isFinished), nil)
        }
        var (fade, other) = (GlyphTracks.shown, tracks)
        fade.opacity = tracks.opacity
        other.opacity = GlyphTracks.shown.opacity
        let around = cssTracks(of: fade, isFinished: true)
        guard rest.part == .withinFade else { return (around, nil) }
        return (cssTracks(of: other, isFinished: rest.isFinished), around.first)
    }

    /// Returns the timing with which a glyph of a motion, and an offset where it has one, shares a
    /// set; nil where it moves in another way.
    private mutating func timing(
        ofTrack track: Int, _ offset: Double?, relativeTo set: Int
    ) -> SVGTiming? {
        guard let delay = sets[set].animations.first?.delay.ticks else { return nil }
        if offset == nil, sets[set].animations.count == 1,
            let own = SVGTransition.timing(of: tracks.span, track, like: sets[set].track)
        {
            return SVGTiming(shift: own.delay.ticks - delay, duration: own.duration)
        }
        let shifts = SVGTrackShifts(
            of: tracks.span, track, from: sets[set].track, isFinished: sets[set].rest.isFinished,
            factor: (offset ?? 1) / (sets[set].offset ?? 1))
        guard let shifts, cycle == nil || shifts.isNone else { return nil }
        sets[set].variants += 1
        return SVGTiming(shifts)
    }

    /// Writes long keyframes that no two glyphs share in percent of the whole cycle.
    ///
    /// They have the same percentages then, and no delay or duration of their own, which packs
    /// better.
    mutating func alignUnsharedKeyframes() {
        var counts: [CSSAnimation.Keyframes: Int] = [:]
        for set in sets {
            for animation in set.animations where animation.hasInnerKeyframes {
                counts[animation.keyframes, default: 0] += set.variants
            }
        }
        guard 2 * counts.count > sets.reduce(0, { $0 + $1.variants }) else { return }
        for (index, set) in sets.enumerated() {
            let isUnshared = set.animations.contains {
                $0.hasInnerKeyframes && counts[$0.keyframes] == 1
            }
            guard isUnshared else { continue }
            sets[index].animations = animations(
                of: tracks[set.track], set.rest, offset: set.offset, cycle: duration.ticks)
        }
    }
}
