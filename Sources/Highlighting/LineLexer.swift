import Bytes

/// Takes texts apart whose lines begin with what they are: terminal sessions and differences.
struct LineLexer {
    private var list = TokenList()

    /// Returns the tokens of a terminal session: prompts and comments, and the tokens of commands.
    static func tokens(ofSession bytes: [UInt8], prompt: [UInt8]) -> [CodeToken] {
        var lexer = LineLexer()
        lexer.readLines(of: bytes) { lexer, line in
            let command = line.dropFirst(prompt.count)
            if line.starts(with: prompt), command.first == nil || command.first == UInt8(ascii: " ")
            {
                lexer.list.add(.comment, to: command.startIndex)
                lexer.readCommand(command)
            } else {
                let isComment = line.first == UInt8(ascii: "#")
                lexer.list.add(isComment ? .comment : .plain, to: line.endIndex)
            }
        }
        return lexer.list.tokens
    }

    /// Returns the tokens of a difference as `diff -u` and Git write it.
    static func tokens(ofDifference bytes: [UInt8]) -> [CodeToken] {
        var lexer = LineLexer()
        lexer.readLines(of: bytes) { lexer, line in
            lexer.list.add(kind(ofChange: line), to: line.endIndex)
        }
        return lexer.list.tokens
    }

    private static func kind(ofChange line: ArraySlice<UInt8>) -> TokenKind {
        let heads = ["+++ ", "--- ", "diff ", "index "]
        if heads.contains(where: { line.starts(with: $0.utf8) }) { return .comment }
        return switch line.first {
        case UInt8(ascii: "+"): .inserted
        case UInt8(ascii: "-"): .deleted
        case UInt8(ascii: "@"): .function
        default: .plain
        }
    }

    /// Calls a closure with each line; its line break is plain.
    private mutating func readLines(
        of bytes: [UInt8], _ read: (_ lexer: inout LineLexer, _ line: ArraySlice<UInt8>) -> Void
    ) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let line = rest.prefix { $0 != UInt8(ascii: "\n") }
            read(&self, line)
            rest = rest[line.endIndex...].dropFirst()
            list.add(.plain, to: rest.startIndex)
        }
    }

    private mutating func readCommand(_ command: ArraySlice<UInt8>) {
        var lexer = CodeLexer(command, .shell)
        lexer.run()
        for token in lexer.list.tokens { list.add(token.kind, to: token.end) }
    }
}
