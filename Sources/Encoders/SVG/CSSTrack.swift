import Motion

/// The values of a CSS property of an element over the cycle.
struct CSSTrack {
    enum Property {
        case opacity, translate, rotate, scale
        case skewX, skewY
        /// A second translation beside the first, where nothing is skewed.
        case transform
        /// A translation across by multiples of the glyph's own offset, and down.
        case ownTranslate
        case blur
        /// Colours of a glyph whose own colour is opaque.
        case fill
        /// Colours with alpha, instead of the fill's opacity.
        case fillWithAlpha
        case fillOpacity, strokeOpacity, strokeWidth
        /// 1 for visible, 0 for hidden.
        case visibility
        /// The share of the longest contour that is drawn.
        case dash

        var isSkew: Bool { self == .skewX || self == .skewY }

        /// True if each of its changes has an animation of its own in a loop, also those with two
        /// keyframes.
        var isDelayedAlways: Bool {
            switch self {
            case .opacity, .translate, .ownTranslate, .rotate, .scale, .transform: false
            default: true
            }
        }

        /// The value that leaves the element as it was drawn.
        fileprivate var identity: CSSValue {
            switch self {
            case .opacity, .fillOpacity, .dash, .visibility: CSSValue(x: 1)
            case .scale: CSSValue(x: 1, y: 1)
            case .fill, .fillWithAlpha: .ownPaint
            default: CSSValue(x: 0)
            }
        }
    }

    struct Stop {
        var instant: Instant
        var value: CSSValue
        /// The easing from here to the next stop.
        var easing: Easing
        /// True if the value stays only because more cannot be drawn.
        var isCut = false
    }

    let property: Property
    /// The value of the element without animation.
    let base: CSSValue
    /// True if the values are combined with those of another track of the property: translations
    /// are added, scales multiplied (CSS Transforms 2, 6).
    var isAdded = false
    var stops: [Stop]

    /// Converts the motion of a glyph.
    ///
    /// - Parameters:
    ///   - tracks: The glyph's motion.
    ///   - isFinished: True if the finished text shows the glyph.
    ///   - isOpaque: True if the glyph's own colour is opaque under every colour scheme.
    ///   - offset: The glyph's own offset across, of which its offsets are multiples; nil for offsets
    ///     in CSS pixels.
    /// - Returns: The properties that change.
    static func tracks(
        of tracks: GlyphTracks, isFinished: Bool, isOpaque: Bool, offset: Double? = nil
    ) -> [CSSTrack] {
        var result: [CSSTrack] = []
        func add(_ property: Property, _ track: Track<Double>?, base: CSSValue? = nil) {
            guard let track, track.keyframes.count > 1 else { return }
            result.append(
                CSSTrack(
                    property: property, base: base ?? property.identity,
                    stops: track.stops(within: property.range)))
        }
        let opacity = CSSValue(x: isFinished ? 1 : 0)
        if let only = tracks.opacity.keyframes.first, tracks.opacity.keyframes.count == 1,
            only.value != opacity.x
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
        add(.dash, tracks[.draw])
        add(.fillOpacity, tracks[.fillOpacity])
        add(.strokeOpacity, tracks[.strokeOpacity])
        add(.strokeWidth, tracks[.strokeWidth])
        // What is combined with another track comes after it.
        return result + translations.dropFirst() + scales.dropFirst() + skews.dropFirst()
    }

    /// Returns stops between which there is one value, which holds before and after them too.
    private static func constant(_ value: Double) -> [Stop] {
        [0, 1].map { ticks in
            Stop(instant: Instant(ticks: ticks), value: CSSValue(x: value), easing: .linear)
        }
    }

