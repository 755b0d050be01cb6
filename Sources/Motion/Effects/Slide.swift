/// Each item moves into its place and fades in on the way.
package struct Slide: Effect {
    package enum Heading: String, CaseIterable, Sendable {
        case up, down, left, right
    }

    package static let name = "slide"
    package static let title = "Slide"

    private static let interval = ParameterKey.seconds(
        "interval", default: 0.03, "Seconds between one item's start and the next one's.")
    private static let duration = ParameterKey.seconds(
        "duration", default: 0.5, "Seconds that each item travels.")
    private static let easing = ParameterKey.easing(
        "easing", default: .easeOut, "How each item travels and fades.")
    private static let direction = ParameterKey<Heading>.choice(
        "direction", default: .up, "Which way each item moves.")
    private static let distance = ParameterKey.number(
        "distance", default: 0.5, in: 0...10, unit: .em, "How far each item travels.")

    package static let parameters = [
        Grouping.key.definition, ItemOrder.key.definition, interval.definition,
        duration.definition, easing.definition, direction.definition, distance.definition,
    ]

    private let grouping: Grouping
    private let order: ItemOrder
    private let interval: Double
    private let duration: Double
    private let easing: Easing
    private let direction: Heading
    private let distance: Double

    package init(_ values: ParameterValues) {
        grouping = values[Grouping.key]
        order = values[ItemOrder.key]
        interval = values[Self.interval]
        duration = values[Self.duration]
        easing = values[Self.easing]
        direction = values[Self.direction]
        distance = values[Self.distance]
    }

    package func entrance(of block: EffectBlock) -> Phase {
        let (property, away) = displacement(em: block.em)
        return Stagger(grouping: grouping, order: order, interval: interval).phase(
            of: block, lasting: duration
        ) { start in
            var tracks = PhaseTracks.fading(from: start, for: duration, easing: easing)
            tracks.moves = [
                (
                    property,
                    [PhaseKeyframe(start, away, easing), PhaseKeyframe(start + duration, 0)]
                )
            ]
            return tracks
        }
    }

    /// Where an item comes from: the offset that its motion takes back.
    private func displacement(em: Double) -> (Property, Double) {
        switch direction {
        case .up: (.offsetY, distance * em)
        case .down: (.offsetY, -distance * em)
        case .left: (.offsetX, distance * em)
        case .right: (.offsetX, -distance * em)
        }
    }
}
