import Motion

extension CSSTrack {
    /// Converts the motion of a glyph.
    ///
    /// - Parameters:
    ///   - tracks: The glyph's motion.
    ///   - isFinished: True if the finished text shows the glyph.
    ///   - isOpaque: True if the glyph's own colour is opaque under every colour scheme.
    ///   - offset: The glyph's own offset across; its offsets are multiples of it. Nil for offsets
    ///     in CSS pixels.
    /// - Returns: The properties that change.
    static func tracks(
        of tracks: GlyphTracks, isFinished: Bool, isOpaque: Bool, offset: Double? = nil
    ) -> [CSSTrack] {
        var result: [CSSTrack] = []
        func add(_ property: CSSProperty, _ track: Track<Double>?, base: CSSValue? = nil) {
            guard let track, track.keyframes.count > 1 else { return }
            result.append(
                CSSTrack(
                    property: property, base: base ?? property.identity,
                    stops: track.stops(within: property.range)))
        }
        let opacity = CSSValue.number(isFinished ? 1 : 0)
        if let only = tracks.opacity.keyframes.first, tracks.opacity.keyframes.count == 1,
            .number(only.value) != opacity
        {
            result.append(
                CSSTrack(property: .opacity, base: opacity, stops: Self.constant(only.value)))
        }
        add(.opacity, tracks.opacity, base: opacity)
        guard !tracks.others.isEmpty || tracks.fill != nil else { return result }
        let translations = translations(tracks[.offsetX], tracks[.offsetY], offset: offset)
        let scales = scales(tracks[.scale], tracks[.scaleX], tracks[.scaleY])
        let skews = skews(tracks[.skewX], tracks[.skewY])
        result += translations.prefix(1)
        add(.rotate, tracks[.rotation])
        result += scales.prefix(1) + skews.prefix(1)
        add(.blur, tracks[.blur])
        if let fill = tracks.fill { result.append(paints(fill, isOpaque: isOpaque)) }
        add(tracks[.strokeWidth] == nil ? .lineDash : .dash, tracks[.draw])
        add(.fillOpacity, tracks[.fillOpacity])
        add(.strokeOpacity, tracks[.strokeOpacity])
        add(.strokeWidth, tracks[.strokeWidth])
        // A track that is combined with another comes after it.
        return result + translations.dropFirst() + scales.dropFirst() + skews.dropFirst()
    }

    /// Returns two stops of one value, which also holds before and after them.
    private static func constant(_ value: Double) -> [Stop] {
        [0, 1].map { ticks in
            Stop(instant: Instant(ticks: ticks), value: .number(value), easing: .linear)
        }
    }

    /// Returns the translation by both offsets; two translations, the second added, where one
    /// property cannot express it.
    private static func translations(
        _ x: Track<Double>?, _ y: Track<Double>?, offset: Double?
    ) -> [CSSTrack] {
        func translation(_ stops: [Stop], isAdded: Bool = false) -> CSSTrack {
            CSSTrack(
                property: offset == nil || isAdded ? .translate : .ownTranslate,
                base: .pair(0, 0), isAdded: isAdded, stops: stops)
        }
        let unit = offset ?? 1
        let (movesX, movesY) = ((x?.keyframes.count ?? 0) > 1, (y?.keyframes.count ?? 0) > 1)
        guard let x, movesX else {
            guard let y, movesY else { return [] }
            let offset = x?.keyframes.first?.value ?? 0
            return [translation(y.stops { .pair(offset / unit, $0) })]
        }
        guard let y, movesY else {
            let offset = y?.keyframes.first?.value ?? 0
            return [translation(x.stops { .pair($0 / unit, offset) })]
        }
        if let stops = joint(x, y, unit: unit) { return [translation(stops)] }
        return [
            translation(x.stops { .pair($0 / unit, 0) }),
            translation(y.stops { .pair(0, $0) }, isAdded: true),
        ]
    }

    /// Returns the scales by all factors; all but the first are multiplied with it.
    private static func scales(_ both: Track<Double>?, _ x: Track<Double>?, _ y: Track<Double>?)
        -> [CSSTrack]
    {
        var result: [CSSTrack] = []
        func add(_ stops: [Stop]) {
            guard stops.count > 1 else { return }
            result.append(
                CSSTrack(
                    property: .scale, base: .pair(1, 1), isAdded: !result.isEmpty,
                    stops: stops))
        }
        if let both { add(both.stops { .pair($0, $0) }) }
        if let x, let y, let stops = joint(x, y) {
            add(stops)
        } else {
            if let x { add(x.stops { .pair($0, 1) }) }
            if let y { add(y.stops { .pair(1, $0) }) }
        }
        return result
    }

    /// Returns the skews by both angles, the one across first; the other is combined with it.
    private static func skews(_ x: Track<Double>?, _ y: Track<Double>?) -> [CSSTrack] {
        var result: [CSSTrack] = []
        for (property, track) in [(CSSProperty.skewX, x), (.skewY, y)] {
            guard let track, track.keyframes.count > 1 else { continue }
            result.append(
                CSSTrack(
                    property: property, base: .number(0), isAdded: !result.isEmpty,
                    stops: track.stops { .number($0) }))
        }
        return result
    }

