import Bytes
import Testing

@testable import HTTP

@Suite struct PercentEncodingTests {
    @Test(
        "escapes and plus signs are decoded",
        arguments: [
            ("", ""), ("abc", "abc"), ("a+b", "a b"), ("%2B", "+"), ("%c3%A9", "é"),
            ("%F0%9F%91%BB", "👻"), ("é", "é"),
        ])
    func decoding(text: String, decoded: String) throws {
        #expect(try PercentEncoding.decode(text, plusIsSpace: true) == decoded)
    }

    @Test("a plus sign stays one in a path")
    func plus() throws {
        #expect(try PercentEncoding.decode("a+b%20c") == "a+b c")
    }

    @Test(
        "what is malformed is an error",
        arguments: [
            ("%", .malformedEscape), ("%4", .malformedEscape), ("%4g", .malformedEscape),
            ("a%%41", .malformedEscape), ("%FF", .invalidUTF8), ("%C3", .invalidUTF8),
            ("%ED%A0%80", .invalidUTF8), ("%C0%80", .invalidUTF8), ("a%00b", .nul), ("a\0", .nul),
        ] as [(String, PercentEncodingError)])
    func malformed(text: String, error: PercentEncodingError) {
        #expect(throws: error) { try PercentEncoding.decode(text, plusIsSpace: true) }
    }

    @Test("encoding leaves the unreserved characters and round-trips")
    func encoding() throws {
        let text = "aZ09-._~ +&=/?#%é👻\n"
        let encoded = PercentEncoding.encode(text)
        #expect(encoded == "aZ09-._~%20%2B%26%3D%2F%3F%23%25%C3%A9%F0%9F%91%BB%0A")
        #expect(try PercentEncoding.decode(encoded, plusIsSpace: true) == text)
    }
}

@Suite struct FormDecoderTests {
    @Test("pairs come in order, with nil where there is no equals sign")
    func pairs() throws {
        let pairs = try FormDecoder.decode(Array("&text=a+b&&text=&c&d%3D=e=f&=g".utf8))
        let expected: [(String, String?)] = [
            ("text", "a b"), ("text", ""), ("c", nil), ("d=", "e=f"), ("", "g"),
        ]
        #expect(pairs.elementsEqual(expected) { $0.name.text == $1.0 && $0.value == $1.1 })
    }

    @Test("an error says which pair is at fault")
    func faults() {
        #expect(throws: FormDecodingError(name: "b", reason: .malformedEscape)) {
            try FormDecoder.decode(Array("a=1&b=%".utf8))
        }
        #expect(throws: FormDecodingError(name: nil, reason: .invalidUTF8)) {
            try FormDecoder.decode(Array("%FF=1".utf8))
        }
    }
}
