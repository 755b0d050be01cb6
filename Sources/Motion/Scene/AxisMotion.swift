/// The name of an axis of variable fonts: four letters or digits of ASCII.
package struct AxisTag: Hashable, Comparable, Sendable {
    /// The characters as OpenType writes them, the first in the highest byte.
    package let code: UInt32

    package init(code: UInt32) {
        self.code = code
    }

    /// The axis of weights, `wght`.
    static let weight = AxisTag(code: 0x7767_6874)

    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 4, bytes.allSatisfy(Self.isAllowed) else { return nil }
        code = bytes.reduce(0) { $0 << 8 | UInt32($1) }
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: false
        }
    }

    package var text: String {
        let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: code >> $0) }
        return String(decoding: bytes, as: UTF8.self)
    }

    package static func < (one: AxisTag, other: AxisTag) -> Bool { one.code < other.code }
}

/// The change of axes of variable fonts by keyframes over an item's duration.
package struct AxisMotion: Hashable, Sendable {
    /// One axis from keyframe to keyframe.
    package struct Axis: Hashable, Sendable {
        package let tag: AxisTag
        /// The first is at 0, the last at 1, where the text is as typeset.
        let stops: [Stop]
    }

    struct Stop: Hashable, Sendable {
        /// The progress through the item's duration.
        let offset: Double
        /// The coordinate in the font's unit; nil for the text as typeset.
        let value: Double?
        /// The curve up to the next stop.
        let easing: TimingFunction
    }

    /// By rising tags, at least one.
    package let axes: [Axis]
    /// Seconds of an item.
    let duration: Double
    /// True if glyphs of a font without these axes stay as they are; otherwise such a font is an
    /// error.
    package private(set) var isOptional = false

    package var tags: [AxisTag] { axes.map(\.tag) }

    /// - Returns: Nil without axes.
    init?(_ axes: [Axis], duration: Double) {
        guard !axes.isEmpty else { return nil }
        self.axes = axes
        self.duration = duration
    }

    /// Makes the motion of words that have another weight while they are said.
    package init(weight: Int) {
        axes = [
            Axis(
                tag: .weight,
                stops: [
                    Stop(offset: 0, value: Double(weight), easing: .easing(.hold)),
                    Stop(offset: 1, value: nil, easing: .linear),
                ])
        ]
        duration = 1
        isOptional = true
    }
}

/// An axis of a font, in the font's unit.
package struct FontAxis: Hashable, Sendable {
    package let tag: AxisTag
    package let minimum: Double
    /// The coordinate of the text as typeset.
    package let rest: Double
    package let maximum: Double

    package init(_ tag: AxisTag, minimum: Double, rest: Double, maximum: Double) {
        self.tag = tag
        self.minimum = minimum
        self.rest = rest
        self.maximum = maximum
    }
}

