import Bytes

extension Grammar {
    /// CSS, as it stands in HTML.
    static let css = Grammar(
        nameStarts: "-", nameParts: "-", hasCalls: true, hasMembers: false,
        blockComment: ("/*", "*/", false),
        strings: [.quoted("\""), .quoted("'")],
        operators: "+*=<>!&|^~%/", traits: [.annotations, .style])
}
