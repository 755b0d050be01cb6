/// Keyboard suggestions: letters that two texts share glide, the others grow and shrink.
package struct Morph: Effect, Parameterized {
    package static let name = "morph"
    package static let title = "Morph"

    private let duration: Double
    private let interval: ItemInterval
    private let fromScale: Double

    package init(_ parameters: inout ParameterReader) {
        duration = parameters.seconds("duration", default: 0.3, "Seconds for each glyph.")
        interval = ItemInterval(
            &parameters, usually: 0.01, "Seconds between one glyph's start and the next one's")
        fromScale = parameters.number(
            "fromScale", default: 0.2, in: 0...10, "The size from which glyphs grow, as a factor.")
    }

    package func entrance(of block: EffectBlock) -> Phase {
        phase(of: block, tracks: growing)
    }

    package func exit(of block: EffectBlock) -> Phase {
        phase(of: block, tracks: shrinking)
    }

    package func change(
        from old: EffectBlock, to new: EffectBlock, with effect: any Effect, _ pause: ChangePause
    ) throws(SceneError) -> BlockChange? {
        guard let effect = effect as? Morph else { return nil }
        return try effect.change(from: old, to: new)
    }

    /// Returns the change of a block with this or another `morph` into one with this effect.
    private func change(
        from old: EffectBlock, to new: EffectBlock
    ) throws(SceneError) -> BlockChange {
        var leaving = exit(of: old)
        var arriving = entrance(of: new)
        let pairs = try LetterMatching.pairs(
            Array(old.glyphs), Array(new.glyphs), until: new.deadline)
        for (oldIndex, newIndex) in pairs {
            // The letter has the new style from the start.
            leaving.tracks[oldIndex] = PhaseTracks(opacity: [Keyframe(0, value: 0)])
            arriving.tracks[newIndex] = PhaseTracks(
                opacity: [Keyframe(0, value: 1)],
                moves: way(
                    from: new.displacement(ofGlyph: oldIndex, of: old, from: newIndex)))
        }
        let (oldPaired, newPaired) = (Set(pairs.map(\.0)), Set(pairs.map(\.1)))
        let gone = old.glyphs.indices.map { $0 - old.glyphs.startIndex }
            .last { !oldPaired.contains($0) }
        let come = new.glyphs.indices.map { $0 - new.glyphs.startIndex }
            .last { !newPaired.contains($0) }
        leaving.duration =
            duration
            + max(
                Double(gone ?? 0) * interval.seconds(ofItems: old.glyphs.count),
                Double(come ?? 0) * interval.seconds(ofItems: new.glyphs.count))
        arriving.duration = leaving.duration
        return BlockChange(leaving: leaving, arriving: arriving, delay: 0)
    }

    private func phase(
        of block: EffectBlock, tracks: (_ start: Double) -> PhaseTracks
    ) -> Phase {
        let items = Items(block.glyphs, by: .glyph)
        let interval = interval.seconds(ofItems: items.count)
        return Phase(
            items: items, tracks: (0..<items.count).map { tracks(Double($0) * interval) },
            duration: items.count > 0 ? Double(items.count - 1) * interval + duration : 0)
    }

    private func growing(from start: Double) -> PhaseTracks {
        tracks(start, opacity: (0, 1), scale: (fromScale, 1))
    }

    private func shrinking(from start: Double) -> PhaseTracks {
        tracks(start, opacity: (1, 0), scale: (1, fromScale))
    }

    private func tracks(
        _ start: Double, opacity: (Double, Double), scale: (Double, Double)
    ) -> PhaseTracks {
        func track(_ values: (Double, Double)) -> [Keyframe<Double, Double>] {
            [
                Keyframe(start, value: values.0, easing: .easeInOut),
                Keyframe(start + duration, value: values.1),
            ]
        }
        return PhaseTracks(opacity: track(opacity), moves: [(.scale, track(scale))])
    }

    /// Returns the way of a letter from another place to its own.
    private func way(
        from start: Displacement
    ) -> [(property: Property, keyframes: [Keyframe<Double, Double>])] {
        let offsets = [(Property.offsetX, glide(start.x)), (.offsetY, glide(start.y))]
        return offsets + (start.turn.map { [(.rotation, glide($0))] } ?? [])
    }

    private func glide(_ distance: Double) -> [Keyframe<Double, Double>] {
        [Keyframe(0, value: distance, easing: .easeInOut), Keyframe(duration, value: 0)]
    }
}

/// The letters that two texts share: the longest common subsequence of equal letters of equal size,
/// without white space.
enum LetterMatching {
    /// Returns pairs of indices that rise in both texts.
    ///
    /// O(n·m) in time and memory; requests are limited to 2,000 glyphs in all.
    static func pairs(
        _ old: [Glyph], _ new: [Glyph], until deadline: WorkDeadline = WorkDeadline()
    ) throws(SceneError) -> [(Int, Int)] {
        let numbers = letterNumbers(old + new)
        let (oldNumbers, newNumbers) = (Array(numbers[..<old.count]), Array(numbers[old.count...]))
        let width = new.count + 1
        // The length of the longest match of the rests of both texts.
        var lengths = [UInt16](repeating: 0, count: (old.count + 1) * width)
        for i in old.indices.reversed() {
            try deadline.checkScene(every: 16)
            for j in new.indices.reversed() {
                let isSame = oldNumbers[i] == newNumbers[j] && oldNumbers[i] != nil
                lengths[i * width + j] =
                    isSame
                    ? lengths[(i + 1) * width + j + 1] + 1
                    : max(lengths[(i + 1) * width + j], lengths[i * width + j + 1])
            }
        }
        var pairs: [(Int, Int)] = []
        var (i, j) = (0, 0)
        while i < old.count, j < new.count {
            let matchesAsLong = lengths[(i + 1) * width + j] >= lengths[i * width + j + 1]
            if oldNumbers[i] != nil, oldNumbers[i] == newNumbers[j] {
                pairs.append((i, j))
                i += 1
                j += 1
            } else if oldNumbers[i] == nil || newNumbers[j] != nil && matchesAsLong {
                i += 1
            } else {
                j += 1
            }
        }
        return pairs
    }

    private struct Letter: Hashable {
        // String's equality is canonical equivalence.
        var text: String
        var size: Double
        /// The bitmap of a picture: all pictures have the same text.
        var picture: Int?
    }

    /// Returns equal numbers for equal letters, and nil for white space.
    static func letterNumbers(_ glyphs: [Glyph]) -> [Int?] {
        var numbers: [Letter: Int] = [:]
        return glyphs.map { glyph in
            guard !glyph.isWhitespace else { return nil }
            let picture = glyph.isTextPicture ? glyph.ink?.firstPicture : nil
            let letter = Letter(text: glyph.text, size: glyph.size, picture: picture)
            let number = numbers[letter] ?? numbers.count
            numbers[letter] = number
            return number
        }
    }
}
