/// Each item moves into its position and fades in on the way.
package struct Slide: Effect {
    package enum Direction: String, CaseIterable, Sendable {
        case up, down, left, right
    }

    package static let name = "slide"
    package static let title = "Slide"

    private let stagger: Stagger
    private let duration: Double
    private let easing: Easing
    private let direction: Direction
    private let distance: Double

    package init(_ parameters: inout ParameterReader) {
        stagger = Stagger(
            &parameters, interval: 0.03, "Seconds between one item's start and the next one's.")
        duration = parameters.seconds("duration", default: 0.5, "Seconds that each item travels.")
        easing = parameters.easing("easing", default: .easeOut, "How each item travels and fades.")
        direction = parameters.choice("direction", default: .up, "Which way each item moves.")
        distance = parameters.number(
            "distance", default: 0.5, in: 0...10, unit: .em, "How far each item travels.")
    }

    package func entrance(of block: EffectBlock) -> Phase {
        let (property, away) = displacement(em: block.em)
        return stagger.phase(of: block, lasting: duration) { start in
            var tracks = PhaseTracks.fading(from: start, for: duration, easing: easing)
            tracks.moves = [
                (
                    property,
                    [
                        PhaseKeyframe(start, value: away, easing: easing),
                        PhaseKeyframe(start + duration, value: 0),
                    ]
                )
            ]
            return tracks
        }
    }

    /// Returns the offset from which an item starts.
    private func displacement(em: Double) -> (Property, Double) {
        switch direction {
        case .up: (.offsetY, distance * em)
        case .down: (.offsetY, -distance * em)
        case .left: (.offsetX, distance * em)
        case .right: (.offsetX, -distance * em)
        }
    }
}
