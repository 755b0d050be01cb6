import Bytes

extension Grammar {
    static let swift = Grammar(
        words: words([
            .keyword: "actor any as associatedtype async await borrowing break case catch class "
                + "consume consuming continue convenience copy default defer deinit do "
                + "dynamic else enum extension fallthrough fileprivate final for func get "
                + "guard if import in indirect infix init inout internal is isolated lazy let "
                + "mutating nonisolated nonmutating open operator optional override package "
                + "postfix precedencegroup prefix private protocol public repeat required "
                + "rethrows return sending set some static struct subscript super switch "
                + "throw throws try typealias unowned var weak where while willSet didSet "
                + "Self _",
            .constant: "true false nil self",
            .type: "Any Array Bool Character Dictionary Double Float Int Int16 Int32 Int64 Int8 "
                + "Never Optional Result Set String UInt UInt16 UInt32 UInt64 UInt8 Void",
            .directive: "#if #elseif #else #endif",
            .keyword: "#available #error #warning #unavailable #selector #keyPath",
            .constant: "#file #fileID #filePath #function #line #column #isolation",
        ]),
        softWords: set(
            "await convenience consume copy dynamic get indirect infix isolated open operator optional "
                + "package postfix prefix required sending set some"),
        introducers: [
            "func": .function, "class": .type, "struct": .type, "enum": .type, "protocol": .type,
            "actor": .type, "extension": .type, "typealias": .type, "associatedtype": .type,
        ],
        nameStarts: "#$", capitals: .types,
        lineComments: ["//"], blockComment: ("/*", "*/", true),
        strings: [
            StringForm(
                open: "\"\"\"", close: "\"\"\"", isMultiline: true, interpolations: swiftCode,
                guardian: .hashes(atLeast: 0)),
            StringForm(
                open: "\"", close: "\"", interpolations: swiftCode,
                guardian: .hashes(atLeast: 0)),
            .quoted("`", escape: .none, kind: .plain),
        ],
        traits: [.annotations])

    private static let swiftCode = [
        StringForm.Interpolation(open: "(", isEscaped: true, brackets: ("(", ")"))
    ]
}
