import Bytes
import Testing

@Suite struct LineTextTests {
    @Test("what can make a line look like others has escapes")
    func controls() {
        #expect(
            LineText.escaped("a\n\r\t\0\u{1B}[0m\u{7F}\u{85}\u{9B}m\u{2028}\u{2029}")
                == #"a\n\r\t\u0000\u001b[0m\u007f\u0085\u009bm\u2028\u2029"#)
        #expect(
            LineText.escaped("\u{61C}\u{200E}\u{200F}\u{202A}\u{202B}\u{202C}\u{202D}\u{202E}")
                == #"\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e"#)
        #expect(
            LineText.escaped("\u{2066}\u{2067}\u{2068}\u{2069}") == #"\u2066\u2067\u2068\u2069"#)
    }

    @Test(
        "all other text stays as it is",
        arguments: [
            "", "a", #"got "a\b""#, "\u{A0}é\u{301}", "שלום", "👩\u{200D}👩\u{200D}👧", "\u{10FFFF}",
        ])
    func others(text: String) {
        #expect(LineText.escaped(text).utf8.elementsEqual(text.utf8))
    }

    @Test("JSON stays the same JSON")
    func json() {
        var sink = ByteSink(capacity: 64)
        sink.append(jsonString: "\u{202E}\n\"\\\u{85}")
        let json = String(decoding: sink.bytes(), as: UTF8.self)
        #expect(LineText.escaped(json) == #""\u202e\n\"\\\u0085""#)
    }
}

@Suite struct ByteStringTests {
    /// Texts that are canonically equivalent.
    private static let pairs = [
        ("\u{FA19}", "\u{795E}"), ("\u{E9}", "e\u{301}"), ("\u{212A}", "K"),
        ("\u{2329}", "\u{3008}"), ("a\u{323}\u{301}", "a\u{301}\u{323}"),
        ("\u{AC00}", "\u{1100}\u{1161}"), ("\u{37E}", ";"),
    ]

    @Test("texts that are canonically equivalent are different", arguments: pairs)
    func equivalents(one: String, other: String) {
        #expect(one == other)
        #expect(ByteString(one) != ByteString(other))
        #expect(Set([ByteString(one), ByteString(other)]).count == 2)
    }

    @Test("texts of the same bytes are one, however they are stored")
    func same() {
        let text = "A text of more than fifteen bytes: \u{E9}"
        let part = ("x" + text + "y").dropFirst().dropLast()
        #expect(ByteString(text) == ByteString(part))
        #expect(Set([ByteString(text), ByteString(part)]).count == 1)
    }

    @Test("the order is that of the bytes")
    func order() {
        let sorted: [ByteString] = ["", "A", "a", "a\u{301}", "b", "\u{E9}", "\u{FA19}"]
        #expect(sorted.shuffled().sorted() == sorted)
    }
}