    /// Returns the translation by both offsets; two, the second added, where one property cannot
    /// say it.
    private static func translations(
        _ x: Track<Double>?, _ y: Track<Double>?, offset: Double?
    ) -> [CSSTrack] {
        func translation(_ stops: [Stop], isAdded: Bool = false) -> CSSTrack {
            var stops = stops
            if let offset, !isAdded {
                for index in stops.indices { stops[index].value.x /= offset }
            }
            return CSSTrack(
                property: offset == nil || isAdded ? .translate : .ownTranslate,
                base: CSSValue(x: 0), isAdded: isAdded, stops: stops)
        }
        let (movesX, movesY) = ((x?.keyframes.count ?? 0) > 1, (y?.keyframes.count ?? 0) > 1)
        guard let x, movesX else {
            guard let y, movesY else { return [] }
            let offset = x?.keyframes.first?.value ?? 0
            return [translation(y.stops { CSSValue(x: offset, y: $0) })]
        }
        guard let y, movesY else {
            let offset = y?.keyframes.first?.value ?? 0
            return [translation(x.stops { CSSValue(x: $0, y: offset) })]
        }
        if let stops = joint(x, y) { return [translation(stops)] }
        return [
            translation(x.stops { CSSValue(x: $0) }),
            translation(y.stops { CSSValue(x: 0, y: $0) }, isAdded: true),
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
                    property: .scale, base: CSSValue(x: 1, y: 1), isAdded: !result.isEmpty,
                    stops: stops))
        }
        if let both { add(both.stops { CSSValue(x: $0, y: $0) }) }
        if let x, let y, let stops = joint(x, y) {
            add(stops)
        } else {
            if let x { add(x.stops { CSSValue(x: $0, y: 1) }) }
            if let y { add(y.stops { CSSValue(x: 1, y: $0) }) }
        }
        return result
    }

    /// Returns the skews by both angles, the one across first; the other is combined with it.
    private static func skews(_ x: Track<Double>?, _ y: Track<Double>?) -> [CSSTrack] {
        var result: [CSSTrack] = []
        for (property, track) in [(Property.skewX, x), (.skewY, y)] {
            guard let track, track.keyframes.count > 1 else { continue }
            result.append(
                CSSTrack(
                    property: property, base: CSSValue(x: 0), isAdded: !result.isEmpty,
                    stops: track.stops { CSSValue(x: $0) }))
        }
        return result
    }

    /// Returns two numbers as one value; nil where they change at the same time in different ways.
    private static func joint(_ x: Track<Double>, _ y: Track<Double>) -> [Stop]? {
        if x.hasTiming(of: y) {
            return zip(x.keyframes, y.keyframes).map {
                Stop(
                    instant: $0.time, value: CSSValue(x: $0.value, y: $1.value),
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
                    value: CSSValue(x: x.value(at: instant), y: y.value(at: instant)),
                    easing: easing))
        }
        // As in every other track that does not jump all the time.
        if instants.count == x.keyframes.count || stops.contains(where: { $0.easing != .hold }) {
            stops[stops.count - 1].easing = .linear
        }
        return stops
    }

    private static func paints(_ fill: Track<ColorMix>, isOpaque: Bool) -> CSSTrack {
        let stops = fill.keyframes.map { keyframe in
            let first = fill.keyframes.firstIndex { $0.value == keyframe.value } ?? 0
            return Stop(
                instant: keyframe.time,
                value: keyframe.value == .own ? .ownPaint : CSSValue(paint: first),
                easing: keyframe.easing)
        }
        return CSSTrack(property: isOpaque ? .fill : .fillWithAlpha, base: .ownPaint, stops: stops)
    }

    /// Returns the glyph's own offset across: the largest, of equals the first, if offsets change
    /// with the opacity.
    ///
    /// Glyphs that spread have offsets of their own and the same motion otherwise. Its text is
    /// rounded, and so no multiple of it may be longer.
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
    static func dependsOnColors(_ tracks: GlyphTracks, _ colors: SVGColors) -> Bool {
        if let fill = tracks.fill {
            return !colors.areOpaque
                || fill.keyframes.contains { $0.value.ownShare > 0 && $0.value.ownShare < 1 }
        }
        return !colors.areOpaque
            && (tracks[.fillOpacity] != nil || tracks[.strokeOpacity] != nil)
    }

    /// Returns true if an element has a value without a keyframe that says so, also while it is
    /// animated.
    func isImplicit(_ value: CSSValue) -> Bool {
        value == base && property != .fillWithAlpha
    }

    /// Returns true if the value is 0 from one instant to another.
    func isZero(from start: Instant, to end: Instant) -> Bool {
        guard start < end, let first = stops.first, let last = stops.last else { return true }
        if start < first.instant, first.value.x != 0 { return false }
        for (stop, next) in zip(stops, stops.dropFirst())
        where stop.instant < end && next.instant > start {
            if stop.value.x != 0 || stop.easing != .hold && next.value.x != 0 { return false }
        }
        return end <= last.instant || last.value.x == 0
    }

    /// The instant until which an opacity is 0 from the cycle's start.
    var hiddenStart: Instant {
        guard let shown = stops.firstIndex(where: { $0.value.x != 0 }) else {
            return stops.last?.instant ?? .zero
        }
        guard shown > 0 else { return .zero }
        return stops[shown - 1].easing == .hold ? stops[shown].instant : stops[shown - 1].instant
    }

    /// The instant from which on an opacity is 0 until the cycle's end; nil if it is not.
    var hiddenEnd: Instant? {
        guard let shown = stops.lastIndex(where: { $0.value.x != 0 }) else { return .zero }
        return shown + 1 < stops.count ? stops[shown + 1].instant : nil
    }

    /// The time in which an opacity is not 0, as a track that only jumps.
    var visibility: CSSTrack {
        var stops: [Stop] = []
        func add(_ instant: Instant, _ value: Double) {
            stops.append(Stop(instant: instant, value: CSSValue(x: value), easing: .hold))
        }
        if hiddenStart > .zero { add(.zero, 0) }
        add(hiddenStart, 1)
        if let hiddenEnd { add(hiddenEnd, 0) }
        return CSSTrack(property: .visibility, base: CSSValue(x: 1), stops: stops)
    }

    /// Returns true if it scales, turns or skews the glyph while another property changes.
    func changesSize(during change: CSSChange) -> Bool {
        guard property == .scale || property == .rotate || property.isSkew else { return false }
        let (start, end) = (change.track.stops[0].instant, change.end)
        return CSSChange.changes(of: self).contains {
            $0.track.stops[0].instant < end && $0.end > start
                || $0.fillsForwards && $0.end <= start || $0.fillsBackwards && $0.end >= end
        }
    }

    /// Returns true if both tracks have the same instants and easings, so that keyframes can have
    /// the values of both.
    func hasTiming(of other: CSSTrack) -> Bool {
        isAdded == other.isAdded && stops.count == other.stops.count
            && zip(stops, other.stops).allSatisfy {
                $0.instant == $1.instant && $0.easing == $1.easing
            }
    }
}

