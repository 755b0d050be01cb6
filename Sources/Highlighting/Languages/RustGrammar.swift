import Bytes

extension Grammar {
    static let rust = Grammar(
        words: words([
            .keyword: "as async await box break const continue crate dyn else enum extern fn "
                + "for if impl in let loop match mod move mut pub ref return static struct "
                + "super trait try type union unsafe use where while yield macro_rules",
            .type: "bool char f32 f64 i128 i16 i32 i64 i8 isize str u128 u16 u32 u64 u8 usize "
                + "String Vec Option Result Box Self",
            .constant: "true false self",
        ]),
        introducers: [
            "fn": .function, "struct": .type, "enum": .type, "trait": .type, "type": .type,
            "union": .type,
        ],
        capitals: .types, lineComments: ["//"], blockComment: ("/*", "*/", true),
        strings: [
            StringForm(
                prefixes: ["r", "br", "cr"], open: "\"", close: "\"", escape: .none,
                isMultiline: true, guardian: .hashes(atLeast: 0)),
            .quoted("\"", prefixes: ["", "b", "c"], isMultiline: true),
            .quoted("'", prefixes: ["", "b"]),
        ],
        traits: [.bracketedAttributes, .lifetimes, .macros])
}
