import Bytes
import Testing

@testable import Rendering

@Suite struct JSONReaderTests {
    private func text(_ json: String) -> String {
        do {
            return Self.text(of: try JSONReader.value(in: Array(json.utf8)))
        } catch {
            return "fault at \(error.offset)"
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
        "what is not JSON is refused with its offset",
        arguments: [
            ("", 0), ("{\"a\":1,}", 7), ("[1,]", 3), ("{a:1}", 1), ("[1 2]", 3), ("01", 0),
            ("+1", 0), ("nul", 0), ("\"a", 2), ("\"\\x\"", 2), ("\"\\ud800\"", 7),
            ("\"\\udc00\"", 7), ("\"\u{1}\"", 1), ("{} x", 3), ("'a'", 0), ("{\"a\"}", 4),
            ("[NaN]", 1), ("\"\\u12g4\"", 3),
        ])
    func unreadable(json: String, offset: Int) {
        #expect(text(json) == "fault at \(offset)")
    }

    @Test("depth is bounded")
    func depth() {
        let deep = String(repeating: "[", count: 60_000)
        #expect(text(deep).hasPrefix("fault"))
    }
}
