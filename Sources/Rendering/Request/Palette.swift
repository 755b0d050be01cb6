package import Bytes
package import Motion

/// The colours of a palette by their roles, for light and dark.
package struct Palette: Sendable {
    /// What a colour is for.
    package enum Role: String, CaseIterable, Sendable {
        /// The background.
        case ground
        /// A second background, which differs from the first by a shade.
        case raised
        /// Text.
        case ink
        /// Text of less weight: subtitles.
        case muted
        /// The colour of what stands out; the ground is read on it, and it on the ground.
        case accent
        /// The second of such colours, with which gradients end.
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

    /// Returns the colour of a role for both schemes: the one between those for light and for dark
    /// that is read best on both grounds.
    package func common(_ role: Role) -> Color {
        let colors = (0...Self.steps).map { step in
            light[role].mixed(with: dark[role], progress: Double(step) / Double(Self.steps))
        }
        return colors.max { contrast($0) < contrast($1) } ?? light[role]
    }

    private static let steps = 16

    /// Returns the lesser of a colour's contrasts with both grounds.
    private func contrast(_ color: Color) -> Double {
        min(color.contrast(with: light[.ground]), color.contrast(with: dark[.ground]))
    }
}

/// What belongs to a preset that palettes fill, besides its values.
package struct Look: Sendable {
    /// How texts after the first differ from the first.
    package struct Subtitle: Sendable {
        /// The size as a factor of the first one's; 1 where they are alike.
        package let size: Double
        package let values: [ByteString: RawValue]
        /// Colours as templates.
        package let paints: [ByteString: String]

        init(
            size: Double = 1, _ values: [ByteString: RawValue] = [:],
            paints: [ByteString: String] = [:]
        ) {
            self.size = size
            self.values = values
            self.paints = paints
        }
    }

    /// Colours, gradients and shadows by parameter, as templates: `{accent}` stands for the palette's.
    ///
    /// The twins for dark are left out; they follow from the same templates.
    package let paints: [ByteString: String]
    /// The colours without a palette.
    package let palette: Palette
    /// True if it has the palette's colours for dark under each scheme.
    package let isDark: Bool
    /// What texts after the first have of their own.
    package let subtitle: Subtitle
    /// What it has in videos only, which end where it has left.
    package let videoValues: [ByteString: RawValue]

    init(
        _ paints: [ByteString: String], palette: Palette, isDark: Bool = false,
        subtitle: Subtitle = Subtitle(), inVideos videoValues: [ByteString: RawValue] = [:]
    ) {
        self.paints = paints
        self.palette = palette
        self.isDark = isDark
        self.subtitle = subtitle
        self.videoValues = videoValues
    }

    /// The parameters with a twin for dark.
    private static let twins: [ByteString: ByteString] = [
        "color": "darkColor", "background": "darkBackground", "borderColor": "darkBorderColor",
        "outlineColor": "darkOutlineColor", "shadow": "darkShadow", "barColor": "darkBarColor",
        "markColor": "darkMarkColor",
    ]

    /// Returns the values of the paints in the colours of a palette.
    func values(in palette: Palette) -> [ByteString: RawValue] {
        Self.values(paints, in: palette, isDark: isDark)
    }

    /// Returns the values of texts after the first in the colours of a palette, but for their size.
    package func subtitleValues(in palette: Palette) -> [ByteString: RawValue] {
        subtitle.values.merging(Self.values(subtitle.paints, in: palette, isDark: isDark)) { $1 }
    }

    /// Returns the values of paints in the colours of a palette, with those of the twins for dark.
    static func values(
        _ paints: [ByteString: String], in palette: Palette, isDark: Bool = false
    ) -> [ByteString: RawValue] {
        var values: [ByteString: RawValue] = [:]
        for (name, template) in paints {
            guard let twin = twins[name] else {
                values[name] = filled(template, palette.common)
                continue
            }
            let dark = filled(template) { palette.dark[$0] }
            values[name] = isDark ? dark : filled(template) { palette.light[$0] }
            values[twin] = dark
        }
        return values
    }

    /// Returns a template with colours in the places of the roles.
    private static func filled(_ template: String, _ color: (Palette.Role) -> Color) -> RawValue {
        let parts = template.pieces(separatedBy: "{")
        let text = parts.dropFirst().reduce(String(parts[0])) { text, part in
            let pieces = part.pieces(separatedBy: "}")
            guard let role = Palette.Role(rawValue: String(pieces[0])) else { return text }
            return text + color(role).text + pieces.dropFirst().joined()
        }
        return .string(text)
    }
}
