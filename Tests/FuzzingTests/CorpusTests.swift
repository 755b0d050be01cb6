import Foundation
import Fuzzing
import Testing

/// Every input that a fuzzer began with, and every finding of one.
@Suite struct CorpusTests {
    @Test func `every target has a corpus, and every corpus a target`() throws {
        #expect(try Self.names(in: "") == FuzzTargets.all.keys.sorted())
    }

    /// A process for each, so that an input that ends it is named.
    @Test(arguments: try inputs())
    func `an input keeps the rules of its target`(input: String) async {
        await #expect(processExitsWith: .success) { [input = input as String] in
            let target = try #require(FuzzTargets.all[String(input.prefix { $0 != "/" })])
            target.take([UInt8](try Data(contentsOf: Self.corpus().appending(path: input))))
        }
    }

    /// The inputs as `json/numbers`.
    private static func inputs() throws -> [String] {
        try names(in: "").flatMap { name in try names(in: name).map { "\(name)/\($0)" } }
    }

    private static func names(in directory: String) throws -> [String] {
        let path = corpus().appending(path: directory).path
        return try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    }

    private static func corpus(file: String = #filePath) -> URL {
        URL(filePath: file).deletingLastPathComponent().appending(path: "../../Fuzzing/Corpus")
    }
}
