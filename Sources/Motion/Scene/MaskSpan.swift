/// A span of time in which a node is drawn only within a box of the canvas.
package struct MaskSpan: Hashable, Sendable {
    package var start: Instant
    /// The instant from which the box no longer counts.
    package var end: Instant
    /// CSS pixels.
    package var rect: Rect
    /// The sides at which the box cuts; the others lie at the edge of the canvas.
    package var edges: Edges
    /// The change of the box to `rect` at the end of the span; nil if it is `rect` throughout.
    package var opening: MaskOpening?

    package init(
        start: Instant, end: Instant, rect: Rect, edges: Edges = .all, opening: MaskOpening? = nil
    ) {
        self.start = start
        self.end = end
        self.rect = rect
        self.edges = edges
        self.opening = opening
    }

    /// Returns the box at an instant of the span; a box of negative width or height holds nothing.
    package func rect(at instant: Instant) -> Rect {
        guard let opening else { return rect }
        let time = Double(instant.ticks - start.ticks) / Double(end.ticks - start.ticks)
        return opening.from.mixed(with: rect, progress: opening.easing.value(at: time))
    }
}

/// The change of a mask's box over its span.
package struct MaskOpening: Hashable, Sendable {
    /// The box at the start of the span, in CSS pixels.
    package var from: Rect
    package var easing: Easing

    package init(from: Rect, easing: Easing) {
        self.from = from
        self.easing = easing
    }
}
