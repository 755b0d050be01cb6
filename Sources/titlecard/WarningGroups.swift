import Bytes
import Motion

/// The warnings about the lines of a list, of which equal ones are one message.
struct WarningGroups {
    private struct Group {
        /// The number of the first line, and the number of lines.
        var first: Int
        var count = 0
    }

    private var groups: [ByteString: Group] = [:]
    /// The warnings that are only counted.
    private var others = 0

    /// The most messages: a text of each takes memory.
    private static let mostMessages = 1000

    /// Adds the warnings about a line.
    mutating func add(_ warnings: [Warning], of line: Int) {
        for text in Set(warnings.map { ByteString("\($0.code.rawValue): \($0.message)") }) {
            guard groups[text] != nil || groups.count < Self.mostMessages else {
                others += 1
                continue
            }
            var group = groups[text] ?? Group(first: line)
            group.first = min(group.first, line)
            group.count += 1
            groups[text] = group
        }
    }

    /// Returns the messages about a list, in the order of its lines.
    func messages(about list: String) -> [String] {
        let sorted = groups.sorted { ($0.value.first, $0.key) < ($1.value.first, $1.key) }
        let messages = sorted.map { text, group in
            let more = group.count - 1
            let note = more > 0 ? " (and \(more) more line\(more > 1 ? "s" : ""))" : ""
            return "warning: \(list):\(group.first): \(text.text)\(note)"
        }
        return messages + (others > 0 ? ["warning: \(list): \(others) further warnings"] : [])
    }
}
