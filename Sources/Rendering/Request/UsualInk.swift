import Bytes
import Motion

/// The colour of a text that names none.
struct UsualInk {
    /// The colour for white and for GitHub's dark ground, each with a contrast of more than 4.2.
    static let anyGround = Color(rgb: 0x2277DD)
    /// The colour for light grounds.
    static let dark = Color(rgb: 0x24292F)
    /// The colour for dark grounds.
    static let light = Color(rgb: 0xF0F6FC)
    /// The line around letters that names no colour.
    static let outline = Color(rgb: 0)

    /// The values of a block, with the values that it inherits.
    private let values: [ByteString: ParameterValue]

    /// Returns the values with the colours that they leave open: `color` where it is `auto`, and
    /// `darkColor` if dark mode then needs another colour.
    static func resolved(
        _ values: [ByteString: ParameterValue]
    ) -> [ByteString: ParameterValue] {
        guard values["color"].map({ $0 == .auto }) ?? true else { return values }
        let ink = UsualInk(values: values)
        let color = ink.color(isDark: false)
        var resolved = values
        resolved["color"] = .paint(.color(color))
        if values["darkColor"] == nil, case let darkColor = ink.color(isDark: true),
            darkColor != color
        {
            resolved["darkColor"] = .paint(.color(darkColor))
        }
        return resolved
    }

    /// Returns the colour under a colour scheme.
    private func color(isDark: Bool) -> Color {
        if let ground = ground(isDark: isDark) { return Self.color(on: ground) }
        guard let language = values["codeLanguage"], language != .string("none") else {
            // Pictures are mostly dark enough, or dimmed so that they are.
            return values["backdrop"].map { $0 == .string("none") } ?? true
                ? Self.anyGround : Self.light
        }
        // Themes of code are made for one ground.
        let theme = (isDark ? values["darkCodeTheme"] : nil) ?? values["codeTheme"]
        return theme == .string("dark") ? Self.light : Self.dark
    }

    /// Returns the visible paint next to letters: the line around them, or the card; nil for
    /// neither.
    private func ground(isDark: Bool) -> Paint? {
        func seen(_ name: ByteString, dark: ByteString, default fallback: Paint) -> Paint? {
            let paint =
                switch (isDark ? values[dark] : nil) ?? values[name] {
                case .paint(let paint): paint
                case .color(let color): Paint.color(color)
                default: fallback
                }
            return paint.firstColor.isTransparent ? nil : paint
        }
        if case .number(let width)? = values["outlineWidth"], width > 0,
            let outline = seen(
                "outlineColor", dark: "darkOutlineColor", default: .color(Self.outline))
        {
            return outline
        }
        return seen("background", dark: "darkBackground", default: .transparent)
    }

    /// Returns the dark or the light colour, whichever is more legible on all of a paint.
    private static func color(on ground: Paint) -> Color {
        let colors: [Color] =
            switch ground {
            case .color(let color): [color]
            case .gradient(let gradient): gradient.stops.map(\.color)
            }
        func contrast(_ ink: Color) -> Double {
            colors.reduce(.infinity) { min($0, ink.contrast(with: $1)) }
        }
        return contrast(light) > contrast(dark) ? light : dark
    }
}

extension Color {
    /// Returns the contrast ratio with another colour, 1…21, as if both were opaque (WCAG 2.2).
    func contrast(with other: Color) -> Double {
        let (one, other) = (opaque.luminance, other.opaque.luminance)
        return (max(one, other) + 0.05) / (min(one, other) + 0.05)
    }
}
