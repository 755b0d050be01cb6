/// The stops of a gradient for renderers that mix straight colours, not premultiplied ones.
///
/// There are more stops where the alpha changes, so that no mix is off by more than a 255th.
package struct StraightGradient: Sendable {
    package struct Stop: Equatable, Sendable {
        package var color: Color
        /// The share of the way, 0…1; any number in a gradient that repeats around a centre.
        package var offset: Double
    }

    /// The geometry of the offsets: from the first stop, or 0 % if that is earlier, to the last
    /// stop, or 100 % if that is later. It is one period if stops repeat along a line or outwards,
    /// and one turn around a centre. Nil if the last colour is everywhere.
    package let geometry: GradientGeometry?
    package let repeats: Bool
    package let stops: [Stop]

    /// The most times that the part between two stops is halved.
    private static let depth = 5
    /// The largest distance of any part of a premultiplied colour from the right one.
    private static let tolerance = 0.75 / 255

    /// - Parameters:
    ///   - gradient: The gradient.
    ///   - box: The box that it fills.
    package init(_ gradient: Gradient, in box: Rect) {
        let given = gradient.stopsOfRenderers
        let (low, high) = gradient.reach
        geometry = gradient.wholeGeometry(in: box)
        repeats = gradient.repeats
        var stops: [Stop] = []
        func add(_ color: Color, _ share: Double) {
            let stop = Stop(color: color, offset: high > low ? (share - low) / (high - low) : 0)
            if stops.last != stop { stops.append(stop) }
        }
        for (from, to) in zip(given, given.dropFirst()) {
            let (start, end) = (from.percent / 100, to.percent / 100)
            // A transparent stop has the colour of its neighbour, not that of `transparent`.
            add(from.color.isTransparent ? to.color.withAlpha(0) : from.color, start)
            if start < end, !from.color.isTransparent, !to.color.isTransparent {
                Self.split(from.color, to.color, depth: Self.depth) { color, way in
                    add(color, start + (end - start) * way)
                }
            }
            add(to.color.isTransparent ? from.color.withAlpha(0) : to.color, end)
        }
        self.stops = stops
    }

    /// Calls a function with the colours that are needed between two others, at rising progress.
    private static func split(
        _ from: Color, _ to: Color, _ range: ClosedRange<Double> = 0...1, depth: Int,
        _ add: (Color, Double) -> Void
    ) {
        guard from.alpha != to.alpha, depth > 0 else { return }
        func mixed(_ way: Double) -> SIMD4<Double> {
            from.premultiplied + (to.premultiplied - from.premultiplied) * way
        }
        func straight(_ mixed: SIMD4<Double>) -> SIMD4<Double> { mixed / mixed.w }
        let (low, high) = (range.lowerBound, range.upperBound)
        let (first, last) = (straight(mixed(low)), straight(mixed(high)))
        let isStraight = [0.25, 0.5, 0.75].allSatisfy { share in
            let mix = mixed(low + (high - low) * share)
            var off = ((first + (last - first) * share) - straight(mix)) * mix.w
            off.w = 0
            return max(off.max(), -off.min()) <= tolerance
        }
        guard !isStraight else { return }
        let middle = (low + high) / 2
        split(from, to, low...middle, depth: depth - 1, add)
        add(Color(premultiplied: mixed(middle)), middle)
        split(from, to, middle...high, depth: depth - 1, add)
    }
}

extension Gradient {
    /// The range from the first stop to the last, as shares of the way: at least from 0 % to 100 %,
    /// or one period if stops repeat along a line or outwards.
    fileprivate var reach: (low: Double, high: Double) {
        let (first, last) = (stops[0].percent / 100, stops[stops.count - 1].percent / 100)
        switch kind {
        case .linear: return repeats ? (first, last) : (min(first, 0), max(last, 1))
        case .radial: return (0, repeats ? period / 100 : max(last, 1))
        case .conic: return (0, 1)
        }
    }

    /// The gradient followed by its mirror image, both repeated.
    package var mirrored: Gradient {
        guard !repeats else { return self }
        var gradient = self
        let (low, high) = (reach.low * 100, reach.high * 100)
        if stops[0].percent > low {
            gradient.stops.insert(Stop(color: stops[0].color, percent: low), at: 0)
        }
        if stops[stops.count - 1].percent < high {
            gradient.stops.append(Stop(color: lastColor, percent: high))
        }
        gradient.stops += gradient.stops.reversed().map {
            Stop(color: $0.color, percent: 2 * high - $0.percent)
        }
        gradient.repeats = true
        return gradient
    }

    /// Returns the geometry of the gradient in a box from its first stop to its last, for renderers
    /// whose stops lie within 0 % and 100 %; nil if the last colour is everywhere.
    package func wholeGeometry(in box: Rect) -> GradientGeometry? {
        let (low, high) = reach
        return geometry(in: box)?.part(from: low, to: high)
    }

    /// The stops at offsets that renderers take: none before a centre, and no more than one turn
    /// around it. A gradient that repeats outwards has one period of stops from the centre on.
    fileprivate var stopsOfRenderers: [Stop] {
        switch kind {
        case .linear: stops
        case .radial: stops(to: repeats ? period : .infinity)
        case .conic: repeats ? stops : stops(to: 100)
        }
    }

    /// Percent from the first stop to the last.
    package var period: Double { stops[stops.count - 1].percent - stops[0].percent }

    /// Returns the stops from 0 % to another place, with the colours at both; the place is at most
    /// the end of the first period if stops repeat.
    private func stops(to end: Double) -> [Stop] {
        guard !repeats || period > 0 else {
            return [0, 100].map { Stop(color: lastColor, percent: $0) }
        }
        var all = stops
        if repeats {
            let first = stops[0].percent
            let shift = first - (first / period).rounded(.up) * period
            all = [shift - first, shift - first + period].flatMap { shift in
                stops.map { Stop(color: $0.color, percent: $0.percent + shift) }
            }
        }
        func stop(at percent: Double) -> Stop {
            Stop(color: Color(premultiplied: color(at: percent / 100)), percent: percent)
        }
        let first = all.last { $0.percent <= 0 }
        var part = [first?.percent == 0 ? first ?? stop(at: 0) : stop(at: 0)]
        part += all.filter { $0.percent > 0 && $0.percent < end }
        if let next = all.first(where: { $0.percent >= end }), next.percent == end {
            part.append(next)
        } else if end < .infinity {
            part.append(stop(at: end))
        }
        if part.count == 1 { part.append(Stop(color: part[0].color, percent: 100)) }
        return part
    }
}
