/// A property that keyframes of requests set (docs/effects.md, *Keyframes*).
package enum KeyframeProperty: Int, CaseIterable, Sendable {
    case opacity, x, y, scale, scaleX, scaleY, rotation, blur, spread, color

    /// The name in requests.
    package var name: String {
        switch self {
        case .opacity: "opacity"
        case .x: "x"
        case .y: "y"
        case .scale: "scale"
        case .scaleX: "scaleX"
        case .scaleY: "scaleY"
        case .rotation: "rotation"
        case .blur: "blur"
        case .spread: "spread"
        case .color: "color"
        }
    }

    /// The values in the property's unit; nil for colours.
    package var range: ClosedRange<Double>? {
        switch self {
        case .opacity: 0...1
        case .x, .y: -10...10
        case .scale, .scaleX, .scaleY, .spread: 0...10
        case .rotation: -3600...3600
        case .blur: 0...2
        case .color: nil
        }
    }

    /// The unit of numbers; nil for shares, factors and colours.
    package var unit: Parameter.Unit? {
        switch self {
        case .x, .y, .blur: .em
        case .rotation: .degrees
        default: nil
        }
    }

    /// The values as a percentage of the item's box; nil where there are none.
    package var percentRange: ClosedRange<Double>? {
        self == .x || self == .y ? -1000...1000 : nil
    }

    /// The value that leaves the text as it was typeset.
    package var identity: KeyframeValue {
        switch self {
        case .opacity, .scale, .scaleX, .scaleY, .spread: .number(1)
        case .x, .y, .rotation, .blur: .number(0)
        case .color: .ownColor
        }
    }

    /// A value that is seen, for documents and for those who try it.
    package var example: KeyframeValue {
        switch self {
        case .opacity, .scaleX, .scaleY: .number(0)
        case .x: .number(-0.5)
        case .y: .percent(40)
        case .scale: .number(0.5)
        case .rotation: .number(-15)
        case .blur: .number(0.3)
        case .spread: .number(2)
        case .color: .color(Color(red: 163, green: 113, blue: 247))
        }
    }

    /// One sentence of what it sets.
    package var summary: String {
        switch self {
        case .opacity: "How opaque: 0 is invisible."
        case .x: "An offset to the right; a percentage is of the item's width."
        case .y: "An offset downwards; a percentage is of the item's height."
        case .scale: "A factor of the size, about the centre of each glyph."
        case .scaleX: "A factor of the width, about the centre of each glyph."
        case .scaleY: "A factor of the height, about the centre of each glyph."
        case .rotation: "A clockwise turn about the centre of each glyph."
        case .blur: "How blurred: the standard deviation of a Gaussian."
        case .spread: "A factor of each glyph's distance from the middle of its item; not with x."
        case .color: "A colour instead of the text's own."
        }
    }

    /// The property of the scene that it sets; nil for the colour, which is the fill.
    fileprivate var sceneProperty: Property? {
        switch self {
        case .color: nil
        case .opacity: .opacity
        case .x, .spread: .offsetX
        case .y: .offsetY
        case .scale: .scale
        case .scaleX: .scaleX
        case .scaleY: .scaleY
        case .rotation: .rotation
        case .blur: .blur
        }
    }
}

/// A value of a keyframe's property.
package enum KeyframeValue: Hashable, Sendable {
    /// In the property's unit.
    case number(Double)
    /// Of the item's box: of its width for `x`, of its height for `y`.
    case percent(Double)
    case color(Color)
    /// The glyph's own colour.
    case ownColor

    /// True if the text looks as it was typeset with this value.
    package func isIdentity(of property: KeyframeProperty) -> Bool {
        if case .percent(0) = self { return true }
        return self == property.identity
    }
}

/// A keyframe as requests write it.
package struct EffectKeyframe: Hashable, Sendable {
    /// The share of the item's duration; nil for evenly between its neighbours.
    package var offset: Double?
    /// The curve up to the next keyframe; nil for the effect's.
    package var easing: TimingFunction?
    /// The values by `KeyframeProperty.rawValue`; nil where it is not touched.
    private var values = [KeyframeValue?](repeating: nil, count: KeyframeProperty.allCases.count)

    package init(
        offset: Double? = nil, easing: TimingFunction? = nil,
        _ values: [KeyframeProperty: KeyframeValue] = [:]
    ) {
        self.offset = offset
        self.easing = easing
        for (property, value) in values { self[property] = value }
    }

    package subscript(property: KeyframeProperty) -> KeyframeValue? {
        get { values[property.rawValue] }
        set { values[property.rawValue] = newValue }
    }
}

