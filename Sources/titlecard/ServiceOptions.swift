import ArgumentParser
import Glibc
import Logging
import Motion
import Rendering
import Service

/// What `serve` takes apart from HTTP's limits.
struct ServiceOptions: ParsableArguments {
    @Option(help: "Address to listen on; :: is every address of both families. (127.0.0.1)")
    var host: String?

    @Option(help: "Port to listen on. (8080)")
    var port: UInt16?

    @Option(help: "Render threads. (the number of cores)")
    var workers: Int?

    @Option(help: "Event loops. (the number of cores)")
    var loops: Int?

    @Option(help: "Renderings that may wait for a worker before clients get 503. (256)")
    var renderQueue: Int?

    @Option(help: "Seconds that render threads may spend on one request, its wait included. (60)")
    var renderDeadline: Double?

    @Option(help: "MiB of finished renderings that are kept; 0 keeps none. (64)")
    var cacheSize: Int?

    @Option(help: "MiB of glyphs' shapes and pictures that are kept; 0 keeps none. (64)")
    var glyphCache: Int?

    @Option(help: "MiB that long files may hold while they wait for their clients; then 503. (512)")
    var streamMemory: Int?

    @Option(help: "Access-Control-Allow-Origin of every answer; none sends no such field. (*)")
    var allowOrigin: String?

    @Option(help: "Cache-Control of /render. (public, max-age=86400)")
    var cacheControl: String?

    @Option(help: "Directory of the preview page. (Public, here or beside the program)")
    var `public`: String?

    @Option(help: "Grapheme clusters of one request. (2000)")
    var maxGraphemes: Int?

    @Option(help: "Keyframes of one scene. (200000)")
    var maxKeyframes: Int?

    @Option(help: "Seconds of one cycle. (120)")
    var maxCycle: Double?

    @Option(help: "Frames of a GIF or APNG. (3000)")
    var maxFrames: Int?

    @Option(help: "Pixels of a picture, width·height·scale². (16777216)")
    var maxPixels: Int?

    @Option(help: "How much to log: debug, info, notice, warning, error. (info)")
    var logLevel: LogLevel?

    func address(_ environment: inout Environment) -> (host: String, port: UInt16, loops: Int) {
        (
            environment.value(host, "host", default: "127.0.0.1"),
            environment.value(port, "port", default: 8080),
            environment.count(loops, "loops", default: Self.cores)
        )
    }

    func logLevel(_ environment: inout Environment) -> Logger.Level {
        environment.value(logLevel, "log-level", default: .info).level
    }

    func settings(_ environment: inout Environment) -> ServiceSettings {
        var settings = ServiceSettings()
        settings.rendering.workers = environment.count(workers, "workers", default: Self.cores)
        settings.rendering.queueLength = environment.count(
            renderQueue, "render-queue", default: settings.rendering.queueLength)
        settings.rendering.deadline = environment.duration(
            renderDeadline, "render-deadline", default: settings.rendering.deadline)
        settings.rendering.cacheBytes =
            Self.mebibyte
            * environment.count(
                cacheSize, "cache-size", default: settings.rendering.cacheBytes / Self.mebibyte,
                atLeast: 0,
                atMost: 1 << 20)
        settings.rendering.glyphCacheBytes =
            Self.mebibyte
            * environment.count(
                glyphCache, "glyph-cache",
                default: settings.rendering.glyphCacheBytes / Self.mebibyte,
                atLeast: 0, atMost: 1 << 20)
        settings.rendering.streamBytes =
            Self.mebibyte
            * environment.count(
                streamMemory, "stream-memory",
                default: settings.rendering.streamBytes / Self.mebibyte,
                atMost: 1 << 20)
        let origin = environment.value(allowOrigin, "allow-origin", default: "*")
        settings.allowOrigin = origin == "none" ? nil : origin
        settings.cacheControl = environment.value(
            cacheControl, "cache-control", default: settings.cacheControl)
        settings.publicDirectory =
            environment.optional(`public`, "public") ?? PublicDirectory.found()
        settings.rendering.limits.graphemes = environment.count(
            maxGraphemes, "max-graphemes", default: settings.rendering.limits.graphemes)
        settings.rendering.limits.scene.keyframes = environment.count(
            maxKeyframes, "max-keyframes", default: settings.rendering.limits.scene.keyframes)
        settings.rendering.limits.scene.cycleSeconds = environment.seconds(
            maxCycle, "max-cycle", default: settings.rendering.limits.scene.cycleSeconds)
        settings.rendering.limits.frames = environment.count(
            maxFrames, "max-frames", default: settings.rendering.limits.frames)
        settings.rendering.limits.pixels = Double(
            environment.count(
                maxPixels, "max-pixels", default: Int(settings.rendering.limits.pixels)))
        return settings
    }

    private static var mebibyte: Int { 1 << 20 }
    private static var cores: Int { max(Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))), 1) }
}

/// How much to log.
enum LogLevel: String, ExpressibleByArgument {
    case debug, info, notice, warning, error

    var level: Logger.Level { Logger.Level(rawValue: rawValue) ?? .info }
}

/// Where the preview page is when nobody says it.
enum PublicDirectory {
    /// `Public` in the working directory, else beside the program, else none.
    static func found() -> String? {
        var candidates = ["Public"]
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        if count > 0 {
            let program = String(
                decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
            if let slash = program.lastIndex(of: "/") {
                candidates.append(program[..<slash] + "/Public")
            }
        }
        return candidates.first { access($0 + "/index.html", R_OK) == 0 }
    }
}
