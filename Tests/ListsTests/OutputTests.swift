import Bytes
import Motion
import Rendering
import Testing

@testable import Lists

@Suite struct OutputPathTests {
    @Test(
        "a path is its names, without empty ones and dots",
        arguments: [
            ("a.svg", [], "a.svg"), ("a/b.svg", ["a"], "b.svg"), ("./a//./b/c", ["a", "b"], "c"),
            ("a b/ü.svg", ["a b"], "ü.svg"), ("a..b/c .d", ["a..b"], "c .d"),
            ("console/com10.svg", ["console"], "com10.svg"), ("com", [], "com"),
            (String(repeating: "a/", count: 32) + "b", Array(repeating: "a", count: 32), "b"),
        ] as [(String, [ByteString], ByteString)])
    func names(text: String, directories: [ByteString], name: ByteString) throws {
        let path = try OutputPath(text)
        #expect(path.directories == directories)
        #expect(path.name == name)
        #expect(try OutputPath(path.text) == path)
    }

    @Test(
        "a path that leaves the directory or names no file is a fault",
        arguments: [
            "", ".", "..", "/", "a/", "a/.", "/a.svg", "../a.svg", "a/../b.svg", "a/..", "a\\b",
            "a\nb", "a\0", "C:a.svg", "a\u{7F}", String(repeating: "a", count: 256),
            String(repeating: "a/", count: 512) + "a", String(repeating: "a/", count: 33) + "a",
        ])
    func faults(text: String) {
        let fault = #expect(throws: ParameterFault.self) { try OutputPath(text) }
        #expect(fault?.parameter == "output")
    }

    @Test(
        "a name that a system does not take, hides, or reads as another is a fault",
        arguments: [
            "...", "a.", "a ", " a", ".a", "a. .svg ", "gpj\u{202E}.svg", "a\u{200F}.svg",
            "a\u{2028}.svg", "a\u{85}.svg", "a*.svg", "a?.svg", "a\".svg", "<a>.svg", "a|b.svg",
            "con", "CON.svg", "Prn.tar.gz", "aux .svg", "nul", "COM1.svg", "lpt9", "com¹.svg",
            "LPT³", "conin$", "CONOUT$.svg",
        ])
    func systems(name: String) {
        for text in [name, "a/\(name)", "\(name)/a.svg"] {
            let fault = #expect(throws: ParameterFault.self) { try OutputPath(text) }
            #expect(fault?.parameter == "output")
        }
    }
}

@Suite struct OutputTableTests {
    /// Returns the lines, from 1, whose outputs are faults.
    private func faults(_ texts: [String]) throws -> [Int] {
        var table = OutputTable(reserving: ["errors.jsonl"])
        var faults: [Int] = []
        for (index, text) in texts.enumerated() {
            let path = try OutputPath(text)
            do {
                try table.add(path, of: index + 1)
            } catch {
                #expect(error.faults.map(\.parameter) == ["output"])
                faults.append(index + 1)
            }
        }
        return faults
    }

    @Test(
        "two outputs that some system takes for one are a fault of the later line",
        arguments: [
            ["a.svg", "./a.svg"], ["a/b.svg", "a//b.svg"], ["a.svg", "A.SVG"],
            ["É.svg", "e\u{301}.svg"], ["straße.svg", "STRASSE.svg"], ["Σ.svg", "ς.svg"],
            ["\u{212A}.svg", "k.svg"], ["a\u{323}\u{301}", "a\u{301}\u{323}"],
            ["A/b.svg", "a/B.svg"],
            ["a.svg", "a.svg/b.svg"], ["a.svg/b.svg", "a.svg"], ["a.svg", "A.svg/b/c.svg"],
            ["a/B.svg/c/d.svg", "A/b.svg"], ["b.svg", "errors.jsonl"],
            ["b.svg", "ERRORS.jsonl/a.svg"],
        ])
    func clashes(texts: [String]) throws {
        #expect(try faults(texts) == [2])
        #expect(try faults(texts + [texts[0], "z.svg"]).last == 3)
    }

    @Test("directories may be shared, and a faulty line takes no place")
    func shared() throws {
        let texts = [
            "a/b/1.svg", "a/b/2.svg", "A/3.svg", "a/b/c/4.svg", "a/4.svg", "I.svg", "ı.svg",
            "İ.svg",
        ]
        #expect(try faults(texts) == [])
        #expect(try faults(["a", "a/b/c.svg", "b/c.svg", "b/c.svg/d", "b/c"]) == [2, 4])
    }
}
