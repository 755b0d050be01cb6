import Bytes
import Motion

extension PresetCatalog {
    /// Titlecard's own presets.
    ///
    /// What a preset means may change from release to release; permalinks hold its parameters and
    /// not its name.
    package static let standard = PresetCatalog(shapes + colors)

    // MARK: Shapes

    private static let shapes = [
        Preset(
            "banner", "Banner", .shapes, "As wide as a README on GitHub, with round corners.",
            [
                "fit": "shrink", "minSize": 14, "wrap": "balance",
                "width": 830, "height": 220, "padding": 32, "align": "center", "size": 64,
                "font": "Inter, sans-serif", "weight": 750, "letterSpacing": -1,
                "cornerRadius": 16,
                "background": "linear-gradient(120deg, #0969da, #8250df)",
                "darkBackground": "linear-gradient(120deg, #1158c7, #6e40c9)",
                "color": "#ffffff", "darkColor": "#ffffff", "effect": "slide", "by": "word",
                "interval": 0.12, "duration": 0.7, "hold": 3,
            ], subtitleSize: 0.5),
        Preset(
            "rotating-lines", "Rotating lines", .shapes,
            "Lines that are typed and erased, one in the place of another, for ever.",
            [
                "maxWidth": 830, "fit": "shrink", "minSize": 16, "wrap": "balance",
                "font": "Fira Code, monospace", "weight": 500, "size": 28, "color": "#0969da",
                "darkColor": "#58a6ff", "align": "center", "effect": "typewriter",
                "interval": 0.07, "cursor": "bar", "sequence": "replace", "exit": "auto",
                "hold": 1.6, "loop": "infinite",
            ]),
        Preset(
            "neon", "Neon sign", .shapes, "A tube that flickers and then glows in the dark.",
            [
                "maxWidth": 830, "fit": "shrink", "minSize": 32, "wrap": "balance",
                "font": "Lobster Two, sans-serif", "size": 72, "padding": 48, "cornerRadius": 18,
                "background": "linear-gradient(160deg, #1b0b2e, #0a0613)",
                "darkBackground": "linear-gradient(160deg, #1b0b2e, #0a0613)",
                "color": "#fff1fb", "darkColor": "#fff1fb",
                "shadow": "0 0 5px #ff4fd8, 0 0 18px #ff2bd6, 0 0 48px #a020f0",
                "darkShadow": "0 0 5px #ff4fd8, 0 0 18px #ff2bd6, 0 0 48px #a020f0",
                "effect": "custom", "by": "glyph", "order": "random", "interval": 0.08,
                "duration": 0.9, "easing": "steps(1)",
                "keyframes": [
                    ["opacity": 0.06], ["offset": 0.12, "opacity": 0.9],
                    ["offset": 0.2, "opacity": 0.12], ["offset": 0.45, "opacity": 0.8],
                    ["offset": 0.55, "opacity": 0.3], ["offset": 0.75, "opacity": 1],
                ],
                "hold": 3,
            ], subtitleSize: 0.5),
        Preset(
            "gradient", "Gradient", .shapes, "Large words in three colours that come into focus.",
            [
                "maxWidth": 830, "fit": "shrink", "minSize": 32, "wrap": "balance",
                "font": "Inter, sans-serif", "weight": 800, "size": 72, "letterSpacing": -2,
                "padding": 40, "color": "linear-gradient(90deg, #e5488f, #9a4dff, #2f7df6)",
                "darkColor": "linear-gradient(90deg, #ff77b0, #b88aff, #6cb2ff)",
                "effect": "blur", "interval": 0.03, "hold": 3,
            ], subtitleSize: 0.5),
        Preset(
            "terminal", "Terminal", .shapes, "A terminal in which someone types.",
            [
                "maxWidth": 830, "fit": "shrink", "minSize": 16,
                "font": "JetBrains Mono, monospace", "size": 24, "weight": 500, "padding": 28,
                "cornerRadius": 12, "borderWidth": 1, "background": "#0d1117",
                "darkBackground": "#0d1117", "borderColor": "#30363d",
                "darkBorderColor": "#30363d", "color": "#7ee787", "darkColor": "#7ee787",
                "codeTheme": "dark", "darkCodeTheme": "dark", "titleBar": true,
                "effect": "typewriter", "interval": 0.06, "jitter": 0.5, "cursor": "block",
                "hold": 2,
            ]),
        Preset(
            "editor", "Editor", .shapes, "Code as an editor shows it, typed line by line.",
            [
                "maxWidth": 900, "fit": "shrink", "minSize": 12, "wrap": "pretty",
                "font": "JetBrains Mono, monospace", "size": 18, "lineHeight": 1.5,
                "padding": 28, "cornerRadius": 12, "borderWidth": 1,
                "background": "#ffffff", "darkBackground": "#0d1117", "borderColor": "#d1d9e0",
                "darkBorderColor": "#3d444d", "color": "#1f2328", "darkColor": "#f0f6fc",
                "codeTheme": "light", "darkCodeTheme": "dark", "lineNumbers": true,
                "titleBar": true,
                "effect": "typewriter", "interval": 0.03, "indentation": "instant",
                "cursor": "bar", "hold": 3,
            ]),
        Preset(
            "headline", "Headline", .shapes, "Large words that rise from behind a line.",
            [
                "maxWidth": 830, "fit": "shrink", "minSize": 32, "wrap": "balance",
                "font": "Inter, sans-serif", "weight": 850, "size": 80, "letterSpacing": -3,
                "lineHeight": 1.05, "padding": 24, "color": "#1f2328", "darkColor": "#f0f6fc",
                "effect": "rise", "interval": 0.09, "hold": 3,
            ], subtitleSize: 0.45),
        Preset(
            "og", "Social card", .shapes,
            "1200 × 630 px, as links are shown in chats and social networks.",
            [
                "fit": "shrink", "minSize": 24, "wrap": "balance",
                "width": 1200, "height": 630, "padding": 96, "align": "center", "size": 104,
                "font": "Inter, sans-serif", "weight": 750, "letterSpacing": -2, "lineHeight": 1.1,
                "background": "linear-gradient(135deg, #f6f8fa, #d8e6f7)",
                "darkBackground": "linear-gradient(135deg, #161b22, #0d2440)",
                "color": "#1f2328", "darkColor": "#f0f6fc", "effect": "rise", "hold": 3,
            ], subtitleSize: 0.45),
        Preset(
            "card", "Card", .shapes, "A card with a thin border, as large as its text.",
            [
                "maxWidth": 640, "fit": "shrink", "minSize": 20, "wrap": "balance",
                "padding": 32, "size": 40, "font": "Inter, sans-serif", "weight": 650,
                "letterSpacing": -0.5, "cornerRadius": 14, "borderWidth": 1,
                "background": "#ffffff", "darkBackground": "#161b22",
                "borderColor": "#d1d9e0", "darkBorderColor": "#3d444d",
                "color": "#1f2328", "darkColor": "#f0f6fc", "effect": "fade", "hold": 3,
            ], subtitleSize: 0.6),
        Preset(
            "lower-third", "Lower third", .shapes,
            "A name and a role as television shows them: a dark card that comes and goes.",
            [
                "maxWidth": 960, "fit": "shrink", "minSize": 24, "wrap": "balance",
                "font": "Inter, sans-serif", "weight": 700, "size": 56, "letterSpacing": -1,
                "padding": 28, "spacing": 6, "color": "#ffffff",
                "darkColor": "#ffffff", "background": "#0d1117d9", "darkBackground": "#0d1117d9",
                "bar": "start", "barColor": "#2f81f7", "darkBarColor": "#2f81f7", "barWidth": 8,
                "barGap": 24, "cardEffect": "wipe", "cardDuration": 0.7,
                "cardEasing": "cubic-bezier(0.65, 0, 0.35, 1)", "sequence": "together",
                "effect": "rise", "exit": "auto", "hold": 4,
            ], subtitleSize: 0.5),
        Preset(
            "sticker", "Sticker", .shapes, "Comic letters with a white edge that pop up.",
            [
                "maxWidth": 640, "fit": "shrink", "minSize": 28, "wrap": "balance",
                "font": "Comic Neue, sans-serif", "weight": 700, "size": 64, "padding": 32,
                "color": "#ff5c35", "darkColor": "#ff7a57", "outlineWidth": 7,
                "outlineColor": "#ffffff", "shadow": "0 3px 8px #0006", "effect": "pop",
                "interval": 0.06, "easing": "spring(0.45)", "duration": 0.8, "hold": 3,
            ], subtitleSize: 0.6),
        Preset(
            "handwriting", "Handwriting", .shapes, "A pen draws the letters, then they fill.",
            [
                "maxWidth": 830, "fit": "shrink", "minSize": 32, "wrap": "balance",
                "font": "Dancing Script, sans-serif", "weight": 700, "size": 72, "padding": 28,
                "color": "#1f2328", "darkColor": "#f0f6fc", "effect": "draw", "interval": 0.12,
                "hold": 3,
            ], subtitleSize: 0.6),
        Preset(
            "film-title", "Film title", .shapes,
            "The credits of Birdman: letters appear in the order of the alphabet.",
            [
                "fit": "shrink", "minSize": 16, "wrap": "balance",
                "width": 960, "height": 400, "padding": 48, "align": "center",
                "font": "Bebas Neue, sans-serif", "weight": 700, "size": 96, "letterSpacing": 8,
                "background": "#0b0b0c", "darkBackground": "#0b0b0c", "color": "#f5f2ea",
                "darkColor": "#f5f2ea", "effect": "birdman", "foldCase": true, "hold": 3,
            ], subtitleSize: 0.4),
        Preset(
            "badge", "Badge", .shapes, "A small label to stand within a line.",
            [
                "maxWidth": 400, "fit": "shrink", "minSize": 10, "wrap": "balance",
                "padding": 8, "size": 14, "font": "Inter, sans-serif", "weight": 600,
                "cornerRadius": 8, "background": "#1f883d", "darkBackground": "#238636",
                "color": "#ffffff", "darkColor": "#ffffff", "effect": "slide", "by": "all",
                "distance": 0.4, "hold": 4,
            ]),
        Preset(
            "caption", "Caption", .shapes,
            "A film's caption: white with a dark edge, word by word.",
            [
                "fit": "shrink", "minSize": 20, "wrap": "balance",
                "width": 640, "padding": 24, "align": "center", "size": 40,
                "font": "Open Sans, sans-serif", "weight": 700, "color": "#ffffff",
                "darkColor": "#ffffff", "outlineWidth": 4, "outlineColor": "#000000",
                "effect": "slide", "by": "word", "distance": 0, "interval": 0.16,
                "duration": 0.2, "hold": 2.5,
            ]),
        Preset(
            "quote", "Quotation", .shapes, "A quiet serif in italics, word by word.",
            [
                "fit": "shrink", "minSize": 20, "wrap": "pretty",
                "width": 640, "padding": 32, "font": "EB Garamond, serif", "italic": true,
                "size": 38, "lineHeight": 1.35, "color": "#3d3a35", "darkColor": "#e6e1d6",
                "effect": "blur", "by": "word", "interval": 0.12, "duration": 0.9, "hold": 4,
            ], subtitleSize: 0.7),
        Preset(
            "marker", "Marker", .shapes, "Words that light up one after another.",
            [
                "maxWidth": 830, "fit": "shrink", "minSize": 24, "wrap": "balance",
                "font": "Inter, sans-serif", "weight": 700, "size": 48, "letterSpacing": -1,
                "padding": 28, "color": "#57606a", "darkColor": "#9198a1",
                "effect": "highlight", "highlightColor": "#e36209", "interval": 0.35,
                "duration": 0.8, "hold": 2,
            ], subtitleSize: 0.6),
        Preset(
            "decode", "Decoding", .shapes, "Letters that flicker until each has found itself.",
            [
                "maxWidth": 830, "fit": "shrink", "minSize": 16, "wrap": "balance",
                "font": "JetBrains Mono, monospace", "weight": 600, "size": 36, "padding": 24,
                "color": "#1a7f37", "darkColor": "#3fb950", "effect": "scramble",
                "interval": 0.07, "lead": 0.5, "hold": 3,
            ], subtitleSize: 0.6),
        Preset(
            "secret", "Secret", .shapes, "Letters that come out of the mist in no order.",
            [
                "maxWidth": 830, "fit": "shrink", "minSize": 28, "wrap": "balance",
                "font": "Quicksand, sans-serif", "weight": 600, "size": 56, "padding": 28,
                "color": "#1f2328", "darkColor": "#f0f6fc", "effect": "secret", "hold": 3,
            ], subtitleSize: 0.5),
    ]

