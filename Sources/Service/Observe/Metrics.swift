import Bytes
import Dispatch
import Glibc
import HTTP
import Rendering
import Synchronization

/// The counters of responses and renderings.
final class Metrics: Sendable {
    /// The labels by which a response is counted.
    struct ResponseKey: Hashable, Sendable {
        let route: RouteName
        let rendering: RenderingLabels

        fileprivate var order: (ByteString, ByteString, ByteString) {
            (
                ByteString(route.rawValue), rendering.format, ByteString(rendering.cache.rawValue)
            )
        }

        fileprivate var labels: [(String, String)] {
            [
                ("route", route.rawValue), ("format", rendering.format.text),
                ("cache", rendering.cache.rawValue),
            ]
        }
    }

    private struct RequestKey: Hashable, Sendable {
        let route: RouteName
        let status: Int
    }

    private struct Counters: Sendable {
        var requests: [RequestKey: Int] = [:]
        var refusals: [Refusal: Int] = [:]
        /// The durations of complete responses.
        var durations: [ResponseKey: Histogram] = [:]
        /// The bytes of content by format.
        var bytes: [ByteString: Int] = [RenderingLabels.none.format: 0]
        /// The times on render threads by format.
        var renderings: [ByteString: Histogram] = [:]
    }

    private let counters = Mutex(Counters())
    /// The instant at which the service was made, in seconds since 1970.
    private let start: Int64

    init(start: Int64) {
        self.start = start
    }

    /// Counts a response that begins.
    func countResponse(_ route: RouteName, status: Int) {
        counters.withLock { $0.requests[RequestKey(route: route, status: status), default: 0] += 1 }
    }

    /// Counts a request that was refused although nothing is wrong with its parameters.
    func count(_ refusal: Refusal) {
        counters.withLock { $0.refusals[refusal, default: 0] += 1 }
    }

    /// Counts a response at its end.
    ///
    /// - Parameters:
    ///   - key: The labels by which it is counted.
    ///   - bytes: The bytes of content that the system took.
    ///   - nanoseconds: The time since the request came; nil if the response is not complete.
    func countEnd(_ key: ResponseKey, bytes: Int, nanoseconds: Int64?) {
        counters.withLock { counters in
            counters.bytes[key.rendering.format, default: 0] += bytes
            guard let nanoseconds else { return }
            counters.durations[key, default: Histogram(bounds: Histogram.coarseBounds)].add(
                nanoseconds: nanoseconds)
        }
    }

    /// Counts a rendering, or the beginning of a stream.
    func countRendering(_ format: String, nanoseconds: Int64) {
        counters.withLock {
            $0.renderings[ByteString(format), default: Histogram()].add(nanoseconds: nanoseconds)
        }
    }

    /// Appends all counters to a text.
    func write(to text: inout MetricsText) {
        let counters = counters.withLock { $0 }
        text.begin("titlecard_requests_total", kind: .counter, help: "Answers by route and status.")
        let requests = counters.requests.sorted {
            (ByteString($0.key.route.rawValue), $0.key.status)
                < (ByteString($1.key.route.rawValue), $1.key.status)
        }
        for (key, count) in requests {
            text.add(Double(count), [("route", key.route.rawValue), ("status", "\(key.status)")])
        }
        text.begin(
            "titlecard_request_seconds", kind: .histogram,
            help: "Time from a request's head until the system has taken all of the answer.")
        for (key, histogram) in counters.durations.sorted(by: { $0.key.order < $1.key.order }) {
            text.add(histogram, key.labels)
        }
        text.begin(
            "titlecard_response_bytes_total", kind: .counter, help: "Bytes of content by format.")
        for (format, bytes) in counters.bytes.sorted(by: { $0.key < $1.key }) {
            text.add(Double(bytes), [("format", format.text)])
        }
        text.begin(
            "titlecard_refused_total", kind: .counter,
            help: "Requests that were refused although nothing is wrong with their parameters.")
        for refusal in Refusal.allCases {
            text.add(Double(counters.refusals[refusal] ?? 0), [("reason", refusal.rawValue)])
        }
        text.begin(
            "titlecard_render_seconds", kind: .histogram,
            help:
                "Time on a render thread until the rendering, or the beginning of a long one, is made."
        )
        for (format, histogram) in counters.renderings.sorted(by: { $0.key < $1.key }) {
            text.add(histogram, [("format", format.text)])
        }
        text.single(
            "process_start_time_seconds", kind: .gauge,
            help: "The instant at which the service started, in seconds since 1970.",
            value: Double(start))
    }
}

