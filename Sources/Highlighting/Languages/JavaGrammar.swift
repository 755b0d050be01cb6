import Bytes

extension Grammar {
    static let java = Grammar(
        words: words([
            .keyword: "abstract assert break case catch class continue default do else enum "
                + "exports extends final finally for goto if implements import instanceof "
                + "interface module native new non-sealed opens package permits private "
                + "protected provides public record requires return sealed static strictfp "
                + "super switch synchronized throw throws transient try uses var volatile "
                + "when while yield",
            .type: "boolean byte char double float int long short void",
            .constant: "true false null this",
        ]),
        introducers: [
            "class": .type, "interface": .type, "enum": .type, "record": .type,
        ],
        nameStarts: "$", nameParts: "$", capitals: .types,
        lineComments: ["//"], blockComment: ("/*", "*/", false),
        strings: [
            .quoted("\"\"\"", isMultiline: true), .quoted("\""), .quoted("'"),
        ],
        traits: [.annotations])
}
