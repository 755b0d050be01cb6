import Motion

extension GlyphTracks {
    /// When and how long a glyph moves that does the same as another but for that; nil where it
    /// does something else, or something longer than from one state to the next.
    func timing(like other: GlyphTracks) -> (delay: Instant, duration: Int)? {
        guard opacity.keyframes.count == 2, opacity.isLike(other.opacity),
            isInStep(offsetX, with: other, other.offsetX),
            isInStep(offsetY, with: other, other.offsetY),
            isInStep(scale, with: other, other.scale),
            isInStep(rotation, with: other, other.rotation)
        else { return nil }
        let (start, end) = (opacity.keyframes[0].instant, opacity.keyframes[1].instant)
        let isJump = opacity.keyframes[0].easing == .hold
        return isJump ? (end, 0) : (start, end.ticks - start.ticks)
    }

    /// Whether a track and that of another glyph do the same, each while its glyph's opacity does.
    private func isInStep(_ one: Track?, with other: GlyphTracks, _ two: Track?) -> Bool {
        guard let one, let two else { return one == nil && two == nil }
        return one.isLike(two) && one.isInStep(with: opacity) && two.isInStep(with: other.opacity)
    }
}

extension Track {
    /// Whether another track goes between the same two values in the same way.
    fileprivate func isLike(_ other: Track) -> Bool {
        keyframes.count == 2 && other.keyframes.count == 2
            && keyframes[0].value == other.keyframes[0].value
            && keyframes[1].value == other.keyframes[1].value
            && keyframes[0].easing == other.keyframes[0].easing
    }

    /// Whether another track of two keyframes changes at the same time.
    fileprivate func isInStep(with other: Track) -> Bool {
        keyframes[0].instant == other.keyframes[0].instant
            && keyframes[1].instant == other.keyframes[1].instant
    }
}
