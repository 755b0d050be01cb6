import Motion

extension PresetCatalog {
    /// The palettes, with the addresses of their specifications.
    ///
    /// Their colours are their own, lighter or darker where the contrast of a text or an accent with
    /// the ground would be below 4.5 (WCAG 2.2, 1.4.3).
    static let palettes = [
        Preset(
            palette: "github", "GitHub", source: "https://primer.style/foundations/color",
            light: Palette.Scheme(
                ground: 0xFFFFFF, raised: 0xF6F8FA, ink: 0x1F2328, muted: 0x59636E,
                accent: 0x0969DA, second: 0x8250DF, glow: 0xBF3989, rule: 0xD1D9E0),
            dark: Palette.Scheme(
                ground: 0x0D1117, raised: 0x151B23, ink: 0xF0F6FC, muted: 0x9198A1,
                accent: 0x4493F8, second: 0xAB7DF8, glow: 0x58A6FF, rule: 0x3D444D)),
        Preset(
            palette: "nord", "Nord", source: "https://www.nordtheme.com/docs/colors-and-palettes",
            light: Palette.Scheme(
                ground: 0xECEFF4, raised: 0xE5E9F0, ink: 0x2E3440, muted: 0x4C566A,
                accent: 0x4C6E98, second: 0x8B5E84, glow: 0x5E81AC, rule: 0xD8DEE9),
            dark: Palette.Scheme(
                ground: 0x2E3440, raised: 0x3B4252, ink: 0xECEFF4, muted: 0xC0C8D6,
                accent: 0x88C0D0, second: 0xB690AF, glow: 0x88C0D0, rule: 0x4C566A)),
        Preset(
            palette: "dracula", "Dracula", source: "https://draculatheme.com/spec",
            light: Palette.Scheme(
                ground: 0xFFFBEB, raised: 0xEFEDDC, ink: 0x1F1F1F, muted: 0x6C664B,
                accent: 0x644AC9, second: 0xA3144D, glow: 0xA3144D, rule: 0xCFCFDE),
            dark: Palette.Scheme(
                ground: 0x282A36, raised: 0x343746, ink: 0xF8F8F2, muted: 0xA4B0D6,
                accent: 0xFF79C6, second: 0xBD93F9, glow: 0xFF79C6, rule: 0x6272A4)),
        Preset(
            palette: "solarized", "Solarized", source: "https://ethanschoonover.com/solarized/",
            light: Palette.Scheme(
                ground: 0xFDF6E3, raised: 0xF6EFDB, ink: 0x3B5058, muted: 0x586E75,
                accent: 0xC6460E, second: 0xCF2D7B, glow: 0xCB4B16, rule: 0xE4DDC8),
            dark: Palette.Scheme(
                ground: 0x002B36, raised: 0x073642, ink: 0xEEE8D5, muted: 0x93A1A1,
                accent: 0xB58900, second: 0xE8652F, glow: 0x2AA198, rule: 0x2F5661)),
        Preset(
            palette: "gruvbox", "Gruvbox", source: "https://github.com/morhetz/gruvbox",
            light: Palette.Scheme(
                ground: 0xFBF1C7, raised: 0xF2E5BC, ink: 0x3C3836, muted: 0x70645A,
                accent: 0xAF3A03, second: 0x8F3F71, glow: 0xAF3A03, rule: 0xD5C4A1),
            dark: Palette.Scheme(
                ground: 0x282828, raised: 0x32302F, ink: 0xEBDBB2, muted: 0xA89984,
                accent: 0xFE8019, second: 0xD3869B, glow: 0xFE8019, rule: 0x504945)),
        Preset(
            palette: "catppuccin", "Catppuccin", source: "https://catppuccin.com/palette/",
            light: Palette.Scheme(
                ground: 0xEFF1F5, raised: 0xE6E9EF, ink: 0x4C4F69, muted: 0x65687C,
                accent: 0x8839EF, second: 0xD20F39, glow: 0xEA76CB, rule: 0xCCD0DA),
            dark: Palette.Scheme(
                ground: 0x1E1E2E, raised: 0x313244, ink: 0xCDD6F4, muted: 0xA6ADC8,
                accent: 0xCBA6F7, second: 0xF5C2E7, glow: 0xF5C2E7, rule: 0x45475A)),
        Preset(
            palette: "tokyo-night", "Tokyo Night",
            source: "https://github.com/folke/tokyonight.nvim",
            light: Palette.Scheme(
                ground: 0xE1E2E7, raised: 0xD8DAE3, ink: 0x2D4E9E, muted: 0x4F5D93,
                accent: 0x833BD8, second: 0x1561C9, glow: 0x9854F1, rule: 0xA8AECB),
            dark: Palette.Scheme(
                ground: 0x1A1B26, raised: 0x24283B, ink: 0xC0CAF5, muted: 0x9AA5CE,
                accent: 0x7AA2F7, second: 0xBB9AF7, glow: 0xBB9AF7, rule: 0x3B4261)),
        Preset(
            palette: "rose-pine", "Rosé Pine",
            source: "https://rosepinetheme.com/palette/ingredients/",
            light: Palette.Scheme(
                ground: 0xFAF4ED, raised: 0xFFFAF3, ink: 0x575279, muted: 0x716D8B,
                accent: 0xA7576E, second: 0x7E659B, glow: 0xB4637A, rule: 0xDFDAD9),
            dark: Palette.Scheme(
                ground: 0x191724, raised: 0x1F1D2E, ink: 0xE0DEF4, muted: 0x908CAA,
                accent: 0xEBBCBA, second: 0xC4A7E7, glow: 0xEB6F92, rule: 0x403D52)),
        Preset(
            palette: "everforest", "Everforest", source: "https://github.com/sainnhe/everforest",
            light: Palette.Scheme(
                ground: 0xFDF6E3, raised: 0xF9F3DD, ink: 0x4A575E, muted: 0x66726C,
                accent: 0x677900, second: 0x287F5E, glow: 0xDF69BA, rule: 0xE6E2CC),
            dark: Palette.Scheme(
                ground: 0x2D353B, raised: 0x343F44, ink: 0xD3C6AA, muted: 0x9FABA2,
                accent: 0xA7C080, second: 0x7FBBB3, glow: 0xA7C080, rule: 0x475258)),
        Preset(
            palette: "monokai", "Monokai", source: "https://monokai.pro",
            light: Palette.Scheme(
                ground: 0xFAF4F2, raised: 0xEDE7E5, ink: 0x29242A, muted: 0x6C676A,
                accent: 0xCD3365, second: 0x7058BE, glow: 0xE14775, rule: 0xD3CDCC),
            dark: Palette.Scheme(
                ground: 0x272822, raised: 0x32332C, ink: 0xF8F8F2, muted: 0xA6A28C,
                accent: 0xFE467E, second: 0xAE81FF, glow: 0xF92672, rule: 0x75715E)),
        Preset(
            palette: "one", "One",
            source: "https://github.com/atom/atom/tree/master/packages/one-dark-syntax",
            light: Palette.Scheme(
                ground: 0xFAFAFA, raised: 0xF0F0F1, ink: 0x383A42, muted: 0x696C77,
                accent: 0x356CE5, second: 0xA626A4, glow: 0xA626A4, rule: 0xDBDBDC),
            dark: Palette.Scheme(
                ground: 0x282C34, raised: 0x2F343E, ink: 0xD7DAE0, muted: 0x9DA5B4,
                accent: 0x61AFEF, second: 0xC678DD, glow: 0x61AFEF, rule: 0x3E4451)),
        Preset(
            palette: "ayu", "Ayu", source: "https://github.com/ayu-theme/ayu-colors",
            light: Palette.Scheme(
                ground: 0xFCFCFC, raised: 0xF3F4F5, ink: 0x5C6166, muted: 0x6D7074,
                accent: 0xBE5600, second: 0xC43A3A, glow: 0xFA8D3E, rule: 0xE6E7E9),
            dark: Palette.Scheme(
                ground: 0x0D1017, raised: 0x131721, ink: 0xBFBDB6, muted: 0x8A9199,
                accent: 0xFFB454, second: 0xF07178, glow: 0xFFB454, rule: 0x1B1F29)),
        Preset(
            palette: "kanagawa", "Kanagawa", source: "https://github.com/rebelot/kanagawa.nvim",
            light: Palette.Scheme(
                ground: 0xF2ECBC, raised: 0xE7DBA0, ink: 0x545464, muted: 0x636055,
                accent: 0x4D699B, second: 0xA54D6B, glow: 0xC84053, rule: 0xD5CEA3),
            dark: Palette.Scheme(
                ground: 0x1F1F28, raised: 0x2A2A37, ink: 0xDCD7BA, muted: 0xA6A69C,
                accent: 0x7E9CD8, second: 0x957FB8, glow: 0xFF5D62, rule: 0x54546D)),
        Preset(
            palette: "flexoki", "Flexoki", source: "https://stephango.com/flexoki",
            light: Palette.Scheme(
                ground: 0xFFFCF0, raised: 0xF2F0E5, ink: 0x100F0F, muted: 0x6E6D68,
                accent: 0x966D00, second: 0xAF3029, glow: 0xBC5215, rule: 0xE6E4D9),
            dark: Palette.Scheme(
                ground: 0x100F0F, raised: 0x1C1B1A, ink: 0xCECDC3, muted: 0x9F9D96,
                accent: 0xD0A215, second: 0xD25044, glow: 0xD0A215, rule: 0x343331)),
    ]
}
