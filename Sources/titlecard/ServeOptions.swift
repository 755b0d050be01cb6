import ArgumentParser
import Bytes
import Encoders
import Glibc
import HTTP
import Logging
import Motion
import Processes
import Rendering
import Service

/// The options of `serve`, each of which has a variable of the environment, and a name in a file.
struct ServeOptions: ParsableArguments {
    @OptionGroup(title: "Service") private var service: ServeOptionGroup<ServiceOptions>
    @OptionGroup(title: "Guards") private var guards: ServeOptionGroup<GuardOptions>
    @OptionGroup(title: "Limits of HTTP") private var limits: ServeOptionGroup<LimitOptions>

    /// The names of all variables of the environment.
    static var variables: Set<String> {
        let options = ServiceOptions.options + GuardOptions.options + LimitOptions.options
        return Set(options.map { Environment.variable($0.name) }).union(SigningKeys.variables)
    }

    /// Returns the values from the command line, or else from the environment, or else from a file.
    func values(_ environment: inout Environment) -> ServeValues {
        var values = ServeValues()
        for read in service.readings + guards.readings + limits.readings {
            read(&environment, &values)
        }
        values.finish(&environment)
        return values
    }
}

/// The values of all options.
struct ServeValues: Sendable {
    var settings = ServiceSettings()
    var host = "127.0.0.1"
    var port: UInt16 = 8080
    /// The places of the operator's own files.
    var places = OperatorFiles.Places()
    /// Signing keys that are in no file.
    private(set) var ownKeys: [URLSigner.Key] = []
    /// The number of event loops.
    var loops = min(processors, maximumLoops)
    var logLevel = LogLevel.info
    /// The number of worker processes.
    var processes = 1
    /// The seconds after which a worker that does not answer is replaced; 0 for never.
    var hangTimeout = 10
    /// True if nothing is to be served, but all that the start needs is to be tried.
    var isCheck = false
    /// Bytes of memory; nil where they are not given.
    var memoryBytes: Int?
    /// The address of a port for metrics alone.
    var metricsAddress: BindAddress?
    var allowPost = PostPermission.auto
    /// The presets that requests may name; nil for all.
    var presetsAllowed: AllowedPresets?
    /// True if there is no supervisor.
    var isAlone = false
    /// Requests a second of one address, and at once; nil where they are not given.
    var (rate, burst): (Double?, Double?) = (nil, nil)