/// The coordinates of a motion at even times, from which its steps are made.
package struct AxisPath: Sendable {
    /// A coordinate that may depend on the font: a share of the one at rest, and a number.
    private struct Amount {
        var own: Double
        var number: Double

        init(_ value: Double?) {
            (own, number) = value.map { (0, $0) } ?? (1, 0)
        }

        func mixed(with other: Amount, progress: Double) -> Amount {
            var amount = self
            amount.own += (other.own - own) * progress
            amount.number += (other.number - number) * progress
            return amount
        }

        func value(in axis: FontAxis) -> Double {
            min(max(own * axis.rest + number, axis.minimum), axis.maximum)
        }
    }

    private static let partsPerSecond = 60.0
    private static let mostParts = 600

    package let motion: AxisMotion
    /// The number of parts of an item's duration.
    private let count: Int
    /// For each axis the coordinate before the item's turn, then the coordinates in the middle of
    /// each part.
    private let amounts: [[Amount]]

    package init(_ motion: AxisMotion) {
        self.motion = motion
        let wanted = (motion.duration * Self.partsPerSecond).rounded(.up)
        let count = Int(min(max(wanted, 0), Double(Self.mostParts)))
        let shares = (0..<count).map { (Double($0) + 0.5) / Double(count) }
        self.count = count
        amounts = motion.axes.map { axis in
            [Amount(axis.stops[0].value)] + Self.amounts(of: axis, at: shares)
        }
    }

    /// Returns the coordinates at rising shares of an item's duration, all below 1.
    private static func amounts(of axis: AxisMotion.Axis, at shares: [Double]) -> [Amount] {
        var result: [Amount] = []
        result.reserveCapacity(shares.count)
        var rest = shares[...]
        for (from, to) in zip(axis.stops, axis.stops.dropFirst()) {
            let own = rest.prefix { $0 < to.offset }
            let times = own.map { ($0 - from.offset) / (to.offset - from.offset) }
            let (first, last) = (Amount(from.value), Amount(to.value))
            result += from.easing.values(at: times).map { first.mixed(with: last, progress: $0) }
            rest = rest.dropFirst(own.count)
        }
        return result
    }

    /// Returns the steps in which a font takes the path, each axis rounded to levels.
    ///
    /// The levels of an axis lie evenly between the coordinate at rest and each end of the axis's
    /// range in the motion; the ends are levels, too.
    ///
    /// - Parameters:
    ///   - font: The axes of the motion, in its order.
    ///   - levels: The number of steps from one end of an axis to the other, at least 1; one more
    ///     if the coordinate at rest lies between the ends.
    /// - Returns: The steps.
    func steps(in font: [FontAxis], levels: Int) -> AxisSteps {
        var steps = AxisSteps(rest: font.map(\.rest))
        var columns: [[Double]] = []
        for (amounts, axis) in zip(amounts, font) {
            let values = amounts.map { $0.value(in: axis) }
            let low = min(values.min() ?? axis.rest, axis.rest)
            let high = max(values.max() ?? axis.rest, axis.rest)
            columns.append(
                values.map { value in
                    let side = (value < axis.rest ? low : high) - axis.rest
                    guard side != 0 else { return axis.rest }
                    let share = Double(levels) * abs(side) / (high - low)
                    let count = max((share - 1e-9).rounded(.up), 1)
                    return axis.rest + side * ((value - axis.rest) / side * count).rounded() / count
                })
            steps.reaches.append(high - low)
        }
        var known: [[Double]: Int] = [:]
        for moment in 0...count {
            let coordinates = columns.map { $0[moment] }
            var instance: Int?
            if coordinates != steps.rest {
                instance = known[coordinates] ?? steps.instances.count
                if instance == steps.instances.count {
                    known[coordinates] = steps.instances.count
                    steps.instances.append(coordinates)
                }
            }
            guard moment > 0 else {
                steps.first = instance
                continue
            }
            steps.append(instance, until: Double(moment) / Double(count))
        }
        return steps
    }

    // MARK: Budget

    /// Glyphs of a block that share a font.
    package struct FontUse: Sendable {
        /// The axes of the motion, in its order.
        package var axes: [FontAxis]
        /// The number of glyphs.
        package var glyphs = 0
        /// The commands of their outlines, each outline once.
        package var commands = 0

        package init(axes: [FontAxis]) {
            self.axes = axes
        }
    }

    /// The numbers of levels that are tried.
    private static let levels = [64, 48, 32, 24, 16, 12, 8, 6, 4, 3, 2]
    /// The wanted number of outlines' commands in a file, and the largest: some ten bytes each in
    /// an SVG.
    private static let commands = (wanted: 8000, most: 400_000)
    /// The same numbers for spans in which a glyph is drawn at an instance.
    private static let spans = (wanted: 4000, most: 50_000)

    /// Returns the steps of each font, as fine as the budget allows.
    ///
    /// - Parameters:
    ///   - uses: The fonts of a block.
    ///   - parts: The number of motions, of all blocks, that share the budget of a file.
    /// - Returns: The steps of each font; nil if even the coarsest are too many.
    package func steps(of uses: [FontUse], sharing parts: Int) -> [AxisSteps]? {
        for levels in Self.levels {
            let steps = uses.map { self.steps(in: $0.axes, levels: levels) }
            var (commands, spans) = (0, 0)
            for (use, steps) in zip(uses, steps) {
                commands += use.commands * steps.instances.count
                spans += use.glyphs * (steps.spans.count + 1)
            }
            if commands * parts <= Self.commands.wanted, spans * parts <= Self.spans.wanted {
                return steps
            }
            if levels == Self.levels.last, commands <= Self.commands.most,
                spans <= Self.spans.most
            {
                return steps
            }
        }
        return nil
    }
}

