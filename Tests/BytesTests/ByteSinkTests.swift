import Bytes
import Testing

@Suite struct ByteSinkTests {
    private func text(_ write: (inout ByteSink) -> Void) -> String {
        var sink = ByteSink(capacity: 1)
        write(&sink)
        return String(decoding: sink.bytes(), as: UTF8.self)
    }

    @Test(
        "numbers are written as short as their decimals allow",
        arguments: [
            (0, 4, "0"), (-0.0, 4, "0"), (1, 4, "1"), (0.5, 4, "0.5"), (-0.5, 1, "-0.5"),
            (82.96875, 4, "82.9688"), (0.00004, 4, "0"), (-0.00004, 4, "0"), (12.3400, 2, "12.34"),
            (1e9, 0, "1000000000"), (123_456.789, 3, "123456.789"), (0.05, 4, "0.05"),
            (100, 4, "100"), (.nan, 4, "0"), (.infinity, 4, "0"), (0.000000001, 9, "0.000000001"),
        ] as [(Double, Int, String)])
    func decimals(number: Double, decimals: Int, expected: String) {
        #expect(text { $0.append(number, decimals: decimals) } == expected)
    }

    @Test("a zero before the point can be left out")
    func leadingZero() {
        #expect(text { $0.append(0.25, decimals: 2, leadingZero: false) } == ".25")
        #expect(text { $0.append(-0.05, decimals: 2, leadingZero: false) } == "-.05")
        #expect(text { $0.append(0, decimals: 2, leadingZero: false) } == "0")
        #expect(text { $0.append(10, decimals: 2, leadingZero: false) } == "10")
    }

    @Test("integers are written whole", arguments: [0, 7, 10, -1, 99, 100, 12_345_678, -1000])
    func integers(number: Int) {
        #expect(text { $0.append(number) } == "\(number)")
    }

    @Test("numbers read back as what they are rounded to")
    func roundTrip() {
        for step in 0..<2000 {
            let number = (Double(step) * 7.31 - 5000) / 3
            let written = text { $0.append(number, decimals: 4) }
            #expect(abs((Double(written) ?? .nan) - number) <= 0.00005001)
        }
    }

    @Test(
        "base64 is padded as RFC 4648 says",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
        ])
    func base64(plain: String, expected: String) {
        #expect(Base64.standard.encoded(Array(plain.utf8)) == Array(expected.utf8))
    }

    @Test("JSON and XML text is escaped")
    func escapes() {
        #expect(
            text { $0.append(jsonString: "a\"b\\c\n\u{1}é👻") } == "\"a\\\"b\\\\c\\n\\u0001é👻\"")
        #expect(
            XMLText.escaped("<a & \"b\">\u{FFFF}\n") == "&lt;a &amp; &quot;b&quot;&gt;\u{FFFD}\n")
    }
}
