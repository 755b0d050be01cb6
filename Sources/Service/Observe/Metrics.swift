import Synchronization

/// What the service counts for its operators.
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

    /// Counts an answer.
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

/// How often something took how long.
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
