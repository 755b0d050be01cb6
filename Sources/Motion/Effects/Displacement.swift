/// The distance of a glyph from another one, in the directions of the other.
struct Displacement: Hashable {
    /// CSS pixels.
    var x: Double
    /// CSS pixels.
    var y: Double
    /// Degrees clockwise, the shorter way round; nil if both are upright in their boxes.
    var turn: Double?
}

extension EffectBlock {
    /// Returns the displacement of a glyph of another block from a glyph of this block.
    ///
    /// - Parameters:
    ///   - glyph: The number of the glyph in the other block.
    ///   - other: The other block.
    ///   - origin: The number of the glyph in this block.
    /// - Returns: The distance of their boxes' upper left corners, or of their centres if one of
    ///   them is not upright.
    func displacement(ofGlyph glyph: Int, of other: EffectBlock, from origin: Int) -> Displacement {
        let (far, near) = (other.standing(glyph), standing(origin))
        guard far.place != nil || near.place != nil else {
            return Displacement(x: far.rect.x - near.rect.x, y: far.rect.y - near.rect.y, turn: nil)
        }
        let center = far.rect.center.vector
        let target = far.place?.map(center) ?? center
        let distance = (near.place?.map.inverse(target) ?? target) - near.rect.center.vector
        let turn = (far.place?.turn ?? 0) - (near.place?.turn ?? 0)
        return Displacement(
            x: distance.x, y: distance.y, turn: turn - (turn / 360).rounded() * 360)
    }

    /// Returns the box and the place of a glyph, by its number in the block.
    private func standing(_ glyph: Int) -> (rect: Rect, place: Place?) {
        (
            glyphs[glyphs.startIndex + glyph].rect,
            places.isEmpty ? nil : places[places.startIndex + glyph]
        )
    }
}
