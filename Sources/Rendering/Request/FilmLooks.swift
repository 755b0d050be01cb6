import Bytes
import Motion

extension PresetCatalog {
    /// The looks of titles and captions in films.
    static let filmLooks = [
        Preset(
            "lower-third", "Lower third",
            "A name and a role as television shows them, on a dark card; in videos it leaves.",
            Look(
                [
                    "background": "{ground}f5", "barColor": "{accent}", "color": "{ink}",
                ],
                palette: always(githubDark(ink: 0xFFFFFF, muted: 0xB7BEC7, accent: 0x2F81F7)),
                isDark: true,
                subtitles: [Look.Subtitle(size: 0.5, ["weight": 450, "letterSpacing": 0])],
                inVideos: ["exit": "auto"]),
            [
                "maxWidth": 960, "fit": "shrink", "minSize": 20, "maxLines": 14, "wrap": "balance",
                "font": "Inter, sans-serif", "weight": 700, "size": 56, "letterSpacing": "-0.02em",
                "card": "fit", "padding": 28, "spacing": 6, "bar": "start", "barWidth": 8,
                "barGap": 24,
                "cardEffect": "wipe", "cardDuration": 0.7,
                "cardEasing": "cubic-bezier(0.65, 0, 0.35, 1)", "sequence": "together",
                "effect": "rise", "hold": 4,
            ]),
        Preset(
            "film-title", "Film title",
            "The credits of Birdman: letters appear in the order of the alphabet.",
            Look(
                ["background": "{ground}", "color": "{ink}"],
                palette: always(
                    githubDark(ground: 0x0B0B0C, ink: 0xF5F2EA, muted: 0xA8A296)),
                isDark: true,
                subtitles: [Look.Subtitle(size: 0.36, ["letterSpacing": "0.2em"])]),
            [
                "fit": "shrink", "minSize": 16, "wrap": "balance",
                "width": 960, "height": 400, "padding": 48, "align": "center",
                "font": "Bebas Neue, sans-serif", "weight": 700, "size": 96,
                "letterSpacing": "0.08em", "spacing": 24, "effect": "birdman", "foldCase": true,
                "hold": 3,
            ]),
        Preset(
            "caption", "Caption", "A video's caption on a soft dark card, word by word.",
            Look(
                ["background": "{ground}f2", "color": "{ink}"],
                palette: always(githubDark(ink: 0xFFFFFF)), isDark: true),
            [
                "fit": "shrink", "minSize": 16, "maxLines": 14, "wrap": "balance",
                "maxWidth": 640, "card": "fit", "padding": 18, "align": "center", "size": 34,
                "font": "Inter, sans-serif", "weight": 600, "letterSpacing": "-0.01em",
                "lineHeight": 1.3, "cornerRadius": 14, "spacing": 4,
                "effect": "slide", "by": "word", "distance": 0, "interval": 0.16,
                "duration": 0.2, "hold": 2.5,
            ]),
        Preset(
            "credits", "Credits",
            "The end of a film: lines that run upwards; a second text stands beside the first, as names "
                + "beside roles.",
            Look(
                ["background": "{ground}", "color": "{ink}"],
                palette: always(
                    githubDark(ground: 0x0A0A0C, ink: 0xF5F5F0, muted: 0xA3A39B)), isDark: true,
                subtitles: [Look.Subtitle(size: 1, ["weight": 600], paints: ["color": "{ink}"])]),
            [
                "width": 830, "height": 467, "wrap": "balance",
                "font": "Inter, sans-serif", "weight": 450, "size": 26, "lineHeight": 1.6,
                "padding": 32, "align": "center", "valign": "middle", "flow": "row",
                "spacing": 32, "cornerRadius": 12, "sequence": "together", "effect": "scroll",
                "rate": 60, "exit": "auto", "hold": 0,
            ]),
        Preset(
            "crawl", "News crawl", "A line that runs through a bar once.",
            Look(
                ["background": "{accent}", "color": "{ground}"],
                palette: always(github(accent: 0xB3202C)),
                subtitles: [
                    Look.Subtitle(size: 1, ["weight": 400], paints: ["color": "{ground}"])
                ]),
            [
                "width": 830, "font": "Inter, sans-serif", "weight": 600, "size": 28,
                "wrap": "none", "padding": 14, "flow": "row", "spacing": 20,
                "sequence": "together", "effect": "scroll", "direction": "start", "rate": 140,
                "exit": "auto", "hold": 0,
            ]),
        Preset(
            "ticker", "Ticker", "A line that runs through a bar without an end.",
            Look(
                ["background": "{accent}", "color": "{ground}"],
                palette: always(github(accent: 0x1F2328))),
            [
                "width": 830, "font": "Inter, sans-serif", "weight": 600, "size": 26,
                "wrap": "none", "padding": 14, "fontFeatures": "tnum",
                "effect": "marquee", "rate": 90, "marqueeGap": 1, "loop": "infinite", "hold": 0,
            ]),
    ]
}
