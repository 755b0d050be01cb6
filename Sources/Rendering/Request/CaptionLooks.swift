import Bytes
import Motion

extension PresetCatalog {
    /// The looks of captions, which light up word by word: on white, black, and any film.
    static let captionLooks = [
        captions(
            "captions", "Captions", "Captions on a soft card.",
            ["color": "{ink}", "background": "{ground}e6"],
            [
                "card": "fit", "padding": 18, "cornerRadius": 14, "size": 52, "weight": 600,
                "lineHeight": 1.25, "spacing": 8,
            ]),
        captions(
            "captions-karaoke", "Karaoke captions", "Colour runs through each word as it is said.",
            edged.merging(["spokenColor": "{accent}"]) { $1 }, ["spoken": "sweep"]),
        captions(
            "captions-pop", "Popping captions", "The word that is being said grows.",
            edged.merging(["spokenColor": "{accent}"]) { $1 },
            ["spoken": "color", "spokenScale": 1.08]),
        captions(
            "captions-box", "Boxed captions", "A box slides to the word that is being said.",
            edged.merging(["spokenBox": "{second}"]) { $1 },
            ["spoken": "box", "spokenBoxMotion": "slide"]),
        captions(
            "captions-build", "Built captions", "Words come as they are said.", edged,
            [
                "effect": "slide", "by": "word", "distance": 0.25, "duration": 0.2,
            ]),
        captions(
            "captions-single", "Single words", "One large word at a time.", edged,
            [
                "size": 112, "weight": 900, "outlineWidth": 14, "valign": "middle",
                "effect": "zoom", "by": "all", "duration": 0.15, "pageWords": 1,
            ]),
        captions(
            "captions-lyrics", "Lyrics", "Three lines, of which those that are not sung are dim.",
            edged.merging(["spokenColor": "{ink}"]) { $1 },
            [
                "maxLines": 3, "pageBreak": "pause", "valign": "middle", "lineHeight": 1.4,
                "spoken": "color",
                "upcomingOpacity": 0.5, "pastOpacity": 0.5,
            ]),
    ]

    /// White letters with a dark edge.
    private static let edged: [ByteString: String] = [
        "color": "{ink}", "outlineColor": "{ground}", "shadow": "0 3px 10px {ground}99",
    ]

    /// Makes a look of captions at the bottom of a film.
    private static func captions(
        _ name: String, _ title: String, _ summary: String, _ paints: [ByteString: String],
        _ values: [ByteString: RawValue]
    ) -> Preset {
        let common: [ByteString: RawValue] = [
            "font": "Inter, sans-serif", "size": 60, "weight": 800, "align": "center",
            "valign": "bottom", "safeArea": 6, "lineHeight": 1.2, "wrap": "balance",
            "maxWidth": 830, "effect": "fade", "by": "all", "minDuration": 0.12,
            "maxDuration": 0.12, "maxDelay": 0, "spacing": 12,
        ]
        var all = common
        if values["effect"] != nil {
            for own in ["by", "minDuration", "maxDuration", "maxDelay"] as [ByteString] {
                all[own] = nil
            }
        }
        if values["card"] == nil { all["outlineWidth"] = 9 }
        return Preset(
            name, title, summary,
            Look(
                paints,
                palette: always(
                    githubDark(
                        ground: 0x101014, ink: 0xFFFFFF, accent: 0xFFD60A, second: 0x6E40C9)),
                isDark: true),
            all.merging(values) { $1 })
    }
}
