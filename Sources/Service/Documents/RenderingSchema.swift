import Encoders
import Rendering

/// The schemas of the JSON rendering (docs/api.md, *The JSON rendering*).
enum RenderingSchema {
    static let all: [(String, JSONNode)] = [
        ("Rendering", rendering), ("RenderedBlock", block), ("Line", line), ("Run", run),
        ("Glyph", glyph), ("Rect", rect), ("Clip", clip), ("Keyframe", keyframe),
        ("ColorKeyframe", colorKeyframe), ("RenderedShadow", shadow),
        ("RenderedGradient", gradient), ("RenderedShimmer", shimmer), ("RenderedLayer", layer),
        ("RenderedOutline", outline), ("RenderedImage", image), ("PlacedImage", placedImage),
    ]

    private static let rendering: JSONNode = .object(
        "The scene: its glyphs, their places, and their motion. Lengths are in CSS pixels, times in seconds.",
        [
            ("version", .integer("The version of this schema.")),
            ("width", .number("The canvas's width.")),
            ("height", .number("The canvas's height.")),
            ("title", .text("The text for screen readers.")),
            ("background", .text("A colour or a gradient.")),
            ("duration", .number("The duration of one cycle.")),
            ("finished", .number("The instant at which the last text is complete.")),
            (
                "loop",
                ["anyOf": [["type": "integer"], ["type": "string", "enum": ["infinite"]]]]
            ), ("seed", .integer("The random seed.")),
            ("blocks", .array(.reference("RenderedBlock"), "The texts.")),
            ("glyphs", .array(.reference("Glyph"), "All glyphs, in blocks' and reading order.")),
            ("gradients", .array(.reference("RenderedGradient"), "Each gradient in its place.")),
            ("warnings", .array(.reference("Warning"), "Parts of the request that are not shown.")),
        ],
        optional: [
            ("lang", .text("The language of all texts.")),
            ("backgroundGradient", .integer("An index into gradients.")),
            ("darkBackground", .text("The background where the viewer prefers dark.")),
            ("darkBackgroundGradient", .integer("An index into gradients.")),
            ("darkBorderColor", .text("The border's colour where the viewer prefers dark.")),
            (
                "paintTurns",
                .array(.reference("Keyframe"), "The turns by which gradients have moved.")
            ), ("shimmers", .array(.reference("RenderedShimmer"), "Light that passes over texts.")),
            ("layers", .array(.reference("RenderedLayer"), "What is drawn, in order.")),
            ("outlines", .array(.reference("RenderedOutline"), "Each shape.")),
            ("images", .array(.reference("RenderedImage"), "Each picture.")),
            ("cornerRadius", .number("The radius of the background's corners.")),
            ("borderWidth", .number("The width of a line within the background's edge.")),
            ("borderColor", .text("The colour of that line.")),
        ])

    private static let block: JSONNode = .object(
        "A text.",
        [
            ("index", .integer("Its place.")), ("text", .text("Its characters without markup.")),
            ("effect", .text("The name of its effect.")),
            ("enterStart", .number("The start of its entrance.")),
            ("enterEnd", .number("The end of its entrance.")),
            ("exitStart", .optionalNumber("The start of its exit.")),
            ("exitEnd", .optionalNumber("The end of its exit.")), ("rect", .reference("Rect")),
            ("lines", .array(.reference("Line"), "Its lines.")),
        ],
        optional: [
            ("at", .number("With sequence=timed: the instant at which it comes.")),
            (
                "until",
                [
                    "type": ["number", "null"],
                    "description": "With sequence=timed: the instant at which it has gone.",
                ]
            ), ("times", .array(wordTime, "Its words that have times.")),
            ("outlineWidth", .number("The width of a line beneath all fills.")),
            ("outlineColor", .text("The colour of that line.")),
            ("darkOutlineColor", .text("The same where the viewer prefers dark.")),
            ("shadow", .text("Shadows as in CSS, the first on top.")),
            ("shadows", .array(.reference("RenderedShadow"), "The same as objects.")),
            (
                "darkShadows",
                .array(.reference("RenderedShadow"), "The same where the viewer prefers dark.")
            ),
        ])

