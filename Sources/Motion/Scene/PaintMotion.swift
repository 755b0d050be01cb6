/// The motion of a scene's gradients while its text is shown (docs/effects.md, *Gradients that
/// move*).
package struct PaintMotion: Equatable, Sendable {
    /// The motion of a gradient in a turn, after which it is as before.
    package enum Kind: String, CaseIterable, Sendable {
        /// Its colours travel along its line.
        case pan
        /// It turns clockwise about the middle of its box.
        case spin
        /// It grows about the middle of its box, and shrinks again.
        case breathe
        /// It passes across its box once.
        case sweep
    }

    package var kind: Kind
    /// The turns in a cycle.
    package var count: Int
    /// The completed turns, from 0 to a whole number at the end of the cycle; for gradients that
    /// breathe, the progress of their growth, 0…1.
    package var turns: Track<Double>

    package init(_ kind: Kind, count: Int, turns: Track<Double>) {
        self.kind = kind
        self.count = count
        self.turns = turns
    }

    /// Returns the turns at a moment.
    package func turns(at moment: Moment) -> Double {
        guard case .instant(let instant) = moment else { return 0 }
        return turns.value(at: instant)
    }
}

extension PaintMotion.Kind {
    /// The share of its size by which a gradient grows.
    package static let growth = 0.5

    /// Returns the motion of a gradient; nil if it stands still. Only `pan` differs by gradient: a
    /// conic gradient spins, because its colours go around its centre, and a radial one stands
    /// still.
    package func motion(of gradient: Gradient) -> PaintMotion.Kind? {
        switch (self, gradient.kind) {
        case (.pan, .radial): nil
        case (.pan, .conic): .spin
        default: self
        }
    }

    /// Returns true if a motion of this kind moves a paint under some colour scheme.
    package func moves(_ paint: Paint, dark: Paint?) -> Bool {
        [paint, dark].contains { $0?.gradient.map { motion(of: $0) != nil } ?? false }
    }
}

/// Light that passes over a block, again and again.
package struct SceneShimmer: Sendable {
    package let block: Int
    package let band: ShimmerBand
    /// The progress of the light: 0 before it sets out, 1 once it has passed.
    package let passage: Track<Double>

    init(block: Int, _ band: ShimmerBand, passage: Track<Double>) {
        self.block = block
        self.band = band
        self.passage = passage
    }
}

extension Scene {
    /// The scene without the light that passes over its blocks.
    package var withoutLight: Scene {
        guard !shimmers.isEmpty else { return self }
        var scene = self
        scene.shimmers = []
        return scene
    }

    /// The instants, in ticks, at which paint moves.
    package var paintChanges: [ClosedRange<Int>] {
        let tracks = [paintMotion?.turns].compactMap { $0 } + shimmers.map(\.passage)
        return tracks.flatMap(\.changes).merged
    }

    /// The background with its motion; nil if it stands still.
    package var movingBackground: MovingPaint? {
        let card = appearance.card
        guard let paintMotion,
            paintMotion.kind.moves(card.background, dark: card.darkBackground)
        else { return nil }
        return MovingPaint(
            paintMotion, card.background, dark: card.darkBackground,
            in: Rect(x: 0, y: 0, width: width, height: height))
    }
}

/// A paint that moves, and from which shapes are cut out.
package struct MovingPaint: Equatable, Sendable {
    package let motion: PaintMotion
    /// The box that gradients fill.
    package let box: Rect
    package let fill: Paint
    /// The fill under a dark colour scheme; nil if it does not differ.
    package let darkFill: Paint?
    /// True if it is light over shapes, whose own paints lie in other layers.
    package let isLight: Bool

    /// Returns false for light that has not set out, or has passed, at so many turns.
    package func isSeen(turns: Double) -> Bool {
        !isLight || turns > 0 && turns < 1
    }

    init(_ motion: PaintMotion, _ fill: Paint, dark darkFill: Paint?, in box: Rect) {
        func ready(_ paint: Paint) -> Paint {
            guard let gradient = paint.gradient, motion.kind.motion(of: gradient) == .pan,
                gradient.geometry(in: box) != nil
            else { return paint }
            return .gradient(gradient.mirrored)
        }
        self.motion = motion
        self.box = box
        isLight = motion.kind == .sweep
        self.fill = ready(fill)
        self.darkFill = darkFill.map(ready)
    }

    /// Returns the map that moves one of the gradients by so many turns.
    package func map(of gradient: Gradient, turns: Double) -> Affine {
        let center = box.center.vector
        // Maps are exact at the end of a turn.
        let part = turns - turns.rounded(.down)
        switch motion.kind.motion(of: gradient) {
        case .pan, .sweep:
            guard case .line(let line)? = gradient.wholeGeometry(in: box) else { return .identity }
            let count = motion.kind == .sweep ? turns : part
            return .translation((line.end.vector - line.start.vector) * count)
        case .spin: return Affine.rotation(360 * part).taking(center, to: center)
        case .breathe:
            let factor = 1 + PaintMotion.Kind.growth * turns
            return Affine.scale(SIMD2(repeating: factor)).taking(center, to: center)
        case nil: return .identity
        }
    }
}
