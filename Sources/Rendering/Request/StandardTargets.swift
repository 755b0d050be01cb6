import Bytes
import Motion

extension Target {
    /// The rules of each place, and the look of its files if the request gives none.
    static let all: [Target] = emoji + stickers + pages + videos

    private static let emoji: [Target] = [
        Target(
            "slack-emoji", "Slack emoji", "gif",
            "A GIF of 128 by 128 pixels, up to 128 KB, 50 frames, and 25 frames a second.",
            source: "https://slack.com/help/articles/206870177",
            canvas(128, 128, padding: 6) + edge + still + [
                bytes(128_000), most("maxCycle", 5), most("maxFrames", 50),
                most("fps", 25), usually("loop", .string("infinite")),
            ]),
        Target(
            "discord-emoji", "Discord emoji", "gif",
            "A GIF of 128 by 128 pixels, up to 256 KB.",
            source: "https://support.discord.com/hc/en-us/articles/360036479811",
            canvas(128, 128, padding: 6) + edge + still + [
                bytes(256_000), usually("maxCycle", .number(10)),
                usually("loop", .string("infinite")),
            ]),
        Target(
            "twitch-emote", "Twitch emote", "gif",
            "A GIF of 112 by 112 pixels, up to 1 MB and 60 frames.",
            source: "https://help.twitch.tv/s/article/emote-guidelines",
            canvas(112, 112, padding: 5) + edge + still + [
                bytes(1_000_000), usually("maxCycle", .number(10)),
                most("maxFrames", 60), usually("loop", .string("infinite")),
            ]),
        Target(
            "telegram-emoji", "Telegram emoji", "webm",
            "A WebM of 100 by 100 pixels and 30 frames a second, up to 256 KB and three seconds; its "
                + "first frame is the finished text.",
            source: "https://core.telegram.org/stickers/webm-vp9-encoding",
            canvas(100, 100, padding: 4) + edge + telegramVideo),
    ]

