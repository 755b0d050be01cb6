import Motion

/// A place that files go to, with its demands: a format, a canvas, a rate, a length, a size.
///
/// A request that names a target has its values. They take precedence over the values of presets,
/// except for looks. The request's own values take precedence over them, within the rules.
package struct Target: Sendable {
    /// The demand of the place on a parameter.
    package enum Rule: Equatable, Sendable {
        /// Nothing, and presets count more: a look that suits it.
        case look
        /// Nothing; an edge for a text that has no preset, background, or outline, so that it can be
        /// read on any ground.
        case edge
        /// Nothing; a colour for a text that has none, and neither a preset nor a ground of its own.
        case ink
        /// Nothing; how lines break, for a text of which neither the request nor a preset says so.
        case lines
        /// Nothing.
        case any
        /// Only the target's value.
        case only
        /// A number up to this.
        case atMost(Double)
    }

    package struct Value: Sendable {
        package let parameter: String
        /// The value of a request that does not give it; nil for the parameter's default.
        package let value: RawValue?
        package let rule: Rule
        /// True if it goes with the defaults that version 0.3 did not have.
        var isNew = false
    }

    /// The name in requests.
    package let name: String
    /// The name for people.
    package let title: String
    /// The name of the format that it takes.
    package let format: String
    /// One sentence for people about its demands.
    package let summary: String
    /// The address of the place's own rules; nil if there is only custom.
    package let source: String?
    package let values: [Value]

    private init(
        _ name: String, _ title: String, _ format: String, _ summary: String,
        source: String? = nil, _ values: [Value]
    ) {
        self.name = name
        self.title = title
        self.format = format
        self.summary = summary
        self.source = source
        self.values = values
    }

    // MARK: The targets

    private static func only(_ parameter: String, _ value: RawValue) -> Value {
        Value(parameter: parameter, value: value, rule: .only)
    }

    /// A number that is also the most.
    private static func most(_ parameter: String, _ number: Double) -> Value {
        Value(parameter: parameter, value: .number(number), rule: .atMost(number))
    }

    private static func look(_ parameter: String, _ value: RawValue) -> Value {
        Value(parameter: parameter, value: value, rule: .look)
    }

    private static func usually(_ parameter: String, _ value: RawValue) -> Value {
        Value(parameter: parameter, value: value, rule: .any)
    }

    private static func ink(_ parameter: String, _ color: Color) -> Value {
        Value(parameter: parameter, value: .string(color.text), rule: .ink, isNew: true)
    }

    /// A canvas of so many pixels, which the text fills.
    private static func canvas(_ width: Double, _ height: Double, padding: Double) -> [Value] {
        [
            only("width", .number(width)), only("height", .number(height)),
            only("scale", .number(1)), only("keepSize", .boolean(true)),
            usually("fit", .string("fill")), usually("minSize", .number(4)),
            usually("padding", .number(padding)), usually("align", .string("center")),
            usually("card", .string("canvas")),
        ]
    }

    /// A white line around letters, as stickers have; it grows with the text that fills a canvas.
    private static let edge = [
        Value(parameter: "outlineWidth", value: .number(5), rule: .edge),
        Value(parameter: "outlineColor", value: .string("#ffffff"), rule: .edge),
    ]

    /// The finished text first, for places that also show the first frame as a still.
    private static let still = [
        Value(parameter: "poster", value: .string("end"), rule: .any, isNew: true)
    ]

    /// The values of all of Telegram's videos, which it repeats.
    private static let telegramVideo = [
        most("maxBytes", 256_000), most("maxCycle", 3), only("fps", .number(30)),
        only("loop", .string("infinite")),
    ]

    /// The rules of each place, and the look of its files if the request gives none.
    static let all: [Target] = [
        Target(
            "slack-emoji", "Slack emoji", "gif",
            "A GIF of 128 by 128 pixels, up to 128 KB and 50 frames.",
            source: "https://slack.com/help/articles/206870177",
            canvas(128, 128, padding: 6) + edge + still + [
                most("maxBytes", 128_000), most("maxCycle", 5), most("fps", 10),
                usually("loop", .string("infinite")),
            ]),
        Target(
            "discord-emoji", "Discord emoji", "gif",
            "A GIF of 128 by 128 pixels, up to 256 KB.",
            source: "https://support.discord.com/hc/en-us/articles/360036479811",
            canvas(128, 128, padding: 6) + edge + still + [
                most("maxBytes", 256_000), usually("maxCycle", .number(10)),
                usually("loop", .string("infinite")),
            ]),
        Target(
            "discord-sticker", "Discord sticker", "apng",
            "An APNG of 320 by 320 pixels, up to 512 KB and five seconds.",
            source: "https://support.discord.com/hc/en-us/articles/4402687377815",
            canvas(320, 320, padding: 12) + edge + still + [
                most("maxBytes", 512_000), most("maxCycle", 5),
                usually("loop", .string("infinite")),
            ]),
        Target(
            "telegram-sticker", "Telegram sticker", "webm",
            "A WebM of 512 by 512 pixels and 30 frames a second, up to 256 KB and three seconds.",
            source: "https://core.telegram.org/stickers/webm-vp9-encoding",
            canvas(512, 512, padding: 16) + edge + telegramVideo),
        Target(
            "telegram-emoji", "Telegram emoji", "webm",
            "A WebM of 100 by 100 pixels and 30 frames a second, up to 256 KB and three seconds.",
            source: "https://core.telegram.org/stickers/webm-vp9-encoding",
            canvas(100, 100, padding: 4) + edge + telegramVideo),
        Target(
            "telegram-tgs", "Telegram animated sticker", "tgs",
            "A compressed Lottie animation of 512 by 512 pixels, up to 64 KB and three seconds, "
                + "without masks, pictures, and lines with gradients.",
            source: "https://core.telegram.org/stickers#animated-stickers-and-emoji",
            edge + [
                only("width", .number(512)), only("height", .number(512)),
                usually("fit", .string("fill")), usually("minSize", .number(4)),
                usually("padding", .number(16)), usually("align", .string("center")),
                most("maxCycle", 3), only("loop", .string("infinite")),
            ]),
        Target(
            "line-sticker", "LINE sticker", "apng",
            "An APNG of 320 by 270 pixels, up to 300 KB and 20 frames, that takes two seconds and "
                + "plays once or twice.",
            source: "https://creator.line.me/en/guideline/animationsticker/",
            canvas(320, 270, padding: 12) + edge + still + [
                // In hundredths, every 11th: the last of 19 frames shows the end.
                most("maxBytes", 300_000), only("cycle", .number(2)), most("fps", 9),
                only("minFrames", .number(5)), most("loop", 2),
            ]),
        Target(
            "whatsapp-sticker", "WhatsApp sticker", "webp",
            "A WebP of 512 by 512 pixels, up to 500 KB and ten seconds.",
            source: "https://github.com/WhatsApp/stickers/blob/main/Android/README.md",
            canvas(512, 512, padding: 16) + edge + still + [
                most("maxBytes", 500_000), most("maxCycle", 10),
                usually("loop", .string("infinite")),
            ]),
        Target(
            "github-readme", "GitHub README", "svg",
            "An SVG at most 838 pixels wide, like a README's column.",
            source: "https://docs.github.com/en/authentication/"
                + "keeping-your-account-and-data-secure/about-anonymized-urls",
            [
                most("maxWidth", 838),
                Value(parameter: "width", value: nil, rule: .atMost(838)),
                Value(
                    parameter: "wrap", value: .string("balance"), rule: .lines, isNew: true),
                ink("color", UsualInk.dark), ink("darkColor", UsualInk.light),
            ]),
        Target(
            "email", "E-mail", "gif",
            "A GIF 600 pixels wide that plays once, up to 200 KB; its first frame is the finished "
                + "text.",
            [
                only("width", .number(600)), only("poster", .string("end")),
                only("loop", .number(1)), only("frames", .string("full")),
                most("maxBytes", 200_000),
                usually("scale", .number(1)), usually("align", .string("center")),
                look("background", .string("#fff")),
            ]),
        Target(
            "slides", "Slides", "gif",
            "A GIF of 1920 by 1080 pixels on a background.",
            canvas(1920, 1080, padding: 120) + [
                look("background", .string("#fff")), usually("poster", .string("end")),
            ]),
        Target(
            "story", "Story", "mp4",
            "An MP4 of 1080 by 1920 pixels and 30 frames a second on a background.",
            source: "https://www.facebook.com/business/help/103816146375741",
            canvas(1080, 1920, padding: 120) + [
                look("background", .string("#fff")), usually("fps", .number(30)),
                most("maxCycle", 60),
            ]),
        Target(
            "lower-third", "Lower third", "mov",
            "A QuickTime file of 1920 by 1080 pixels with alpha, or of 3840 by 2160 with scale=2, with "
                + "a card at the bottom left, within the safe area.",
            [
                only("width", .number(1920)), only("height", .number(1080)),
                Value(parameter: "scale", value: .number(1), rule: .atMost(2)),
                usually("safeArea", .number(5)),
                usually("align", .string("start")), usually("valign", .string("bottom")),
                usually("maxWidth", .number(1280)), usually("size", .number(72)),
                usually("padding", .number(36)), usually("fit", .string("shrink")),
                usually("exit", .string("auto")), usually("hold", .number(3)),
                Value(
                    parameter: "preset", value: .string("lower-third"), rule: .edge, isNew: true),
            ]),
        Target(
            "og", "Link preview", "png",
            "A PNG of 1200 by 630 pixels, for previews of links.",
            source: "https://ogp.me",
            canvas(1200, 630, padding: 80) + [look("background", .string("#fff"))]),
    ]
}