    static let defaults = ServeValues()
    /// Bytes of memory without which a process cannot serve.
    private static let leastMemory = leastMebibytes << 20
    fileprivate static let leastMebibytes = 128
    /// Bytes of memory of a service with no limits.
    private static let usualMemory = 600 << 20
    /// Their sockets go to the supervisor in one packet.
    fileprivate static let maximumLoops = 250
    private static var processors: Int { max(Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))), 1) }

    init() {
        settings.rendering.workers = Self.processors
    }

    /// Returns the bytes of memory of a service for which none are given: three fifths of the
    /// container's, as the libraries and the kernel's buffers need some too.
    ///
    /// - Parameters:
    ///   - limit: The bytes that the container may take; nil for no limit.
    ///   - processes: The number of worker processes.
    /// - Returns: Whole MiB, in bytes.
    static func usualMemory(_ limit: Int?, processes: Int) -> Int {
        guard let limit else { return usualMemory }
        let share = ((limit / 5 * 3) >> 20) << 20
        return min(max(share, leastMemory * max(processes, 1)), usualMemory)
    }

    /// Derives settings from the options, and refuses options that do not go together.
    fileprivate mutating func finish(_ environment: inout Environment) {
        settings.http.bufferBytes = settings.rendering.connectionBytes
        settings.publicDirectory = settings.publicDirectory ?? PublicDirectory.found()
        settings.rateLimit = rateLimit(&environment)
        ownKeys = SigningKeys.ownKeys(&environment)
        places.signingKeys = SigningKeys.filePath(&environment)
        places.options = environment.file
        finishGuards(&environment)
        // The number is for the supervisor, which starts this program.
        if isAlone, processes > 1 {
            environment.refuse("\(environment.place(of: "processes")) needs a supervisor")
        }
        if hangTimeout == 1 {
            environment.refuse(
                "\(environment.place(of: "hang-timeout")) must be 0, or from 2 to 600; got 1")
        }
        let memory =
            memoryBytes
            ?? Self.usualMemory(ContainerLimits().memoryBytes, processes: processes)
        settings.rendering.memoryBytes = memory / processes
        settings.rendering.processes = processes
        if settings.rendering.memoryBytes < Self.leastMemory {
            environment.refuse(
                "\(environment.place(of: "memory")) must be at least \(Self.leastMebibytes) "
                    + "for each process")
        }
    }

    /// Derives the permissions of clients.
    private mutating func finishGuards(_ environment: inout Environment) {
        let hasKeys = !ownKeys.isEmpty || places.signingKeys != nil
        settings.allowsPost =
            switch allowPost {
            case .yes: true
            case .no: false
            // What is posted needs a signature only where requests are restricted to presets.
            case .auto: !hasKeys || settings.onlyPresets
            }
        if settings.answersMCP, !settings.allowsPost {
            environment.refuse(
                "\(environment.place(of: "mcp")) needs --allow-post true"
                    + (hasKeys ? ", which is not the default with a signing key" : ""))
        }
        if presetsAllowed != nil, !settings.onlyPresets {
            let place = environment.place(of: AllowedPresets.option)
            environment.refuse("\(place) needs --only-presets")
        }
        if let metricsAddress, overlaps(metricsAddress) {
            let place = environment.place(of: "metrics-listen")
            environment.refuse("\(place) must have another port than the service")
        }
    }

    /// True if the service could not listen on both its own address and this one.
    private func overlaps(_ address: BindAddress) -> Bool {
        guard case .host(let other, let otherPort) = address, otherPort == port, port != 0 else {
            return false
        }
        return host.isSame(as: other) || [host, other].contains { $0.isSame(as: "::") }
            || [host, other].contains { $0.isSame(as: "0.0.0.0") }
    }

    private func rateLimit(_ environment: inout Environment) -> RateLimit? {
        guard let rate else {
            if burst != nil {
                environment.refuse("\(environment.place(of: "rate-burst")) needs --rate-limit")
            }
            return nil
        }
        guard (0.001...1_000_000).contains(rate) else {
            environment.refuse(
                "\(environment.place(of: "rate-limit")) must be from 0.001 to 1000000; got \(rate)")
            return nil
        }
        let burst = burst ?? max(10 * rate, 1)
        guard (1...10_000_000).contains(burst) else {
            environment.refuse(
                "\(environment.place(of: "rate-burst")) must be from 1 to 10000000; got \(burst)")
            return nil
        }
        return RateLimit(perSecond: rate, burst: burst)
    }
}

