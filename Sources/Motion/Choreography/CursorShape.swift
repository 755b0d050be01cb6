/// The shapes of a typing cursor.
package enum CursorShape: String, CaseIterable, Sendable {
    case none, bar, block, underscore

    /// The size of a cursor beside a glyph.
    ///
    /// - Parameters:
    ///   - em: The block's font size.
    ///   - cell: The width of all glyphs of the block; nil if they are not equally wide.
    ///   - lineHeight: The height of the first line's box.
    /// - Returns: The size in CSS pixels.
    func size(
        em: Double, cell: Double?, lineHeight: Double
    ) -> (width: Double, height: Double) {
        switch self {
        case .none: (0, 0)
        case .bar: (0.06 * em, lineHeight)
        case .block: (cell ?? 0.5 * em, lineHeight)
        case .underscore: (0.5 * em, 0.06 * em)
        }
    }
}
