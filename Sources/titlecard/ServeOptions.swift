import ArgumentParser
import Glibc
import HTTP
import Logging
import Motion
import Rendering
import Service

/// The options of `serve`, each of which has a variable of the environment.
struct ServeOptions: ParsableArguments {
    @OptionGroup(title: "Service") fileprivate var service: ServiceOptions
    @OptionGroup(title: "Guards") fileprivate var guards: GuardOptions
    @OptionGroup(title: "Limits of HTTP") fileprivate var limits: LimitOptions

    /// The values of all options.
    struct Values {
        var settings: ServiceSettings
        let host: String
        let port: UInt16
        /// The operator's own effects, presets and fonts.
        let catalogs: CatalogOptions
        /// The number of event loops.
        let loops: Int
        let logLevel: Logger.Level
        /// The number of worker processes.
        let processes: Int
    }

    /// Returns the values from the command line, or else from the environment.
    func values(_ environment: inout Environment) -> Values {
        var settings = service.settings(&environment)
        settings.http = limits.limits(&environment)
        settings.http.bufferBytes = settings.rendering.connectionBytes
        guards.apply(to: &settings, &environment)
        let processes = service.processes(&environment)
        settings.rendering.memoryBytes /= processes
        if settings.rendering.memoryBytes < ServiceOptions.leastMemory << 20 {
            environment.refuse(
                "--memory must be at least \(ServiceOptions.leastMemory) for each process")
        }
        return Values(
            settings: settings,
            host: environment.value(service.host, "host", default: "127.0.0.1"),
            port: environment.value(service.port, "port", default: 8080),
            catalogs: CatalogOptions(
                effects: environment.optional(service.effects, EffectDirectory.option),
                presets: environment.optional(service.presets, CatalogOptions.presetsOption),
                fonts: environment.paths(service.fonts, CatalogOptions.fontsOption)),
            loops: environment.count(
                service.loops, "loops",
                default: min(ServiceOptions.processors, ServiceOptions.maximumLoops),
                atMost: ServiceOptions.maximumLoops),
            logLevel: environment.value(service.logLevel, "log-level", default: .info).level,
            processes: processes)
    }
}

/// The options of the service itself.
private struct ServiceOptions: ParsableArguments {
    @Option(help: "Address to listen on; :: is every address of both families. (127.0.0.1)")
    var host: String?

    @Option(help: "Port to listen on. (8080)")
    var port: UInt16?

    @Option(help: "Render threads. (the number of cores)")
    var workers: Int?

    @Option(help: "Event loops. (the number of cores)")
    var loops: Int?

    @Option(help: "Worker processes, each with its threads, loops and caches. (1)")
    var processes: Int?

    @Flag(help: "Serve in one process, which nobody replaces when it dies. (false)")
    var noSupervisor = false

    @Option(help: "Renderings that may wait for a worker before clients get 503. (256)")
    var renderQueue: Int?

    @Option(help: "Seconds that render threads may spend on one request, its wait included. (60)")
    var renderDeadline: Double?

    @Option(help: "MiB of memory that the service may take; renderings past it get 503. (600)")
    var memory: Int?

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

    @Option(help: "Address at which others reach it, for /embed: https://host. (the Host field)")
    var publicURL: String?

    @Option(help: "Directory of the preview page. (Public, here or beside the program)")
    var `public`: String?

    @Option(help: "Directory with effects of your own, one JSON file each. (none)")
    var effects: String?

    @Option(help: "JSON file with presets of your own. (none)")
    var presets: String?

    @Option(help: "Directory with fonts of your own; may be given several times. (none)")
    var fonts: [String] = []

    @Option(help: "Grapheme clusters of one request. (2000)")
    var maxGraphemes: Int?

    @Option(help: "Keyframes of one scene. (200000)")
    var maxKeyframes: Int?

    @Option(help: "Seconds of one cycle. (120)")
    var maxCycle: Double?

    @Option(help: "Frames of a GIF, APNG or WebP. (3000)")
    var maxFrames: Int?

    @Option(help: "Pixels of a picture, width·height·scale². (16777216)")
    var maxPixels: Int?

