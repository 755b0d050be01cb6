import Bytes
import Encoders
import Motion
import Rendering
import Testing

@testable import Service

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

@Suite struct BatchListTests {
    private func lines(_ text: String, longest: Int = 100) -> [(Int, String?)] {
        var list = BatchList(Array(text.utf8), longestLine: longest)
        var lines: [(Int, String?)] = []
        while let line = list.next() {
            lines.append((line.number, line.bytes.map { String(decoding: $0, as: UTF8.self) }))
        }
        #expect(list.isAtEnd)
        return lines
    }

    @Test("lines are numbered from 1, whether or not the last one has a line break")
    func numbers() {
        for text in ["a\n\nb", "a\n\nb\n"] {
            let lines = lines(text)
            #expect(lines.map(\.0) == [1, 2, 3])
            #expect(lines.map(\.1) == ["a", "", "b"])
            #expect(BatchList(Array(text.utf8), longestLine: 9).lineCount == 3)
        }
        #expect(lines("").isEmpty)
        #expect(BatchList([], longestLine: 9).lineCount == 0)
    }

    @Test("a line that is too long has no bytes, and the next one has")
    func long() {
        #expect(lines("abc\nab\n", longest: 2).map(\.1) == [nil, "ab"])
    }
}

@Suite struct ZipArchiveTests {
    private func number(_ bytes: [UInt8], at offset: Int, count: Int = 4) -> Int {
        bytes[offset..<offset + count].reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    @Test("the directory leads to each file, whose fields it repeats")
    func directory() throws {
        let text = Array(String(repeating: "text ", count: 100).utf8)
        let gzip = try Deflater(.gzip).deflated(text)
        let files = [
            ZipArchive.File("ü/a", .stored([1, 2, 3])), ZipArchive.File("b", .gzip(gzip)),
            ZipArchive.File("c", .stored([])),
        ]
        var archive = ZipArchive()
        var bytes: [UInt8] = []
        for file in files {
            archive.add(file)
            bytes += file.bytes
        }
        let end = bytes.count
        bytes += archive.end()
        let tail = bytes.count - 22
        #expect(number(bytes, at: tail) == 0x0605_4b50)
        #expect(number(bytes, at: tail + 10, count: 2) == 3)
        #expect(number(bytes, at: tail + 12) == tail - end)
        #expect(number(bytes, at: tail + 16) == end)
        var offset = end
        var sizes: [Int] = []
        for _ in files {
            #expect(number(bytes, at: offset) == 0x0201_4b50)
            let file = number(bytes, at: offset + 42)
            #expect(number(bytes, at: file) == 0x0403_4b50)
            #expect(bytes[(offset + 6)..<(offset + 32)] == bytes[(file + 4)..<(file + 30)])
            sizes.append(number(bytes, at: offset + 24))
            offset += 46 + number(bytes, at: offset + 28, count: 2)
        }
        #expect(sizes == [3, text.count, 0])
        #expect(offset == tail)
    }

    @Test("there is no room past four gibibytes")
    func room() {
        let archive = ZipArchive()
        let file = ZipArchive.File("a", .stored([1]))
        #expect(archive.hasRoom(for: file, reserve: 0))
        #expect(!archive.hasRoom(for: file, reserve: Int(UInt32.max) - 100))
    }
}