/// The options of the service itself.
private enum ServiceOptions: ServeOptionSection {
    static let options: [ServeOption] = [
        // The first, because it has values for all others.
        .file(
            Environment.configOption,
            "File of options, a line each: name = value. Options and variables override it."),
        .flag(
            "check", \.isCheck,
            "Try all that the start needs, say what would be served, and end."),
        .value(
            "host", \.host, "Address to listen on; :: is every address of both families."),
        .value("port", \.port, "Port to listen on."),
        .count(
            "workers", \.settings.rendering.workers, default: "the number of cores",
            "Render threads."),
        .count(
            "video-processes", \.settings.rendering.videoProcesses, in: 0...64,
            "Processes of ffmpeg at a time, in each process; 0 for no videos."),
        .count(
            "loops", \.loops, in: 1...ServeValues.maximumLoops, default: "the number of cores",
            "Event loops."),
        .count(
            "processes", \.processes, in: 1...64,
            "Worker processes, each with its threads, loops and caches."),
        .flag(
            "no-supervisor", \.isAlone,
            "Serve in one process, which is not replaced when it dies."),
        .count(
            "hang-timeout", \.hangTimeout, in: 0...600,
            "Seconds without an answer after which a worker process is replaced; 0 for never."),
        .count(
            "render-queue", \.settings.rendering.queueLength,
            "Renderings that may wait for a render thread before clients get 503."),
        .seconds(
            "render-deadline", \.settings.rendering.deadline, atLeast: 0.01,
            "Seconds that render threads may spend on one request, its wait included."),
        ServeOption(
            "memory", \.memoryBytes,
            "MiB of memory that the service may take; renderings past it get 503.",
            default: "600, or three fifths of the container's limit"
        ) { value throws(OptionFault) in
            try OptionFault.checked(value, in: ServeValues.leastMebibytes...1 << 20) * mebibyte
        },
        .count(
            "cache-size", \.settings.rendering.cacheBytes, in: 0...1 << 20, unit: mebibyte,
            "MiB of finished renderings that are kept; 0 keeps none."),
        .count(
            "glyph-cache", \.settings.rendering.glyphCacheBytes, in: 0...1 << 20, unit: mebibyte,
            "MiB of glyphs' shapes and pictures that are kept; 0 keeps none."),
        .count(
            "stream-memory", \.settings.rendering.streamBytes, in: 1...1 << 20, unit: mebibyte,
            "MiB that long files may hold while they wait for their clients; then 503."),
        ServeOption(
            "allow-origin", \.settings.allowOrigin,
            "Access-Control-Allow-Origin of every answer; none sends no such field.", default: "*",
            kept: origin),
        .value("cache-control", \.settings.cacheControl, "Cache-Control of /render."),
        .value(
            "cache-tags", \.settings.cacheTags,
            "Field with tags by which a CDN removes pictures."),
        ServeOption(
            "public-url", \.settings.publicURL,
            "Address at which others reach the service, for /embed: https://host.",
            default: "the Host field"
        ) { text throws(OptionFault) in try PublicURL(option: text) },
        .flag(
            "server-timing", \.settings.tellsTimes,
            "Say in Server-Timing how long an answer took, where no shared cache may store it."),
        .flag(
            "mcp", \.settings.answersMCP,
            "Let assistants render by POST /mcp, the Model Context Protocol."),
        .value(
            "public", \.settings.publicDirectory,
            default: "Public, here, beside the program, or in share/titlecard",
            "Directory of the preview page."),
        .value(
            EffectDirectory.option, \.places.catalogs.effects, default: "none",
            "Directory with effects of your own, one JSON file each."),
        .value(
            CatalogOptions.presetsOption, \.places.catalogs.presets, default: "none",
            "JSON file with presets of your own."),
        .value(
            PictureDirectory.option, \.places.catalogs.pictures, default: "none",
            "Directory with pictures of your own, one PNG, WebP or SVG file each."),
        .paths(
            CatalogOptions.fontsOption, \.places.catalogs.fonts,
            "Directory with fonts of your own; may be given several times."),
        .count(
            "max-graphemes", \.settings.rendering.limits.graphemes,
            "Grapheme clusters of one request."),
        .count(
            "max-keyframes", \.settings.rendering.limits.scene.keyframes,
            "Keyframes of one scene."),
        .seconds(
            "max-cycle", \.settings.rendering.limits.scene.cycleSeconds, atLeast: 0.1,
            "Seconds of one cycle."),
        .count(
            "max-frames", \.settings.rendering.limits.file.frames,
            "Frames of a GIF, APNG or WebP."),
        .count(
            "max-pixels", \.settings.rendering.limits.pixels,
            "Pixels of a picture, width·height·scale²."),
        .count(
            "max-work", \.settings.rendering.limits.file.work,
            "Megapixels that a rendering composes, over all frames."),
        .count(
            "max-output", \.settings.rendering.limits.file.textBytes,
            "Bytes of an SVG, Lottie or JSON file."),
        ServeOption(
            "metrics-listen", \.metricsAddress,
            "Address and port for /metrics alone, which then is not at --port: 127.0.0.1:9100.",
            default: "none"
        ) { text throws(OptionFault) in try address(text) },
        .flag(
            "log-client", \.settings.logsClients,
            "Log the network of each client, 24 bits of IPv4 or 48 of IPv6."),
        .value(
            "log-level", \.logLevel, "How much to log."),
    ]