    // MARK: Colours

    private static let colors = [
        world(
            "github", "GitHub", "https://primer.style/foundations/color",
            light: Scheme(base: 0xFFFFFF, text: 0x1F2328, accent: 0x0969DA, edge: 0xD1D9E0),
            dark: Scheme(base: 0x0D1117, text: 0xF0F6FC, accent: 0x4493F8, edge: 0x3D444D)),
        world(
            "nord", "Nord", "https://www.nordtheme.com/docs/colors-and-palettes",
            light: Scheme(base: 0xECEFF4, text: 0x2E3440, accent: 0x4C6E98, edge: 0xD8DEE9),
            dark: Scheme(base: 0x2E3440, text: 0xECEFF4, accent: 0x88C0D0, edge: 0x4C566A)),
        world(
            "dracula", "Dracula", "https://draculatheme.com/spec",
            light: Scheme(base: 0xFFFBEB, text: 0x644AC9, accent: 0xA3144D, edge: 0xCFCFDE),
            dark: Scheme(base: 0x282A36, text: 0xBD93F9, accent: 0xFF79C6, edge: 0x6272A4)),
        world(
            "solarized", "Solarized", "https://ethanschoonover.com/solarized/",
            light: Scheme(base: 0xFDF6E3, text: 0x586E75, accent: 0xC6460E, edge: 0xEEE8D5),
            dark: Scheme(base: 0x002B36, text: 0x93A1A1, accent: 0xB58900, edge: 0x073642)),
        world(
            "gruvbox", "Gruvbox", "https://github.com/morhetz/gruvbox",
            light: Scheme(base: 0xFBF1C7, text: 0x3C3836, accent: 0xAF3A03, edge: 0xD5C4A1),
            dark: Scheme(base: 0x282828, text: 0xEBDBB2, accent: 0xFE8019, edge: 0x504945)),
        world(
            "catppuccin", "Catppuccin", "https://catppuccin.com/palette/",
            light: Scheme(base: 0xEFF1F5, text: 0x4C4F69, accent: 0x8839EF, edge: 0xCCD0DA),
            dark: Scheme(base: 0x1E1E2E, text: 0xCDD6F4, accent: 0xCBA6F7, edge: 0x45475A)),
        world(
            "tokyo-night", "Tokyo Night", "https://github.com/folke/tokyonight.nvim",
            light: Scheme(base: 0xE1E2E7, text: 0x3760BF, accent: 0x833BD8, edge: 0xA8AECB),
            dark: Scheme(base: 0x1A1B26, text: 0x7AA2F7, accent: 0xBB9AF7, edge: 0x3B4261)),
        world(
            "rose-pine", "Rosé Pine", "https://rosepinetheme.com/palette/ingredients/",
            light: Scheme(base: 0xFAF4ED, text: 0x575279, accent: 0xA7576E, edge: 0xDFDAD9),
            dark: Scheme(base: 0x191724, text: 0xEBBCBA, accent: 0xC4A7E7, edge: 0x403D52)),
        world(
            "everforest", "Everforest", "https://github.com/sainnhe/everforest",
            light: Scheme(base: 0xFDF6E3, text: 0x5C6A72, accent: 0x677900, edge: 0xE6E2CC),
            dark: Scheme(base: 0x2D353B, text: 0xD3C6AA, accent: 0xA7C080, edge: 0x475258)),
        world(
            "monokai", "Monokai", "https://monokai.pro",
            light: Scheme(base: 0xFAF4F2, text: 0x29242A, accent: 0xCD3365, edge: 0xD3CDCC),
            dark: Scheme(base: 0x272822, text: 0xF8F8F2, accent: 0xFE467E, edge: 0x75715E)),
        world(
            "one", "One", "https://github.com/atom/atom/tree/master/packages/one-dark-syntax",
            light: Scheme(base: 0xFAFAFA, text: 0x383A42, accent: 0x356CE5, edge: 0xDBDBDC),
            dark: Scheme(base: 0x282C34, text: 0x61AFEF, accent: 0xC678DD, edge: 0x3E4451)),
        world(
            "ayu", "Ayu", "https://github.com/ayu-theme/ayu-colors",
            light: Scheme(base: 0xFCFCFC, text: 0x5C6166, accent: 0xBE5600, edge: 0xE6E7E9),
            dark: Scheme(base: 0x0D1017, text: 0xFFB454, accent: 0x39BAE6, edge: 0x1B1F29)),
        world(
            "kanagawa", "Kanagawa", "https://github.com/rebelot/kanagawa.nvim",
            light: Scheme(base: 0xF2ECBC, text: 0x545464, accent: 0x4D699B, edge: 0xD5CEA3),
            dark: Scheme(base: 0x1F1F28, text: 0xDCD7BA, accent: 0x7E9CD8, edge: 0x54546D)),
        world(
            "flexoki", "Flexoki", "https://stephango.com/flexoki",
            light: Scheme(base: 0xFFFCF0, text: 0x100F0F, accent: 0x966D00, edge: 0xE6E4D9),
            dark: Scheme(base: 0x100F0F, text: 0xCECDC3, accent: 0xD0A215, edge: 0x343331)),
    ]

