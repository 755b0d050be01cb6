import Bytes
import Testing

@testable import Rendering

@Suite struct JSONReaderTests {
    private func text(_ json: String) -> String {
        do {
            return Self.text(of: try JSONReader.value(in: Array(json.utf8)))
        } catch {
            return "fault at \(error.line.map { "\($0):" } ?? "")\(error.column)"
        }
    }

    private static func text(of value: RawValue) -> String {
        switch value {
        case .array(let elements): "[" + elements.map(text).joined(separator: " ") + "]"
        case .object(let members):
            "{"
                + members.sorted { $0.key < $1.key }.map { "\($0):" + text(of: $1) }
                .joined(separator: " ") + "}"
        default: value.description
        }
    }

    @Test(
        "JSON is read",
        arguments: [
            (" {\"a\" : [1, -2.5e1,true,null] } ", "{a:[1 -25 true null]}"),
            ("\"\\u00e9\\n\\ud83d\\udc7b\\/\"", "\"é\n👻/\""), ("[]", "[]"), ("{}", "{}"),
            ("{\"a\":1,\"a\":2}", "{a:2}"), ("\"👻\"", "\"👻\""),
        ])
    func readable(json: String, expected: String) {
        #expect(text(json) == expected)
    }

    @Test(
        "what is not JSON is refused with its place",
        arguments: [
            ("", "1"), ("{\"a\":1,}", "7"), ("[1,]", "3"), ("{a:1}", "2"), ("[1 2]", "4"),
            ("01", "1"),
            ("+1", "1"), ("nul", "1"), ("\"a", "3"), ("\"\\x\"", "3"), ("\"\\ud800\"", "8"),
            ("\"\\udc00\"", "8"), ("\"\u{1}\"", "2"), ("{} x", "4"), ("'a'", "1"), ("{\"a\"}", "5"),
            ("[NaN]", "2"), ("\"\\u12g4\"", "4"), ("[\"é👻\" 1]", "7"), ("{\n\n  x", "3:3"),
            ("[1,\r\n]", "1:3"), ("\n\n", "3:1"), ("\u{FEFF}", "2"),
        ])
    func unreadable(json: String, place: String) {
        #expect(text(json) == "fault at \(place)")
    }

    @Test("a byte order mark may come first, but nowhere else")
    func byteOrderMark() {
        #expect(text("\u{FEFF}[1]") == "[1]")
        #expect(text("[\u{FEFF}1]") == "fault at 2")
    }

    @Test("depth is bounded")
    func depth() {
        let deep = String(repeating: "[", count: 60_000)
        #expect(text(deep).hasPrefix("fault"))
    }
}
