import FoundationEssentials
import Testing

/// A snapshot of text that was checked by hand.
///
/// Recorded only with `RECORD_SNAPSHOTS=1`, which fails the run.
enum Snapshot {
    static func expect(_ text: String, _ name: String, file: String = #filePath) throws {
        let folder = file.split(separator: "/").dropLast().joined(separator: "/")
        let path = "/\(folder)/Snapshots/\(name)"
        if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1" {
            try Data(text.utf8).write(to: URL(filePath: path))
            Issue.record("recorded \(name)")
            return
        }
        let known = FileManager.default.contents(atPath: path).map {
            String(decoding: $0, as: UTF8.self)
        }
        #expect(text == known, "\(name) differs")
    }
}
