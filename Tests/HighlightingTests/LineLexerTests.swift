import Highlighting
import Testing

/// Returns the tokens of a text that are not plain, as their text with the kind behind it.
private func tokens(
    _ text: String, _ language: CodeLanguage, prompt: String = "$"
) -> [String] {
    let bytes = Array(text.utf8)
    var start = 0
    return language.tokens(of: bytes, prompt: Array(prompt.utf8)).compactMap { token in
        defer { start = token.end }
        let text = String(decoding: bytes[start..<token.end], as: UTF8.self)
        return token.kind == .plain ? nil : "\(text) \(token.kind)"
    }
}

@Suite struct LineLexerTests {
    @Test func `A session has prompts, the tokens of its commands, and comments`() {
        #expect(
            tokens("# once\n$ echo \"$HOME\" # it\n\"not\" code\n$\n$HOME\n", .console) == [
                "# once comment", "$ comment", "echo function", "\" string", "$HOME variable",
                "\" string", "# it comment", "$ comment",
            ])
        #expect(tokens("> a\n>> b", .console, prompt: ">>") == [">> comment"])
        #expect(tokens("❯ \"a\"", .console, prompt: "❯") == ["❯ comment", "\"a\" string"])
    }

    @Test func `A string that a command leaves open ends with its line`() {
        #expect(tokens("$ echo \"a\nb\n", .console).last?.contains("b") == false)
    }

    @Test func `A difference has the kinds of its lines`() {
        #expect(
            tokens("--- a/f\n+++ b/f\n@@ -1 +1 @@\n same\n-old\n+new\n\n---x\n", .diff) == [
                "--- a/f comment", "+++ b/f comment", "@@ -1 +1 @@ function", "-old deleted",
                "+new inserted", "---x deleted",
            ])
    }

    @Test(arguments: [CodeLanguage.console, .diff])
    func `Tokens cover any bytes, in order`(language: CodeLanguage) {
        let samples = ["", "\n", "$", "$\n\n$ ", "+\n-", "$ 'a\n$ \"", "# \u{301}\n$ é"]
        for sample in samples {
            let bytes = Array(sample.utf8)
            let ends = language.tokens(of: bytes).map(\.end)
            #expect(ends == ends.sorted() && Set(ends).count == ends.count)
            #expect((ends.last ?? 0) == bytes.count)
        }
    }
}
