import Bytes
import Glibc
import Motion

/// The colour of a text that names none.
struct UsualInk {
    /// What is read on white and on GitHub's dark ground, each with a contrast of more than 4.2.
    static let anyGround = Color(rgb: 0x2277DD)
    /// What is read on light grounds.
    static let dark = Color(rgb: 0x24292F)
    /// What is read on dark grounds.
    static let light = Color(rgb: 0xF0F6FC)

    /// The values of a block, with those that it inherits.
    private let values: [ByteString: ParameterValue]

    init(_ values: [ByteString: ParameterValue]) {
        self.values = values
    }

    /// Returns the values with the colours that they leave open: `color` where it is `auto`, and
    /// `darkColor` where another one is then read in the dark.
    static func resolved(
        _ values: [ByteString: ParameterValue]
    ) -> [ByteString: ParameterValue] {
        guard values["color"].map({ $0 == .auto }) ?? true else { return values }
        let ink = UsualInk(values)
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
            return Self.anyGround
        }
        // Themes of code are made for one ground.
        let theme = (isDark ? values["darkCodeTheme"] : nil) ?? values["codeTheme"]
        return theme == .string("dark") ? Self.light : Self.dark
    }

    /// Returns what lies next to letters: the line around them, or the card; nil for neither.
    private func ground(isDark: Bool) -> Paint? {
        func paint(_ name: ByteString, dark: ByteString) -> Paint? {
            switch (isDark ? values[dark] : nil) ?? values[name] {
            case .paint(let paint): paint.firstColor.isTransparent ? nil : paint
            case .color(let color): color.isTransparent ? nil : .color(color)
            default: nil
            }
        }
        if case .number(let width)? = values["outlineWidth"], width > 0 {
            return paint("outlineColor", dark: "darkOutlineColor")
                ?? .color(Color(red: 0, green: 0, blue: 0))
        }
        return paint("background", dark: "darkBackground")
    }

    /// Returns the one of the dark and the light colour that is read better on all of a paint.
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
        let (one, other) = (luminance, other.luminance)
        return (max(one, other) + 0.05) / (min(one, other) + 0.05)
    }

    /// The relative luminance, 0…1 (WCAG 2.2).
    private var luminance: Double {
        func linear(_ channel: UInt8) -> Double {
            let share = Double(channel) / 255
            return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }
}
