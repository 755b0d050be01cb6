import Encoders
import Testing

@testable import Service

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
