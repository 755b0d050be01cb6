package import Motion

/// The colours of a palette by their roles, for light and dark.
package struct Palette: Sendable {
    /// The purpose of a colour.
    package enum Role: String, CaseIterable, Sendable {
        /// The background.
        case ground
        /// A second background, which differs from the first by a shade.
        case raised
        /// Text.
        case ink
        /// Text of less weight: subtitles.
        case muted
        /// Words, bars and cards that stand out; legible on the ground, as the ground is on it.
        case accent
        /// The other end of a gradient that begins with the accent.
        case second
        /// The light of a neon sign.
        case glow
        /// Borders.
        case rule
    }

    /// The colours under one colour scheme.
    package struct Scheme: Sendable {
        /// The colours in the order of the roles.
        private let colors: [Color]

        init(
            ground: UInt32, raised: UInt32, ink: UInt32, muted: UInt32, accent: UInt32,
            second: UInt32, glow: UInt32, rule: UInt32
        ) {
            colors = [ground, raised, ink, muted, accent, second, glow, rule].map(Color.init(rgb:))
        }

        package subscript(role: Role) -> Color {
            for (color, other) in zip(colors, Role.allCases) where other == role { return color }
            return .transparent
        }
    }

    package let light: Scheme
    package let dark: Scheme

    /// Returns the colour of a role for both schemes: the most legible one on both grounds, between
    /// the colours for light and for dark mode.
    package func common(_ role: Role) -> Color {
        let colors = (0...Self.steps).map { step in
            let color = light[role].mixed(
                with: dark[role], progress: Double(step) / Double(Self.steps))
            return (color: color, contrast: contrast(color))
        }
        return colors.max { $0.contrast < $1.contrast }?.color ?? light[role]
    }

    private static let steps = 16

    /// Returns the lesser of a colour's contrasts with both grounds.
    private func contrast(_ color: Color) -> Double {
        min(color.contrast(with: light[.ground]), color.contrast(with: dark[.ground]))
    }
}
