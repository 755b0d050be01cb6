/// The canvas that text is set on, from the request; lengths in CSS pixels.
package struct CanvasRequest: Equatable, Sendable {
    package enum Alignment: String, CaseIterable, Sendable {
        case left, center, right
        /// By each paragraph's direction.
        case start, end
    }

    package enum VerticalAlignment: String, CaseIterable, Sendable {
        case top, middle, bottom
    }

    /// Nil for what the text needs.
    package var width: Double?
    /// Nil for what the text needs.
    package var height: Double?
    /// On every side.
    package var padding: Double
    package var alignment: Alignment
    package var verticalAlignment: VerticalAlignment
    /// Between stacked blocks.
    package var spacing: Double
    /// Whether all blocks stand in the same place.
    package var isOverlaid: Bool
    /// The longest side that an automatic canvas may have.
    package var maximumSide: Double

    package init(
        width: Double?, height: Double?, padding: Double, alignment: Alignment,
        verticalAlignment: VerticalAlignment, spacing: Double, isOverlaid: Bool = false,
        maximumSide: Double = 4096
    ) {
        self.width = width
        self.height = height
        self.padding = padding
        self.alignment = alignment
        self.verticalAlignment = verticalAlignment
        self.spacing = spacing
        self.isOverlaid = isOverlaid
        self.maximumSide = maximumSide
    }
}
