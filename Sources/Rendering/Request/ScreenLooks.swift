import Bytes
import Motion

extension PresetCatalog {
    /// The looks of code, of screens, and of boards.
    static let screenLooks = [
        Preset(
            "terminal", "Terminal", "A terminal in which someone types.",
            Look(
                [
                    "background": "{ground}", "borderColor": "{rule}", "color": "{ink}",
                ],
                palette: always(githubDark(ink: 0x7EE787)), isDark: true),
            [
                "maxWidth": 818, "fit": "shrink", "minSize": 16, "wrap": "normal",
                "font": "JetBrains Mono, monospace", "size": 24, "weight": 500, "padding": 28,
                "cornerRadius": 12, "borderWidth": 1, "codeTheme": "dark", "darkCodeTheme": "dark",
                "titleBar": true, "effect": "typewriter", "interval": 0.06,
                "jitter": 0.5,
                "cursor": "block", "hold": 2,
            ]),
        Preset(
            "editor", "Editor", "Code as an editor shows it, typed line by line.",
            Look(
                ["background": "{ground}", "borderColor": "{rule}", "color": "{ink}"],
                palette: Palette(light: github(), dark: githubDark())),
            [
                "maxWidth": 900, "fit": "shrink", "minSize": 12, "wrap": "pretty",
                "font": "JetBrains Mono, monospace", "size": 18, "lineHeight": 1.5,
                "padding": 28, "cornerRadius": 12, "borderWidth": 1,
                "codeTheme": "light", "darkCodeTheme": "dark", "lineNumbers": true,
                "titleBar": true, "effect": "typewriter", "interval": 0.03,
                "indentation": "instant", "cursor": "bar", "hold": 3,
            ]),
        Preset(
            "session", "Terminal session",
            "A terminal session: commands behind a prompt are typed, and their output appears.",
            Look(
                ["background": "{ground}", "borderColor": "{rule}", "color": "{ink}"],
                palette: Palette(light: github(), dark: githubDark())),
            [
                "maxWidth": 810, "fit": "shrink", "minSize": 14, "wrap": "normal",
                "font": "JetBrains Mono, monospace", "size": 20, "lineHeight": 1.5,
                "fontFeatures": "calt=0", "padding": 28, "cornerRadius": 12, "borderWidth": 1,
                "codeLanguage": "console", "codeTheme": "light", "darkCodeTheme": "dark",
                "titleBar": true, "effect": "typewriter", "prompt": "$", "jitter": 0.4,
                "pauseAfterCommand": 0.6, "cursor": "block", "hold": 3,
            ]),
        Preset(
            "diff", "Difference",
            "Removed lines in red and added ones in green; a second text is edited out of the first.",
            Look(
                ["background": "{ground}", "borderColor": "{rule}", "color": "{ink}"],
                palette: Palette(light: github(), dark: githubDark())),
            [
                "maxWidth": 900, "fit": "shrink", "minSize": 12, "wrap": "pretty",
                "font": "JetBrains Mono, monospace", "size": 18, "lineHeight": 1.6,
                "fontFeatures": "calt=0", "padding": 28, "cornerRadius": 12, "borderWidth": 1,
                "codeLanguage": "diff", "codeTheme": "light", "darkCodeTheme": "dark",
                "titleBar": true, "effect": "rewrite", "sequence": "replace", "valign": "top",
                "hold": 2,
            ]),
        Preset(
            "decode", "Decoding", "Letters that flicker until each is found.",
            Look(
                ["color": "{accent}"],
                palette: Palette(
                    light: github(accent: 0x1A7F37), dark: githubDark(accent: 0x3FB950)),
                subtitles: [Look.Subtitle(size: 0.6, ["weight": 400])]),
            [
                "maxWidth": 830, "fit": "shrink", "minSize": 16, "maxLines": 20, "wrap": "balance",
                "font": "JetBrains Mono, monospace", "weight": 700, "size": 36, "padding": 24,
                "cornerRadius": 12, "effect": "scramble", "interval": 0.07, "lead": 0.5, "hold": 3,
            ]),
        Preset(
            "countdown", "Countdown",
            "Large figures that turn like a departure board's, also for countdowns to a time.",
            Look(
                ["background": "{ground}", "borderColor": "{rule}", "color": "{accent}"],
                palette: Palette(light: github(), dark: githubDark(ground: 0x161B22))),
            [
                "maxWidth": 830, "fit": "shrink", "minSize": 20, "maxLines": 9, "wrap": "balance",
                "font": "Inter, sans-serif", "weight": 800, "size": 88,
                "letterSpacing": "-0.03em", "fontFeatures": "tnum", "lineHeight": 1.1,
                "padding": 36, "align": "center", "cornerRadius": 18, "borderWidth": 1,
                "effect": "roll", "flip": true, "continues": true, "trend": "down", "turns": 0,
                "interval": 0, "duration": 0.4, "sequence": "replace", "hold": 0.6,
            ]),
        Preset(
            "flap", "Departure board",
            "Letters that turn over on the dark flaps of a station's board.",
            Look(
                ["background": "{ground}", "color": "{accent}", "borderColor": "{rule}"],
                palette: always(
                    githubDark(ground: 0x15171B, muted: 0xB9B39A, accent: 0xFFC83D)),
                isDark: true,
                subtitles: [Look.Subtitle(size: 0.6, ["weight": 400])]),
            [
                "maxWidth": 830, "fit": "shrink", "minSize": 16, "maxLines": 16, "wrap": "balance",
                "font": "JetBrains Mono, monospace", "weight": 700, "size": 40,
                "letterSpacing": "0.08em", "padding": 28, "cornerRadius": 8, "borderWidth": 1,
                "effect": "flap", "hold": 3,
            ]),
    ]
}