/// One or two numbers, or a paint.
///
/// Values do not depend on the glyph's own colour, so that animations are the same under both
/// colour schemes but for the text of their keyframes. Opacities of fill and stroke are shares of
/// its alpha.
struct CSSValue: Equatable {
    /// Of a paint its index among the keyframes of the fill, -1 for the glyph's own colour.
    var x: Double
    var y = 0.0

    /// The glyph's own colour.
    static let ownPaint = CSSValue(paint: -1)

    init(x: Double, y: Double = 0) {
        self.x = x
        self.y = y
    }

    /// - Parameter paint: The index of the first keyframe of the fill that has the paint.
    init(paint: Int) {
        x = Double(paint)
    }
}

extension CSSTrack.Property {
    /// The values that can be drawn; nil for all.
    fileprivate var range: ClosedRange<Double>? {
        switch self {
        case .opacity, .dash, .fillOpacity, .strokeOpacity: 0...1
        case .blur, .strokeWidth: 0...Double.infinity
        default: nil
        }
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
        guard let next = keyframes.firstIndex(where: { $0.time > start }), next > 0 else {
            return .none
        }
        let (from, to) = (keyframes[next - 1], keyframes[next])
        guard from.value != to.value else { return .none }
        if from.easing == .hold { return to.time == end ? .whole(.hold) : .none }
        return from.time == start && to.time == end ? .whole(from.easing) : .part
    }

