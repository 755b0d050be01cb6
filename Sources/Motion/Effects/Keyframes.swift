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

/// The keyframes of each property over an item's duration, from parameters.
package struct ItemKeyframes: Sendable {
    typealias PropertyKeyframe = (offset: Double, value: KeyframeValue, easing: TimingFunction)

    private(set) var properties: [(property: KeyframeProperty, keyframes: [PropertyKeyframe])] = []
    /// By rising tags.
    private(set) var axes: [AxisMotion.Axis] = []

    /// Sorts keyframes by property, and by axis.
    ///
    /// - Parameters:
    ///   - keyframes: The keyframes, at least one; each property ends with its identity, and no axis
    ///     is set at the end.
    ///   - easing: The curve from keyframes that have none of their own.
    package init(_ keyframes: [EffectKeyframe], easing: TimingFunction) {
        let offsets = keyframes.offsets
        for property in KeyframeProperty.allCases
        where keyframes.contains(where: { $0[property] != nil }) {
            var given: [PropertyKeyframe] = []
            for (offset, keyframe) in zip(offsets, keyframes) {
                guard let value = keyframe[property] else { continue }
                given.append((offset, value, keyframe.easing ?? easing))
            }
            guard let first = given.first, let last = given.last else { continue }
            if first.offset > 0 { given.insert((0, property.identity, easing), at: 0) }
            if last.offset < 1 { given.append((1, property.identity, .linear)) }
            add(property, given)
        }
        guard keyframes.contains(where: { !$0.axes.isEmpty }) else { return }
        for tag in Set(keyframes.flatMap(\.axes.keys)).sorted() {
            var stops: [AxisMotion.Stop] = []
            for (offset, keyframe) in zip(offsets, keyframes) {
                guard let value = keyframe.axes[tag] else { continue }
                stops.append(.init(offset: offset, value: value, easing: keyframe.easing ?? easing))
            }
            if let first = stops.first, first.offset > 0 {
                stops.insert(.init(offset: 0, value: nil, easing: easing), at: 0)
            }
            stops.append(.init(offset: 1, value: nil, easing: .linear))
            axes.append(AxisMotion.Axis(tag: tag, stops: stops))
        }
    }

    /// Makes an empty list; properties are added with `add`.
    init() {}

    /// Adds a property's keyframes; the first is at 0, and the value of the last stays.
    mutating func add(_ property: KeyframeProperty, _ keyframes: [PropertyKeyframe]) {
        properties.append((property, keyframes))
    }

    /// The sides of their place from which items come: the sides to which keyframes move them.
    fileprivate var origin: Edges {
        var edges: Edges = []
        for (property, keyframes) in properties {
            for keyframe in keyframes where keyframe.value.amount != 0 {
                switch property {
                case .x: edges.insert(keyframe.value.amount < 0 ? .left : .right)
                case .y: edges.insert(keyframe.value.amount < 0 ? .top : .bottom)
                default: break
                }
            }
        }
        return edges
    }
}

