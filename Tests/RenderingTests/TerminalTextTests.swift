import Testing

@testable import Rendering

@Suite struct TerminalTextTests {
    /// The text that output leaves behind, with `^` for ESC.
    private static func text(_ output: String, columns: Int = 80) throws -> String {
        let bytes = Array(
            output.split(separator: "^", omittingEmptySubsequences: false)
                .joined(separator: "\u{1B}").utf8)
        return try TerminalText.text(of: bytes, columns: columns)
            .split(separator: "\u{1B}", omittingEmptySubsequences: false).joined(separator: "^")
    }

    private static func fault(_ output: String) -> TerminalText.Fault? {
        do {
            _ = try text(output)
            return nil
        } catch {
            return error as? TerminalText.Fault
        }
    }

    // MARK: Lines

    @Test(
        "the cursor moves within a line",
        arguments: [
            ("a\r\nb", "a\nb"), ("a\nb", "a\nb"), ("10%\r50%\r100%", "100%"), ("100%\r5", "500%"),
            ("lx\u{8}s", "ls"), ("lx\u{8} \u{8}s", "ls"), ("\u{8}\u{8}a", "a"),
            ("a\tb", "a       b"),
            ("12345678\tb", "12345678        b"), ("abc\r\t", "abc"),
            ("\n\na\r\n\r\n  \n", "\n\na"),
            ("a  \nb", "a\nb"), ("a\u{7}\u{0}\u{F}\u{7F}b", "ab"), ("", ""),
        ])
    func cursor(output: String, expected: String) throws {
        #expect(try Self.text(output) == expected)
    }

    @Test(
        "a part of the line is erased",
        arguments: [
            ("abc\r^[K", ""), ("abc\u{8}^[Kd", "abd"), ("abc\u{8}^[0Kd", "abd"),
            ("abc\u{8}\u{8}^[1K", "  c"), ("abc^[2Kd", "   d"), ("abc^[1Kd", "   d"),
            ("abc\r^[J", ""), ("abc\u{8}^[0J", "ab"),
        ])
    func erased(output: String, expected: String) throws {
        #expect(try Self.text(output) == expected)
    }

    @Test(
        "a line goes on below at the width of the terminal",
        arguments: [
            ("abcdef", "abcd\nef"), ("abcd\r\nef", "abcd\nef"), ("abcd\rx", "xbcd"),
            ("abcd\u{8}x", "abxd"), ("abcd^[K\r\ne", "abcd\ne"), ("abc漢", "abc\n漢"),
            ("ab漢\u{301}c", "ab漢\u{301}\nc"), ("\t\tx", "   x"),
            // A shell's mark for output without a line break, which it takes back after one.
            ("ab%   \r \r$ ", "ab%\n$"),
        ])
    func wrapped(output: String, expected: String) throws {
        #expect(try Self.text(output, columns: 4) == expected)
    }