    private static let wordTime: JSONNode = .object(
        "A word with the time in which it is said.",
        [
            ("at", .number("Its start.")), ("until", .number("Its end.")),
            ("first", .integer("The index of its first glyph.")),
            ("last", .integer("The index of its last glyph.")),
        ])

    private static let direction: (String, JSONNode) = (
        "direction", .choice(["ltr", "rtl"], "The direction of writing.")
    )

    private static let line: JSONNode = .object(
        "A line.",
        [
            ("index", .integer("Its place in the block.")), ("rect", .reference("Rect")),
            ("baseline", .number("The baseline's y.")), direction,
            ("runs", .array(.reference("Run"), "Neighbours of one font, colour, and direction.")),
        ])

    private static let run: JSONNode = .object(
        "Neighbouring glyphs of one font, colour, and direction.",
        [
            ("font", .text("Family, weight unless 400, italic, size.")),
            ("family", .text("A font family.")), ("weight", .integer("From 1 to 1000.")),
            ("style", .choice(["normal", "italic"], "The style.")),
            ("size", .number("CSS pixels in one em.")), ("css", .text("A value of CSS's font.")),
            ("features", .text("OpenType features.")),
            ("variations", .text("Axes of a variable font.")),
            ("letterSpacing", .number("CSS pixels between graphemes.")),
            ("lang", .text("A language tag.")),
            ("color", .text("A colour or a gradient.")), direction,
            ("glyphs", .array(.integer("An index."), "Indices into the rendering's glyphs.")),
        ])

    private static let glyph: JSONNode = .object(
        "An element that moves on its own: a glyph of the text, or one drawn beside the text.",
        members(JSONGlyphMember.all.filter { !$0.isOptional }),
        optional: members(JSONGlyphMember.all.filter(\.isOptional)))

    private static func members(_ members: [JSONGlyphMember]) -> [(String, JSONNode)] {
        members.map { ($0.name, values($0.values, $0.summary)) }
    }

    private static func values(_ values: JSONGlyphMember.Values, _ summary: String) -> JSONNode {
        switch values {
        case .integer: .integer(summary)
        case .number: .number(summary)
        case .text: .text(summary)
        case .flag: .flag(summary)
        case .choice(let names): .choice(names, summary)
        case .range:
            .object(
                summary,
                [
                    ("start", .integer("In UTF-16 code units.")),
                    ("length", .integer("In UTF-16 code units.")),
                ])
        case .object(let name): .reference(name, summary)
        case .objects(let name): .array(.reference(name), summary)
        }
    }

    private static let rect: JSONNode = .object(
        "A box on the canvas.",
        [
            ("x", .number("Its left side.")), ("y", .number("Its top.")),
            ("width", .number("Its width.")), ("height", .number("Its height.")),
        ])

    private static let shadow: JSONNode = .object(
        "A shadow of glyphs and their outlines.",
        [
            ("offsetX", .number("To the right.")), ("offsetY", .number("Downwards.")),
            ("blurRadius", .number("Twice the standard deviation.")), ("color", .text("A colour.")),
        ])

    private static let gradient: JSONNode = .object(
        "A gradient along a line of the canvas, or around a centre, whose stops mix without their "
            + "alpha.",
        [
            (
                "stops",
                .array(
                    .object(
                        "A colour in its place.",
                        [
                            (
                                "offset",
                                .number(
                                    "From 0 to 1; in a conic gradient, turns from its angle.")
                            ), ("color", .text("A colour.")),
                        ]), "In rising order.")
            )
        ],
        optional: [
            ("type", .text("radial or conic; a gradient along a line has none.")),
            ("x1", .number("The x of the line's start.")),
            ("y1", .number("The y of the line's start.")),
            ("x2", .number("The x of the line's end.")),
            ("y2", .number("The y of the line's end.")), ("x", .number("The centre's x.")),
            ("y", .number("The centre's y.")),
            ("radiusX", .number("Half the width of the ellipse at offset 1.")),
            ("radiusY", .number("Half its height.")),
            ("angle", .number("Degrees clockwise from upwards at offset 0.")),
            ("repeats", ["type": "boolean", "description": "Whether the stops begin again."]),
            ("motion", .choice(["pan", "spin", "breathe"], "Its motion in a turn.")),
            ("centerX", .number("The x of the point that it turns or grows about.")),
            ("centerY", .number("The y of the point that it turns or grows about.")),
        ])

