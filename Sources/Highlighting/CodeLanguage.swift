/// A language whose source code can be taken apart.
package enum CodeLanguage: String, CaseIterable, Sendable {
    case swift, c, cpp, rust, go, python, javascript, typescript, java, sql, html, json, shell

    /// Returns the tokens of a source text, which may be any bytes: bytes that no rule describes
    /// are plain.
    ///
    /// No token begins within a character. Takes linear time.
    ///
    /// - Parameter source: UTF-8 with `\n` as its line breaks.
    /// - Returns: Tokens of all bytes, in order.
    package func tokens(of source: [UInt8]) -> [CodeToken] {
        guard let grammar else { return MarkupLexer.tokens(of: source) }
        var lexer = CodeLexer(source[...], grammar)
        lexer.run()
        return lexer.list.tokens
    }

    /// The table of the language; nil for HTML, which has a lexer of its own.
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
        case .html: nil
        case .json: .json
        case .shell: .shell
        }
    }
}
