import Bytes
import Motion

extension PresetCatalog {
    /// The looks of words on a page or a card.
    static let wordLooks = [
        Preset(
            "banner", "Banner", "As wide as a README on GitHub, with round corners.",
            Look(
                [
                    "background": "linear-gradient(120deg, {accent}, {second})",
                    "color": "{ground}",
                ],
                palette: Palette(
                    light: github(accent: 0x0969DA, second: 0x8250DF),
                    dark: github(accent: 0x1158C7, second: 0x6E40C9)),
                subtitles: [
                    Look.Subtitle(
                        size: 0.5, ["weight": 500, "letterSpacing": 0], paints: [:])
                ]),
            [
                "fit": "shrink", "minSize": 14, "wrap": "balance",
                "width": 830, "height": 220, "padding": 32, "align": "center", "size": 64,
                "font": "Inter, sans-serif", "weight": 750, "letterSpacing": "-0.02em",
                "spacing": 12, "cornerRadius": 16, "effect": "slide", "by": "word",
                "interval": 0.12, "duration": 0.7, "hold": 3,
            ]),
        Preset(
            "rotating-lines", "Rotating lines",
            "Lines that are typed and erased, one in the place of another, forever.",
            Look(
                ["color": "{accent}"],
                palette: Palette(
                    light: github(accent: 0x0969DA), dark: githubDark(accent: 0x58A6FF))),
            [
                "maxWidth": 830, "fit": "shrink", "minSize": 16, "maxLines": 20, "wrap": "balance",
                "font": "Fira Code, monospace", "weight": 500, "size": 28, "align": "center",
                "cornerRadius": 12, "effect": "typewriter", "interval": 0.07, "cursor": "bar",
                "sequence": "replace",
                "exit": "auto", "hold": 1.6, "loop": "infinite",
            ]),
        Preset(
            "neon", "Neon sign", "A tube that flickers, then glows in the dark.",
            Look(
                [
                    "background": "linear-gradient(160deg, {raised}, {ground})",
                    "color": "{ink}",
                    "shadow": "0 0 5px {glow}, 0 0 18px {glow}, 0 0 48px {second}",
                ],
                palette: always(
                    Palette.Scheme(
                        ground: 0x0A0613, raised: 0x1B0B2E, ink: 0xFFF1FB, muted: 0xE9C6E4,
                        accent: 0xFF4FD8, second: 0xA020F0, glow: 0xFF2BD6, rule: 0x45345C)),
                isDark: true,
                subtitles: [Look.Subtitle(size: 0.5, paints: [:])]),
            [
                "maxWidth": 768, "fit": "shrink", "minSize": 16, "maxLines": 8, "wrap": "balance",
                "font": "Lobster Two, sans-serif", "size": 72, "padding": 48, "cornerRadius": 18,
                "align": "center", "effect": "custom", "by": "glyph",
                "order": "random",
                "interval": 0.08, "duration": 0.9, "easing": "steps(1)",
                "keyframes": [
                    ["opacity": 0.06], ["offset": 0.12, "opacity": 0.9],
                    ["offset": 0.2, "opacity": 0.12], ["offset": 0.45, "opacity": 0.8],
                    ["offset": 0.55, "opacity": 0.3], ["offset": 0.75, "opacity": 1],
                ],
                "hold": 3,
            ]),
        Preset(
            "gradient", "Gradient", "Large words in a gradient that come into focus.",
            Look(
                ["color": "linear-gradient(90deg, {accent}, {second})"],
                palette: Palette(
                    light: github(accent: 0xD6308A, second: 0x2F6FEB),
                    dark: githubDark(accent: 0xFF77B0, second: 0x6CB2FF)),
                subtitles: [Look.Subtitle(size: 0.45, ["weight": 450, "letterSpacing": 0])]),
            [
                "maxWidth": 830, "fit": "shrink", "minSize": 20, "maxLines": 10, "wrap": "balance",
                "font": "Inter, sans-serif", "weight": 800, "size": 72, "letterSpacing": "-0.03em",
                "padding": 40, "spacing": 14, "align": "center", "cornerRadius": 12,
                "effect": "blur",
                "interval": 0.03, "hold": 3,
            ]),
        Preset(
            "headline", "Headline", "Large words that rise from behind a line.",
            Look(
                ["color": "{ink}"], palette: Palette(light: github(), dark: githubDark()),
                subtitles: [
                    Look.Subtitle(
                        size: 0.4, ["weight": 450, "letterSpacing": 0, "lineHeight": 1.3])
                ]),
            [
                "maxWidth": 830, "fit": "shrink", "minSize": 20, "maxLines": 11, "wrap": "balance",
                "font": "Inter, sans-serif", "weight": 850, "size": 80, "letterSpacing": "-0.04em",
                "lineHeight": 1.05, "padding": 24, "spacing": 14, "cornerRadius": 12,
                "effect": "rise",
                "interval": 0.09, "hold": 3,
            ]),
        Preset(
            "og", "Social card", "1200 × 630 px, as links are shown in chats and social networks.",
            Look(
                [
                    "background": "linear-gradient(135deg, {ground}, {raised})",
                    "color": "{ink}",
                ],
                palette: Palette(
                    light: github(ground: 0xF6F8FA, raised: 0xD8E6F7, muted: 0x4A5561),
                    dark: githubDark(ground: 0x161B22, raised: 0x0D2440)),
                subtitles: [
                    Look.Subtitle(
                        size: 0.42, ["weight": 450, "letterSpacing": 0, "lineHeight": 1.3])
                ]),
            [
                "fit": "shrink", "minSize": 24, "wrap": "balance",
                "width": 1200, "height": 630, "padding": 96, "align": "center", "size": 104,
                "font": "Inter, sans-serif", "weight": 750, "letterSpacing": "-0.025em",
                "lineHeight": 1.1, "spacing": 28, "effect": "rise", "hold": 3,
            ]),
        Preset(
            "card", "Card", "A card with a thin border, as large as its text.",
            Look(
                ["background": "{ground}", "borderColor": "{rule}", "color": "{ink}"],
                palette: Palette(light: github(), dark: githubDark(ground: 0x161B22)),
                subtitles: [Look.Subtitle(size: 0.5, ["weight": 450, "letterSpacing": 0])]),
            [
                "maxWidth": 640, "fit": "shrink", "minSize": 16, "maxLines": 13, "wrap": "balance",
                "card": "fit", "padding": 32, "size": 40, "font": "Inter, sans-serif",
                "weight": 650,
                "letterSpacing": "-0.015em", "spacing": 8, "cornerRadius": 14, "borderWidth": 1,
                "effect": "fade", "hold": 3,
            ]),
        Preset(
            "sticker", "Sticker", "Comic letters with an edge that pop up.",
            Look(
                [
                    "background": "transparent", "color": "{accent}", "outlineColor": "{ground}",
                    "shadow": "0 0 1.5px {muted}, 0 3px 8px #0006",
                ],
                palette: Palette(
                    light: github(muted: 0x57606A, accent: 0xD13D1B),
                    dark: github(muted: 0x57606A, accent: 0xD13D1B)),
                subtitles: [Look.Subtitle(size: 0.6, paints: [:])]),
            [
                "maxWidth": 624, "fit": "shrink", "minSize": 13, "maxLines": 8, "wrap": "balance",
                "font": "Comic Neue, sans-serif", "weight": 700, "size": 64, "padding": 32,
                "align": "center", "outlineWidth": 7, "effect": "pop",
                "interval": 0.06, "easing": "spring(0.45)", "duration": 0.8, "hold": 3,
            ]),
        Preset(
            "handwriting", "Handwriting", "A pen draws the letters, then they fill.",
            Look(
                ["color": "{ink}"], palette: Palette(light: github(), dark: githubDark()),
                subtitles: [Look.Subtitle(size: 0.6)]),
            [
                "maxWidth": 824, "fit": "shrink", "minSize": 20, "maxLines": 10, "wrap": "balance",
                "font": "Dancing Script, sans-serif", "weight": 700, "size": 72, "padding": 28,
                "cornerRadius": 12, "effect": "draw", "interval": 0.12, "hold": 3,
            ]),
        Preset(
            "badge", "Badge",
            "A small label to stand within a line; a second text is its value, in a pill.",
            Look(
                ["background": "{accent}", "color": "{ground}"],
                palette: Palette(
                    light: github(accent: 0x1F883D), dark: github(accent: 0x238636)),
                subtitles: [
                    Look.Subtitle(
                        size: 1, ["mark": "pill"],
                        paints: ["color": "{accent}", "markColor": "{ground}"])
                ]),
            [
                "maxWidth": 400, "fit": "shrink", "minSize": 10, "maxLines": 20, "wrap": "balance",
                "flow": "row", "spacing": 14, "sequence": "together", "markDuration": 0.3,
                "card": "fit", "padding": 8, "size": 14, "font": "Inter, sans-serif", "weight": 600,
                "cornerRadius": 8, "effect": "slide", "by": "all", "distance": 0.4, "hold": 4,
            ]),
        Preset(
            "quote", "Quotation",
            "A quiet serif beside a rule, below a quotation mark, word by word; a second text is the "
                + "author.",
            Look(
                ["color": "{ink}", "barColor": "{accent}", "markColor": "{accent}"],
                palette: Palette(
                    light: github(ink: 0x3D3A35, muted: 0x6B665D, accent: 0xB08D57),
                    dark: githubDark(ink: 0xE6E1D6, muted: 0xA8A296, accent: 0xC9A876)),
                subtitles: [
                    Look.Subtitle(
                        size: 0.5,
                        [
                            "font": "Inter, sans-serif", "italic": false, "weight": 500,
                            "lineHeight": 1.3, "mark": "none",
                        ])
                ]),
            [
                "fit": "shrink", "minSize": 16, "maxLines": 13, "wrap": "pretty",
                "maxWidth": 632, "card": "fit", "padding": 28, "font": "EB Garamond, serif",
                "italic": true, "size": 38, "lineHeight": 1.35, "bar": "start", "barWidth": 3,
                "barGap": 22,
                "spacing": 14, "cornerRadius": 12, "mark": "quote", "markWidth": 0.19,
                "markPadding": 0.2, "effect": "blur", "by": "word", "interval": 0.12,
                "duration": 0.9, "hold": 4,
            ]),
        Preset(
            "marker", "Marker", "Words that light up one after another.",
            Look(
                ["color": "{ink}", "highlightColor": "{accent}"],
                palette: Palette(
                    light: github(accent: 0xD9590C), dark: githubDark(accent: 0xF0883E)),
                subtitles: [Look.Subtitle(size: 0.6, ["weight": 500, "letterSpacing": 0])]),
            [
                "maxWidth": 830, "fit": "shrink", "minSize": 16, "maxLines": 15, "wrap": "balance",
                "font": "Inter, sans-serif", "weight": 700, "size": 48, "letterSpacing": "-0.02em",
                "padding": 28, "cornerRadius": 12, "effect": "highlight", "interval": 0.35,
                "duration": 0.8, "hold": 2,
            ]),
        Preset(
            "secret", "Secret", "Thin letters that come out of the mist in no order.",
            Look(
                ["color": "{ink}"], palette: Palette(light: github(), dark: githubDark()),
                subtitles: [Look.Subtitle(size: 0.5, ["weight": 400])]),
            [
                "maxWidth": 830, "fit": "shrink", "minSize": 20, "maxLines": 12, "wrap": "balance",
                "font": "Inter, sans-serif", "weight": 300, "size": 56, "letterSpacing": "0.06em",
                "padding": 28, "cornerRadius": 12, "effect": "secret", "hold": 3,
            ]),
        Preset(
            "profile", "Profile",
            "A name that stays; further texts, such as roles, are typed and erased below it, forever.",
            Look(
                ["color": "{ink}"], palette: Palette(light: github(), dark: githubDark()),
                subtitles: [
                    Look.Subtitle(
                        size: 0.5,
                        [
                            "weight": 500, "letterSpacing": 0, "lineHeight": 1.3,
                            "effect": "typewriter", "interval": 0.07, "cursor": "bar",
                        ],
                        paints: ["color": "{accent}"])
                ]),
            [
                "maxWidth": 830, "fit": "shrink", "minSize": 16, "maxLines": 12, "wrap": "balance",
                "font": "Inter, sans-serif", "weight": 800, "size": 64, "letterSpacing": "-0.03em",
                "lineHeight": 1.1, "padding": 24, "spacing": 10, "cornerRadius": 12,
                "effect": "none", "sequence": "rotate", "hold": 1.8, "loop": "infinite",
            ]),
        Preset(
            "release", "Release", "A version in a pill, then a title, then a date or another line.",
            Look(
                ["color": "{ground}", "markColor": "{accent}"],
                palette: Palette(light: github(), dark: githubDark()),
                subtitles: [
                    Look.Subtitle(
                        size: 2.6,
                        [
                            "weight": 800, "letterSpacing": "-0.03em", "lineHeight": 1.1,
                            "mark": "none",
                        ],
                        paints: ["color": "{ink}"]),
                    Look.Subtitle(
                        size: 1, ["weight": 450, "lineHeight": 1.3, "mark": "none"]),
                ]),
            [
                "maxWidth": 812, "fit": "shrink", "minSize": 14, "maxLines": 12, "wrap": "balance",
                "font": "Inter, sans-serif", "weight": 650, "size": 20, "lineHeight": 1.9,
                "padding": 28, "spacing": 14, "align": "center", "cornerRadius": 12, "mark": "pill",
                "markDuration": 0.4, "effect": "rise", "gap": 0.1, "hold": 3,
            ]),
    ]
}
