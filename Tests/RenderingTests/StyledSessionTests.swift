import Testing
import Typesetting

@testable import Rendering

@Suite struct StyledSessionTests {
    private func ends(_ written: String) throws -> [String] {
        let session = try StyledSession(written)
        return session.styles.map {
            "\($0.end) \(TerminalStyle.plain.change(to: $0.style).dropFirst())"
        }
    }

    @Test func `Sequences style what stands behind them, and are no part of the text`() throws {
        let session = try StyledSession("a\u{1B}[1;32mb\tc\u{1B}[md\r\ne")
        #expect(session.text == "ab    cd\ne")
        #expect(session.source == "a\u{1B}[1;32mb    c\u{1B}[md\ne")
        #expect(try ends("a\u{1B}[1;32mb\tc\u{1B}[md") == ["1 [m", "7 [1;32m", "8 [m"])
    }

    @Test(
        arguments: [
            ("38;5;9", "91"), ("38;5;200", "38;5;200"), ("38;2;1;2;3", "38;2;1;2;3"),
            ("38:2::1:2:3", "38;2;1;2;3"), ("48;5;1;31", "31"), ("4:0", ""), ("7;5;3", "3"),
            ("38;5;999", ""), ("999999999999999999999", ""), ("31;39", ""), ("38;5", ""),
        ])
    func `Parameters are ECMA-48's`(written: String, canonical: String) throws {
        #expect(try ends("\u{1B}[\(written)ma").last == "1 [\(canonical)m")
    }

    @Test(
        arguments: [
            "a\u{1B}", "a\u{1B}[", "a\u{1B}[31", "a\u{1B}[2Kb", "a\u{1B}]0;m", "a\u{1B}[?1m",
            "a\u{8}",
            "a\u{1B}\u{1B}[1m", "a\u{1B}[1\nm",
        ])
    func `Other sequences and control characters are faults`(written: String) {
        #expect(throws: TypesettingError.self) { try StyledSession(written) }
    }
}
