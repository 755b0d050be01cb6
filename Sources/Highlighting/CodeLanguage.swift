/// A language whose source code can be taken apart, or another form of text that developers show.
package enum CodeLanguage: String, CaseIterable, Sendable {
    case swift, c, cpp, rust, go, python, javascript, typescript, java, sql, html, json, shell
    /// A terminal session: commands behind a prompt, and what they print.
    case console
    /// A difference as `diff -u` and Git write it.
    case diff

    /// Returns the tokens of a source text, which may be any bytes: bytes that no rule describes
    /// are plain.
    ///
    /// No token begins within a character. Takes linear time.
    ///
    /// - Parameters:
    ///   - source: UTF-8 with `\n` as its line breaks.
    ///   - prompt: The start of the lines of a terminal session that are commands.
    /// - Returns: Tokens of all bytes, in order.
    package func tokens(of source: [UInt8], prompt: [UInt8] = [UInt8(ascii: "$")]) -> [CodeToken] {
        switch self {
        case .html: return MarkupLexer.tokens(of: source)
        case .console: return LineLexer.tokens(ofSession: source, prompt: prompt)
        case .diff: return LineLexer.tokens(ofDifference: source)
        default: break
        }
        guard let grammar else { return [] }
        var lexer = CodeLexer(source[...], grammar)
        lexer.run()
        return lexer.list.tokens
    }

    /// The table of the language; nil where it has a lexer of its own.
    private var grammar: Grammar? {
        switch self {
        case .swift: .swift
        case .c: .c
        case .cpp: .cpp
        case .rust: .rust
        case .go: .go
        case .python: .python
        case .javascript: .javascript
        case .typescript: .typescript
        case .java: .java
        case .sql: .sql
        case .html, .console, .diff: nil
        case .json: .json
        case .shell: .shell
        }
    }
}
