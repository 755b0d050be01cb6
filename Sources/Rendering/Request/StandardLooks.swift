import Bytes
import Motion

extension PresetCatalog {
    /// Titlecard's own presets.
    ///
    /// The meaning of a preset may change from release to release; permalinks hold its parameters
    /// and not its name.
    package static let standard = PresetCatalog(looks + palettes)

    /// The looks.
    ///
    /// Each shows any text of 300 letters in its width, and at most 1.2 times that in height: `maxLines`
    /// and `minSize` go with `maxWidth` and `size`. Where shadows, outlines or a cursor take room beside
    /// the text, `maxWidth` leaves it, so that pictures are no wider than 830 or 640 px.
    private static let looks = wordLooks + screenLooks + filmLooks + captionLooks

    // MARK: Colours of looks

    /// Returns GitHub's colours for light, in which a look replaces some.
    static func github(
        ground: UInt32 = 0xFFFFFF, raised: UInt32 = 0xF6F8FA, ink: UInt32 = 0x1F2328,
        muted: UInt32 = 0x59636E, accent: UInt32 = 0x0969DA, second: UInt32 = 0x8250DF
    ) -> Palette.Scheme {
        Palette.Scheme(
            ground: ground, raised: raised, ink: ink, muted: muted, accent: accent, second: second,
            glow: 0xBF3989, rule: 0xD1D9E0)
    }

    /// Returns GitHub's colours for dark, in which a look replaces some.
    static func githubDark(
        ground: UInt32 = 0x0D1117, raised: UInt32 = 0x151B23, ink: UInt32 = 0xF0F6FC,
        muted: UInt32 = 0x9198A1, accent: UInt32 = 0x4493F8, second: UInt32 = 0xAB7DF8
    ) -> Palette.Scheme {
        Palette.Scheme(
            ground: ground, raised: raised, ink: ink, muted: muted, accent: accent, second: second,
            glow: 0x58A6FF, rule: 0x3D444D)
    }

    /// Returns a palette of one scheme.
    static func always(_ scheme: Palette.Scheme) -> Palette {
        Palette(light: scheme, dark: scheme)
    }
}

extension Color {
    init(rgb: UInt32) {
        self.init(
            red: UInt8(truncatingIfNeeded: rgb >> 16), green: UInt8(truncatingIfNeeded: rgb >> 8),
            blue: UInt8(truncatingIfNeeded: rgb))
    }
}
