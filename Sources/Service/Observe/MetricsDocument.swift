import Glibc
import HTTP
import Rendering

/// Everything that `GET /metrics` tells.
struct MetricsDocument: Sendable {
    let metrics: Metrics
    let renderer: Renderer
    let statistics: ServerStatistics

    var response: Response {
        Response(
            fields: ["Content-Type": MetricsText.mediaType, "Cache-Control": "no-store"],
            body: .bytes(Array(text.utf8)))
    }

    private var settings: RenderingSettings { renderer.settings }

    private var text: String {
        var text = MetricsText()
        text.begin("titlecard_build_info", .gauge, "The release that runs.")
        text.add(1, [("version", Release.version)])
        metrics.write(to: &text)
        text.single("titlecard_render_workers", .gauge, "Render threads.", Double(settings.workers))
        text.single(
            "titlecard_render_queue_length", .gauge, "Renderings that wait.",
            Double(renderer.waiting))
        text.single(
            "titlecard_render_queue_capacity", .gauge, "Renderings that may wait.",
            Double(settings.queueLength))
        writeCache(to: &text)
        writeGlyphs(to: &text)
        text.single(
            "titlecard_connections", .gauge, "Open connections.",
            Double(statistics.openConnections))
        text.single(
            "titlecard_connections_total", .counter, "Connections that were accepted.",
            Double(statistics.acceptedConnections))
        ProcessMetrics().write(to: &text)
        return text.text
    }

    private func writeGlyphs(to text: inout MetricsText) {
        let values = renderer.glyphs.metrics
        let samples: [(String, MetricsText.Kind, String, Int)] = [
            ("evictions_total", .counter, "Shapes that had to make room.", values.evictions),
            ("entries", .gauge, "Glyphs' shapes and pictures that are kept.", values.entries),
            ("bytes", .gauge, "Bytes that they take.", values.bytes),
            ("capacity_bytes", .gauge, "Bytes that they may take.", settings.glyphCacheBytes),
        ]
        for (name, kind, help, value) in samples {
            text.single("titlecard_glyph_cache_\(name)", kind, help, Double(value))
        }
    }

    private func writeCache(to text: inout MetricsText) {
        let values = renderer.metrics
        let samples: [(String, MetricsText.Kind, String, Int)] = [
            ("hits_total", .counter, "Renderings that the cache had.", values.hits),
            ("misses_total", .counter, "Renderings that it had not.", values.misses),
            ("evictions_total", .counter, "Renderings that had to make room.", values.evictions),
            ("entries", .gauge, "Renderings that are kept.", values.entries),
            ("bytes", .gauge, "Bytes that they take.", values.bytes),
            ("capacity_bytes", .gauge, "Bytes that they may take.", settings.cacheBytes),
        ]
        for (name, kind, help, value) in samples {
            text.single("titlecard_cache_\(name)", kind, help, Double(value))
        }
    }
}

/// The system's figures of this process.
private struct ProcessMetrics {
    /// Bytes in memory.
    let residentBytes: Double
    /// Seconds of all threads on processors.
    let cpuSeconds: Double
    let openDescriptors: Int

    init() {
        let pages = Self.firstLine(of: "/proc/self/statm").split(separator: " ")
        residentBytes =
            (pages.count > 1 ? Double(pages[1]) ?? 0 : 0) * Double(sysconf(Int32(_SC_PAGESIZE)))
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        cpuSeconds = Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        openDescriptors = Self.entries(of: "/proc/self/fd")
    }

    func write(to text: inout MetricsText) {
        text.single(
            "process_resident_memory_bytes", .gauge, "Resident memory.", residentBytes)
        text.single(
            "process_cpu_seconds_total", .counter, "User and system time.", cpuSeconds)
        text.single(
            "process_open_fds", .gauge, "Open descriptors.", Double(openDescriptors))
    }

    private static func firstLine(of path: String) -> Substring {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: 256)
        let count = read(descriptor, &buffer, buffer.count)
        return String(decoding: buffer.prefix(max(count, 0)), as: UTF8.self).prefix { $0 != "\n" }
    }

    private static func entries(of path: String) -> Int {
        guard let directory = opendir(path) else { return 0 }
        defer { closedir(directory) }
        var count = 0
        while readdir(directory) != nil { count += 1 }
        // The two that every directory has, and the one being read.
        return count - 3
    }
}
