import Bytes
import Motion
import Rendering
import Testing

@testable import Lists

@Suite struct LineReaderTests {
    /// Returns the lengths of lines, nil for a line that is too long, with bytes that come in parts.
    private func lengths(_ bytes: [UInt8], in part: Int, longest: Int = 1 << 20) -> [Int?] {
        var rest = bytes[...]
        var reader = LineReader(longest: longest)
        var lengths: [Int?] = []
        func more() -> [UInt8] {
            defer { rest = rest.dropFirst(part) }
            return Array(rest.prefix(part))
        }
        while let line = reader.next(more) {
            switch line {
            case .bytes(let bytes): lengths.append(bytes.count)
            case .tooLong: lengths.append(nil)
            }
        }
        return lengths
    }

    private func text(_ count: Int) -> [UInt8] { [UInt8](repeating: 0x61, count: count) }

    @Test("lines go across parts, and the last one needs no line break", arguments: [1, 2, 3, 7])
    func parts(part: Int) {
        #expect(lengths([], in: part) == [])
        #expect(lengths([0x0A], in: part) == [0])
        #expect(lengths(text(3) + [0x0A, 0x0A] + text(2), in: part) == [3, 0, 2])
        #expect(lengths(text(7) + [0x0A] + text(8) + [0x0A], in: part) == [7, 8])
        #expect(lengths(text(200) + [0x0A] + text(1), in: part) == [200, 1])
    }

    @Test("a line past the limit is passed over", arguments: [1, 3, 65_536])
    func tooLong(part: Int) {
        let bytes = text(5) + [0x0A] + text(6) + [0x0A] + text(4)
        #expect(lengths(bytes, in: part, longest: 5) == [5, nil, 4])
        #expect(lengths(text(15), in: part, longest: 5) == [nil])
    }

    @Test("nothing is read after the end, where a terminal would wait for more")
    func end() {
        var reader = LineReader(longest: 9)
        var parts: [[UInt8]] = [[], [0x61, 0x0A]]
        var reads = 0
        for _ in 0..<4 {
            _ = reader.next {
                reads += 1
                return parts.popLast() ?? []
            }
        }
        #expect(reads == 2)
    }

    @Test("bytes that are there are read before others")
    func first() {
        var reader = LineReader([0x61, 0x0A, 0x62], longest: 9)
        var rest: [[UInt8]] = [[0x63, 0x0A, 0x64]]
        var lines: [String] = []
        while case .bytes(let line)? = reader.next({ rest.popLast() ?? [] }) {
            lines.append(String(decoding: line, as: UTF8.self))
        }
        #expect(lines == ["a", "bc", "d"])
    }
}

@Suite struct FileListTests {
    /// Returns the numbers of lines, each with the text of its path, and the parameters at fault.
    private func entries(
        _ text: String, longest: Int = 100, upTo most: Int = .max
    ) -> [(number: Int, path: String?, faults: [String])] {
        var list = FileList(
            Array(text.utf8), longestLine: longest, reserving: ["errors.jsonl"])
        var entries: [(number: Int, path: String?, faults: [String])] = []
        while let entry = list.next(upTo: most, { [] }) {
            var faults: [String] = []
            if case .failure(let error) = entry.line { faults = error.faults.map(\.parameter) }
            entries.append((entry.number, entry.path?.text, faults))
        }
        return entries
    }

    @Test("lines are numbered from 1, blank ones and comments included")
    func numbers() {
        for text in ["a.svg?text=1\n\n# b\n b.svg?text=2", "a.svg?text=1\n\n# b\nb.svg?text=2\n"] {
            let entries = entries(text)
            #expect(entries.map(\.number) == [1, 4])
            #expect(entries.map(\.path) == ["a.svg", "b.svg"])
            #expect(FileList.lineCount(of: Array(text.utf8)) == 4)
        }
        #expect(entries("").isEmpty)
        #expect(FileList.lineCount(of: []) == 0)
    }

    @Test("a line that is too long is a fault, and the next one is read")
    func long() {
        let entries = entries("abc.svg?text=1\na.svg?text=1\n", longest: 12)
        #expect(entries.map(\.number) == [1, 2])
        #expect(entries.map(\.faults) == [["line"], []])
    }

    @Test("a line with another line's output is a fault with its path")
    func outputs() {
        let entries = entries("a.svg?text=1\nA.svg?text=2\nerrors.jsonl?text=3\n{}\nb.svg?=%\n")
        #expect(entries.map(\.path) == ["a.svg", "A.svg", "errors.jsonl", nil, nil])
        #expect(entries.map(\.faults) == [[], ["output"], ["output"], ["output"], [""]])
    }

    @Test("a faulty line takes no output")
    func faulty() {
        #expect(entries("a.svg?text=%\na.svg?text=1").map(\.faults) == [["text"], []])
    }

    @Test("no more lines are read than asked for")
    func most() {
        #expect(entries("a.svg?text=1\n\nb.svg?text=2", upTo: 2).map(\.number) == [1])
    }
}
