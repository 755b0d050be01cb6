/// The fill of a shape.
package enum Paint: Hashable, Sendable {
    case color(Color)
    /// Indirect, since each glyph has a paint, and most have a colour.
    indirect case gradient(Gradient)

    package static let transparent = Paint.color(.transparent)

    /// The gradient; nil for one colour.
    package var gradient: Gradient? {
        if case .gradient(let gradient) = self { gradient } else { nil }
    }

    /// The colour, or a gradient's first stop, where there is room for only one colour.
    package var firstColor: Color {
        switch self {
        case .color(let color): color
        case .gradient(let gradient): gradient.stops[0].color
        }
    }

    /// True if no part of it is seen.
    package var isTransparent: Bool {
        switch self {
        case .color(let color): color.isTransparent
        case .gradient(let gradient): gradient.stops.allSatisfy(\.color.isTransparent)
        }
    }

    /// True if it is fully opaque.
    package var isOpaque: Bool {
        switch self {
        case .color(let color): color.isOpaque
        case .gradient(let gradient): gradient.isOpaque
        }
    }

    /// The spelling of its colour or gradient in answers.
    package var text: String {
        switch self {
        case .color(let color): color.text
        case .gradient(let gradient): gradient.text
        }
    }

    /// Returns the paint with one alpha throughout.
    package func withAlpha(_ alpha: UInt8) -> Paint {
        switch self {
        case .color(let color): return .color(color.withAlpha(alpha))
        case .gradient(var gradient):
            for index in gradient.stops.indices {
                gradient.stops[index].color = gradient.stops[index].color.withAlpha(alpha)
            }
            return .gradient(gradient)
        }
    }
}

extension Color {
    /// Makes the nearest colour of premultiplied red, green, blue and alpha, 0…1 each.
    package init(premultiplied sum: SIMD4<Double>) {
        let alpha = (sum.w * 255).rounded()
        guard alpha > 0 else {
            self = .transparent
            return
        }
        let straight = (sum / sum.w * 255).rounded(.toNearestOrAwayFromZero)
            .clamped(lowerBound: .zero, upperBound: SIMD4(repeating: 255))
        self.init(
            red: UInt8(straight.x), green: UInt8(straight.y), blue: UInt8(straight.z),
            alpha: UInt8(min(alpha, 255)))
    }
}
