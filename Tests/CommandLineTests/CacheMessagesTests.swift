import Testing

@testable import titlecard

@Suite("Messages of nginx")
struct CacheMessagesTests {
    private let messages = CacheMessages()

    private func count(_ message: String) {
        Array(message.utf8).withUnsafeBytes { messages.count($0) }
    }

    /// The samples that are not 0.
    private var samples: [String] {
        messages.text.split(separator: "\n").map(String.init)
            .filter { !$0.hasPrefix("#") && !$0.hasSuffix(" 0") }
    }

    @Test("an answer counts as often as it says, by what the cache had and by status")
    func answers() {
        count("<190>Nov 30 01:31:46 nginx: titlecard 32 HIT 200")
        count("<190>Nov  1 01:31:46 nginx: titlecard 32 HIT 304")
        count("<190>Nov 30 01:31:46 nginx: titlecard 1 - 429")
        #expect(
            samples == [
                "titlecard_nginx_answers_total{cache=\"hit\",status=\"2xx\"} 32",
                "titlecard_nginx_answers_total{cache=\"hit\",status=\"3xx\"} 32",
                "titlecard_nginx_answers_total{cache=\"none\",status=\"4xx\"} 1",
            ])
    }

    @Test(
        "a message counts by its level and the error of the system, and not by what a client says",
        arguments: [
            (
                "[crit] 1#1: *1 pwrite() failed (28: No space left on device), client: (110: x",
                "crit", "disk_full"
            ),
            (
                "[error] 1#1: *1 upstream timed out (110: Connection timed out) while, client: x",
                "error", "timeout"
            ),
            (
                "[error] 1#1: *1 no live upstreams while connecting to upstream, client: x",
                "error", "no_replica"
            ),
            (
                "[error] 1#1: *1 connect() failed (111: Connection refused) while, client: x",
                "error", "unreachable"
            ),
            ("[alert] 1#1: *1 something else, client: x, request: live (28: x", "alert", "other"),
        ])
    func kinds(message: String, level: String, kind: String) {
        count("<187>Nov 30 01:31:46 nginx: 2026/11/30 01:31:46 " + message)
        #expect(
            samples == ["titlecard_nginx_messages_total{level=\"\(level)\",kind=\"\(kind)\"} 1"])
    }

    @Test(
        "anything else is dropped",
        arguments: [
            "", " ", "titlecard 1 HIT 200", "<190>Nov 30 01:31:46 nginx: titlecard 65 HIT 200",
            "<190>Nov 30 01:31:46 nginx: titlecard 0 HIT 200",
            "<190>Nov 30 01:31:46 nginx: titlecard 1 hit 200",
            "<190>Nov 30 01:31:46 nginx: titlecard 1 HIT 600",
            "<190>Nov 30 01:31:46 nginx: a b [none] c d",
        ])
    func others(message: String) {
        count(message)
        #expect(samples.isEmpty)
    }
}
