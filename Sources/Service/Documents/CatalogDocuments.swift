import Bytes
package import Encoders
package import Motion
package import Raster
package import Rendering
package import Typesetting

/// The documents that list parameters, effects, formats and fonts.
package enum CatalogDocuments {
    /// Returns the content of `GET /parameters`: all except for the parameters of effects.
    ///
    /// - Parameters:
    ///   - schema: The schema of requests.
    ///   - taken: The parameters that requests may have; nil for all.
    /// - Returns: The texts, then the parameters in the order of the schema.
    static func parameters(_ schema: RequestSchema, taken: [ByteString]?) -> JSONNode {
        var entries = [(name: "text", node: text)]
        for parameter in schema.all {
            let ofBlocks = schema.takesInBlock(parameter)
            var members = self.members(of: parameter) + [("block", .boolean(ofBlocks))]
            let readers = schema.formats.entries(reading: parameter.name)
            if !readers.isEmpty {
                members.append(("formats", .array(readers.map { .string($0.name) })))
            }
            entries.append((parameter.name, .object(members)))
        }
        entries += [("blocks", blocks), ("captions", captions)]
        let isTaken = { (name: String) in taken?.contains(ByteString(name)) ?? true }
        return [
            "parameters": .array(entries.filter { isTaken($0.name) }.map(\.node))
        ]
    }

    /// The entry of `text`, which is no parameter of the schema.
    static let text = texts(
        "text", type: "string", "The text to animate.", [("type", "string"), ("minLength", 1)])

    /// The entry of `blocks`, which is no parameter of the schema.
    static let blocks = texts(
        "blocks", type: "array", "Several texts, instead of text.",
        [
            ("type", "array"), ("minItems", 1),
            ("maxItems", .number(Double(RequestSchema.mostTexts))), ("items", ["type": "object"]),
        ])

    /// The entry of `captions`, which is no parameter of the schema.
    static let captions = texts(
        "captions", type: "string", captionsSummary, [("type", ["string", "array"])])

    /// The schema of captions as a member of a request.
    static let captionsSchema: JSONNode = [
        "description": .string(captionsSummary),
        "anyOf": [
            ["type": "string", "minLength": 1],
            [
                "type": "array", "minItems": 1,
                "items": [
                    "type": "object", "required": ["text", "at"],
                    "properties": [
                        "text": ["type": "string", "minLength": 1], "at": ["type": "number"],
                        "until": ["type": "number"],
                        "times": ["type": "array", "items": ["type": "object"]],
                    ],
                ],
            ],
        ],
    ]

    private static let captionsSummary =
        "The text of a file of captions, or an array of texts with their times, instead of text."

    private static func texts(
        _ name: String, type: String, _ summary: String, _ schema: [(String, JSONNode)]
    ) -> JSONNode {
        .object([
            ("name", .string(name)), ("type", .string(type)), ("default", .null),
            ("description", .string(summary)), ("schema", .object(schema)),
            ("block", .boolean(name.isSame(as: "text"))),
        ])
    }

    /// Returns the content of `GET /effects`.
    package static func effects(_ catalog: EffectCatalog) -> JSONNode {
        .object([("effects", .array(catalog.entries.map(node)))])
    }

    /// Returns the entry of an effect.
    static func node(of effect: EffectCatalog.Entry) -> JSONNode {
        .object([
            ("name", .string(effect.name)), ("title", .string(effect.title)),
            ("group", .string(effect.group.rawValue)),
            ("parameters", .array(effect.parameters.map(node))),
        ])
    }

    /// Returns the content of `GET /formats`.
    package static func formats(_ catalog: FormatCatalog) -> JSONNode {
        .object([
            ("formats", .array(catalog.entries.map(node))),
            (
                "missing",
                .array(
                    catalog.missing.map { format in
                        [
                            "name": .string(format.type.name), "title": .string(format.type.title),
                            "reason": .string(format.reason),
                        ]
                    })
            ),
        ])
    }

    /// Returns the entry of a format.
    static func node(of format: FormatCatalog.Entry) -> JSONNode {
        .object([
            ("name", .string(format.name)), ("title", .string(format.title)),
            ("mediaType", .string(format.type.mediaType)),
            ("extension", .string(format.type.fileExtension)),
            ("animated", .boolean(format.type.isAnimated)),
            ("darkColors", .boolean(format.type.hasDarkColors)),
            ("parameters", .array(format.parameters.map(node))),
        ])
    }

    /// Returns the content of `GET /fonts`: the installed families.
    package static func fonts(_ catalog: FontCatalog) throws(LibraryFault) -> JSONNode {
        let entries = try catalog.families().map { family in
            JSONNode.object([
                ("family", .string(family.name)), ("monospace", .boolean(family.isMonospace)),
                ("weights", .array(family.weights.map { .number(Double($0)) })),
                ("latin", .boolean(family.isLatin)), ("axes", .array(family.axes.map(axis))),
                ("features", .array(family.features.map { .string($0) })),
            ])
        }
        return .object([("fonts", .array(entries))])
    }

    private static func axis(_ axis: FontCatalog.Axis) -> JSONNode {
        .object([
            ("tag", .string(axis.tag)), ("minimum", .number(axis.minimum)),
            ("default", .number(axis.defaultValue)), ("maximum", .number(axis.maximum)),
        ])
    }

    /// Returns the content of `GET /presets`.
    package static func presets(_ catalog: PresetCatalog) -> JSONNode {
        .object([("presets", .array(catalog.entries.map(node)))])
    }

    /// Returns the entries of the palettes among presets.
    package static func palettes(_ catalog: PresetCatalog) -> JSONNode {
        .object([("palettes", .array(catalog.entries.filter { $0.palette != nil }.map(node)))])
    }

    /// Returns the entry of a preset.
    static func node(of preset: Preset) -> JSONNode {
        var members: [(String, JSONNode)] = [
            ("name", .string(preset.name)), ("title", .string(preset.title)),
            ("group", .string(preset.group.rawValue)),
        ]
        if let summary = preset.summary { members.append(("summary", .string(summary))) }
        if let source = preset.source { members.append(("source", .string(source))) }
        members.append(("parameters", JSONNode(.object(preset.values))))
        if let palette = preset.palette { members.append(("roles", roles(of: palette))) }
        if let look = preset.look { members += self.members(of: look) }
        return .object(members)
    }

    private static func roles(of palette: Palette) -> JSONNode {
        func colors(_ color: (Palette.Role) -> Color) -> JSONNode {
            .object(Palette.Role.allCases.map { ($0.rawValue, .string(color($0).text)) })
        }
        return .object([
            ("light", colors { palette.light[$0] }), ("dark", colors { palette.dark[$0] }),
            ("common", colors(palette.common)),
        ])
    }

    private static func members(of look: Look) -> [(String, JSONNode)] {
        var members: [(String, JSONNode)] = [("paints", templates(look.paints))]
        if look.isDark { members.append(("dark", true)) }
        if !look.subtitles.isEmpty {
            let subtitles = look.subtitles.map { subtitle in
                JSONNode.object([
                    ("size", .number(subtitle.size)),
                    ("parameters", JSONNode(.object(look.values(of: subtitle)))),
                    ("paints", templates(subtitle.paints)),
                ])
            }
            members.append(("subtitles", .array(subtitles)))
        }
        if !look.videoValues.isEmpty {
            members.append(("inVideos", JSONNode(.object(look.videoValues))))
        }
        return members
    }

    /// Returns templates by rising name of the parameter.
    private static func templates(_ paints: [ByteString: String]) -> JSONNode {
        .canonical(paints.map { ($0.key.text, .string($0.value)) })
    }

    /// Returns the content of `GET /targets`.
    package static func targets(_ targets: [Target]) -> JSONNode {
        .object([("targets", .array(targets.map(node)))])
    }

    static func node(of target: Target) -> JSONNode {
        var members: [(String, JSONNode)] = [
            ("name", .string(target.name)), ("title", .string(target.title)),
            ("format", .string(target.format)), ("summary", .string(target.summary)),
        ]
        if let source = target.source { members.append(("source", .string(source))) }
        for name in ["width", "height", "maxBytes"] {
            if let number = target.number(of: name) { members.append((name, .number(number))) }
        }
        let parameters = target.values.map { own in
            var members: [(String, JSONNode)] = [("name", .string(own.parameter))]
            if let value = own.value { members.append(("value", JSONNode(value))) }
            switch own.rule {
            case .look: members.append(("rule", .string("look")))
            case .edge: members.append(("rule", .string("edge")))
            case .ink: members.append(("rule", .string("ink")))
            case .lines: members.append(("rule", .string("lines")))
            case .any: members.append(("rule", .string("any")))
            case .only: members.append(("rule", .string("only")))
            case .atMost(let most):
                members += [("rule", .string("atMost")), ("most", .number(most))]
            case .budget(let most):
                members += [("rule", .string("budget")), ("most", .number(most))]
            case .atLeast(let least):
                members += [("rule", .string("atLeast")), ("least", .number(least))]
            case .atMostForLoops(let most):
                members += [("rule", .string("atMostForLoops")), ("most", .number(most))]
            }
            return JSONNode.object(members)
        }
        members.append(("parameters", .array(parameters)))
        return .object(members)
    }

    /// Returns the content of `GET /pictures`.
    static func pictures(_ catalog: PictureCatalog) -> JSONNode {
        let entries = catalog.entries.map { picture in
            JSONNode.object([
                ("name", .string(picture.name.text)), ("width", .number(Double(picture.width))),
                ("height", .number(Double(picture.height))),
            ])
        }
        return .object([("pictures", .array(entries))])
    }

    /// Returns the entry of a parameter.
    static func node(of parameter: Parameter) -> JSONNode {
        .object(members(of: parameter))
    }

    private static func members(of parameter: Parameter) -> [(String, JSONNode)] {
        let (grammar, schema) = (parameter.grammar, parameter.grammar.schema)
        var members: [(String, JSONNode)] = [
            ("name", .string(parameter.name)), ("type", .string(grammar.name)),
        ]
        members += schema.filter { $0.0.isSame(as: "enum") }.map { ("values", $0.1) }
        if let unit = parameter.unit { members.append(("unit", .string(unit.rawValue))) }
        members.append(("default", parameter.defaultValue?.node ?? .null))
        if let value = parameter.earlierDefault {
            members.append(("earlierDefault", value.node))
        }
        members += schema.filter { ["minimum", "maximum"].includes($0.0) }
        if case .array(let choices)? = schema.first(where: { $0.0.isSame(as: "anyOf") })?.1 {
            // For a number with a word, or with 0: the number's range.
            for case .object(let choice) in choices {
                members += choice.filter { ["minimum", "maximum"].includes($0.0) }
            }
        }
        members.append(("description", .string(parameter.summary)))
        members.append(("schema", .object(schema)))
        return members
    }
}
