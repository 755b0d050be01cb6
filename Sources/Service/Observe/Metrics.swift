import Bytes
import Glibc
import HTTP
import Rendering
import Synchronization

/// The counters of responses and renderings.
final class Metrics: Sendable {
    struct RequestKey: Hashable, Comparable, Sendable {
        let route: RouteName
        let status: Int

        static func < (one: RequestKey, other: RequestKey) -> Bool {
            (ByteString(one.route.rawValue), one.status)
                < (ByteString(other.route.rawValue), other.status)
        }
    }

    private let requests = Mutex<[RequestKey: Int]>([:])
    private let renderings = Mutex<[ByteString: Histogram]>([:])
    private let sent = Atomic(0)

    /// Counts a response.
    func countResponse(_ route: RouteName, status: Int) {
        requests.withLock { $0[RequestKey(route: route, status: status), default: 0] += 1 }
    }

    /// Counts bytes of content that were passed to the server.
    func countSent(bytes: Int) {
        sent.wrappingAdd(bytes, ordering: .relaxed)
    }

    /// Counts a rendering, or the beginning of a stream.
    func countRendering(_ format: String, nanoseconds: Int64) {
        renderings.withLock {
            $0[ByteString(format), default: Histogram()].add(seconds: Double(nanoseconds) / 1e9)
        }
    }

    /// Appends all counters to a text.
    func write(to text: inout MetricsText) {
        text.begin("titlecard_requests_total", kind: .counter, help: "Answers by route and status.")
        for (key, count) in requests.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
            text.add(Double(count), [("route", key.route.rawValue), ("status", "\(key.status)")])
        }
        text.single(
            "titlecard_response_bytes_total", kind: .counter, help: "Bytes of content.",
            value: Double(sent.load(ordering: .relaxed)))
        text.begin(
            "titlecard_render_seconds", kind: .histogram,
            help:
                "Time on a render thread until the rendering, or the beginning of a long one, is made."
        )
        for (format, histogram) in renderings.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
            histogram.write(to: &text, label: ("format", format.text))
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

    /// Begins a metric, whose samples follow.
    mutating func begin(_ name: String, kind: Kind, help: String) {
        self.name = name
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
    }

    /// Appends a sample; labels must not need escapes.
    mutating func add(_ value: Double, _ labels: [(String, String)] = [], suffix: String = "") {
        text += name + suffix
        if !labels.isEmpty {
            text += "{" + labels.map { "\($0)=\"\($1)\"" }.joined(separator: ",") + "}"
        }
        text += " \(NumberText.of(value))\n"
    }

    /// Appends a metric of one sample.
    mutating func single(_ name: String, kind: Kind, help: String, value: Double) {
        begin(name, kind: kind, help: help)
        add(value)
    }
}

/// Adds the metrics of other processes to those of this one, and passes on the sum.
package typealias MetricsAddition =
    @Sendable (
        _ own: @escaping @Sendable () -> String, _ receive: @escaping @Sendable (String) -> Void
    ) -> Void

/// The content of `GET /metrics`.
struct MetricsDocument: Sendable {
    let metrics: Metrics
    let renderer: Renderer
    let statistics: ServerStatistics
    /// Adds the metrics of other processes; nil if there are none.
    let sum: MetricsAddition?
    let descriptors: DescriptorCount

    /// Passes on the response, perhaps later and on another thread.
    func respond(_ send: @escaping @Sendable (Response) -> Void) {
        guard let sum else { return send(Self.response(text)) }
        sum({ text }, { send(Self.response($0)) })
    }

    private static func response(_ text: String) -> Response {
        Response(
            fields: ["Content-Type": MetricsText.mediaType, "Cache-Control": "no-store"],
            body: .bytes(Array(text.utf8)))
    }

    private var settings: RenderingSettings { renderer.settings }

    /// The metrics of this process.
    var text: String {
        var text = MetricsText()
        text.begin("titlecard_build_info", kind: .gauge, help: "The release that runs.")
        text.add(1, [("version", Release.version)])
        metrics.write(to: &text)
        text.single(
            "titlecard_render_workers", kind: .gauge, help: "Render threads.",
            value: Double(settings.workers))
        text.single(
            "titlecard_render_queue_length", kind: .gauge, help: "Renderings that wait.",
            value: Double(renderer.waiting))
        text.single(
            "titlecard_render_queue_capacity", kind: .gauge, help: "Renderings that may wait.",
            value: Double(settings.queueLength))
        writeCache(to: &text)
        writeGlyphs(to: &text)
        text.begin("titlecard_memory_bytes", kind: .gauge, help: "Memory that is counted.")
        for share in MemoryBudget.Share.allCases {
            text.add(Double(bytes(of: share)), [("share", share.name)])
        }
        text.single(
            "titlecard_memory_capacity_bytes", kind: .gauge,
            help: "Memory that the service may take.", value: Double(settings.memoryBytes))
        text.single(
            "titlecard_connections", kind: .gauge, help: "Open connections.",
            value: Double(statistics.openConnections))
        text.single(
            "titlecard_connections_total", kind: .counter, help: "Connections that were accepted.",
            value: Double(statistics.acceptedConnections))
        text.single(
            "titlecard_connections_displaced_total", kind: .counter,
            help: "Connections that were closed because their client had more than its share.",
            value: Double(statistics.displacedConnections))
        ProcessMetrics(descriptors).write(to: &text)
        return text.text
    }

