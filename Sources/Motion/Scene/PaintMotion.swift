/// How the gradients of a scene move while its text is shown (docs/effects.md, *Gradients that
/// move*).
package struct PaintMotion: Equatable, Sendable {
    /// What a turn does to a gradient; after it, all is as it was.
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
    /// The turns that are done, from 0 to a whole number at the end of the cycle; of what breathes how far
    /// it has grown, 0…1.
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

    /// Returns what a turn does to a gradient of some kind: the line of a conic one goes around its
    /// centre, and a radial one has none, so that it stands still; nil for that.
    package func motion(of gradient: Gradient) -> PaintMotion.Kind? {
        switch (self, gradient.kind) {
        case (.pan, .radial): nil
        case (.pan, .conic): .spin
        default: self
        }
    }

    /// Returns true if it moves a paint under some colour scheme.
    package func moves(_ paint: Paint, dark: Paint?) -> Bool {
        [paint, dark].contains { $0?.gradient.map { motion(of: $0) != nil } ?? false }
    }
}

/// Light that passes over a block, again and again.
package struct SceneShimmer: Sendable {
    package let block: Int
    package let band: ShimmerBand
    /// How far it has come: 0 before it sets out, 1 once it has passed.
    package let passage: Track<Double>

    init(block: Int, _ band: ShimmerBand, passage: Track<Double>) {
        self.block = block
        self.band = band
        self.passage = passage
    }
}

extension Scene {
    /// The instants, in ticks, at which paint moves.
    package var paintChanges: [ClosedRange<Int>] {
        let tracks = [paintMotion?.turns].compactMap { $0 } + shimmers.map(\.passage)
        return tracks.flatMap(\.changes).merged
    }

    /// The background with its motion; nil where it stands still.
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

/// A paint that moves beneath shapes, which are cut out of it.
package struct MovingPaint: Equatable, Sendable {
    package let motion: PaintMotion
    /// The box that gradients go across.
    package let box: Rect
    package let fill: Paint
    /// The same under a dark colour scheme; nil where it does not differ.
    package let darkFill: Paint?

    /// True unless it has not set out, or has passed, at so many turns.
    package func isSeen(turns: Double) -> Bool {
        motion.kind != .sweep || turns > 0 && turns < 1
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
        self.fill = ready(fill)
        self.darkFill = darkFill.map(ready)
    }

    /// Returns the map that moves one of its gradients by so many turns.
    package func map(of gradient: Gradient, turns: Double) -> Affine {
        let center = box.center.vector
        // Exact where a turn ends.
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
