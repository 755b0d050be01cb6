import Highlighting
import Testing

/// Returns the tokens of a text that are not plain, as their text with the kind behind it.
private func tokens(_ text: String, _ language: CodeLanguage) -> [String] {
    let bytes = Array(text.utf8)
    var start = 0
    return language.tokens(of: bytes).compactMap { token in
        defer { start = token.end }
        let text = String(decoding: bytes[start..<token.end], as: UTF8.self)
        return token.kind == .plain ? nil : "\(text) \(token.kind)"
    }
}

@Suite struct CodeLexerTests {
    @Test func `Swift: interpolated code is code, raw strings have their own backslash`() {
        #expect(
            tokens("let x = \"a\\(f(1))b\\n\" + #\"\\n\"# as String // c", .swift) == [
                "let keyword", "= operator", "\"a string", "\\( interpolation", "f function",
                "( punctuation", "1 number", ") punctuation", ") interpolation", "b string",
                "\\n escape", "\" string", "+ operator", "#\"\\n\"# string", "as keyword",
                "String type", "// c comment",
            ])
        #expect(
            tokens("@objc func f() {}\n#if os(Linux)\n/* a /* b */ c */ x.default", .swift) == [
                "@objc attribute", "func keyword", "f function", "() punctuation", "{} punctuation",
                "#if os(Linux) directive", "/* a /* b */ c */ comment", ". punctuation",
            ])
    }

    @Test func `C: a directive goes on behind a backslash, and ends at a comment`() {
        #expect(
            tokens("#define A(x) \\\n  x // c\nsize_t n = L'a';", .c) == [
                "#define A(x) \\\n  x  directive", "// c comment", "size_t type", "= operator",
                "L'a' string", "; punctuation",
            ])
    }

    @Test func `C++: raw strings end with their word, digits have apostrophes`() {
        #expect(
            tokens("auto a = R\"x()\")x\" + 1'000;", .cpp) == [
                "auto keyword", "= operator", "R\"x()\")x\" string", "+ operator", "1'000 number",
                "; punctuation",
            ])
    }

    @Test func `Rust: lifetimes are no characters, comments nest`() {
        #expect(
            tokens("#[a(\"b\")] fn f<'a>(c: &'a str) { 'b'; '\\n'; r#\"\"\"#; p!() }", .rust) == [
                "#[a( attribute", "\"b\" string", ")] attribute", "fn keyword", "f function",
                "< operator", "'a attribute", "> operator", "( punctuation", ": punctuation",
                "& operator", "'a attribute", "str type", ") punctuation", "{ punctuation",
                "'b' string", "; punctuation", "' string", "\\n escape", "' string",
                "; punctuation", "r#\"\"\"# string", "; punctuation", "p! function",
                "() punctuation", "} punctuation",
            ])
    }

    @Test func `Go: strings in back-quotes have no escapes`() {
        #expect(
            tokens("func f(a ...int) { return `\\n` }", .go) == [
                "func keyword", "f function", "( punctuation", "... punctuation", "int type",
                ") punctuation", "{ punctuation", "return keyword", "`\\n` string",
                "} punctuation",
            ])
    }

    @Test func `Python: braces of formatted strings hold code, doubled ones do not`() {
        #expect(
            tokens("f'{{{a}' rb\"x\" @b\nmatch = 1", .python) == [
                "f'{{ string", "{ interpolation", "} interpolation", "' string", "rb\"x\" string",
                "@b attribute", "= operator", "1 number",
            ])
        #expect(
            tokens("'open\nif x: # c", .python) == [
                "'open string", "if keyword", ": punctuation", "# c comment",
            ])
    }

    @Test(arguments: [CodeLanguage.javascript, .typescript])
    func `Scripts: a slash divides behind a value`(language: CodeLanguage) {
        #expect(
            tokens("a / b / c; x = /[/]\\//g; `${a}`", language) == [
                "/ operator", "/ operator", "; punctuation", "= operator", "/[/]\\//g string",
                "; punctuation", "` string", "${ interpolation", "} interpolation", "` string",
            ])
    }

    @Test func `TypeScript: words are keywords where something follows`() {
        #expect(
            tokens("type A = string; x = { type: 1 }", .typescript) == [
                "type keyword", "A type", "= operator", "string type", "; punctuation",
                "= operator", "{ punctuation", ": punctuation", "1 number", "} punctuation",
            ])
    }

    @Test func `Java: text blocks, annotations, constants`() {
        #expect(
            tokens("@A class B { int MAX = 0x1L; \"\"\"\n\"\"\"; }", .java) == [
                "@A attribute", "class keyword", "B type", "{ punctuation", "int type",
                "MAX constant", "= operator", "0x1L number", "; punctuation",
                "\"\"\"\n\"\"\" string", "; punctuation", "} punctuation",
            ])
    }

    @Test func `SQL: keywords in any case, quotes twice`() {
        #expect(
            tokens("Select 'it''s' FROM t -- c", .sql) == [
                "Select keyword", "'it''s' string", "FROM keyword", "-- c comment",
            ])
    }

    @Test func `JSON: strings before colons are keys`() {
        #expect(
            tokens("{\"a\\n\" : [-1.5e+3, \"b\", null]}", .json) == [
                "{ punctuation", "\"a\\n\" attribute", ": punctuation", "[ punctuation",
                "-1.5e+3 number", ", punctuation", "\"b\" string", ", punctuation",
                "null constant", "]} punctuation",
            ])
        #expect(
            tokens("\"a\"\"b\":", .json) == [
                "\"a\" string", "\"b\" attribute", ": punctuation",
            ])
    }

    @Test func `Shell: expansions, here-documents, words with signs`() {
        #expect(
            tokens("a=1; echo \"$a ${b#c}\" a-b #c\ncat <<-'E' | x\n  $a\n  E\nfi", .shell) == [
                "a variable", "= operator", "1 number", "; punctuation", "echo function",
                "\" string", "$a variable", "  string", "${ interpolation", "b variable",
                "# operator",
                "c variable", "} interpolation", "\" string", "#c comment", "<<- operator",
                "'E' string", "| punctuation", "  $a\n  E string", "fi keyword",
            ])
    }

    @Test func `HTML: scripts and styles go by their own rules`() {
        #expect(
            tokens("<!DOCTYPE html><a b='c' d>&amp;<script>var x</script><!-- -->", .html) == [
                "<!DOCTYPE html> directive", "< punctuation", "a tag", "b attribute", "= operator",
                "'c' string", "d attribute", "> punctuation", "&amp; constant", "< punctuation",
                "script tag", "> punctuation", "var keyword", "</ punctuation", "script tag",
                "> punctuation", "<!-- --> comment",
            ])
    }
}