    @Test("there are at most 1,000 lines")
    func lines() throws {
        let most = String(repeating: "\n", count: 999) + "x"
        #expect(try Self.text(most) == most)
        #expect(
            Self.fault("\n" + most)
                == TerminalText.Fault(phrase: "writes more than 1000 lines", offset: 999))
    }

    // MARK: Characters

    @Test(
        "characters take as many columns as on terminals",
        arguments: [
            ("漢\u{8}\u{8}ab", "ab"), ("漢\rx", "x"), ("漢x\r a", " ax"), ("漢\u{8}y", " y"),
            ("👻\u{8}\u{8}  \u{8}\u{8}x", "x"), ("👩‍👧\u{8}\u{8}ab", "ab"),
            ("❤\u{FE0F}\u{8}ab", "ab"),
            ("🇫🇷\u{8}\u{8}ab", "ab"), ("e\u{301}\u{8}x", "x"), ("e^[1m\u{301}", "e\u{301}"),
            ("\u{301}a", "a"), ("\ta\r\t\u{301}", "        \u{301}a"),
            ("漢^[m\u{301}x", "漢\u{301}x"), ("한\u{8}\u{8}ab", "ab"), ("\u{200B}a\u{8}b", "b"),
            ("漢字\r\t\u{8}\u{8}\u{8}\u{8}\u{8}^[1K", ""), ("漢字\u{8}\u{8}\u{8}^[K", ""),
            ("a漢\r^[Kb", "b"),
        ])
    func widths(output: String, expected: String) throws {
        #expect(try Self.text(output).unicodeScalars.elementsEqual(expected.unicodeScalars))
    }

    // MARK: Styles

    @Test(
        "styles are written with what is needed",
        arguments: [
            ("^[31mred^[0m plain", "^[31mred^[0m plain"), ("^[31mred", "^[31mred"),
            ("^[1m^[32mb^[22mg^[39mp", "^[1;32mb^[0;32mg^[0mp"), ("a^[3mb^[1mc", "a^[3mb^[1mc"),
            ("^[31ma^[32mb", "^[31ma^[32mb"), ("^[31ma\r\n^[31mb", "^[31ma\nb"),
            ("^[31ma^[m\r\nb", "^[31ma^[0m\nb"), ("^[31ma^[m\r\n^[32mb", "^[31ma\n^[32mb"),
            ("^[31ma^[m \t^[31mb", "^[31ma       b"), ("^[1ma^[2mb^[22;9mc", "^[1ma^[2mb^[0;9mc"),
            ("^[4m ^[24m ^[4;9mx^[29;24m ", "^[4m ^[0m ^[4;9mx"), ("^[31m   ", ""),
            ("^[4ma^[m ^[4mb", "^[4ma^[0m ^[4mb"), ("^[4m   ", "^[4m   "),
            ("^[1;3ma^[23mb", "^[1;3ma^[0;1mb"),
            ("^[31ma\r^[32mb", "^[32mb"),
        ])
    func styles(output: String, expected: String) throws {
        #expect(try Self.text(output) == expected)
    }

    @Test(
        "colours and attributes have one form",
        arguments: [
            ("30", "30"), ("97", "97"), ("38;5;1", "31"), ("38;5;9", "91"),
            ("38;5;208", "38;5;208"),
            ("38:5:208", "38;5;208"), ("38;2;1;2;3", "38;2;1;2;3"), ("38:2::1:2:3", "38;2;1;2;3"),
            ("38:2:1:2:3", "38;2;1;2;3"), ("38;2;;2;3", "38;2;0;2;3"), ("4:3", "4"), ("4:1", "4"),
            ("01;31", "1;31"), ("31;1", "1;31"), ("1;0;3", "3"), ("7;5;8;53;31", "31"),
            ("48;5;1;3", "3"), ("48;2;1;2;3;9", "9"), ("58:2::1:2:3;1", "1"), ("41;107;3", "3"),
        ])
    func forms(parameters: String, written: String) throws {
        #expect(try Self.text("^[\(parameters)mx") == "^[\(written)mx")
    }

    @Test(
        "a colour that does not exist changes nothing",
        arguments: [
            "38", "38;5", "38;5;256", "38;2;1;2", "38;2;1;2;256", "38:5", "38:", "38;9", "4:0",
            "4;24",
            "99999999999999999999999", "1;", ";", "38;5;99999999999999999999", "21",
        ])
    func noColor(parameters: String) throws {
        #expect(try Self.text("^[\(parameters)mx") == "x")
    }

    @Test(
        "text that was read is read as itself",
        arguments: [
            "^[31mred\n  ^[1;32mx^[0;4m  ^[0m y", "a\n\n\nb", "漢字 👩‍👧 e\u{301}",
            "^[38;2;1;2;3ma ^[38;5;99mb\nc", "^[9m  ^[0m  ^[9mx",
        ])
    func again(text: String) throws {
        #expect(try Self.text(text).unicodeScalars.elementsEqual(text.unicodeScalars))
    }

    // MARK: Sequences

    @Test(
        "sequences that draw nothing are ignored",
        arguments: [
            "^]0;title\u{7}", "^]8;;https://x.example^\\", "^]0;cut", "^[?2004h", "^[?25l",
            "^[?1h^=", "^>",
            "^(B", "^)0", "^[2 q", "^[c", "^[>c", "^[6n", "^[>4;1m", "^[?4m", "^[22;0t", "^[4l",
            "^[!p",
            "^P+q544e^\\", "^ktitle^\\", "^[<u", "^[=1u", "^[?1$p", "^", "^[", "^[31", "^(", "^[ ",
            "^]",
            "^]0;title^[32m^[m",
        ])
    func silent(sequence: String) throws {
        #expect(try Self.text("x" + sequence) == "x")
    }

    @Test(
        "output that needs more than the last line is refused",
        arguments: [
            ("^[2A", "moves the cursor (ESC[2A)"), ("^[H", "moves the cursor (ESC[H)"),
            ("^[3C", "moves the cursor (ESC[3C)"), ("^8", "moves the cursor (ESC8)"),
            ("^M", "moves the cursor (ESCM)"), ("^[?6h", "moves the cursor (ESC[?6h)"),
            ("^[1;5r", "moves the cursor (ESC[1;5r)"),
            ("^[?1049h", "shows a full-screen program (ESC[?1049h)"),
            ("^[?12;47l", "shows a full-screen program (ESC[?12;47l)"),
            ("^[2J", "edits the screen (ESC[2J)"), ("^[3K", "edits the screen (ESC[3K)"),
            ("^[?2J", "edits the screen (ESC[?2J)"), ("^[1P", "edits the screen (ESC[1P)"),
            ("^[4h", "has an unknown sequence (ESC[4h)"), ("^c", "has an unknown sequence (ESCc)"),
            ("^[1?2m", "has an unknown sequence (ESC[1?2m)"),
            ("^[1#x", "has an unknown sequence (ESC[1#x)"),
            ("^_x", "has an unknown sequence (ESC_)"),
            ("^^", "has an unknown sequence (ESC)"), ("^é", "has an unknown sequence (ESC)"),
            ("^(0", "chooses another character set (ESC(0)"),
            ("^[1\n", "breaks off a sequence (ESC[1)"), ("^[é", "breaks off a sequence (ESC[)"),
        ])
    func refused(sequence: String, phrase: String) throws {
        let fault = try #require(Self.fault("x\r\n" + sequence))
        #expect(
            fault.phrase
                == phrase
                + "; only carriage returns, backspaces, tabs, colours, and ESC[K are followed")
        #expect(fault.offset == 3)
    }

    @Test(
        "other control characters are refused",
        arguments: [
            ("\u{E}", "U+000E"), ("\u{B}", "U+000B"), ("\u{9B}", "U+009B"), ("\u{85}", "U+0085"),
        ])
    func controls(character: String, name: String) {
        #expect(
            Self.fault("é" + character)
                == TerminalText.Fault(phrase: "has the control character \(name)", offset: 2))
    }
}