    /// Returns two numbers as one value, the first divided by a unit; nil where they change at the
    /// same time in different ways.
    private static func joint(
        _ x: Track<Double>, _ y: Track<Double>, unit: Double = 1
    ) -> [Stop]? {
        if x.hasTiming(of: y) {
            return zip(x.keyframes, y.keyframes).map {
                Stop(
                    instant: $0.time, value: .pair($0.value / unit, $1.value),
                    easing: $0.easing)
            }
        }
        let instants = Set((x.keyframes + y.keyframes).map(\.time)).sorted()
        var stops: [Stop] = []
        for (index, instant) in instants.enumerated() {
            var easing = Easing.hold
            if index + 1 < instants.count {
                let end = instants[index + 1]
                switch (x.change(from: instant, to: end), y.change(from: instant, to: end)) {
                case (.part, _), (_, .part): return nil
                case (.none, .none): break
                case (.whole(let own), .none), (.none, .whole(let own)): easing = own
                case (.whole(let one), .whole(let other)):
                    guard one == other else { return nil }
                    easing = one
                }
            }
            stops.append(
                Stop(
                    instant: instant,
                    value: .pair(x.value(at: instant) / unit, y.value(at: instant)),
                    easing: easing))
        }
        // The last easing is linear, as in every other track that does not jump all the time.
        if instants.count == x.keyframes.count || stops.contains(where: { $0.easing != .hold }) {
            stops[stops.count - 1].easing = .linear
        }
        return stops
    }

    private static func paints(_ fill: Track<ColorMix>, isOpaque: Bool) -> CSSTrack {
        CSSTrack(
            property: isOpaque ? .fill : .fillWithAlpha, base: .paint(.own),
            stops: fill.keyframes.map {
                Stop(instant: $0.time, value: .paint($0.value), easing: $0.easing)
            })
    }

    /// Returns the glyph's own offset across: the first of the largest ones, if offsets change with
    /// the opacity.
    ///
    /// Glyphs that spread have offsets of their own, and otherwise the same motion. The text of the
    /// offset is rounded, so no multiple of it may be longer.
    static func offset(of tracks: GlyphTracks) -> Double? {
        guard let x = tracks[.offsetX], x.keyframes.count > 1, x.hasTiming(of: tracks.opacity)
        else { return nil }
        var largest = 0.0
        for keyframe in x.keyframes where abs(keyframe.value) > abs(largest) {
            largest = keyframe.value
        }
        return largest == 0 ? nil : largest
    }

    /// Returns true if the values depend on the glyph's own colours.
    @inline(__always)
    static func dependsOnColors(_ tracks: GlyphTracks, _ colors: SVGColors) -> Bool {
        if let fill = tracks.fill {
            return !colors.areOpaque
                || fill.keyframes.contains { $0.value.ownShare > 0 && $0.value.ownShare < 1 }
        }
        return !colors.areOpaque
            && (tracks[.fillOpacity] != nil || tracks[.strokeOpacity] != nil)
    }
}

extension Track<Double> {
    /// The way in which a value changes between two instants.
    fileprivate enum Change {
        case none
        /// The change from one keyframe to the next, or its end where it jumps.
        case whole(Easing)
        case part
    }

    fileprivate func stops(_ value: (Double) -> CSSValue) -> [CSSTrack.Stop] {
        keyframes.map {
            CSSTrack.Stop(instant: $0.time, value: value($0.value), easing: $0.easing)
        }
    }

    /// Returns the change between two instants without a keyframe in between.
    fileprivate func change(from start: Instant, to end: Instant) -> Change {
        let next = index(after: start)
        guard 0 < next, next < keyframes.count else { return .none }
        let (from, to) = (keyframes[next - 1], keyframes[next])
        guard from.value != to.value else { return .none }
        if from.easing == .hold { return to.time == end ? .whole(.hold) : .none }
        return from.time == start && to.time == end ? .whole(from.easing) : .part
    }

    /// Returns stops that draw the same, but whose values are all in range: CSS cuts off the values
    /// of keyframes before it mixes them, a scene afterwards.
    fileprivate func stops(within range: ClosedRange<Double>?) -> [CSSTrack.Stop] {
        guard let range, keyframes.contains(where: { !range.contains($0.value) }) else {
            return stops { .number($0) }
        }
        // A bound that no curve reaches stands for infinity.
        let high = min(
            range.upperBound, 1000 * (keyframes.lazy.map { abs($0.value) }.max() ?? 0))
        var result: [CSSTrack.Stop] = []
        func add(_ ticks: Int, _ value: Double, _ easing: Easing, isCut: Bool = false) {
            if let last = result.last, last.instant.ticks >= ticks { result.removeLast() }
            result.append(
                CSSTrack.Stop(
                    instant: Instant(ticks: ticks), value: .number(min(max(value, 0), high)),
                    easing: easing, isCut: isCut))
        }
        for (from, to) in zip(keyframes, keyframes.dropFirst()) {
            let isWithin = range.contains(from.value) && range.contains(to.value)
            guard !isWithin, from.easing != .hold else {
                add(from.time.ticks, from.value, from.easing)
                continue
            }
            let length = Double(to.time.ticks - from.time.ticks)
            for part in from.easing.clampedParts(from: from.value / high, to: to.value / high) {
                add(
                    from.time.ticks + Int((length * part.start).rounded()), part.from * high,
                    part.easing, isCut: part.easing == .hold)
            }
        }
        if let last = keyframes.last { add(last.time.ticks, last.value, last.easing) }
        return result
    }
}