    /// The colours of a palette in light or in dark.
    private struct Scheme {
        let base: Color
        let text: Color
        /// The palette's own, lighter or darker where its contrast with the base would be below 4.5
        /// (WCAG 2.2, 1.4.3).
        let accent: Color
        let edge: Color

        init(base: UInt32, text: UInt32, accent: UInt32, edge: UInt32) {
            (self.base, self.text) = (Color(rgb: base), Color(rgb: text))
            (self.accent, self.edge) = (Color(rgb: accent), Color(rgb: edge))
        }

        /// The base, somewhat further from the text.
        var shade: Color {
            let isLight = Int(base.green) > Int(text.green)
            return base.mixed(
                with: Color(rgb: isLight ? 0xFFFFFF : 0), progress: isLight ? 0.6 : 0.4)
        }
    }

    /// Returns a preset with the colours of a palette.
    private static func world(
        _ name: String, _ title: String, _ source: String, light: Scheme, dark: Scheme
    ) -> Preset {
        let colors: [ByteString: Color] = [
            "color": light.text, "darkColor": dark.text,
            "background": light.base, "darkBackground": dark.base,
            "borderColor": light.edge, "darkBorderColor": dark.edge,
            "outlineColor": light.base, "darkOutlineColor": dark.base,
            "highlightColor": light.accent,
        ]
        return Preset(
            name, title, .colors, nil, source: source,
            colors.mapValues { .string($0.text) },
            stops: [
                "color": (light.accent, light.text), "darkColor": (dark.accent, dark.text),
                "background": (light.shade, light.base),
                "darkBackground": (dark.shade, dark.base),
            ])
    }
}

extension Color {
    init(rgb: UInt32) {
        self.init(
            red: UInt8(truncatingIfNeeded: rgb >> 16), green: UInt8(truncatingIfNeeded: rgb >> 8),
            blue: UInt8(truncatingIfNeeded: rgb))
    }
}
