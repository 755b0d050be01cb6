import Motion
import Testing

@testable import Typesetting

@Suite("Words of a text that have times")
struct TextWordTests {
    /// The parts into which words divide a text: each with all that belongs to it.
    private func parts(_ words: [String], of text: String) -> [String] {
        let offsets = TextWord.offsets(of: words.map { Array($0.utf8) }, in: text)
        let bytes = Array(text.utf8)
        return zip(offsets, offsets.dropFirst() + [bytes.count]).map {
            String(decoding: bytes[$0..<$1], as: UTF8.self)
        }
    }

    @Test(
        "white space and punctuation belong to the word before, opening punctuation to the next",
        arguments: [
            ("Hello there, world!", ["Hello", "there", "world"], ["Hello ", "there, ", "world!"]),
            ("say (it) now", ["say", "it", "now"], ["say ", "(it) ", "now"]),
            (
                "he said \"no\" twice", ["he", "said", "no", "twice"],
                ["he ", "said ", "\"no\" ", "twice"]
            ),
            ("¿Qué? ¡No!", ["Qué", "No"], ["¿Qué? ", "¡No!"]),
            ("«ici» là", ["ici", "là"], ["«ici» ", "là"]),
            ("一二，「三」。", ["一二", "三"], ["一二，", "「三」。"]),
            ("— so what", ["so", "what"], ["— so ", "what"]),
            ("well-minded", ["well", "-minded"], ["well", "-minded"]),
            ("two\nlines", ["two", "lines"], ["two\n", "lines"]),
        ])
    func belonging(text: String, words: [String], expected: [String]) {
        #expect(parts(words, of: text) == expected)
    }

    @Test("the same word many times is found one time after another")
    func repetition() {
        #expect(parts(["no", "no", "no"], of: "no no, no!") == ["no ", "no, ", "no!"])
        #expect(TextWord.offsets(of: [[0x6E], [0x6E]], in: "n").count == 1)
    }

    @Test("a word within another is only found where it is no word of its own")
    func inner() {
        #expect(parts(["is", "this"], of: "this is this") == ["this is ", "this"])
        #expect(parts(["a", "b"], of: "ab") == ["a", "b"])
    }

    @Test("scripts without spaces are divided anywhere")
    func unspaced() {
        #expect(parts(["今日", "は", "晴れ"], of: "今日は晴れ。") == ["今日", "は", "晴れ。"])
        #expect(parts(["สวัสดี", "โลก"], of: "สวัสดีโลก") == ["สวัสดี", "โลก"])
    }

    @Test("a word that is not there ends the list with its index")
    func missing() {
        func count(_ words: [String]) -> Int {
            TextWord.offsets(of: words.map { Array($0.utf8) }, in: "one two three").count
        }
        #expect(count(["one", "three", "two"]) == 2)
        #expect(count(["four"]) == 0)
        #expect(count(["one", ""]) == 1)
    }

    @Test("words have the glyphs that draw them, in logical order")
    func glyphs() throws {
        let typesetter = try TestTypesetter()
        func words(_ text: String, _ words: [String]) throws -> [(String, Range<Int>)] {
            var block = BlockText(try StyledText(plain: text, style: TestTypesetter.style()))
            let offsets = TextWord.offsets(of: words.map { Array($0.utf8) }, in: text)
            block.timedWords = offsets.enumerated().map {
                TextWord(offset: $1, start: Double($0), end: Double($0) + 1)
            }
            let layout = try typesetter.typesetter.layout([block], on: TestTypesetter.canvas())
            return layout.blocks[0].words.map { word in
                (layout.glyphs[word.glyphs].map(\.text).joined(), word.glyphs)
            }
        }
        let latin = try words("Hi, é world", ["Hi", "é", "world"])
        #expect(latin.map(\.0) == ["Hi, ", "é ", "world"])
        #expect(latin.map(\.1) == [0..<4, 4..<6, 6..<11])
        // A pair of surrogates is two units of a glyph's start.
        #expect(try words("🙂 b c", ["🙂", "b", "c"]).map(\.0) == ["🙂 ", "b ", "c"])
        #expect(try words("שלום 12 אב", ["שלום", "12", "אב"]).map(\.0) == ["שלום ", "12 ", "אב"])
    }
}
