import Bytes

extension Grammar {
    static let javascript = script(words: scriptWords)

    static let typescript = script(
        words: scriptWords.merging(
            words([
                .keyword: "abstract as asserts declare enum global implements infer interface "
                    + "is keyof module namespace override private protected public readonly "
                    + "satisfies type unique",
                .type: "any bigint boolean never number object string symbol unknown",
            ])
        ) { $1 },
        softWords: set(
            "abstract as asserts declare global infer is module namespace override readonly satisfies "
                + "type unique"),
        introducers: ["interface": .type, "enum": .type, "type": .type])

    private static let scriptWords = words([
        .keyword: "async await break case catch class const constructor continue debugger "
            + "default delete do else export extends finally for from function get if import "
            + "in instanceof let new of return set static super switch throw try typeof var "
            + "void while with yield",
        .constant: "true false null this undefined NaN Infinity",
    ])

    private static func script(
        words: [ByteString: TokenKind], softWords: Set<ByteString> = [],
        introducers: [ByteString: TokenKind] = [:]
    ) -> Grammar {
        Grammar(
            words: words, softWords: softWords.union(set("async from get of set static")),
            introducers: introducers.merging(["class": .type, "function": .function]) { $1 },
            nameStarts: "$#", nameParts: "$", capitals: .types,
            lineComments: ["//"], blockComment: ("/*", "*/", false),
            strings: [
                .quoted("\""), .quoted("'"),
                .quoted(
                    "`", isMultiline: true,
                    [StringForm.Interpolation(open: "${", brackets: ("{", "}"))]),
            ],
            hasRegularExpressions: true, traits: [.annotations])
    }
}
