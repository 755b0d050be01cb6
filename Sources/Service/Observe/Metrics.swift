import Motion
import Synchronization

/// The service's counters for its operators.
final class Metrics: Sendable {
    struct RequestKey: Hashable, Comparable, Sendable {
        let route: RouteName
        let status: Int

        static func < (one: RequestKey, other: RequestKey) -> Bool {
            (one.route.rawValue, one.status) < (other.route.rawValue, other.status)
        }
    }

    private let requests = Mutex<[RequestKey: Int]>([:])
    private let renderings = Mutex<[String: Histogram]>([:])
    private let sent = Atomic(0)

    /// Counts a response.
    func answered(_ route: RouteName, status: Int) {
        requests.withLock { $0[RequestKey(route: route, status: status), default: 0] += 1 }
    }

    /// Counts bytes of content that were handed to the server.
    func sent(bytes: Int) {
        sent.wrappingAdd(bytes, ordering: .relaxed)
    }

    /// Counts a rendering, of a long file its beginning.
    func rendered(_ format: String, nanoseconds: Int64) {
        renderings.withLock {
            $0[format, default: Histogram()].add(seconds: Double(nanoseconds) / 1e9)
        }
    }

    /// Appends all to a text of metrics.
    func write(to text: inout MetricsText) {
        text.begin("titlecard_requests_total", .counter, "Answers by route and status.")
        for (key, count) in requests.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
            text.add(Double(count), [("route", key.route.rawValue), ("status", "\(key.status)")])
        }
        text.single(
            "titlecard_response_bytes_total", .counter, "Bytes of content.",
            Double(sent.load(ordering: .relaxed)))
        text.begin(
            "titlecard_render_seconds", .histogram,
            "Time on a render thread until the rendering, or the beginning of a long one, is made.")
        for (format, histogram) in renderings.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
            histogram.write(to: &text, label: ("format", format))
        }
    }
}

/// The distribution of durations.
struct Histogram: Sendable {
    /// Upper bounds of the buckets in seconds.
    private static let bounds = [
        0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5,
        5, 10, 30,
    ]

    private var counts = [Int](repeating: 0, count: bounds.count + 1)
    private var sum = 0.0

    mutating func add(seconds: Double) {
        let bucket = Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count
        counts[bucket] += 1
        sum += seconds
    }

    func write(to text: inout MetricsText, label: (String, String)) {
        var total = 0
        for (index, count) in counts.enumerated() {
            total += count
            let bound = index < Self.bounds.count ? "\(Self.bounds[index])" : "+Inf"
            text.add(Double(total), [label, ("le", bound)], suffix: "_bucket")
        }
        text.add(sum, [label], suffix: "_sum")
        text.add(Double(total), [label], suffix: "_count")
    }
}

/// Prometheus' text format, version 0.0.4.
struct MetricsText {
    enum Kind: String {
        case counter, gauge, histogram
    }

    static let mediaType = "text/plain; version=0.0.4; charset=utf-8"

    private(set) var text = ""
    private var name = ""

    /// Says what the samples that follow are.
    mutating func begin(_ name: String, _ kind: Kind, _ help: String) {
        self.name = name
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
    }

    /// A sample; labels hold no characters that would have to be escaped.
    mutating func add(_ value: Double, _ labels: [(String, String)] = [], suffix: String = "") {
        text += name + suffix
        if !labels.isEmpty {
            text += "{" + labels.map { "\($0)=\"\($1)\"" }.joined(separator: ",") + "}"
        }
        text += " \(NumberText.of(value))\n"
    }

    /// A metric of one sample.
    mutating func single(_ name: String, _ kind: Kind, _ help: String, _ value: Double) {
        begin(name, kind, help)
        add(value)
    }
}