    private static let stickers: [Target] = [
        Target(
            "discord-sticker", "Discord sticker", "apng",
            "An APNG of 320 by 320 pixels, up to 512 KB and five seconds.",
            source: "https://support.discord.com/hc/en-us/articles/4402687377815",
            canvas(320, 320, padding: 12) + edge + still + [
                bytes(512_000), most("maxCycle", 5),
                usually("loop", .string("infinite")),
            ]),
        Target(
            "telegram-sticker", "Telegram sticker", "webm",
            "A WebM of 512 by 512 pixels and 30 frames a second, up to 256 KB and three seconds; its "
                + "first frame is the finished text.",
            source: "https://core.telegram.org/stickers/webm-vp9-encoding",
            canvas(512, 512, padding: 16) + edge + telegramVideo),
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
            "An APNG of 320 by 270 pixels, up to 300 KB and 20 frames, that takes one, two, three, "
                + "or four seconds with all its loops.",
            source: "https://creator.line.me/en/guideline/animationsticker/",
            canvas(320, 270, padding: 12) + edge + still + [
                bytes(300_000), only("cycleStep", .number(1)), least("minCycle", 1),
                Value(parameter: "loop", value: .number(1), rule: .atMost(4)),
                Value(parameter: "maxCycle", value: nil, rule: .atMostForLoops(4)),
                only("minFrames", .number(5)), most("maxFrames", 20),
            ]),
        Target(
            "whatsapp-sticker", "WhatsApp sticker", "webp",
            "A WebP of 512 by 512 pixels, up to 500 KB and ten seconds.",
            source: "https://github.com/WhatsApp/stickers/blob/main/Android/README.md",
            canvas(512, 512, padding: 16) + edge + still + [
                bytes(500_000), most("maxCycle", 10),
                usually("loop", .string("infinite")),
            ]),
        Target(
            "imessage", "iMessage sticker", "apng",
            "An APNG of 408 by 408 pixels, up to 500 KB.",
            source: "https://developer.apple.com/documentation/messages/mssticker/"
                + "init%28contentsoffileurl:localizeddescription:%29",
            canvas(408, 408, padding: 14) + edge + still + [
                bytes(500_000), usually("maxCycle", .number(10)),
                usually("loop", .string("infinite")),
            ]),
    ]

    private static let pages: [Target] = [
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
                bytes(200_000),
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
            "x-gif", "GIF on X", "gif",
            "A GIF of 800 by 450 pixels on a background, or another size up to 1280 by 1080, up to "
                + "15 MB and 300 million pixels in all frames.",
            source: "https://docs.x.com/x-api/media/quickstart/best-practices",
            still + [
                Value(parameter: "width", value: .number(800), rule: .atMost(1280)),
                Value(parameter: "height", value: .number(450), rule: .atMost(1080)),
                only("scale", .number(1)), usually("fit", .string("fill")),
                usually("minSize", .number(4)), usually("padding", .number(50)),
                usually("align", .string("center")), look("background", .string("#fff")),
                bytes(15_000_000),
                // 217 of 1280 by 1080 pixels are 300 million.
                most("maxFrames", 217), usually("loop", .string("infinite")),
            ]),
        Target(
            "og", "Link preview", "png",
            "A PNG of 1200 by 630 pixels, for previews of links.",
            source: "https://ogp.me",
            canvas(1200, 630, padding: 80) + [look("background", .string("#fff"))]),
    ]

    private static let videos: [Target] = [
        Target(
            "story", "Story", "mp4",
            "An MP4 of 1080 by 1920 pixels and 30 frames a second on a background, of 3 to 60 "
                + "seconds.",
            source: "https://www.facebook.com/business/help/103816146375741",
            portrait + [usually("fps", .number(30)), most("maxCycle", 60)]),
        Target(
            "reel", "Reel", "mp4",
            "An MP4 of 1080 by 1920 pixels and 30 frames a second on a background, of 3 seconds or "
                + "more.",
            source: "https://www.facebook.com/business/ads-guide/update/video/instagram-reels",
            portrait + [Value(parameter: "fps", value: .number(30), rule: .atLeast(23))]),
        Target(
            "tiktok", "TikTok", "mp4",
            "An MP4 of 1080 by 1920 pixels and 30 frames a second on a background, of 3 seconds or "
                + "more.",
            source: "https://developers.tiktok.com/doc/content-posting-api-media-transfer-guide",
            portrait + [Value(parameter: "fps", value: .number(30), rule: .atLeast(23))]),
        Target(
            "square", "Square video", "mp4",
            "An MP4 of 1080 by 1080 pixels and 30 frames a second on a background, of 3 to 60 "
                + "seconds.",
            source: "https://developers.facebook.com/docs/instagram/ads-api/reference/"
                + "media-requirements/",
            canvas(1080, 1080, padding: 60) + feed + [
                usually("safeArea", .number(5)),
                usually("fps", .number(30)), most("maxCycle", 60),
            ]),
        Target(
            "lower-third", "Lower third", "mov",
            "A QuickTime file of 1920 by 1080 pixels with alpha, or of 3840 by 2160 with scale=2, with "
                + "a card at the bottom left, within the safe area.",
            [
                only("width", .number(1920)), only("height", .number(1080)),
                Value(parameter: "scale", value: .number(1), rule: .atMost(2)),
                usually("safeArea", .number(5)), usually("align", .string("start")),
                usually("valign", .string("bottom")), usually("maxWidth", .number(1280)),
                usually("size", .number(72)), usually("padding", .number(36)),
                usually("fit", .string("shrink")), usually("exit", .string("auto")),
                usually("hold", .number(3)),
                Value(
                    parameter: "preset", value: .string("lower-third"), rule: .edge, isNew: true),
            ]),
    ]

    // MARK: Values

    private static func only(_ parameter: String, _ value: RawValue) -> Value {
        Value(parameter: parameter, value: value, rule: .only)
    }

    /// A number that is also the most.
    private static func most(_ parameter: String, _ number: Double) -> Value {
        Value(parameter: parameter, value: .number(number), rule: .atMost(number))
    }

    /// The most bytes of a file.
    private static func bytes(_ count: Double) -> Value {
        Value(parameter: "maxBytes", value: .number(count), rule: .budget(count))
    }

    /// A number that is also the least.
    private static func least(_ parameter: String, _ number: Double) -> Value {
        Value(parameter: parameter, value: .number(number), rule: .atLeast(number))
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

    /// The values of all of Telegram's videos, which it repeats, and shows as stills too.
    private static let telegramVideo = [
        bytes(256_000), most("maxCycle", 3), only("fps", .number(30)),
        only("loop", .string("infinite")),
        Value(parameter: "poster", value: .string("hold"), rule: .any, isNew: true),
    ]

    /// The values of videos that fill a phone, whose edges its controls cover.
    private static let portrait =
        canvas(1080, 1920, padding: 40) + feed + [usually("safeArea", .string("14 6 35"))]

    /// The values of videos in feeds: of three seconds at least, and on a background.
    private static let feed = [
        look("background", .string("#fff")), least("minCycle", 3),
    ]
}