    private static let mebibyte = 1 << 20

    /// Reads an address with its port: `127.0.0.1:9100`, `[::1]:9100`, `localhost:9100`.
    private static func address(_ text: String) throws(OptionFault) -> BindAddress {
        guard let address = HostAndPort(text), address.isBracketed || !address.host.contains(":")
        else {
            throw OptionFault(
                message: "must be an address and a port, such as 127.0.0.1:9100 or [::1]:9100; "
                    + "got \"\(text)\"")
        }
        return .host(address.host, port: address.port)
    }

    /// Returns the value of `Access-Control-Allow-Origin`: `*` or one origin; nil for `none`.
    ///
    /// The field takes no list (Fetch, 3.3.4), so that browsers would allow nobody.
    private static func origin(_ origin: String) throws(OptionFault) -> String? {
        if origin == "none" { return nil }
        let parts = origin.utf8.split(
            separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let isPlain = origin.utf8.allSatisfy { byte in
            byte > 0x20 && byte < 0x7F && !",;\"\\<>".utf8.contains(byte)
        }
        let isOrigin =
            isPlain && parts.count == 3 && parts[0].last == UInt8(ascii: ":")
            && parts[0].count > 1 && parts[1].isEmpty && !parts[2].isEmpty
        guard origin == "*" || isOrigin else {
            throw OptionFault(
                message: "must be *, none, or one origin such as https://example.org; got \(origin)"
            )
        }
        return origin
    }
}

/// The options that restrict clients.
private enum GuardOptions: ServeOptionSection {
    static let options: [ServeOption] = [
        .value(
            "rate-limit", \.rate, default: "no limit",
            "Requests a second of one address in the long run; more get 429."),
        .value(
            "rate-burst", \.burst, default: "ten times the rate",
            "Requests at once of one address after a rest."),
        ServeOption(
            "trusted-proxies", \.settings.trustedProxies,
            "Addresses and ranges, separated by commas, whose X-Forwarded-For says who asks: "
                + "10.0.0.0/8,::1.",
            default: "none"
        ) { text throws(OptionFault) in
            guard let ranges = AddressRanges(text) else {
                throw OptionFault(
                    message: "must be addresses or ranges such as 10.0.0.0/8, separated by commas; "
                        + "got \"\(text)\"")
            }
            return ranges
        },
        .value(
            "allow-post", \.allowPost,
            "Whether clients can ask for renderings with POST; auto is true without a key."),
        .count(
            "max-batch-lines", \.settings.batch.lines, in: 0...65_000,
            "Lines of a list for POST /batch; 0 takes no lists."),
        .count(
            "max-batch-body", \.settings.batch.bodyBytes, in: 1...67_108_864,
            "Bytes of a list for POST /batch."),
        .flag(
            "only-presets", \.settings.onlyPresets,
            "Take only text, preset, and format; POST and permalinks need a signature."),
        .presets(
            AllowedPresets.option, \.presetsAllowed,
            "The presets that --only-presets takes, separated by commas."),
    ]
}

/// The limits of HTTP clients.
private enum LimitOptions: ServeOptionSection {
    static let options: [ServeOption] = [
        .count(
            "max-connections", \.settings.http.maximumConnections,
            "Open connections; more wait to be accepted."),
        .count(
            "max-requests", \.settings.http.requestsPerConnection, "Requests of one connection."),
        .count("max-target", \.settings.http.targetBytes, "Bytes of a request's target."),
        .count("max-head", \.settings.http.headBytes, "Bytes of a request's head."),
        .count("max-fields", \.settings.http.fieldCount, "Fields of a request's head."),
        .count("max-body", \.settings.http.bodyBytes, "Bytes of a request's body."),
        .count(
            "max-caption-bytes", \.settings.rendering.limits.captionBytes, in: 1...67_108_864,
            "Bytes of a file of captions, also as a body."),
        .seconds("head-timeout", \.settings.http.headTimeout, "Seconds for a head to arrive."),
        .seconds("body-timeout", \.settings.http.bodyTimeout, "Seconds for a body to arrive."),
        .seconds(
            "idle-timeout", \.settings.http.idleTimeout, "Seconds that a connection may be idle."),
        .seconds(
            "write-timeout", \.settings.http.writeTimeout,
            "Seconds for a client to take its answer, at 16 KiB a second or more."),
        .seconds(
            "linger-timeout", \.settings.http.lingerTimeout,
            "Seconds to keep reading after a last answer, so that it arrives."),
        .seconds(
            "drain-delay", \.settings.http.drainDelay,
            "Seconds from SIGTERM until no more connections are taken."),
        .seconds(
            "drain-timeout", \.settings.http.drainTimeout,
            "Seconds for requests in flight to finish after that."),
        .seconds(
            "drain-grace", \.settings.http.drainGrace,
            "Seconds for which an idle connection may still bring a request."),
    ]
}

extension CacheTagField: ExpressibleByArgument {}

/// Whether clients can ask for renderings with POST.
enum PostPermission: String, CaseIterable, ExpressibleByArgument, CustomStringConvertible {
    /// If no key signs URLs.
    case auto
    case yes = "true"
    case no = "false"

