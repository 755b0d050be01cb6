import Bytes
import Encoders
import Motion
import Testing

@testable import Rendering

@Suite struct PermalinkTests {
    private let deflater: Deflater

    init() throws {
        deflater = try Deflater(.permalink)
    }

    @Test(
        "a token holds the whole request",
        arguments: ["a", "👻 שלום", String(repeating: "x", count: 1900)])
    func roundTrip(text: String) throws {
        let canonical = "{\"text\":\"\(text)\"}"
        let token = Permalink.token(of: canonical, deflater)
        #expect(token.utf8.allSatisfy { $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: "+") })
        let raw = try Permalink.request(in: token[...], limit: 65_536)
        #expect(raw.texts.first?.characters == text)
    }

    @Test("equal requests have equal tokens, whatever was compressed before")
    func determinism() throws {
        let first = Permalink.token(of: "{\"text\":\"a\"}", deflater)
        _ = Permalink.token(of: "{\"text\":\"something else\"}", deflater)
        #expect(Permalink.token(of: "{\"text\":\"a\"}", deflater) == first)
        #expect(Permalink.token(of: "{\"text\":\"a\"}", try Deflater(.permalink)) == first)
    }

    @Test(
        "a path has a revision, a token and an extension",
        arguments: [
            ("2/abc.svg", 2, "abc", "svg"), ("1/abc.svg", 1, "abc", "svg"),
            ("65535/abc.svg", 65_535, "abc", "svg"), ("abc.svg", 1, "abc", "svg"),
            ("2.svg", 1, "2", "svg"), ("2/.svg", 2, "", "svg"), ("2/a/b.c.", 2, "a/b", "c."),
            ("2/abc.lottie.json", 2, "abc", "lottie.json"),
        ])
    func path(_ path: String, revision: UInt16, token: String, fileExtension: String) throws {
        let parts = try #require(Permalink.Path(path[...]))
        #expect(parts.revision == revision)
        #expect(parts.token == token)
        #expect(parts.fileExtension == fileExtension)
    }

    @Test(
        "a path without an extension, or with another spelling of a revision, is none",
        arguments: [
            "", "/", "2/", "2/abc", "/abc.svg", "0/abc.svg", "02/abc.svg", "+2/abc.svg",
            "-2/abc.svg", "2x/abc.svg", "2.0/abc.svg", "\u{662}/abc.svg", "65536/abc.svg",
            "99999999999999999999999/abc.svg", "abc/abc.svg",
        ])
    func malformedPath(_ path: String) {
        #expect(Permalink.Path(path[...]) == nil)
    }

    @Test("the path of a request is read as it was written")
    func ownPath() throws {
        let path = Permalink.path(of: "{\"text\":\"a\"}", extension: "svg", deflater)
        let parts = try #require(Permalink.Path(path.dropFirst("/r/".count)))
        #expect(parts.revision == Renderer.revision)
        #expect(parts.token == Permalink.token(of: "{\"text\":\"a\"}", deflater))
        #expect(parts.fileExtension == "svg")
    }

    @Test("broken tokens are refused", arguments: ["", "A", "!!!!", "AAAA", "eJw", "eA=="])
    func broken(token: String) {
        #expect(throws: RenderingError.self) {
            try Permalink.request(in: token[...], limit: 65_536)
        }
    }

    @Test("a bomb is refused")
    func bomb() {
        let packed = deflater.deflated([UInt8](repeating: 0x20, count: 1 << 20))
        let token = String(decoding: Base64.url.encoded(packed), as: UTF8.self)
        do {
            _ = try Permalink.request(in: token[...], limit: 65_536)
            Issue.record("accepted")
        } catch {
            #expect(error.faults[0].message == "inflates to more than 65536 bytes")
        }
    }

    @Test("bytes survive base64 of any length")
    func base64() {
        for count in 0..<70 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 37) }
            let text = String(decoding: Base64.url.encoded(bytes), as: UTF8.self)
            #expect(Base64.url.decoded(text[...]) == bytes)
        }
        #expect(Base64.url.decoded("AB") == nil, "bits left over")
    }
}
