extension SceneBuilder {
    /// Returns the parts of a word that lie on one line and are read in one direction, in the order
    /// in which they are read, without white space.
    func visualRuns(
        of word: Range<Int>, in block: Int
    ) -> [(glyphs: Range<Int>, box: Rect, isLeftToRight: Bool)] {
        let lines = layout.blocks[block].lines
        var runs: [(glyphs: Range<Int>, box: Rect, isLeftToRight: Bool)] = []
        var last: (line: Int, isLeftToRight: Bool)?
        for index in word {
            let glyph = layout.glyphs[index]
            let run = lines[glyph.line].runs.first { $0.glyphs.contains(index) }
            let isLeftToRight = (run?.direction ?? lines[glyph.line].direction) == .leftToRight
            if let last, last == (glyph.line, isLeftToRight), let own = runs.indices.last {
                runs[own].glyphs = runs[own].glyphs.lowerBound..<index + 1
                if !glyph.isWhitespace { runs[own].box = runs[own].box.union(glyph.rect) }
            } else if !glyph.isWhitespace {
                runs.append((index..<index + 1, glyph.rect, isLeftToRight))
                last = (glyph.line, isLeftToRight)
            }
        }
        return runs
    }
}

extension TimedWord {
    var firstInstant: Instant { Instant(seconds: start) }
    /// The instant from which it is said no longer, not before the first.
    var endInstant: Instant { Instant(seconds: max(start, end)) }
}

extension Track<Double> {
    /// An opacity of 1 from one instant to another, or to the end, and of 0 before and after.
    static func shown(from start: Instant, to end: Instant?) -> Track<Double> {
        var keyframes = [Keyframe(start, value: 1.0, easing: Easing.hold)]
        if start > .zero { keyframes.insert(Keyframe(.zero, value: 0, easing: .hold), at: 0) }
        if let end, end > start { keyframes.append(Keyframe(end, value: 0, easing: .hold)) }
        return Track(keyframes: keyframes)
    }

    /// Returns the product with another track.
    func multiplied(by other: Track<Double>) -> Track<Double> {
        Track(keyframes: JoinedTracks.product([keyframes, other.keyframes]))
    }
}

extension GlyphTracks {
    /// The number of keyframes.
    var keyframeCount: Int {
        others.reduce(opacity.keyframes.count + (fill?.keyframes.count ?? 0)) {
            $0 + $1.track.keyframes.count
        }
    }
}