/// The labels of a response with a rendering, in metrics and in the log.
struct RenderingLabels: Hashable, Sendable {
    enum Cache: String, Sendable {
        /// It was kept, or being made for another request.
        case hit
        case miss
        /// Only its head was needed, or there is no rendering.
        case none
    }

    let format: ByteString
    let cache: Cache

    static let noFormat = "none"
    /// The labels of a response without a rendering.
    static let none = RenderingLabels(format: noFormat, isCached: nil)

    /// - Parameters:
    ///   - format: The format's name.
    ///   - isCached: True if it was kept or being made, nil if it was not needed.
    init(format: String, isCached: Bool?) {
        self.format = ByteString(format)
        cache = isCached.map { $0 ? .hit : .miss } ?? .none
    }

    /// The word in the log; nil for none.
    var logged: String? { cache == .none ? nil : cache.rawValue }
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

    /// Appends the buckets, the sum and the number of durations.
    mutating func add(_ histogram: Histogram, _ labels: [(String, String)] = []) {
        var total = 0
        for (index, count) in histogram.counts.enumerated() {
            total += count
            let bound = index < histogram.bounds.count ? "\(histogram.bounds[index])" : "+Inf"
            add(Double(total), labels + [("le", bound)], suffix: "_bucket")
        }
        add(histogram.sum, labels, suffix: "_sum")
        add(Double(total), labels, suffix: "_count")
    }

    /// Appends a metric of one sample.
    mutating func single(_ name: String, kind: Kind, help: String, value: Double) {
        begin(name, kind: kind, help: help)
        add(value)
    }
}

/// Adds the metrics of other processes to this process's own, and passes on the sum.
package typealias MetricsAddition =
    @Sendable (
        _ own: @escaping @Sendable () -> String, _ receive: @escaping @Sendable (String) -> Void
    ) -> Void

/// The content of `GET /metrics`.
///
/// Clients that ask at the same time get the same text, so that no client waits behind others.
final class MetricsDocument: Sendable {
    private let metrics: Metrics
    private let renderer: Renderer
    private let statistics: ServerStatistics
    /// Adds the metrics of other processes; nil if there are none.
    private let sum: MetricsAddition?
    private let descriptors: DescriptorCount
    private let queue = DispatchQueue(label: "titlecard.metrics")
    /// The receivers that wait for the next text of this process.
    private let waiting = Mutex<[@Sendable (Response) -> Void]>([])

    init(
        metrics: Metrics, renderer: Renderer, statistics: ServerStatistics, sum: MetricsAddition?,
        descriptors: DescriptorCount
    ) {
        self.metrics = metrics
        self.renderer = renderer
        self.statistics = statistics
        self.sum = sum
        self.descriptors = descriptors
    }

    /// Passes on the response later and on another thread: the system's figures take longer with each
    /// connection.
    func respond(_ send: @escaping @Sendable (Response) -> Void) {
        if let sum { return sum({ self.text }, { send(Self.response($0)) }) }
        let isFirst = waiting.withLock { waiting in
            waiting.append(send)
            return waiting.count == 1
        }
        guard isFirst else { return }
        queue.async { [self] in
            let waiting = waiting.withLock { waiting in
                defer { waiting = [] }
                return waiting
            }
            let response = Self.response(text)
            for send in waiting { send(response) }
        }
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
        text.begin(
            "titlecard_render_queue_seconds", kind: .histogram,
            help: "Time for which renderings waited for a render thread.")
        text.add(renderer.waits)
        text.begin(
            "titlecard_library_faults_total", kind: .counter,
            help: "Parts of renderings that failed because a library did.")
        for (library, count) in renderer.faultCounts {
            text.add(Double(count), [("library", library)])
        }
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

    /// Returns the bytes that a share takes; for connections only the bytes that they use of
    /// theirs.
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
    /// The descriptors that the system allows.
    let maximumDescriptors: Int

    init(_ descriptors: DescriptorCount) {
        residentBytes = Double(ProcessMemory.resident)
        cpuSeconds = Double(nanoseconds(of: CLOCK_PROCESS_CPUTIME_ID)) / 1e9
        openDescriptors = descriptors.current
        maximumDescriptors = DescriptorLimit.soft
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
        text.single(
            "process_max_fds", kind: .gauge, help: "Descriptors that may be open.",
            value: Double(maximumDescriptors))
    }
}
