import Testing

@testable import Service

@Suite struct MessageAuthenticationTests {
    /// RFC 4231, section 4: key, message and HMAC-SHA-256 in hexadecimal.
    private static let vectors: [(key: String, message: String, code: String)] = [
        (
            String(repeating: "0b", count: 20), "4869205468657265",
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        (
            "4a656665", "7768617420646f2079612077616e7420666f72206e6f7468696e673f",
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        (
            String(repeating: "aa", count: 20), String(repeating: "dd", count: 50),
            "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
        ),
        (
            "0102030405060708090a0b0c0d0e0f10111213141516171819",
            String(repeating: "cd", count: 50),
            "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"
        ),
        (
            String(repeating: "aa", count: 131),
            "54657374205573696e67204c6172676572205468616e20426c6f636b2d53697a65204b6579202d20"
                + "48617368204b6579204669727374",
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
    ]

    @Test("codes are those of RFC 4231", arguments: vectors.indices)
    func codes(_ index: Int) {
        let vector = Self.vectors[index]
        let code = MessageAuthentication.code(of: bytes(vector.message), key: bytes(vector.key))
        #expect(code == bytes(vector.code))
    }

    @Test func `a code that differs in one bit, or in length, is not valid`() {
        let code = MessageAuthentication.code(of: [1, 2], key: [3])
        #expect(MessageAuthentication.isValid(code, for: [1, 2], key: [3]))
        for index in code.indices {
            var wrong = code
            wrong[index] ^= 1
            #expect(!MessageAuthentication.isValid(wrong, for: [1, 2], key: [3]))
        }
        #expect(!MessageAuthentication.isValid(Array(code.dropLast()), for: [1, 2], key: [3]))
        #expect(!MessageAuthentication.isValid([], for: [1, 2], key: [3]))
    }

    /// The first 24 bytes of SHA-256 of 61 62 63 FF and of FF, as `sha256sum` computes them.
    @Test func `a hash stands for its parts in their order`() {
        #expect(ContentHash.shortText(of: ["abc"]) == "jjsI3BI2iAvwxVhz21ixLYvwOYsbF8lo")
        #expect(ContentHash.shortText(of: [""]) == "qBAK5qoZQNC2Y7sxzUZhQuu9vVGHExuS")
        #expect(ContentHash.shortText(of: ["a", "b"]) != ContentHash.shortText(of: ["ab"]))
        #expect(ContentHash.shortText(of: ["a", "b"]) != ContentHash.shortText(of: ["b", "a"]))
    }

    private func bytes(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = text[...]
        while let byte = UInt8(rest.prefix(2), radix: 16) {
            bytes.append(byte)
            rest = rest.dropFirst(2)
        }
        return bytes
    }
}
