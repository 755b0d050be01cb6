import Motion
import Testing

@testable import Rendering

@Suite struct AsciicastTests {
    private static let second = #"{"version": 2, "width": 80, "height": 24}"#
    private static let third = #"{"version": 3, "term": {"cols": 80, "rows": 24}}"#

    private static func text(_ lines: String...) throws(RenderingError) -> String {
        try Asciicast.text(of: Array(lines.joined(separator: "\n").utf8))
    }

    private static func message(_ lines: String...) -> String? {
        do {
            _ = try Asciicast.text(of: Array(lines.joined(separator: "\n").utf8))
            return nil
        } catch {
            #expect(error.faults.map(\.parameter) == ["body"])
            return error.faults.first?.message
        }
    }

    @Test(
        "the output of both versions is one text",
        arguments: [Self.second, Self.third])
    func output(header: String) throws {
        #expect(
            try Self.text(
                header, #"[0.1, "o", "$ l"]"#, #"[0.2,"i","x\u001b[A"]"#, #"[0.3, "o", "s\r\n"]"#,
                #"[0.4, "m", ""]"#, #"[0.5, "r", "100x30"]"#, #"[0.6, "x", "0"]"#,
                #"[0.7, "z", {"a": 1}, 2]"#, #"[0.8, "z"]"#, #"[1, "o", "\u001b[34mdocs\u001b"]"#,
                #"[1, "o", "[0m"]"#, "", "  \r", "") == "$ ls\n\u{1B}[34mdocs")
    }

    @Test("characters and sequences may be cut by events")
    func cut() throws {
        let output = [
            "e", "\u{301}", "👩", "\u{200D}", "👧", "\u{1B}", "[", "3", "1", "m", "x", "\r", "\n",
            "y",
        ]
        let events = output.map { JSONNode.array([0, "o", .string($0)]).text }
        let text = try Asciicast.text(
            of: Array(([Self.second] + events).joined(separator: "\n").utf8))
        #expect(text.utf8.elementsEqual("e\u{301}👩\u{200D}👧\u{1B}[31mx\ny".utf8))
    }

    @Test("lines are as wide as the terminal")
    func width() throws {
        let event = #"[0, "o", "abcd"]"#
        #expect(try Self.text(#"{"version": 2, "width": 3, "height": 1}"#, event) == "abc\nd")
        #expect(try Self.text(#"{"version": 3, "term": {"cols": 2}}"#, event) == "ab\ncd")
    }

    @Test("lines that begin with # are comments of version 3")
    func comments() throws {
        #expect(try Self.text(Self.third, "# [", #"[0, "o", "x"]"#) == "x")
        let message = try #require(Self.message(Self.second, "# ["))
        #expect(message.hasPrefix("line 2 is not valid JSON"))
    }

    @Test(
        "a header that is wrong is refused",
        arguments: [
            ("", "line 1 is not valid JSON: a value is missing, at column 1"),
            ("{", "line 1 is not valid JSON: expected a name in double quotes, at column 2"),
            ("[]", "line 1 must be a JSON object, the header; got an array"),
            ("{}", "line 1 must have the version 2 or 3; got none"),
            (#"{"version": 1}"#, "line 1 must have the version 2 or 3; got 1"),
            (#"{"version": "2"}"#, #"line 1 must have the version 2 or 3; got "2""#),
            (#"{"version": 2}"#, "line 1 must have width, an integer from 1 to 4096; got none"),
            (
                #"{"version": 2, "width": 0}"#,
                "line 1 must have width, an integer from 1 to 4096; got 0"
            ),
            (
                #"{"version": 2, "width": 1e999}"#,
                "line 1 must have width, an integer from 1 to 4096; got a number that is too large"
            ),
            (#"{"version": 3, "width": 80}"#, "line 1 must have term, an object"),
            (
                #"{"version": 3, "term": {"cols": 80.5}}"#,
                "line 1 must have term.cols, an integer from 1 to 4096; got 80.5"
            ),
        ])
    func header(line: String, message: String) {
        #expect(Self.message(line) == message)
    }

    @Test(
        "an event that is wrong is refused",
        arguments: [
            ("", "is not valid JSON: a value is missing, at column 1"),
            ("{}", #"must be an event, such as [0.5, "o", "text"]"#),
            ("[]", #"must be an event, such as [0.5, "o", "text"]"#),
            (#"["0", "o", "x"]"#, #"must be an event, such as [0.5, "o", "text"]"#),
            (#"[-1, "o", "x"]"#, #"must be an event, such as [0.5, "o", "text"]"#),
            (#"[1e999, "o", "x"]"#, #"must be an event, such as [0.5, "o", "text"]"#),
            (#"[0, 1, "x"]"#, #"must be an event, such as [0.5, "o", "text"]"#),
            (#"[0, "o"]"#, #"must have one string after "o""#),
            (#"[0, "o", 1]"#, #"must have one string after "o""#),
            (#"[0, "i", "x", "y"]"#, #"must have one string after "i""#),
            (#"[0, "r", "80"]"#, #"must have a size such as "80x24"; got "80""#),
            (#"[0, "r", "80xa"]"#, #"must have a size such as "80x24"; got "80xa""#),
            (#"[0, "o", "\ud800"]"#, "is not valid JSON: unpaired surrogate, at column 17"),
        ])
    func event(line: String, phrase: String) {
        #expect(Self.message(Self.third, "#", line, #"[0, "o", "x"]"#) == "line 3 " + phrase)
    }

    @Test("a sequence that is not followed is found in its line")
    func sequence() throws {
        let event = #"[0, "o", "abc"]"#
        let message = try #require(
            Self.message(
                Self.second, event, #"[0, "o", "\u001b[3"]"#, #"[0, "i", ""]"#, #"[0, "o", "A"]"#))
        #expect(message.hasPrefix("line 3 moves the cursor (ESC[3A);"))
        let lines = String(repeating: #"\n"#, count: 500)
        #expect(
            Self.message(
                Self.second, #"[0, "o", "\#(lines)"]"#, #"[0, "o", ""]"#, #"[0, "o", "\#(lines)"]"#)
                == "line 4 writes more than 1000 lines")
    }

    @Test("a body that is not UTF-8 is refused")
    func utf8() {
        #expect(throws: RenderingError.invalid("body", "is not UTF-8")) {
            try Asciicast.text(of: Array(Self.second.utf8) + [0x0A, 0xFF])
        }
    }

    @Test(
        arguments: [
            ("$ ls\nx", "$"), ("$", "$"),
            ("\u{1B}[1;32myou@host\u{1B}[0m:\u{1B}[34m~\u{1B}[0m$ ls", "you@host:~$"),
            ("project % ls", "project %"), ("❯ ls", "❯"), ("100% of it\n$ ls", nil),
            ("a$b", nil),
            ("no prompt\n$ ls", nil), ("", nil), (String(repeating: "a", count: 40) + "$ ls", nil),
        ] as [(String, String?)])
    func `The prompt is the beginning of the first line`(text: String, prompt: String?) {
        let found = Asciicast.prompt(of: text)
        #expect(found.map { Array($0.utf8) } == prompt.map { Array($0.utf8) })
    }
}