    @Option(help: "Megapixels that a rendering composes, over all frames. (6000)")
    var maxWork: Int?

    @Option(help: "Bytes of an SVG, Lottie or JSON file. (16777216)")
    var maxOutput: Int?

    @Option(help: "How much to log: debug, info, notice, warning, error. (info)")
    var logLevel: LogLevel?

    /// Returns the number of worker processes.
    func processes(_ environment: inout Environment) -> Int {
        let count = environment.count(processes, "processes", default: 1, atMost: 64)
        // The program that starts this one goes by it.
        let isAlone = environment.value(
            noSupervisor ? true : nil, "no-supervisor", default: false)
        if isAlone, count > 1 { environment.refuse("--processes needs a supervisor") }
        return count
    }

    func settings(_ environment: inout Environment) -> ServiceSettings {
        var settings = ServiceSettings()
        settings.rendering.workers = environment.count(workers, "workers", default: Self.processors)
        settings.rendering.queueLength = environment.count(
            renderQueue, "render-queue", default: settings.rendering.queueLength)
        settings.rendering.deadline = environment.duration(
            renderDeadline, "render-deadline", default: settings.rendering.deadline)
        settings.rendering.memoryBytes =
            Self.mebibyte
            * environment.count(
                memory, "memory", default: settings.rendering.memoryBytes / Self.mebibyte,
                atLeast: Self.leastMemory, atMost: 1 << 20)
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
        settings.publicURL = environment.publicURL(publicURL)
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
        settings.rendering.limits.work = Double(
            environment.count(
                maxWork, "max-work", default: Int(settings.rendering.limits.work)))
        settings.rendering.limits.textBytes = Double(
            environment.count(
                maxOutput, "max-output", default: Int(settings.rendering.limits.textBytes)))
        return settings
    }

    private static var mebibyte: Int { 1 << 20 }
    /// MiB of memory without which a process cannot serve.
    static let leastMemory = 128
    /// Their sockets go to the supervisor in one packet.
    static let maximumLoops = 250
    static var processors: Int { max(Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))), 1) }
}

/// The least severe level that is logged.
enum LogLevel: String, ExpressibleByArgument {
    case debug, info, notice, warning, error

    var level: Logger.Level { Logger.Level(rawValue: rawValue) ?? .info }
}

/// The default directory of the preview page.
private enum PublicDirectory {
    /// Returns `Public` in the working directory, or else beside the program, if it has a page.
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

/// The options that restrict clients.
private struct GuardOptions: ParsableArguments {
    @Option(help: "Requests a second of one address in the long run; more get 429. (no limit)")
    var rateLimit: Double?

    @Option(help: "Requests at once of one address after a rest. (ten times the rate)")
    var rateBurst: Double?

    @Option(
        help: """
            Addresses and ranges, separated by commas, whose X-Forwarded-For says who asks: \
            10.0.0.0/8,::1. (none)
            """)
    var trustedProxies: String?

    @Option(help: "Whether renderings can be asked for with POST: true or false. (true)")
    var allowPost: Bool?

    @Flag(
        help: """
            Take text, preset and format alone; POST and permalinks need a signature. (false)
            """)
    var onlyPresets = false

    /// Sets the restrictions.
    ///
    /// The key comes from the environment alone, because every process can see options.
    func apply(to settings: inout ServiceSettings, _ environment: inout Environment) {
        settings.rateLimit = rateLimit(&environment)
        if let text = environment.optional(trustedProxies, "trusted-proxies") {
            if let ranges = AddressRanges(text) {
                settings.trustedProxies = ranges
            } else {
                environment.refuse(
                    "--trusted-proxies must be addresses or ranges such as 10.0.0.0/8, "
                        + "separated by commas; got \"\(text)\"")
            }
        }
        settings.allowsPost = environment.value(allowPost, "allow-post", default: true)
        settings.onlyPresets = environment.value(
            onlyPresets ? true : nil, "only-presets", default: false)
        settings.signer = SigningKey.signer(&environment)
    }