extension [EffectKeyframe] {
    /// The offset of each keyframe: the first is at 0, the last of several at 1.
    package var offsets: [Double] {
        var offsets = map(\.offset)
        guard !offsets.isEmpty else { return [] }
        offsets[0] = offsets[0] ?? 0
        offsets[count - 1] = offsets[count - 1] ?? 1
        return EvenSpacing.filled(offsets)
    }
}

/// The keyframes of each property over an item's duration, as parameters give them.
package struct ItemKeyframes: Sendable {
    typealias Keyframe = (offset: Double, value: KeyframeValue, easing: TimingFunction)

    private(set) var properties: [(property: KeyframeProperty, keyframes: [Keyframe])] = []

    /// Sorts keyframes by property.
    ///
    /// - Parameters:
    ///   - keyframes: The keyframes, at least one; each property ends with its identity.
    ///   - easing: The curve from keyframes that have none of their own.
    package init(_ keyframes: [EffectKeyframe], easing: TimingFunction) {
        let offsets = keyframes.offsets
        for property in KeyframeProperty.allCases
        where keyframes.contains(where: { $0[property] != nil }) {
            var given: [Keyframe] = []
            for (offset, keyframe) in zip(offsets, keyframes) {
                guard let value = keyframe[property] else { continue }
                given.append((offset, value, keyframe.easing ?? easing))
            }
            guard let first = given.first, let last = given.last else { continue }
            if first.offset > 0 { given.insert((0, property.identity, easing), at: 0) }
            if last.offset < 1 { given.append((1, property.identity, .linear)) }
            add(property, given)
        }
    }

    /// Makes an empty list; properties are added with `add`.
    init() {}

    /// Adds a property's keyframes; the first is at 0, and the value of the last stays.
    mutating func add(_ property: KeyframeProperty, _ keyframes: [Keyframe]) {
        properties.append((property, keyframes))
    }
}

