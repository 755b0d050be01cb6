/// The kind of a piece of source code, by which a theme gives it a colour.
package enum TokenKind: UInt8, CaseIterable, Sendable {
    /// White space, and names of no other kind.
    case plain
    case comment
    case keyword
    /// The name of a type, built in or declared.
    case type
    /// A literal with a name, such as `true`, or a name in capitals.
    case constant
    case number
    case string
    /// An escaped character in a string.
    case escape
    /// A sign that opens or closes code within a string.
    case interpolation
    /// The name of a function where it is declared or called.
    case function
    /// A variable of a shell.
    case variable
    /// An annotation or a decorator, an attribute of HTML, a key of JSON.
    case attribute
    /// The name of an element of HTML.
    case tag
    /// A line for a preprocessor.
    case directive
    /// A line that a change adds.
    case inserted
    /// A line that a change removes.
    case deleted
    case `operator`
    case punctuation
}

/// A piece of source code of one kind; it begins where the one before it ends.
package struct CodeToken: Equatable, Sendable {
    /// The offset of the first byte behind it.
    package var end: Int
    package var kind: TokenKind

    package init(end: Int, kind: TokenKind) {
        self.end = end
        self.kind = kind
    }
}

/// Tokens without gaps, of which neighbours differ in kind.
struct TokenList {
    private(set) var tokens: [CodeToken] = []

    /// The offset up to which there are tokens.
    var end: Int { tokens.last?.end ?? 0 }

    /// Adds a token up to an offset; nothing where that is reached already.
    mutating func add(_ kind: TokenKind, to end: Int) {
        guard end > self.end else { return }
        if tokens.last?.kind == kind {
            tokens[tokens.count - 1].end = end
        } else {
            tokens.append(CodeToken(end: end, kind: kind))
        }
    }

    /// Makes all that lies behind an offset one token.
    mutating func merge(from start: Int, as kind: TokenKind) {
        let end = end
        while let last = tokens.last, last.end > start {
            tokens.removeLast()
            // A token that began before the offset stays up to there.
            if self.end < start {
                tokens.append(CodeToken(end: start, kind: last.kind))
                break
            }
        }
        add(kind, to: end)
    }
}
