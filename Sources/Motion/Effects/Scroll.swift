/// A whole text runs into the canvas from beyond one side, and out of it beyond the other, as the
/// credits of a film.
package struct Scroll: Effect, Parameterized {
    package static let name = "scroll"
    package static let title = "Scroll"

    package enum Direction: String, CaseIterable, Sendable {
        case up, down, left, right
    }

    private let direction: Direction
    private let rate: Double

    package init(_ parameters: inout ParameterReader) {
        direction = parameters.choice(
            "direction", default: Direction.up, "Where the text runs.")
        rate = parameters.number(
            "rate", default: 80, in: 1...2000, unit: .pixelsPerSecond, "How fast the text runs.")
    }

    /// True if the text runs up or down.
    package var isUpright: Bool { direction.isUpright }

    package func entrance(of block: EffectBlock) throws(SceneError) -> Phase {
        let way = direction.wayIn(of: block)
        return running(block, [Keyframe(0, value: -way), Keyframe(abs(way) / rate, value: 0)])
    }

    package func exit(of block: EffectBlock) throws(SceneError) -> Phase {
        let way = direction.wayOut(of: block)
        let duration = abs(way) / rate
        var phase = running(block, [Keyframe(0, value: 0), Keyframe(duration, value: way)])
        phase.tracks[0].opacity = [
            Keyframe(0, value: 1, easing: .hold), Keyframe(duration, value: 0),
        ]
        return phase
    }

    private func running(
        _ block: EffectBlock, _ keyframes: [Keyframe<Double, Double>]
    ) -> Phase {
        let property = isUpright ? Property.offsetY : .offsetX
        var phase = Phase(
            items: Items(block.glyphs, by: .all),
            tracks: [PhaseTracks(opacity: [], moves: [(property, keyframes)])],
            duration: keyframes[1].time)
        phase.leavesCanvas = isUpright ? [.top, .bottom] : [.left, .right]
        return phase
    }
}

extension Scroll.Direction {
    fileprivate var isUpright: Bool { self == .up || self == .down }

    /// Returns the way into the canvas, in CSS pixels to the right or down.
    ///
    /// It is as long as the canvas, so that texts that run together keep their distances, or longer
    /// where a text reaches beyond the side that it runs towards.
    fileprivate func wayIn(of block: EffectBlock) -> Double {
        let (box, canvas) = (block.drawn, block.canvas)
        return switch self {
        case .up: -max(canvas.height, canvas.maxY - box.y)
        case .down: max(canvas.height, box.maxY - canvas.y)
        case .left: -max(canvas.width, canvas.maxX - box.x)
        case .right: max(canvas.width, box.maxX - canvas.x)
        }
    }

    /// Returns the way out of the canvas, in CSS pixels to the right or down.
    fileprivate func wayOut(of block: EffectBlock) -> Double {
        let (box, canvas) = (block.drawn, block.canvas)
        return switch self {
        case .up: min(canvas.y - box.maxY, 0)
        case .down: max(canvas.maxY - box.y, 0)
        case .left: min(canvas.x - box.maxX, 0)
        case .right: max(canvas.maxX - box.x, 0)
        }
    }
}
