import Bytes

extension Grammar {
    static let c = Grammar(
        words: words([.keyword: cKeywords, .type: cTypes, .constant: cConstants]),
        introducers: ["struct": .type, "enum": .type, "union": .type],
        capitals: .constants, lineComments: ["//"], blockComment: ("/*", "*/", false),
        strings: [
            .quoted("\"", prefixes: ["", "L", "u8", "u", "U"]),
            .quoted("'", prefixes: ["", "L", "u8", "u", "U"]),
        ],
        traits: [.directives, .typeSuffix])

    static let cpp = Grammar(
        words: words([
            .keyword: cKeywords + "alignas and and_eq asm bitand bitor catch class co_await "
                + "co_return co_yield compl concept const_cast consteval constexpr constinit "
                + "decltype delete dynamic_cast explicit export final friend import module "
                + "mutable namespace new noexcept not not_eq operator or or_eq override "
                + "private protected public reinterpret_cast requires static_assert "
                + "static_cast template this thread_local throw try typeid typename using "
                + "virtual xor xor_eq",
            .type: cTypes,
            .constant: cConstants + " nullptr",
        ]),
        introducers: [
            "struct": .type, "enum": .type, "union": .type, "class": .type, "concept": .type,
        ],
        capitals: .constants, lineComments: ["//"], blockComment: ("/*", "*/", false),
        strings: [
            StringForm(
                prefixes: ["R", "LR", "u8R", "uR", "UR"], open: "\"", close: "\"", escape: .none,
                isMultiline: true, guardian: .word),
            .quoted("\"", prefixes: ["", "L", "u8", "u", "U"]),
            .quoted("'", prefixes: ["", "L", "u8", "u", "U"]),
        ],
        digitSeparator: "'", traits: [.directives, .typeSuffix])

    private static let cKeywords =
        "asm auto break case const continue default do else enum extern for goto if inline "
        + "register restrict return sizeof static struct switch typedef union volatile while "
        + "_Alignas _Alignof _Atomic _Generic _Noreturn _Static_assert _Thread_local alignof "
        + "typeof"

    private static let cTypes =
        "bool _Bool _Complex _Imaginary char double float int long short signed unsigned void FILE"

    private static let cConstants = "true false NULL"
}
