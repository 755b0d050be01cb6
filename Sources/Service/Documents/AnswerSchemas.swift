import Rendering

/// The schemas of the answers in JSON, except for renderings, whose formats have their own.
enum AnswerSchemas {
    static let all: [(String, JSONNode)] = [
        ("Problem", problem), ("Fault", fault), ("Warning", warning), ("Embedding", embedding),
        ("Canonical", canonical), ("Health", health), ("ParameterEntry", parameterEntry),
        ("Parameters", list("parameters", of: "ParameterEntry")), ("EffectEntry", effectEntry),
        ("Effects", list("effects", of: "EffectEntry")), ("FormatEntry", formatEntry),
        ("Formats", list("formats", of: "FormatEntry")), ("PresetEntry", presetEntry),
        ("Presets", list("presets", of: "PresetEntry")), ("TargetEntry", targetEntry),
        ("Targets", list("targets", of: "TargetEntry")), ("FontEntry", fontEntry),
        ("Fonts", list("fonts", of: "FontEntry")), ("PictureEntry", pictureEntry),
        ("PictureCatalog", list("pictures", of: "PictureEntry")),
    ]

    private static let problem: JSONNode = .object(
        "A problem (RFC 9457).",
        [
            ("type", .text("The address of its section in the documentation.")),
            ("title", .text("A short description of the problem.")),
            ("status", .integer("The status of the answer.")),
            ("errors", .array(.reference("Fault"), "Each fault with its parameter.")),
        ])

    private static let fault: JSONNode = .object(
        "A fault of one parameter.",
        [
            ("parameter", .text("Its name, such as blocks[1].size.")),
            ("message", .text("A phrase that follows the name.")),
        ])

    private static let warning: JSONNode = .object(
        "A part of the request that the rendering does not show.",
        [("code", .text("One of a few words.")), ("message", .text("A sentence."))],
        optional: [
            ("block", .integer("The block concerned.")),
            ("padding", .integer("The padding, in CSS pixels, that would help.")),
        ])

    private static let embedding: JSONNode = .object(
        "Addresses, and code that shows the rendering elsewhere.",
        [
            ("url", .optionalText("The address with the request in its query.")),
            ("permalink", .optionalText("The address that always gives the same rendering.")),
            ("markdown", .optionalText("An image in Markdown.")),
            ("html", .optionalText("An img element.")),
            (
                "picture",
                .optionalText(
                    "A picture element with the colours for light and for dark, and stills.")
            ),
            ("css", .optionalText("Declarations of a background.")),
            ("curl", .optionalText("A command that downloads it.")),
            ("width", .number("CSS pixels.")),
            ("height", .number("CSS pixels.")), ("alt", .text("The text, in one line.")),
            ("duration", .number("Seconds of one cycle.")),
            (
                "estimate",
                .optionalNumber(
                    "The seconds that making a video takes; null for other formats.")
            ),
            ("warnings", .array(.reference("Warning"), "The warnings of the rendering.")),
        ])

    private static let canonical: JSONNode = .object(
        "The identity of a request.",
        [
            ("key", .text("The same for requests with the same bytes.")),
            ("format", .text("The name of the format.")),
            ("location", .optionalText("The target that always gives the same rendering.")),
        ])

    private static let health: JSONNode = .object(
        "The state of the service.", [("status", .text("ok, failing, or draining."))],
        optional: [("reasons", .array(.text("A library, and its message."), "Why it fails."))])

    private static let parameterEntry: JSONNode = .object(
        "A parameter of requests.",
        [
            ("name", .text("Its name.")), ("type", .text("The kind of its values.")),
            ("default", ["description": "The value if none is given; null if there is none."]),
            ("description", .text("Its meaning.")),
            ("schema", ["type": "object", "description": "The JSON Schema of its values."]),
        ],
        optional: [
            ("values", .array(.text("A value."), "The values of a choice.")),
            ("unit", .text("The unit of a number.")), ("minimum", .number("The least number.")),
            ("maximum", .number("The greatest number.")),
            ("block", .flag("True if a block may have its own.")),
            ("formats", .array(.text("A name."), "The formats that read it, if not all do.")),
        ])

    private static let effectEntry: JSONNode = .object(
        "An effect.", entry + [("group", .text("The group in which it is shown.")), parameters])

    private static let formatEntry: JSONNode = .object(
        "An output format.",
        entry + [
            ("mediaType", .text("Its media type.")),
            ("extension", .text("The extension of its files.")),
            ("animated", .flag("True if its files move.")),
            ("darkColors", .flag("True if its files follow the viewer's colour scheme.")),
            parameters,
        ])

