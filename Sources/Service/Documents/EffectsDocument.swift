import Motion
import Typesetting

/// `GET /effects`: the catalogue of effects with their parameters.
enum EffectsDocument {
    static var node: JSONNode {
        .object([
            (
                "effects",
                .array(
                    EffectCatalog.all.map { effect in
                        .object([
                            ("name", .string(effect.name)), ("title", .string(effect.title)),
                            (
                                "parameters",
                                .array(effect.parameters.map(ParameterSchema.entry))
                            ),
                        ])
                    })
            )
        ])
    }
}

/// `GET /fonts`: the families that are installed.
enum FontsDocument {
    static func node(_ catalog: FontCatalog) -> JSONNode {
        .object([
            (
                "fonts",
                .array(
                    catalog.families.map { family in
                        .object([
                            ("family", .string(family.name)),
                            ("monospace", .boolean(family.isMonospace)),
                            ("weights", .array(family.weights.map { .number(Double($0)) })),
                        ])
                    })
            )
        ])
    }
}