    private func rateLimit(_ environment: inout Environment) -> RateLimit? {
        let givenBurst = environment.optional(rateBurst, "rate-burst")
        guard let rate = environment.optional(rateLimit, "rate-limit") else {
            if givenBurst != nil { environment.refuse("--rate-burst needs --rate-limit") }
            return nil
        }
        guard (0.001...1_000_000).contains(rate) else {
            environment.refuse("--rate-limit must be from 0.001 to 1000000; got \(rate)")
            return nil
        }
        let burst = givenBurst ?? max(10 * rate, 1)
        guard (1...10_000_000).contains(burst) else {
            environment.refuse("--rate-burst must be from 1 to 10000000; got \(burst)")
            return nil
        }
        return RateLimit(perSecond: rate, burst: burst)
    }
}

/// The secret that URLs are signed with.
enum SigningKey {
    static let variable = Environment.prefix + "SIGNING_KEY"

    /// Returns nil if the variable is not set, and refuses an empty one.
    static func signer(_ environment: inout Environment) -> URLSigner? {
        environment.bytes(of: variable).map(URLSigner.init(key:))
    }
}

/// The limits of HTTP clients.
private struct LimitOptions: ParsableArguments {
    @Option(help: "Open connections; more wait to be accepted. (10000)")
    var maxConnections: Int?

    @Option(help: "Requests of one connection. (10000)")
    var maxRequests: Int?

    @Option(help: "Bytes of a request's target. (8192)")
    var maxTarget: Int?

    @Option(help: "Bytes of a request's head. (32768)")
    var maxHead: Int?

    @Option(help: "Fields of a request's head. (100)")
    var maxFields: Int?

    @Option(help: "Bytes of a request's body. (65536)")
    var maxBody: Int?

    @Option(help: "Seconds for a head to arrive. (10)")
    var headTimeout: Double?

    @Option(help: "Seconds for a body to arrive. (20)")
    var bodyTimeout: Double?

    @Option(help: "Seconds that a connection may be idle. (60)")
    var idleTimeout: Double?

    @Option(help: "Seconds for a client to take what is sent, at 16 KiB a second or more. (30)")
    var writeTimeout: Double?

    @Option(help: "Seconds to read on after a last answer, so that it arrives. (2)")
    var lingerTimeout: Double?

    @Option(help: "Seconds from SIGTERM until no more connections are taken. (0)")
    var drainDelay: Double?

    @Option(help: "Seconds for requests in flight to finish after that. (30)")
    var drainTimeout: Double?

    @Option(help: "Seconds that an idle connection may still bring a request then. (1)")
    var drainGrace: Double?

    func limits(_ environment: inout Environment) -> ServerLimits {
        var limits = ServerLimits()
        limits.maximumConnections = environment.count(
            maxConnections, "max-connections", default: limits.maximumConnections)
        limits.requestsPerConnection = environment.count(
            maxRequests, "max-requests", default: limits.requestsPerConnection)
        limits.targetBytes = environment.count(
            maxTarget, "max-target", default: limits.targetBytes)
        limits.headBytes = environment.count(maxHead, "max-head", default: limits.headBytes)
        limits.fieldCount = environment.count(maxFields, "max-fields", default: limits.fieldCount)
        limits.bodyBytes = environment.count(maxBody, "max-body", default: limits.bodyBytes)
        limits.headTimeout = environment.duration(
            headTimeout, "head-timeout", default: limits.headTimeout)
        limits.bodyTimeout = environment.duration(
            bodyTimeout, "body-timeout", default: limits.bodyTimeout)
        limits.idleTimeout = environment.duration(
            idleTimeout, "idle-timeout", default: limits.idleTimeout)
        limits.writeTimeout = environment.duration(
            writeTimeout, "write-timeout", default: limits.writeTimeout)
        limits.lingerTimeout = environment.duration(
            lingerTimeout, "linger-timeout", default: limits.lingerTimeout)
        limits.drainDelay = environment.duration(
            drainDelay, "drain-delay", default: limits.drainDelay)
        limits.drainTimeout = environment.duration(
            drainTimeout, "drain-timeout", default: limits.drainTimeout)
        limits.drainGrace = environment.duration(
            drainGrace, "drain-grace", default: limits.drainGrace)
        return limits
    }
}
