import Bytes

extension Grammar {
    /// JSON, with the comments that some of its readers take.
    static let json = Grammar(
        words: words([.constant: "true false null"]), hasCalls: false,
        lineComments: ["//"], blockComment: ("/*", "*/", false),
        strings: [.quoted("\"")], hasKeys: true)
}