    /// Returns what a share takes; of what is set aside for connections only what they use.
    private func bytes(of share: MemoryBudget.Share) -> Int {
        share == .connections ? statistics.bufferBytes : renderer.budget.bytes(of: share)
    }

    private func writeGlyphs(to text: inout MetricsText) {
        let values = renderer.glyphs.metrics
        let samples: [(String, MetricsText.Kind, String, Int)] = [
            ("evictions_total", .counter, "Evicted shapes and pictures.", values.evictions),
            ("entries", .gauge, "Glyphs' shapes and pictures that are kept.", values.entries),
            ("bytes", .gauge, "Bytes that they take.", values.bytes),
            ("capacity_bytes", .gauge, "Bytes that they may take.", settings.glyphCacheBytes),
        ]
        for (name, kind, help, value) in samples {
            text.single(
                "titlecard_glyph_cache_\(name)", kind: kind, help: help, value: Double(value))
        }
    }

    private func writeCache(to text: inout MetricsText) {
        let values = renderer.metrics
        let samples: [(String, MetricsText.Kind, String, Int)] = [
            ("hits_total", .counter, "Renderings that the cache had.", values.hits),
            ("misses_total", .counter, "Renderings that the cache lacked.", values.misses),
            ("evictions_total", .counter, "Renderings evicted from the cache.", values.evictions),
            ("entries", .gauge, "Renderings that are kept.", values.entries),
            ("bytes", .gauge, "Bytes that they take.", values.bytes),
            ("capacity_bytes", .gauge, "Bytes that they may take.", settings.cacheBytes),
        ]
        for (name, kind, help, value) in samples {
            text.single("titlecard_cache_\(name)", kind: kind, help: help, value: Double(value))
        }
    }
}

/// The number of this process's descriptors, whose reading takes longer the more there are.
final class DescriptorCount: Sendable {
    private struct Reading: Sendable {
        let count: Int
        /// The instant until which it is kept, in nanoseconds of the clock.
        let end: Int64
    }

    private let clock: TimeSource
    private let last = Mutex<Reading?>(nil)

    /// A reading is kept for this many times the time that it took.
    private static let keptTimes: Int64 = 10

    init(_ clock: TimeSource) {
        self.clock = clock
    }

    /// The number, which may be a little old if there are many.
    var current: Int {
        last.withLock { last in
            let start = clock.monotonic()
            if let last, start < last.end { return last.count }
            let count = Self.entries(of: "/proc/self/fd")
            let end = clock.monotonic()
            last = Reading(count: count, end: end + (end - start) * Self.keptTimes)
            return count
        }
    }

    private static func entries(of path: String) -> Int {
        guard let directory = opendir(path) else { return 0 }
        defer { closedir(directory) }
        var count = 0
        while readdir(directory) != nil { count += 1 }
        // Without `.`, `..` and the descriptor that is being read.
        return count - 3
    }
}

/// The system's metrics of this process.
private struct ProcessMetrics {
    /// The resident memory in bytes.
    let residentBytes: Double
    /// The CPU time of all threads in seconds.
    let cpuSeconds: Double
    let openDescriptors: Int

    init(_ descriptors: DescriptorCount) {
        residentBytes = Double(ProcessMemory.resident)
        cpuSeconds = Double(nanoseconds(of: CLOCK_PROCESS_CPUTIME_ID)) / 1e9
        openDescriptors = descriptors.current
    }

    func write(to text: inout MetricsText) {
        text.single(
            "process_resident_memory_bytes", kind: .gauge, help: "Resident memory.",
            value: residentBytes)
        text.single(
            "process_cpu_seconds_total", kind: .counter, help: "User and system time.",
            value: cpuSeconds)
        text.single(
            "process_open_fds", kind: .gauge, help: "Open descriptors.",
            value: Double(openDescriptors))
    }
}
