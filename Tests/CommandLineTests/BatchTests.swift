import Glibc
import Testing

@testable import titlecard

@Suite struct ShardTests {
    @Test("the shards of a list have each line once")
    func partition() throws {
        let shards = try (0..<16).map { try #require(Shard("\($0)/16")) }
        for line in 1...100 {
            #expect(shards.filter { $0.contains(line: line) }.count == 1)
            #expect(shards[line % 16].contains(line: line))
            #expect(Shard.whole.contains(line: line))
        }
    }

    @Test(
        "an index that is not less than the count is none",
        arguments: ["", "/", "3", "3/", "/3", "3/3", "4/3", "0/0", "-1/3", "+1/3", "1/3/5", "a/b"])
    func faults(text: String) {
        #expect(Shard(text) == nil)
    }
}

@Suite struct LineReaderTests {
    private func lines(_ bytes: [UInt8]) throws -> [Int?] {
        let file = try #require(tmpfile())
        defer { fclose(file) }
        #expect(StandardStreams.write(bytes, descriptor: fileno(file)))
        lseek(fileno(file), 0, SEEK_SET)
        var reader = LineReader(fileno(file), name: "test")
        var lengths: [Int?] = []
        while let line = try reader.next() {
            switch line {
            case .bytes(let bytes): lengths.append(bytes.count)
            case .tooLong: lengths.append(nil)
            }
        }
        #expect(reader.byteCount == bytes.count)
        return lengths
    }

    private func text(_ count: Int) -> [UInt8] { [UInt8](repeating: 0x61, count: count) }

    @Test("lines go across the buffer, and the last one needs no line break")
    func long() throws {
        #expect(try lines([]) == [])
        #expect(try lines([0x0A]) == [0])
        #expect(try lines(text(3) + [0x0A, 0x0A] + text(2)) == [3, 0, 2])
        #expect(try lines(text(65_535) + [0x0A] + text(65_536) + [0x0A]) == [65_535, 65_536])
        #expect(try lines(text(200_000) + [0x0A] + text(1)) == [200_000, 1])
    }

    @Test("a line past the limit is passed over")
    func tooLong() throws {
        let longest = LineReader.longest
        let bytes = text(longest) + [0x0A] + text(longest + 1) + [0x0A] + text(4)
        #expect(try lines(bytes) == [longest, nil, 4])
        #expect(try lines(text(3 * longest)) == [nil])
    }
}
