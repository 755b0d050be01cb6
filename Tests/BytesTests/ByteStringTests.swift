import Bytes
import Testing

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