/// The motion of one item over its duration, from keyframes.
package struct KeyframeMotion: Sendable {
    /// A number that may depend on the item: its own part, and a part of the item's box.
    private struct Length: Hashable {
        /// In the property's unit.
        var number: Double
        /// A share of the item's box.
        var share = 0.0
    }

    /// A value between the values of two keyframes.
    private struct Amount: Hashable {
        var from: Length
        var to: Length
        /// 0…1.
        var progress = 0.0

        init(_ length: Length) {
            from = length
            to = length
        }

        func mixed(with other: Amount, progress: Double) -> Amount {
            var amount = self
            amount.to = other.from
            amount.progress = progress
            return amount
        }
    }

    /// A keyframe at a progress through the item's duration.
    private typealias Stop<Value: Hashable & Sendable> = Keyframe<Double, Value>

    private var numbers: [(property: KeyframeProperty, stops: [Stop<Amount>])] = []
    private var paints: [Stop<ColorMix>] = []
    /// The offsets along the block's path; nil if there are none.
    private var pathOffsets: PathOffsets?
    /// The parts of the item's duration in which ramps of opacity are written in pieces.
    private var opacityRamps: [(start: Double, end: Double)] = []
    /// The sides of its place from which the item comes.
    let origin: Edges

    /// Writes keyframes with the easings that a scene has.
    init(_ keyframes: ItemKeyframes) {
        origin = keyframes.origin
        for (property, own) in keyframes.properties {
            if property == .color {
                paints = Self.stops(
                    own.map { ($0.offset, $0.value.paint, $0.easing) }, isClamped: true
                ) {
                    $0.mixed(with: $1, progress: $2)
                }
            } else {
                let stops = Self.stops(own.map { ($0.offset, Self.amount($0.value), $0.easing) }) {
                    $0.mixed(with: $1, progress: $2)
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

    /// Returns the keyframes of a change between two numbers, by its progress in time.
    static func ramp(
        from first: Double, to last: Double, _ easing: TimingFunction
    ) -> [(share: Double, value: Double, easing: Easing)] {
        let stops = stops([(0, first, easing), (1, last, .linear)]) {
            $0 * (1 - $2) + $1 * $2
        }
        return stops.map { ($0.time, $0.value, $0.easing) }
    }

    private static func amount(_ value: KeyframeValue) -> Amount {
        switch value {
        case .number(let number): Amount(Length(number: number))
        case .percent(let percent): Amount(Length(number: 0, share: percent / 100))
        case .color, .ownColor: Amount(Length(number: 0))
        }
    }

    /// Returns keyframes with the easings that a scene has.
    private static func stops<Value: Hashable & Sendable>(
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
                stops.append(Stop(from.offset, value: from.value, easing: easing))
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
                // At a jump the value up to here comes first.
                if piece.from != last || isFirst && piece.from != 0 {
                    stops.append(
                        Stop(offset(piece.start), value: value(last), easing: .hold))
                }
                isFirst = false
                stops.append(
                    Stop(
                        offset(piece.start), value: value(piece.from), easing: piece.easing)
                )
                last = piece.to
            }
            if last != 1 {
                stops.append(Stop(to.offset, value: value(last), easing: .hold))
            }
        }
        if let last = keyframes.last {
            stops.append(Stop(last.offset, value: last.value, easing: .linear))
        }
        return stops
    }

    /// Writes the keyframes of a block, which may stand along a path.
    ///
    /// - Throws: `SceneError.deadline`, or `.tooManyKeyframes` for ways with too many.
    init(_ keyframes: ItemKeyframes, of block: EffectBlock) throws(SceneError) {
        self.init(keyframes)
        guard let index = numbers.firstIndex(where: { $0.property == .pathOffset }) else { return }
        let stops = numbers.remove(at: index).stops
        guard let path = block.path else { return }
        let item = Item(duration: 0, em: block.em)
        pathOffsets = try PathOffsets(
            stops.map {
                Keyframe(
                    $0.time, value: Self.value($0.value, of: .pathOffset, item) / 100,
                    easing: $0.easing)
            }, along: path, of: block)
    }

    /// The keyframes of one glyph's tracks.
    var keyframeCount: Int {
        numbers.reduce(paints.count + 1 + (pathOffsets?.keyframeCount ?? 0)) {
            $0 + $1.stops.count
        }
    }

    /// True if an item's tracks depend on its box.
    var dependsOnBox: Bool {
        numbers.contains { number in
            number.stops.contains { $0.value.from.share != 0 || $0.value.to.share != 0 }
        }
    }

    /// True if the glyphs of an item have tracks of their own.
    var dependsOnGlyph: Bool {
        pathOffsets != nil || numbers.contains { $0.property == .spread }
    }

    /// The data of an item on which its motion depends.
    struct Item {
        /// Seconds.
        var duration: Double
        /// CSS pixels.
        var em: Double
        /// The size of its box in CSS pixels.
        var size: (width: Double, height: Double) = (0, 0)
        /// The distance of the glyph's centre from the middle of its item on its line, in CSS
        /// pixels.
        var distance = 0.0
        /// The centre of the glyph's box.
        var center = Point.zero
    }

    /// Returns the tracks of an item's glyphs, or of one glyph if they differ, without a delay.
    func tracks(of item: Item) -> PhaseTracks {
        var tracks = PhaseTracks(opacity: [])
        for (property, stops) in numbers {
            let keyframes = stops.map { stop in
                Keyframe(
                    stop.time * item.duration, value: Self.value(stop.value, of: property, item),
                    easing: stop.easing)
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
        if let pathOffsets {
            tracks.moves += pathOffsets.moves(ofCenter: item.center, lasting: item.duration)
        }
        tracks.shownSpans = opacityRamps.map {
            ($0.start * item.duration, $0.end * item.duration)
        }
        tracks.fill = paints.map { stop in
            Keyframe(
                stop.time * item.duration, value: stop.value, easing: stop.easing)
        }
        return tracks
    }

    private static func value(
        _ amount: Amount, of property: KeyframeProperty, _ item: Item
    ) -> Double {
        let from = property.value(amount.from.number, amount.from.share, of: item)
        guard amount.progress != 0 else { return from }
        let to = property.value(amount.to.number, amount.to.share, of: item)
        return from * (1 - amount.progress) + to * amount.progress
    }
}

extension KeyframeValue {
    fileprivate var paint: ColorMix {
        if case .color(let color) = self { ColorMix(color) } else { .own }
    }

    /// The number in its unit or in percent; 0 for colours.
    fileprivate var amount: Double {
        switch self {
        case .number(let number), .percent(let number): number
        case .color, .ownColor: 0
        }
    }
}

extension KeyframeProperty {
    /// Returns a value in CSS pixels, or in the unit of the scene, for an item.
    ///
    /// - Parameters:
    ///   - number: The part in the property's unit.
    ///   - share: The part of the item's box.
    ///   - item: The item.
    /// - Returns: The value in the scene.
    fileprivate func value(_ number: Double, _ share: Double, of item: KeyframeMotion.Item)
        -> Double
    {
        if self == .spread { return (number - 1) * item.distance }
        var value = unit == .em ? number * item.em : number
        switch request?.percents?.side {
        case .width: value += share * item.size.width
        case .height: value += share * item.size.height
        case nil: break
        }
        return value
    }
}