/// The motion of one item over its duration, from keyframes.
package struct KeyframeMotion: Sendable {
    /// A number that may depend on the item: its own part, and a part of the item's box.
    private struct Length: Equatable {
        /// In the property's unit.
        var number: Double
        /// A share of the item's box.
        var share = 0.0
    }

    /// A value between those of two keyframes.
    private struct Amount: Equatable {
        var from: Length
        var to: Length
        /// The share of the way.
        var way = 0.0

        init(_ length: Length) {
            from = length
            to = length
        }

        func mixed(with other: Amount, share: Double) -> Amount {
            var amount = self
            amount.to = other.from
            amount.way = share
            return amount
        }
    }

    private struct Stop<Value: Sendable>: Sendable {
        /// The share of the item's duration.
        let offset: Double
        let value: Value
        let easing: Easing
    }

    private var numbers: [(property: KeyframeProperty, stops: [Stop<Amount>])] = []
    private var paints: [Stop<ColorMix>] = []
    /// The shares of the item's duration in which ramps of opacity are written in pieces.
    private var opacityRamps: [(start: Double, end: Double)] = []

    /// Writes keyframes with the easings that a scene has.
    init(_ keyframes: ItemKeyframes) {
        for (property, own) in keyframes.properties {
            if property == .color {
                paints = Self.stops(
                    own.map { ($0.offset, $0.value.paint, $0.easing) }, isClamped: true
                ) {
                    $0.mixed(with: $1, share: $2)
                }
            } else {
                let stops = Self.stops(own.map { ($0.offset, Self.amount($0.value), $0.easing) }) {
                    $0.mixed(with: $1, share: $2)
                }
                numbers.append((property, stops))
            }
            guard property == .opacity else { continue }
            for (from, to) in zip(own, own.dropFirst()) {
                if case .easing = from.easing { continue }
                let isShown = from.value != .number(0) || to.value != .number(0)
                if isShown { opacityRamps.append((from.offset, to.offset)) }
            }
        }
    }

    /// Returns the keyframes of a change between two numbers, by shares of its time.
    static func ramp(
        from first: Double, to last: Double, _ easing: TimingFunction
    ) -> [(share: Double, value: Double, easing: Easing)] {
        let stops = stops([(0, first, easing), (1, last, .linear)]) {
            $0 * (1 - $2) + $1 * $2
        }
        return stops.map { ($0.offset, $0.value, $0.easing) }
    }

    private static func amount(_ value: KeyframeValue) -> Amount {
        switch value {
        case .number(let number): Amount(Length(number: number))
        case .percent(let percent): Amount(Length(number: 0, share: percent / 100))
        case .color, .ownColor: Amount(Length(number: 0))
        }
    }

    /// Returns keyframes with the easings that a scene has.
    private static func stops<Value: Equatable>(
        _ keyframes: [(offset: Double, value: Value, easing: TimingFunction)],
        isClamped: Bool = false, _ mix: (Value, Value, Double) -> Value
    ) -> [Stop<Value>] {
        var stops: [Stop<Value>] = []
        stops.reserveCapacity(keyframes.count)
        func plain(_ easing: TimingFunction) -> Easing? {
            if case .easing(let easing) = easing, !isClamped { easing } else { nil }
        }
        for (from, to) in zip(keyframes, keyframes.dropFirst()) {
            if let easing = plain(from.easing) {
                stops.append(Stop(offset: from.offset, value: from.value, easing: easing))
                continue
            }
            func value(_ way: Double) -> Value {
                way == 0 ? from.value : way == 1 ? to.value : mix(from.value, to.value, way)
            }
            func offset(_ share: Double) -> Double {
                share == 1 ? to.offset : from.offset + (to.offset - from.offset) * share
            }
            var last = 0.0
            var isFirst = true
            for piece in isClamped ? from.easing.clampedPieces : from.easing.pieces {
                // A jump: what is up to here stands first.
                if piece.from != last || isFirst && piece.from != 0 {
                    stops.append(
                        Stop(offset: offset(piece.start), value: value(last), easing: .hold))
                }
                isFirst = false
                stops.append(
                    Stop(
                        offset: offset(piece.start), value: value(piece.from), easing: piece.easing)
                )
                last = piece.to
            }
            if last != 1 {
                stops.append(Stop(offset: to.offset, value: value(last), easing: .hold))
            }
        }
        if let last = keyframes.last {
            stops.append(Stop(offset: last.offset, value: last.value, easing: .linear))
        }
        return stops
    }

    /// The keyframes of one glyph's tracks.
    var keyframeCount: Int {
        numbers.reduce(paints.count + 1) { $0 + $1.stops.count }
    }

    /// True if an item's tracks depend on its box.
    var dependsOnBox: Bool {
        numbers.contains { number in
            number.stops.contains { $0.value.from.share != 0 || $0.value.to.share != 0 }
        }
    }

    /// True if the glyphs of an item have tracks of their own.
    var dependsOnGlyph: Bool {
        numbers.contains { $0.property == .spread }
    }

    /// An item, as its motion depends on it.
    struct Item {
        /// Seconds.
        var duration: Double
        /// CSS pixels.
        var em: Double
        /// The size of its box in CSS pixels.
        var size: (width: Double, height: Double) = (0, 0)
        /// The distance of the glyph's centre from the middle of its item on its line, in CSS pixels.
        var distance = 0.0
    }

    /// Returns the tracks of an item's glyphs, or of one glyph where they differ, without a delay.
    func tracks(of item: Item) -> PhaseTracks {
        var tracks = PhaseTracks(opacity: [])
        for index in numbers.indices {
            let property = numbers[index].property
            var keyframes: [PhaseKeyframe] = []
            keyframes.reserveCapacity(numbers[index].stops.count)
            // By index, because a stop that is looked at is copied.
            for stop in numbers[index].stops.indices {
                let offset = numbers[index].stops[stop].offset
                keyframes.append(
                    PhaseKeyframe(
                        offset * item.duration,
                        value: Self.value(numbers[index].stops[stop].value, of: property, item),
                        easing: numbers[index].stops[stop].easing))
            }
            guard let property = property.sceneProperty else { continue }
            if property == .opacity {
                tracks.opacity = keyframes
            } else if tracks.moves.isEmpty {
                tracks.moves = [(property, keyframes)]
            } else {
                tracks.moves.append((property, keyframes))
            }
        }
        tracks.opacityRamps = opacityRamps.map {
            ($0.start * item.duration, $0.end * item.duration)
        }
        tracks.fill = paints.map { stop in
            PhaseFillKeyframe(
                stop.offset * item.duration, value: stop.value, easing: stop.easing)
        }
        return tracks
    }

    private static func value(
        _ amount: Amount, of property: KeyframeProperty, _ item: Item
    ) -> Double {
        let from = value(amount.from, of: property, item)
        guard amount.way != 0 else { return from }
        return from * (1 - amount.way) + value(amount.to, of: property, item) * amount.way
    }

    private static func value(
        _ length: Length, of property: KeyframeProperty, _ item: Item
    ) -> Double {
        switch property {
        case .x: length.number * item.em + length.share * item.size.width
        case .y: length.number * item.em + length.share * item.size.height
        case .blur: length.number * item.em
        case .spread: (length.number - 1) * item.distance
        default: length.number
        }
    }
}

extension KeyframeValue {
    fileprivate var paint: ColorMix {
        if case .color(let color) = self { ColorMix(color) } else { .own }
    }
}
