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
