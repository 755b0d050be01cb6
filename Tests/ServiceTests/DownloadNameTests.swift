import Encoders
import Testing

@testable import Service

@Suite struct DownloadNameTests {
    @Test(
        "a name has the letters and digits of a text, with hyphens between them",
        arguments: [
            ("Hello, World!", "Hello-World"), ("  --a--b--  ", "a-b"),
            ("e\u{301}t\u{E9}", "e\u{301}t\u{E9}"),
            ("\u{1F389}", ""), ("a\u{1F389}b", "a-b"), ("नमस्ते दुनिया", "नमस्ते-दुनिया"), ("مرحبا", "مرحبا"),
            ("../../etc/passwd", "etc-passwd"), ("a\"; x=\"b", "a-x-b"),
            ("a\r\nSet-Cookie: b", "a-Set-Cookie-b"),
            ("a\u{202E}b", "a-b"), ("日本語 2026", "日本語-2026"), ("\u{301}", ""),
            ("\u{6CC}\u{200C}\u{62E}\u{AD}", "\u{6CC}\u{200C}\u{62E}"),
        ])
    func names(text: String, stem: String) {
        #expect(DownloadName(of: [text]).stem.unicodeScalars.elementsEqual(stem.unicodeScalars))
    }

    @Test("several texts follow each other")
    func texts() {
        #expect(
            DownloadName(of: ["Ada Lovelace", "", "!", "Analyst"]).stem == "Ada-Lovelace-Analyst")
        #expect(DownloadName(of: []).stem == "")
    }

    @Test("a name has at most 60 graphemes and 200 bytes, and ends with no hyphen")
    func limits() {
        #expect(DownloadName(of: [String(repeating: "a", count: 1000)]).stem.count == 60)
        let words = DownloadName(of: [String(repeating: "ab ", count: 1000)]).stem
        #expect(words.count <= 60 && words.hasSuffix("ab"))
        let wide = DownloadName(of: [String(repeating: "\u{20000}", count: 1000)]).stem
        #expect(wide.utf8.count == 200)
        let marks = "a" + String(repeating: "\u{301}", count: 1000)
        #expect(DownloadName(of: [marks]).stem == "")
        #expect(DownloadName(of: ["x " + marks]).stem == "x")
    }

    @Test("a disposition has a plain name, and one of the text in ASCII")
    func disposition() {
        #expect(
            DownloadName(of: ["Grüße 1"]).disposition(of: SVGFormat.self)
                == "inline; filename=\"titlecard.svg\"; filename*=UTF-8''Gr%C3%BC%C3%9Fe-1.svg")
        #expect(
            DownloadName(of: ["!"]).disposition(of: SVGFormat.self)
                == "inline; filename=\"titlecard.svg\"")
    }
}
