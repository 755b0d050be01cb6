/// The motion of the card, which comes before the text and leaves after it, and of the bar beside
/// the text.
package final class CardMotion: Sendable {
    package enum Effect: String, CaseIterable, Sendable {
        case fade, slide, grow, wipe, draw
    }

    package typealias Direction = KeyframeEffect.Definition.Direction

    package let effect: Effect
    /// Seconds.
    package let duration: Double
    package let easing: TimingFunction
    /// The direction in which the card slides or opens.
    package let direction: Direction

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
    /// A part of the card, or an element that moves with it.
    enum Part: Equatable {
        case ground, border
        /// The line that draws the border, of a width in CSS pixels.
        case pen(width: Double)
        case bar(AccentBar)
        /// The contents of the bar above the text.
        case titleBar
    }

    /// The share of the duration in which the border is drawn; in the rest the ground fades in.
    private static let drawingShare = 2.0 / 3

    /// Returns the entrance of a part of a card in a box on a canvas.
    func entrance(of part: Part, in box: Rect, on canvas: Rect) -> Phase {
        Phase(tracks: [tracks(of: part, box, canvas)], assignment: [0], duration: duration)
    }

    private func tracks(of part: Part, _ box: Rect, _ canvas: Rect) -> PhaseTracks {
        let drawn = duration * Self.drawingShare
        return switch (effect, part) {
        case (.fade, _): moved([.opacity: .number(0)], box)
        case (.slide, _): moved(away(box, canvas), box)
        case (.grow, .bar(let bar)):
            // The bar grows about the centre of the card, as the card does.
            moved(
                [
                    .scale: .number(0), .x: .number(box.center.x - bar.rect.center.x),
                    .y: .number(box.center.y - bar.rect.center.y),
                ], box)
        case (_, .bar(let bar)):
            moved([bar.isUpright ? .scaleY : .scaleX: .number(0)], box)
        case (.wipe, _): PhaseTracks(opacity: [])
        case (_, .titleBar): .appearing(at: duration)
        case (.grow, _): moved([.scale: .number(0)], box)
        case (.draw, .ground): .fading(from: drawn, for: duration - drawn)
        case (.draw, .border): .appearing(at: drawn)
        case (.draw, .pen(let width)): line(of: width, drawnIn: drawn)
        }
    }

    /// The way to the place beyond the edge of the canvas that the card comes from.
    private func away(_ box: Rect, _ canvas: Rect) -> [KeyframeProperty: KeyframeValue] {
        switch direction {
        case .up: [.y: .number(canvas.maxY - box.y)]
        case .down: [.y: .number(canvas.y - box.maxY)]
        case .left: [.x: .number(canvas.maxX - box.x)]
        case .right: [.x: .number(canvas.x - box.maxX)]
        }
    }

    private func moved(
        _ values: [KeyframeProperty: KeyframeValue], _ box: Rect
    ) -> PhaseTracks {
        KeyframeMotion(ItemKeyframes([EffectKeyframe(values)], easing: easing))
            .tracks(
                of: KeyframeMotion.Item(
                    duration: duration, em: 1, size: (box.width, box.height)))
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
                // Both opacities change at the end, when the line is hidden: in an SVG, a value
                // that never changes is the value of the finished text.
                (
                    .fillOpacity,
                    [Keyframe(0, value: 0, easing: .hold), Keyframe(duration, value: 1)]
                ),
                (
                    .strokeOpacity,
                    [Keyframe(0, value: 1, easing: .hold), Keyframe(duration, value: 0)]
                ),
            ])
    }
}

// MARK: The mask of a card that wipes

extension CardMotion {
    /// Returns the mask of a card, with the spans in which it opens and closes.
    ///
    /// - Parameters:
    ///   - card: The box of the card in CSS pixels.
    ///   - start: The seconds at which it comes, before `speed`.
    ///   - exit: The seconds at which it leaves; nil where it stays.
    ///   - speed: The factor that divides all times.
    /// - Returns: The spans; none unless the card wipes.
    func mask(
        of card: Rect, from start: Double, to exit: Double?, speed: Double
    ) -> [MaskSpan] {
        guard effect == .wipe else { return [] }
        func span(from first: Double, to last: Double, _ part: Easing.Part) -> MaskSpan? {
            let (start, end) = (Instant(seconds: first / speed), Instant(seconds: last / speed))
            guard start < end else { return nil }
            return MaskSpan(
                start: start, end: end, rect: box(part.to, of: card),
                opening: MaskOpening(from: box(part.from, of: card), easing: part.easing))
        }
        let pieces = easing.pieces
        var spans = pieces.compactMap {
            span(from: start + $0.start * duration, to: start + $0.end * duration, $0)
        }
        guard let exit else { return spans }
        spans += pieces.reversed().compactMap { piece in
            var back = piece
            (back.from, back.to, back.easing) = (piece.to, piece.from, piece.easing.reversed)
            let end = exit + duration
            return span(from: end - piece.end * duration, to: end - piece.start * duration, back)
        }
        return spans
    }

    /// Returns the part of a card that shows at a progress.
    private func box(_ progress: Double, of card: Rect) -> Rect {
        var part = card
        switch direction {
        case .up:
            part.height *= progress
            part.y = card.maxY - part.height
        case .down: part.height *= progress
        case .left:
            part.width *= progress
            part.x = card.maxX - part.width
        case .right: part.width *= progress
        }
        return part
    }
}
