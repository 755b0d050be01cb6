/// A whole text runs into the canvas from beyond one side, and out of it beyond the other, as the
/// credits of a film.
package struct Scroll: Effect, Parameterized {
    package static let name = "scroll"
    package static let title = "Scroll"

    package enum Direction: String, CaseIterable, Sendable {
        case up, down, left, right
        /// To where lines begin, so that they are read as they come.
        case start
    }

    private let direction: Direction
    private let rate: Double

    package init(_ parameters: inout ParameterReader) {
        direction = parameters.choice(
            "direction", default: Direction.up,
            "Where the text runs; start is to where its lines begin.")
        rate = parameters.number(
            "rate", default: 80, in: 1...2000, unit: .pixelsPerSecond, "How fast the text runs.")
    }

    /// True if the text runs up or down.
    package var isUpright: Bool { direction == .up || direction == .down }

    package var needsInk: Bool { true }

    package func entrance(of block: EffectBlock) throws(SceneError) -> Phase {
        let way = wayIn(of: block)
        return running(block, from: -way, to: 0, opacity: [])
    }

    package func exit(of block: EffectBlock) throws(SceneError) -> Phase {
        let way = wayOut(of: block)
        return running(
            block, from: 0, to: way,
            opacity: [
                Keyframe(0, value: 1, easing: .hold), Keyframe(abs(way) / rate, value: 0),
            ])
    }

    private func running(
        _ block: EffectBlock, from start: Double, to end: Double,
        opacity: [Keyframe<Double, Double>]
    ) -> Phase {
        let duration = abs(end - start) / rate
        let axis = isUpright ? SIMD2(0.0, 1) : SIMD2(1.0, 0)
        func tracks(at place: Place?) -> PhaseTracks {
            // A glyph on a path moves in the directions of its own line.
            let direction = place?.unturned(axis) ?? axis
            let moves = [(Property.offsetX, direction.x), (.offsetY, direction.y)]
                .filter { $0.1 != 0 }
                .map { property, share in
                    (
                        property: property,
                        keyframes: [
                            Keyframe(0, value: share * start),
                            Keyframe(duration, value: share * end),
                        ]
                    )
                }
            return PhaseTracks(opacity: opacity, moves: moves)
        }
        let isStraight = block.places.isEmpty
        var phase = Phase(
            tracks: isStraight ? [tracks(at: nil)] : block.places.map(tracks),
            assignment: block.glyphs.indices.map {
                isStraight ? 0 : $0 - block.glyphs.startIndex
            },
            duration: duration)
        phase.leavesCanvas = isUpright ? [.top, .bottom] : [.left, .right]
        return phase
    }

    /// Returns the way into the canvas, in whole CSS pixels to the right or down.
    ///
    /// It is as long as the canvas, so that texts that run together keep their distances, or longer
    /// where a text reaches beyond the side that they run towards.
    private func wayIn(of block: EffectBlock) -> Double {
        let (texts, canvas) = (block.texts.box, block.canvas)
        return switch side(of: block) {
        case .top: -Self.whole(max(canvas.height, canvas.maxY - texts.y))
        case .bottom: Self.whole(max(canvas.height, texts.maxY - canvas.y))
        case .left: -Self.whole(max(canvas.width, canvas.maxX - texts.x))
        case .right: Self.whole(max(canvas.width, texts.maxX - canvas.x))
        }
    }

    /// Returns the way out of the canvas, in whole CSS pixels to the right or down.
    private func wayOut(of block: EffectBlock) -> Double {
        let (text, canvas) = (block.drawn, block.canvas)
        return switch side(of: block) {
        case .top: -Self.whole(text.maxY - canvas.y)
        case .bottom: Self.whole(canvas.maxY - text.y)
        case .left: -Self.whole(text.maxX - canvas.x)
        case .right: Self.whole(canvas.maxX - text.x)
        }
    }

    private enum Side { case top, bottom, left, right }

    /// Returns the side of the canvas at which the text leaves.
    private func side(of block: EffectBlock) -> Side {
        switch direction {
        case .up: .top
        case .down: .bottom
        case .left: .left
        case .right: .right
        case .start: block.texts.direction == .leftToRight ? .left : .right
        }
    }

    /// Returns a length rounded up, except for an error of arithmetic; 0 for negative ones.
    private static func whole(_ length: Double) -> Double {
        max((length - 1e-6).rounded(.up), 0)
    }
}