    var description: String { rawValue }
}

/// The least severe level that is logged.
enum LogLevel: String, CaseIterable, ExpressibleByArgument {
    case debug, info, notice, warning, error

    var level: Logger.Level { Logger.Level(rawValue: rawValue) ?? .info }
}

/// The default directory of the preview page.
private enum PublicDirectory {
    /// Returns the first of these with a page: `Public` in the working directory, or beside the
    /// program, or `share/titlecard/Public` of the prefix whose `bin` or `libexec/titlecard` has the
    /// program.
    static func found() -> String? {
        var candidates = ["Public"]
        if let program = RunningService.link(at: "/proc/self/exe"),
            let slash = program.lastIndex(of: "/")
        {
            let directory = program[..<slash]
            candidates += [
                "\(directory)/Public", "\(directory)/../share/titlecard/Public",
                "\(directory)/../../share/titlecard/Public",
            ]
        }
        return candidates.first { access($0 + "/index.html", R_OK) == 0 }
    }
}

/// The secrets that URLs are signed with.
enum SigningKeys {
    private static let variable = Environment.prefix + "SIGNING_KEY"
    private static let fileOption = "signing-keys-file"
    private static let fileVariable = Environment.variable(fileOption)
    /// The number of bytes that the file may have.
    private static let fileLimit = 65_536

    /// The variables, which no option has: every process can see options.
    static let variables: Set<String> = [variable, fileVariable]

    /// Checks the key of the variable.
    ///
    /// - Throws: The fault of a short one; its length is not told.
    static func check(_ keys: [URLSigner.Key]) throws(CommandFailure) {
        guard keys.allSatisfy({ $0.secret.count >= URLSigner.Key.leastBytes }) else {
            throw CommandFailure(.data, parameter: variable, message: URLSigner.Key.shortness)
        }
    }

    /// Returns the key of the variable; none if it is not set.
    static func ownKeys(_ environment: inout Environment) -> [URLSigner.Key] {
        environment.bytes(of: variable).map { [URLSigner.Key(secret: $0)] } ?? []
    }

    /// Returns the path of the file of keys; nil if none is named.
    static func filePath(_ environment: inout Environment) -> String? {
        environment.optional(String?.none, fileOption)
    }

    /// Reads the file of keys.
    static func file(at path: String) throws(CommandFailure) -> OperatorFile {
        try InputFile(parameter: fileVariable, name: path, limit: fileLimit)
            .operatorFile(.signingKeys, at: path)
    }

    /// Returns the keys in a file.
    static func keys(in file: OperatorFile) throws(CommandFailure) -> [URLSigner.Key] {
        do throws(URLSignerKeyFault) {
            return try URLSigner.Key.list(in: file.bytes)
        } catch {
            throw CommandFailure(
                .data, parameter: fileVariable, message: "\(file.path): \(error)")
        }
    }
}