    private static let presetEntry: JSONNode = .object(
        "Parameters under a name.",
        entry + [
            ("group", .text("The group in which it is shown.")),
            ("parameters", ["type": "object", "description": "Parameters with their values."]),
        ],
        optional: [
            ("summary", .text("Its purpose.")), ("source", .text("The source of its colours.")),
            (
                "roles",
                .object(
                    "A palette's colours by role.",
                    [
                        ("light", ["type": "object", "description": "Under a light scheme."]),
                        ("dark", ["type": "object", "description": "Under a dark scheme."]),
                        (
                            "common",
                            [
                                "type": "object",
                                "description": "For parameters without a dark counterpart.",
                            ]
                        ),
                    ])
            ),
            (
                "paints",
                [
                    "type": "object",
                    "description": "A look's paints, in which {accent} is the palette's accent.",
                ]
            ),
            ("dark", .flag("True if a look has the palette's dark colours under both schemes.")),
            (
                "subtitles",
                .array(
                    .object(
                        "The style of a text after the first.",
                        [
                            ("size", .number("Its size, as a multiple of the first's.")),
                            ("parameters", ["type": "object", "description": "Its values."]),
                            ("paints", ["type": "object", "description": "Its paints."]),
                        ]),
                    "The styles of the texts after the first; the last one is that of all further "
                        + "texts.")
            ),
            (
                "inVideos",
                ["type": "object", "description": "Values that the preset has in videos only."]
            ),
        ])

    private static let targetEntry: JSONNode = .object(
        "A place that files go to.",
        entry + [
            ("format", .text("The name of the format that it takes.")),
            ("summary", .text("The files that it accepts.")),
            (
                "parameters",
                .array(
                    .object(
                        "A parameter's value, and the rule of the place.",
                        [
                            ("name", .text("The parameter.")),
                            (
                                "rule",
                                .text(
                                    "`any`; a `look`, which yields to presets; an `edge`, an `ink`, or "
                                        + "`lines`, for texts that have none of their own; `only` that "
                                        + "value; `atMost` or `atLeast` so much; `budget`, where "
                                        + "more counts as so much; `atMostForLoops`, so much divided "
                                        + "by `loop`.")
                            ),
                        ],
                        optional: [
                            ("value", ["description": "The value of a request that gives none."]),
                            (
                                "most",
                                .number("The most, with `atMost`, `budget`, and `atMostForLoops`.")
                            ),
                            ("least", .number("The least, with `atLeast`.")),
                        ]), "The parameters of requests.")
            ),
        ],
        optional: [
            ("source", .text("The address of the place's own rules.")),
            ("width", .number("The width of its files in pixels, or the most.")),
            ("height", .number("The height of its files in pixels, or the most.")),
            ("maxBytes", .number("The most bytes of a file.")),
        ])

    private static let fontEntry: JSONNode = .object(
        "An installed font family.",
        [
            ("family", .text("Its name.")),
            ("monospace", .flag("True if all glyphs have the same width.")),
            ("weights", .array(.number("A weight."), "Its weights.")),
            ("latin", .flag("True if it has Latin letters.")),
            (
                "axes",
                .array(
                    .object(
                        "An axis of a variable font.",
                        [
                            ("tag", .text("Its tag.")), ("minimum", .number("Its least value.")),
                            ("default", .number("Its usual value.")),
                            ("maximum", .number("Its greatest value.")),
                        ]), "Its axes.")
            ),
            ("features", .array(.text("A tag."), "Its OpenType features.")),
        ])

    private static let pictureEntry: JSONNode = .object(
        "A picture that texts may have.",
        [
            ("name", .text("Its name in markup.")), ("width", .integer("In pixels.")),
            ("height", .integer("In pixels.")),
        ])

    // MARK: Parts

    private static let entry: [(String, JSONNode)] = [
        ("name", .text("The name in requests.")), ("title", .text("The name for people.")),
    ]

    private static let parameters: (String, JSONNode) = (
        "parameters", .array(.reference("ParameterEntry"), "Its parameters.")
    )

    private static func list(_ name: String, of entry: String) -> JSONNode {
        .object("A catalogue.", [(name, .array(.reference(entry), "The entries."))])
    }
}

// JSON Schemas as they are written in code.
extension JSONNode {
    /// Returns the schema of an object with required and optional members.
    static func object(
        _ description: String, _ required: [(String, JSONNode)],
        optional: [(String, JSONNode)] = []
    ) -> JSONNode {
        [
            "type": "object", "description": .string(description),
            "properties": .object(required + optional),
            "required": .array(required.map { .string($0.0) }),
        ]
    }

    static func array(_ items: JSONNode, _ description: String) -> JSONNode {
        ["type": "array", "items": items, "description": .string(description)]
    }

    static func text(_ description: String) -> JSONNode {
        ["type": "string", "description": .string(description)]
    }

    static func integer(_ description: String) -> JSONNode {
        ["type": "integer", "description": .string(description)]
    }

    static func number(_ description: String) -> JSONNode {
        ["type": "number", "description": .string(description)]
    }

    static func flag(_ description: String) -> JSONNode {
        ["type": "boolean", "description": .string(description)]
    }

    static func choice(_ names: [String], _ description: String) -> JSONNode {
        [
            "type": "string", "enum": .array(names.map { .string($0) }),
            "description": .string(description),
        ]
    }

    /// Returns the schema of a text that may be null.
    static func optionalText(_ description: String) -> JSONNode {
        ["type": ["string", "null"], "description": .string(description)]
    }

    /// Returns the schema of a number that may be null.
    static func optionalNumber(_ description: String) -> JSONNode {
        ["type": ["number", "null"], "description": .string(description)]
    }
}