@Suite struct HostileCodeTests {
    /// Openings without ends, endings without openings, and what is read ahead for.
    private static let pieces = [
        "\"", "'", "`", "\"\"\"", "/*", "*/", "//", "#", "#[", "r#\"", "R\"a(", "\\", "\\(", "${",
        "$(", "$((", "{", "}", "f'{", "<<A\n", "<script", "<a b=", "&", "@", "/[", "'a", "1e+", ".",
        "é", "\u{1F600}", "\n", "\"a\"      ", "#if", "\"#", "<!--", "\0", "-", "0x",
    ]

    private func check(_ source: [UInt8], _ language: CodeLanguage) -> Bool {
        var start = 0
        for token in language.tokens(of: source) {
            guard token.end > start, start == 0 || source[start] & 0xC0 != 0x80 else {
                return false
            }
            start = token.end
        }
        return start == source.count
    }

    @Test(arguments: CodeLanguage.allCases)
    func `Every byte has a token, and none begins within a character`(language: CodeLanguage) {
        for first in Self.pieces {
            for second in Self.pieces {
                for text in [first, first + second, first + second + first, "a " + second + "b"] {
                    #expect(check(Array(text.utf8), language), "\(language): \(text)")
                }
            }
        }
        #expect(language.tokens(of: []).isEmpty)
    }

    @Test(arguments: CodeLanguage.allCases)
    func `Long repetitions take linear time`(language: CodeLanguage) {
        // What takes the square of this many bytes does not end.
        for piece in Self.pieces {
            let count = 5_000 / piece.utf8.count
            let source = [UInt8](String(repeating: piece, count: count).utf8)
            #expect(check(source, language), "\(language): \(piece)")
        }
    }

    @Test func `Any bytes will do`() {
        for language in CodeLanguage.allCases {
            #expect(language.tokens(of: Array(0...255)).last?.end == 256)
        }
    }
}
