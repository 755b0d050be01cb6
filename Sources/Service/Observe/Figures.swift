import HTTP
import Rendering

/// Everything that `GET /metrics` tells.
struct Figures: Sendable {
    let metrics: Metrics
    let cache: RenderCache
    let glyphs: SharedGlyphCache
    let pool: RenderPool
    let statistics: ServerStatistics
    let workers: Int
    /// Renderings that may wait.
    let queue: Int

    var response: Response {
        Response(
            fields: ["Content-Type": MetricsText.mediaType, "Cache-Control": "no-store"],
            body: .bytes(Array(text.utf8)))
    }

    private var text: String {
        var text = MetricsText()
        text.begin("titlecard_build_info", .gauge, "The release that runs.")
        text.add(1, [("version", Release.version)])
        metrics.write(to: &text)
        text.single("titlecard_render_workers", .gauge, "Render threads.", Double(workers))
        text.single(
            "titlecard_render_queue_length", .gauge, "Renderings that wait.", Double(pool.waiting))
        text.single(
            "titlecard_render_queue_capacity", .gauge, "Renderings that may wait.", Double(queue))
        writeCache(to: &text)
        writeGlyphs(to: &text)
        text.single(
            "titlecard_connections", .gauge, "Open connections.",
            Double(statistics.openConnections))
        text.single(
            "titlecard_connections_total", .counter, "Connections that were accepted.",
            Double(statistics.acceptedConnections))
        ProcessFigures().write(to: &text)
        return text.text
    }

    private func writeGlyphs(to text: inout MetricsText) {
        let figures = glyphs.figures
        let samples: [(String, MetricsText.Kind, String, Int)] = [
            ("evictions_total", .counter, "Shapes that had to make room.", figures.evictions),
            ("entries", .gauge, "Glyphs' shapes and pictures that are kept.", figures.entries),
            ("bytes", .gauge, "Bytes that they take.", figures.bytes),
            ("capacity_bytes", .gauge, "Bytes that they may take.", glyphs.capacity),
        ]
        for (name, kind, help, value) in samples {
            text.single("titlecard_glyph_cache_\(name)", kind, help, Double(value))
        }
    }

    private func writeCache(to text: inout MetricsText) {
        let figures = cache.figures
        let samples: [(String, MetricsText.Kind, String, Int)] = [
            ("hits_total", .counter, "Renderings that the cache had.", figures.hits),
            ("misses_total", .counter, "Renderings that it had not.", figures.misses),
            ("evictions_total", .counter, "Renderings that had to make room.", figures.evictions),
            ("entries", .gauge, "Renderings that are kept.", figures.entries),
            ("bytes", .gauge, "Bytes that they take.", figures.bytes),
            ("capacity_bytes", .gauge, "Bytes that they may take.", cache.capacity),
        ]
        for (name, kind, help, value) in samples {
            text.single("titlecard_cache_\(name)", kind, help, Double(value))
        }
    }
}
