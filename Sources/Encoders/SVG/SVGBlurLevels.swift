import Bytes
import Motion

/// The blurs that moving glyphs share in WebKit, or in all engines, as levels. Each level is a
/// `<filter>`, because WebKit blurs an element of an SVG by reference only, and jumps from one
/// reference to another.
///
/// The steps look alike: they are about even where a blur is small against the strokes of letters,
/// and grow by one factor where it is large.
struct SVGBlurLevels {
    /// The factor between the steps from one level to the next.
    private static let ratio = 1.28
    /// About the first level divided by `ratio` − 1, in CSS pixels of the largest glyphs.
    private static let strokeWidth = 1.5
    private static let mostLevels = 40
    /// Bytes of an element, at most.
    private static let elementBytes = 480

    let names: SVGNames
    /// True if all engines use levels: no function of CSS blurs.
    let areForAll: Bool
    /// The standard deviation of each level in the glyphs' units, in rising order from level 0,
    /// which is no blur.
    private let deviations: [Double]
    private let region: SVGFilterRegion
    private let known = KnownSteps()

    /// Makes the levels of a scene; nil where no glyph that is drawn is blurred by its motion.
    init?(_ scene: Scene, _ groups: [SVGGroup], _ names: SVGNames, areForAll: Bool) {
        let tracks = scene.tracks.span
        let blurs = tracks.indices.map { index in
            tracks[index][.blur]?.keyframes.reduce(0) { max($0, $1.value) } ?? 0
        }
        var (largest, scale) = (0.0, 0.0)
        var region = SVGFilterRegion()
        for group in groups {
            let beyond = scene.reach(of: group)
            for node in group.nodes {
                let deviation = blurs[scene.track(ofNode: node, in: group.part)]
                guard deviation > 0, let box = scene.nodes[node].glyph.ink?.bounds else { continue }
                largest = max(largest, deviation / group.coordinates.scale)
                scale = max(scale, group.coordinates.scale)
                region.include(3 * deviation + beyond, around: box)
            }
        }
        guard largest > 0 else { return nil }
        var deviations = [0.0]
        var step = Self.strokeWidth / scale * (Self.ratio - 1)
        while deviations.count <= Self.mostLevels, deviations[deviations.count - 1] < largest {
            deviations.append(deviations[deviations.count - 1] + step)
            step *= Self.ratio
        }
        // The last level is the largest blur.
        let factor = largest / deviations[deviations.count - 1]
        self.deviations = deviations.map { $0 * factor }
        self.names = names
        self.areForAll = areForAll
        self.region = region
    }

    /// Bytes of the elements, at most.
    var estimatedBytes: Int { Self.elementBytes * deviations.count }

    /// Returns the most bytes of the elements, and of the levels of so many keyframes that blur.
    static func mostBytes(keyframes: Int) -> Double {
        guard keyframes > 0 else { return 0 }
        return Double(mostLevels * (elementBytes + 36 * keyframes))
    }

    /// Returns the level next to a standard deviation in the glyphs' units.
    func level(of deviation: Double) -> Int {
        Int(position(of: deviation).rounded())
    }

    /// Returns the standard deviation of a level in the glyphs' units.
    func deviation(ofLevel level: Int) -> Double {
        deviations[level]
    }

    /// Returns the position of a standard deviation among the levels, which may lie between two.
    private func position(of deviation: Double) -> Double {
        guard deviation > 0, let next = deviations.firstIndex(where: { $0 > deviation }) else {
            return deviation > 0 ? Double(deviations.count - 1) : 0
        }
        let (low, high) = (deviations[next - 1], deviations[next])
        return Double(next - 1) + (deviation - low) / (high - low)
    }

    /// The keyframes of a change between its own: the progress in time, and the level.
    struct Step {
        let progress: Double
        let level: Int
    }

    /// The steps of known changes: most glyphs blur alike, and a curve takes long to follow.
    private final class KnownSteps {
        var steps: [Change: [Step]] = [:]
    }

    private struct Change: Hashable {
        let first: Double
        let last: Double
        let easing: Easing
        let turn: Double
    }

    /// Returns the keyframes that an animation needs between two blurs.
    ///
    /// - Parameters:
    ///   - first: The blur before the change, in the glyphs' units.
    ///   - last: The blur after it.
    ///   - easing: The easing of the change.
    ///   - turn: The progress in time from one keyframe to the next at which the animation begins
    ///     to show the latter.
    /// - Returns: The keyframes in their order; none where the change stays within a level.
    func steps(from first: Double, to last: Double, _ easing: Easing, turn: Double) -> [Step] {
        let change = Change(first: first, last: last, easing: easing, turn: turn)
        if let steps = known.steps[change] { return steps }
        let steps = computedSteps(of: change)
        known.steps[change] = steps
        return steps
    }

    private func computedSteps(of change: Change) -> [Step] {
        let samples = 64
        // With this lead the animation turns from one level to the next half-way between them.
        let lead = 0.5 - change.turn
        var level = self.level(of: change.first)
        var steps: [Step] = []
        for sample in 1..<samples {
            let progress = Double(sample) / Double(samples)
            let way = change.easing.value(at: progress)
            let place = position(of: change.first + (change.last - change.first) * way)
            let next =
                place < Double(level)
                ? min(level, Int((place + lead).rounded(.up)))
                : max(level, Int((place - lead).rounded(.down)))
            let bounded = min(max(next, 0), deviations.count - 1)
            guard bounded != level else { continue }
            level = bounded
            steps.append(Step(progress: progress, level: level))
        }
        return steps
    }

    /// Writes a value of CSS's `filter`.
    func write(_ level: Int, to sink: inout ByteSink) {
        guard level > 0 else { return sink.append("none") }
        sink.append(reference: .blur(level: level), names)
    }

    /// Writes the elements.
    func writeDefinitions(to sink: inout ByteSink) {
        for level in deviations.indices.dropFirst() {
            SVGFilterElement(deviation: deviations[level], region: region)
                .write(id: .blur(level: level), names, to: &sink)
        }
    }
}

extension Scene {
    /// Returns the distance by which a group's glyphs are drawn beyond their ink, in CSS pixels.
    func reach(of group: SVGGroup) -> Double {
        let line =
            group.part == .fill ? nil : group.outline ?? blocks[group.block].paint.outline
        // A pixel for the edges, which are smoothed.
        return 3 * (group.shadow?.standardDeviation ?? 0) + (line?.width ?? 0) / 2 + 1
    }
}