/// The instances of a font that stand for all between them, and the spans in which each shows.
package struct AxisSteps: Sendable {
    /// A span in which an instance shows.
    package struct Span: Equatable, Sendable {
        package var start: Double
        package var end: Double
        /// Index into `instances`; nil for the text as typeset.
        package var instance: Int?
    }

    /// The coordinates of each instance, in the order of the motion's axes.
    package fileprivate(set) var instances: [[Double]] = []
    /// The instance before the item's turn; nil for the text as typeset.
    package fileprivate(set) var first: Int?
    /// In shares of the item's duration, without gaps.
    package private(set) var spans: [Span] = []
    /// The coordinates of the text as typeset.
    fileprivate let rest: [Double]
    /// For each axis the distance between its ends.
    fileprivate var reaches: [Double] = []

    fileprivate init(rest: [Double]) {
        self.rest = rest
    }

    /// Adds a span of an instance from the end of the last span to a share of the duration.
    fileprivate mutating func append(_ instance: Int?, until end: Double) {
        if let last = spans.indices.last, spans[last].instance == instance {
            spans[last].end = end
        } else {
            spans.append(Span(start: spans.last?.end ?? 0, end: end, instance: instance))
        }
    }

    /// The parts of a way back.
    private static let partsBack = 18

    /// The spans of the straight way from the text as typeset to the instance before the item's
    /// turn, in shares of its time, by the instances that there are.
    package var wayBack: [Span] {
        guard let first else { return [] }
        var back = AxisSteps(rest: rest)
        for part in 0..<Self.partsBack {
            let way = (Double(part) + 0.5) / Double(Self.partsBack)
            let wanted = zip(rest, instances[first]).map { $0 + ($1 - $0) * way }
            var (nearest, least) = (nil as Int?, distance(from: wanted, to: rest))
            for (index, instance) in instances.enumerated() {
                let distance = distance(from: wanted, to: instance)
                if distance < least { (nearest, least) = (index, distance) }
            }
            back.append(nearest, until: Double(part + 1) / Double(Self.partsBack))
        }
        return back.spans
    }

    private func distance(from one: [Double], to other: [Double]) -> Double {
        var sum = 0.0
        for (index, reach) in reaches.enumerated() where reach > 0 {
            let difference = (one[index] - other[index]) / reach
            sum += difference * difference
        }
        return sum
    }
}

/// The glyphs of a block at the instances that a motion takes them through.
package struct AxisInstances: Sendable {
    /// One glyph at the instances of its font.
    package struct OfGlyph: Sendable {
        /// Index into `steps`.
        package var steps: Int
        /// The shape at each instance, with its origin relative to the origin of the glyph's own
        /// shape; nil if it draws nothing.
        package var shapes: [Ink.Shape?]

        package init(steps: Int, shapes: [Ink.Shape?]) {
            self.steps = steps
            self.shapes = shapes
        }
    }

    package let motion: AxisMotion
    /// The steps of each font.
    package let steps: [AxisSteps]
    /// The instances of each glyph of the block; nil for a glyph without an outline of its font.
    package private(set) var glyphs: [OfGlyph?]

    package init(_ motion: AxisMotion, steps: [AxisSteps], glyphs: [OfGlyph?]) {
        self.motion = motion
        self.steps = steps
        self.glyphs = glyphs
    }

    /// Changes the shape of a glyph, by its number in the block, at each of its instances.
    package mutating func changeShapes(
        ofGlyph glyph: Int, _ change: (inout Ink.Shape?) -> Void
    ) {
        guard var own = glyphs[glyph] else { return }
        for instance in own.shapes.indices { change(&own.shapes[instance]) }
        glyphs[glyph] = own
    }

    /// The number of instances of all glyphs together.
    var count: Int { glyphs.reduce(0) { $0 + ($1?.shapes.count ?? 0) } }

    /// Returns the steps of a glyph, by its number in the block; nil for a glyph that stays as
    /// typeset.
    func steps(ofGlyph glyph: Int) -> AxisSteps? {
        glyphs.indices.contains(glyph) ? glyphs[glyph].map { steps[$0.steps] } : nil
    }
}