    /// Returns stops that draw the same although none has a value out of range: CSS cuts the values
    /// of keyframes off before it mixes them, a scene after.
    fileprivate func stops(within range: ClosedRange<Double>?) -> [CSSTrack.Stop] {
        guard let range, keyframes.contains(where: { !range.contains($0.value) }) else {
            return stops { CSSValue(x: $0) }
        }
        // A bound that no curve reaches stands for infinity.
        let high = min(
            range.upperBound, 1000 * (keyframes.lazy.map { abs($0.value) }.max() ?? 0))
        var result: [CSSTrack.Stop] = []
        func add(_ ticks: Int, _ value: Double, _ easing: Easing, isCut: Bool = false) {
            if let last = result.last, last.instant.ticks >= ticks { result.removeLast() }
            result.append(
                CSSTrack.Stop(
                    instant: Instant(ticks: ticks), value: CSSValue(x: min(max(value, 0), high)),
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

/// A part of a track between two of its rests at the base value.
struct CSSChange {
    var track: CSSTrack
    /// True if the cycle begins with the first value, which is not the base value.
    var fillsBackwards = false
    /// True if the cycle ends with the last value, which is not the base value.
    var fillsForwards = false

    static func changes(of track: CSSTrack) -> [CSSChange] {
        var changes: [CSSChange] = []
        var stops: [CSSTrack.Stop] = []
        func close() {
            defer { stops = [] }
            guard stops.count > 1 else { return }
            var own = track
            own.stops = stops
            changes.append(CSSChange(track: own))
        }
        for stop in track.stops {
            if let last = stops.last, last.value == track.base, stop.value == track.base,
                !last.isCut
            {
                close()
            }
            stops.append(stop)
        }
        close()
        if let first = changes.first, first.track.stops[0].value != track.base {
            changes[0].fillsBackwards = true
        }
        if let last = changes.last, last.track.stops.last?.value != track.base {
            changes[changes.count - 1].fillsForwards = true
        }
        return changes.map(trimmed)
    }

    /// Returns a change without the rest at the base value before its first jump.
    private static func trimmed(_ change: CSSChange) -> CSSChange {
        var change = change
        while change.track.stops.count > 2, change.track.stops[0].value == change.track.base,
            change.track.stops[0].easing == .hold
        {
            change.track.stops.removeFirst()
        }
        return change
    }

    /// Has changes of most properties begin together (`isDelayedAlways`), those of the
    /// entrance and those of the exit each, so that a glyph has one delay for them.
    static func alignStarts(_ changes: inout [CSSChange]) {
        for isEntrance in [true, false] {
            let own = changes.indices.filter {
                let change = changes[$0]
                return change.track.property.isDelayedAlways && change.jump == nil
                    && change.fillsBackwards == isEntrance && change.fillsForwards != isEntrance
            }
            guard let first = own.map({ changes[$0].track.stops[0].instant }).min() else {
                continue
            }
            for index in own where changes[index].track.stops[0].instant > first {
                let (track, easing) = (changes[index].track, changes[index].commonEasing)
                var stop = track.stops[0]
                stop.instant = first
                if isEntrance || stop.value == track.base {
                    stop.easing = easing
                } else {
                    (stop.value, stop.easing) = (track.base, .hold)
                }
                changes[index].track.stops.insert(stop, at: 0)
            }
        }
    }

    var end: Instant { track.stops[track.stops.count - 1].instant }

    /// The instant of a single jump, and whether it ends at the base value; nil for other changes.
    var jump: (instant: Instant, isArrival: Bool)? {
        guard track.stops.count == 2, track.stops[0].easing == .hold else { return nil }
        if fillsBackwards, !fillsForwards { return (track.stops[1].instant, true) }
        // The rest at the base value before another jump was trimmed.
        if fillsForwards, !fillsBackwards, track.stops[0].value == track.base {
            return (track.stops[1].instant, false)
        }
        return nil
    }

    /// The value before a jump to the base value, or after a jump from it.
    var jumpValue: (CSSTrack.Property, CSSValue) {
        (track.property, track.stops[fillsBackwards ? 0 : 1].value)
    }

    var commonEasing: Easing {
        CSSWriter.commonEasing(of: track.stops)
    }

    /// Returns true if both have the same fill mode, instants and easings.
    func hasTiming(of other: CSSChange) -> Bool {
        fillsBackwards == other.fillsBackwards && fillsForwards == other.fillsForwards
            && (jump == nil) == (other.jump == nil) && track.hasTiming(of: other.track)
    }
}
