import Synchronization

/// The counts of what an nginx that keeps pictures says, datagram by datagram, in the format of syslog.
///
/// Only what deploy/nginx writes is counted, each by words of a fixed list, so that the counts stay few
/// whoever sends. No text is kept.
final class CacheMessages: Sendable {
    /// What nginx found in its cache (`$upstream_cache_status`); the last is an answer without a cache.
    private static let states = [
        "HIT", "MISS", "EXPIRED", "STALE", "UPDATING", "REVALIDATED", "BYPASS", "-",
    ]
    private static let levels = ["[emerg]", "[alert]", "[crit]", "[error]", "[warn]"]
    private static let kinds = ["disk_full", "timeout", "unreachable", "no_replica", "other"]
    /// The kinds of messages that name these errors of the system, as in `(28: No space left on device)`.
    private static let kindsOfErrors = [
        "(28:": 0, "(122:": 0, "(110:": 1, "(101:": 2, "(104:": 2, "(111:": 2, "(113:": 2,
    ]
    /// A hit may stand for so many answers.
    private static let mostAnswers = 64

    private struct Counts: Sendable {
        /// By state, and for each by the first digit of the status.
        var answers = [Int](repeating: 0, count: states.count * 6)
        /// By level, and for each by kind.
        var messages = [Int](repeating: 0, count: levels.count * kinds.count)
    }

    private let counts = Mutex(Counts())

    /// Counts a datagram: `<190>Nov 30 01:31:46 nginx: titlecard 16 HIT 200`, or a message of `error_log`,
    /// whose level is the seventh word. Anything else is dropped.
    func count(_ datagram: UnsafeRawBufferPointer) {
        var words: [String] = []
        for word in datagram.split(separator: UInt8(ascii: " "), maxSplits: 64) {
            words.append(String(decoding: word, as: UTF8.self))
            // What follows is of the client.
            if words.last == "client:" { break }
        }
        guard words.count > 7 else { return }
        if words[4] == "titlecard" { countAnswer(words) } else { countMessage(words) }
    }

    private func countAnswer(_ words: [String]) {
        guard let weight = Int(words[5]), 1...Self.mostAnswers ~= weight,
            let state = Self.states.firstIndex(of: words[6]),
            let status = Int(words[7]), 100...599 ~= status
        else { return }
        counts.withLock { $0.answers[state * 6 + status / 100] += weight }
    }

    private func countMessage(_ words: [String]) {
        guard let level = Self.levels.firstIndex(of: words[6]) else { return }
        let ofError = words.lazy.compactMap { Self.kindsOfErrors[$0] }.first
        let kind = ofError ?? (words.contains("live") ? 3 : 4)
        counts.withLock { $0.messages[level * Self.kinds.count + kind] += 1 }
    }

    /// Returns all counts in Prometheus' text format.
    var text: String {
        let counts = counts.withLock { $0 }
        var text = """
            # HELP titlecard_nginx_answers_total Answers by what the cache had, and by status.
            # TYPE titlecard_nginx_answers_total counter

            """
        for (index, count) in counts.answers.enumerated() where index % 6 > 0 {
            let state = Self.states[index / 6]
            let cache = state == "-" ? "none" : state.lowercased()
            text +=
                "titlecard_nginx_answers_total"
                + "{cache=\"\(cache)\",status=\"\(index % 6)xx\"} \(count)\n"
        }
        text += """
            # HELP titlecard_nginx_messages_total Messages of error_log by level and kind.
            # TYPE titlecard_nginx_messages_total counter

            """
        for (index, count) in counts.messages.enumerated() {
            let level = Self.levels[index / Self.kinds.count].dropFirst().dropLast()
            text +=
                "titlecard_nginx_messages_total"
                + "{level=\"\(level)\",kind=\"\(Self.kinds[index % Self.kinds.count])\"} \(count)\n"
        }
        return text
    }
}
