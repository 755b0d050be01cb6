import Bytes

extension Grammar {
    static let go = Grammar(
        words: words([
            .keyword: "break case const continue default defer else fallthrough for func go "
                + "goto if import interface package range return select struct switch type "
                + "var",
            .type: "any bool byte chan comparable complex128 complex64 error float32 float64 "
                + "int int16 int32 int64 int8 map rune string uint uint16 uint32 uint64 uint8 "
                + "uintptr",
            .function: "append cap clear close complex copy delete imag len make max min new "
                + "panic print println real recover",
            .constant: "true false nil iota",
        ]),
        introducers: ["func": .function, "type": .type],
        lineComments: ["//"], blockComment: ("/*", "*/", false),
        strings: [
            .quoted("\""), .quoted("'"), .quoted("`", escape: .none, isMultiline: true),
        ])
}
