import Bytes
import HTTP
import Rendering
import Testing

@testable import Service

@Suite struct EmbedTests {
    @Test(
        "a public URL is a scheme, a host, perhaps a port and a path",
        arguments: [
            ("https://titlecard.example", "https://titlecard.example"),
            ("HTTPS://Titlecard.example/", "https://Titlecard.example"),
            ("http://localhost:8080/a/b-c_d.e~f/", "http://localhost:8080/a/b-c_d.e~f"),
            ("http://[::1]:80", "http://[::1]:80"), ("http://127.0.0.1", "http://127.0.0.1"),
        ] as [(String, String)])
    func publicURL(text: String, expected: String) {
        #expect(PublicURL(text)?.text == expected)
    }

    @Test(
        "whatever would need an escape somewhere is no public URL",
        arguments: [
            "", "titlecard.example", "ftp://a", "https://", "https:///x", "https://a b",
            "https://a/?q", "https://a/#f", "https://user@a", "https://a:", "https://a:0",
            "https://a:65536", "https://a:+1", "https://a:8o", "https://a'b", "https://a(b)",
            "https://[::1", "https://[127.0.0.1]", "https://[::1]x", "https://a//b",
            "https://a/%20", "https://ä", "https://a/é", "https://a\n",
        ])
    func noPublicURL(text: String) {
        #expect(PublicURL(text) == nil)
    }

    @Test("a query has texts first, then names in order, and no character that is reserved")
    func query() {
        let request = RawRequest(
            values: [
                "title": "(a), 'b' & \"c\"*\n", "size": 20.5, "italic": true, "format": "gif",
            ],
            texts: [.text("One [1]"), .text("Žwei")])
        #expect(
            request.query
                == "text=One+%5B1%5D&text=%C5%BDwei&italic=true&size=20.5"
                + "&title=%28a%29%2C+%27b%27+%26+%22c%22%2A%0A")
    }

    @Test("blocks are in a query as texts, keyframes as JSON; blocks with more are in none")
    func queryOfJSON() {
        let frames: RawValue = [["opacity": 0, "y": "50%"]]
        let request = RawRequest(values: ["blocks": [["text": "a"], ["text": "b"]]])
        #expect(request.query == "text=a&text=b")
        #expect(
            RawRequest(values: ["keyframes": frames], texts: ["a"]).query
                == "text=a&keyframes="
                + PercentEncoding.encode(#"[{"opacity":0,"y":"50%"}]"#))
        #expect(RawRequest(values: ["blocks": [["text": "a", "size": 9]]]).query == nil)
    }
}
