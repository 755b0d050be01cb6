/// How the card comes before the text and leaves after it, and the bar beside the text with it.
package struct CardMotion: Equatable, Sendable {
    package enum Effect: String, CaseIterable, Sendable {
        case fade, slide, grow, wipe, draw
    }

    package typealias Direction = KeyframeEffect.Definition.Direction

    package var effect: Effect
    /// Seconds.
    package var duration: Double
    package var easing: TimingFunction
    /// Which way it slides or opens.
    package var direction: Direction

    package init(
        _ effect: Effect, duration: Double, easing: TimingFunction, direction: Direction
    ) {
        self.effect = effect
        self.duration = duration
        self.easing = easing
        self.direction = direction
    }
}

extension CardMotion {
    /// What moves with the card.
    enum Part: Equatable {
        case ground, border
        /// The line that draws the border, of a width in CSS pixels.
        case pen(width: Double)
        case bar(isUpright: Bool)
        /// What stands in the bar above the text.
        case titleBar
    }

    /// The share of the duration in which the border is drawn; in the rest the ground fades in.
    private static let drawingShare = 2.0 / 3

    /// Returns the entrance of a part of a canvas, whose size is in CSS pixels.
    func entrance(of part: Part, on canvas: (width: Double, height: Double)) -> Phase {
        Phase(tracks: [tracks(of: part, canvas)], assignment: [0], duration: duration)
    }

    private func tracks(
        of part: Part, _ canvas: (width: Double, height: Double)
    ) -> PhaseTracks {
        let drawn = duration * Self.drawingShare
        return switch (effect, part) {
        case (.fade, _): moved([.opacity: .number(0)], canvas)
        case (.slide, _): moved(away(by: 100), canvas)
        case (_, .titleBar): .appearing(at: duration)
        case (_, .bar(let isUpright)):
            moved([isUpright ? .scaleY : .scaleX: .number(0)], canvas)
        case (.grow, _): moved([.scale: .number(0)], canvas)
        case (.wipe, _):
            moved(
                away(by: 50).merging([isAcross ? .scaleX : .scaleY: .number(0)]) { $1 }, canvas)
        case (.draw, .ground): .fading(from: drawn, for: duration - drawn)
        case (.draw, .border): .appearing(at: drawn)
        case (.draw, .pen(let width)): line(of: width, drawnIn: drawn)
        }
    }

    private var isAcross: Bool { direction == .left || direction == .right }

    /// Returns a place so many percent of the canvas away, on the side that the card comes from.
    private func away(by percent: Double) -> [KeyframeProperty: KeyframeValue] {
        let isForward = direction == .right || direction == .down
        return [isAcross ? .x : .y: .percent(isForward ? -percent : percent)]
    }

    private func moved(
        _ values: [KeyframeProperty: KeyframeValue], _ canvas: (width: Double, height: Double)
    ) -> PhaseTracks {
        KeyframeMotion(ItemKeyframes([EffectKeyframe(values)], easing: easing))
            .tracks(of: KeyframeMotion.Item(duration: duration, em: 1, size: canvas))
    }

    private func line(of width: Double, drawnIn duration: Double) -> PhaseTracks {
        let ramp = KeyframeMotion.ramp(from: 0, to: 1, easing)
        return PhaseTracks(
            opacity: [Keyframe(0, value: 1, easing: .hold), Keyframe(duration, value: 0)],
            moves: [
                (
                    .draw,
                    ramp.map { Keyframe($0.share * duration, value: $0.value, easing: $0.easing) }
                ),
                (.strokeWidth, [Keyframe(0, value: width)]),
                (.fillOpacity, [Keyframe(0, value: 0)]),
                (.strokeOpacity, [Keyframe(0, value: 1)]),
            ])
    }
}
