import Foundation
import Fuzzing
import Testing

/// Every input that a fuzzer began with, and every finding of one.
@Suite struct CorpusTests {
    @Test func everyTargetHasACorpusAndEveryCorpusATarget() throws {
        let directories = try FileManager.default.contentsOfDirectory(atPath: Self.corpus())
        #expect(directories.sorted() == FuzzTargets.all.keys.sorted())
    }

    /// A process of its own, so that an input that ends it is named.
    @Test(arguments: FuzzTargets.all.keys.sorted())
    func everyInputKeepsTheRulesOfItsTarget(name: String) async {
        let ended = await #expect(
            processExitsWith: .success, observing: [\.standardErrorContent]
        ) { [name = name as String] in
            let target = try #require(FuzzTargets.all[name])
            let directory = "\(Self.corpus())/\(name)"
            for file in try FileManager.default.contentsOfDirectory(atPath: directory).sorted() {
                FileHandle.standardError.write(Data("\(name)/\(file)\n".utf8))
                target.take([UInt8](try Data(contentsOf: URL(filePath: "\(directory)/\(file)"))))
            }
        }
        if let ended, ended.exitStatus != .exitCode(EXIT_SUCCESS) {
            Issue.record("\(String(decoding: ended.standardErrorContent, as: UTF8.self))")
        }
    }

    private static func corpus(file: String = #filePath) -> String {
        URL(filePath: file).deletingLastPathComponent().appending(path: "../../Fuzzing/Corpus")
            .standardized.path
    }
}