    private static let shimmer: JSONNode = .object(
        "Light that passes over the glyphs of a text.",
        [
            ("block", .integer("The index of the text.")),
            ("gradient", .integer("An index into gradients: the light before it moves.")),
            (
                "passage",
                .array(
                    .reference("Keyframe"),
                    "The distance that it has travelled, in lengths of the gradient's line.")
            ),
        ])

    private static let layer: JSONNode = .object(
        "One part of several glyphs, drawn glyph by glyph.",
        [
            (
                "part",
                .choice(
                    ["fill", "outline", "shadow"],
                    "The ink with its pen, a line along its edges, or its shadow.")
            ),
            ("glyphs", .array(.integer("An index."), "Indices into glyphs, in order.")),
        ],
        optional: [
            ("scheme", .choice(["light", "dark"], "The only colour scheme in which it is shown.")),
            ("gradient", .integer("The gradient of all its glyphs, which stays on the canvas.")),
            ("darkGradient", .integer("The same where the viewer prefers dark.")),
            ("shimmer", .integer("An index into shimmers: the light that is drawn.")),
            ("outlineWidth", .number("The width of the line; the shadow is that of both.")),
            ("color", .text("The colour of an outline or a shadow.")),
            ("darkColor", .text("The same where the viewer prefers dark.")),
            ("offsetX", .number("To the right, before the glyph's motion.")),
            ("offsetY", .number("Downwards, before the glyph's motion.")),
            ("blurRadius", .number("Twice the standard deviation.")),
        ])

    private static let outline: JSONNode = .object(
        "A shape.",
        [
            ("unitsPerEm", .number("Font units in one em.")),
            ("length", .number("The length of its longest contour, in font units.")),
            ("box", .reference("Rect", "The box of its ink, in font units.")),
            ("path", .text("Path data of SVG in font units, y downwards.")),
        ])

    private static let image: JSONNode = .object(
        "A picture.",
        [
            ("width", .integer("In pixels.")), ("height", .integer("In pixels.")),
            ("url", .text("A data URL of a PNG.")),
        ])

    private static let placedImage: JSONNode = .object(
        "A picture in its place.",
        [
            ("image", .integer("An index into images.")), ("x", .number("Its left side.")),
            ("y", .number("Its top.")), ("width", .number("Its width.")),
            ("height", .number("Its height.")),
        ])

    private static let clip: JSONNode = .object(
        "A box outside which nothing is drawn, from start until just before end.",
        [
            ("start", .number("The instant at which it begins.")),
            ("end", .number("The instant at which it ends.")), ("x", .number("Its left side.")),
            ("y", .number("Its top.")), ("width", .number("Its width.")),
            ("height", .number("Its height.")),
        ],
        optional: [
            ("from", .reference("Rect")), ("easing", easing),
        ])

    private static let keyframe = keyframe(of: .number("The value then."))
    private static let colorKeyframe = keyframe(of: .text("The colour then."))

    private static func keyframe(of value: JSONNode) -> JSONNode {
        .object(
            "A value at an instant.",
            [("time", .number("From the start of the cycle.")), ("value", value)],
            optional: [("easing", easing)])
    }

    private static let easing: JSONNode = [
        "description": "The easing from here on; linear if absent.",
        "anyOf": [
            ["type": "string", "enum": ["hold"]],
            ["type": "array", "items": ["type": "number"], "minItems": 4, "maxItems": 4],
        ],
    ]
}
