import ArgumentParser
import Dispatch
import Glibc
import HTTP
import Logging
import Motion
import Rendering
import Service
import Typesetting

/// `titlecard serve`: the HTTP service.
struct Serve: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serve renderings and the preview page over HTTP.",
        discussion: "Every option can be given in the environment too: --render-queue is "
            + "TITLECARD_RENDER_QUEUE. An option goes before the environment. Listening sockets "
            + "that systemd hands over (LISTEN_FDS) are used instead of --host and --port.")

    @OptionGroup(title: "Service") var service: ServiceOptions
    @OptionGroup(title: "Guards") var guardOptions: GuardOptions
    @OptionGroup(title: "Limits of HTTP") var limits: LimitOptions

    func run() throws {
        // Kept until somebody listens for them, which every thread made later inherits.
        Signals.block()
        var environment = Environment()
        var (serviceSettings, address, level) = settings(&environment)
        try environment.finish()
        let place = try Self.failing { () throws(ServerError) in
            try Self.inheritedSockets() ?? .host(address.host, port: address.port)
        }

        let logger = Self.logger(level)
        Environment.forgetLanguage()
        if !environment.ofKubernetes.isEmpty {
            let names = environment.ofKubernetes.joined(separator: ", ")
            logger.notice("passed over what Kubernetes sets for Services: \(names)")
        }

        let drain = DrainSignal()
        let statistics = ServerStatistics()
        DescriptorLimit.raise()
        let application = try Self.failing {
            try Application(
                settings: serviceSettings, catalog: try FontCatalog(), drain: drain,
                statistics: statistics, logger: logger)
        }
        // Fonts are opened with descriptors that no connection may take.
        let room = DescriptorLimit.room(
            reserve: 16 + 4 * (serviceSettings.rendering.workers + address.loops))
        if room < serviceSettings.http.maximumConnections {
            logger.notice("descriptors for \(room) connections only; more will wait")
            serviceSettings.http.maximumConnections = max(room, 1)
        }
        let server = Server(
            on: place, loops: address.loops, limits: serviceSettings.http, drain: drain,
            statistics: statistics, handler: application)
        let signals = Signals(
            onFirst: {
                logger.info("shutting down")
                server.shutdown()
            },
            onHangup: {
                do throws(LibraryFault) {
                    try application.reloadFonts()
                    logger.info("fonts were read anew")
                } catch {
                    logger.error("fonts stay as they were: \(error)")
                }
            })
        try Self.failing(server.start)
        for address in server.addresses {
            logger.info("listening on \(address.hasPrefix("unix:") ? "" : "http://")\(address)")
        }
        server.wait()
        application.stop()
        signals.cancel()
        logger.info("stopped")
        LogLines.standardError.finish()
    }
}

extension Serve {
    /// The settings of the options, or else of the environment.
    private func settings(
        _ environment: inout Environment
    ) -> (ServiceSettings, address: (host: String, port: UInt16, loops: Int), Logger.Level) {
        var settings = service.settings(&environment)
        settings.http = limits.limits(&environment)
        guardOptions.apply(to: &settings, &environment)
        let address = service.address(&environment)
        return (settings, address, service.logLevel(&environment))
    }

    /// Every variable that `serve` takes.
    static var variables: Set<String> {
        var environment = Environment([:])
        _ = (try? Serve.parse([]))?.settings(&environment)
        return environment.known
    }

    /// The sockets that systemd, say, has opened; nil when there are none. Children get no word.
    private static func inheritedSockets() throws(ServerError) -> BindAddress? {
        defer { for name in InheritedSockets.variables { unsetenv(name) } }
        let descriptors = try InheritedSockets.descriptors(of: getpid()) { (name) in
            getenv(name).map { String(cString: $0) }
        }
        return descriptors.isEmpty ? nil : .sockets(descriptors)
    }

    /// Ends the command when the server cannot be had.
    private static func failing<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch {
            StandardStreams.complain("cannot serve: \(error)")
            throw switch error {
            case is StaticFilesError: CommandFailure.Kind.noInput.exitCode
            case let fault as LibraryFault: CommandFailure.Kind(fault).exitCode
            default: ExitCode.failure
            }
        }
    }

    private static func logger(_ level: Logger.Level) -> Logger {
        LoggingSystem.bootstrap { _ in
            JSONLogHandler(clock: LogLines.secondsSince1970) { LogLines.standardError.append($0) }
        }
        var logger = Logger(label: "titlecard")
        logger.logLevel = level
        return logger
    }
}

/// SIGTERM and SIGINT: the first asks to stop, the second ends at once. SIGHUP asks to read anew what
/// was read at the start.
private final class Signals {
    private let sources: [any DispatchSourceSignal]

    init(
        onFirst: @escaping @Sendable () -> Void, onHangup: @escaping @Sendable () -> Void
    ) {
        let queue = DispatchQueue(label: "titlecard.signals")
        let count = SignalCount()
        func source(
            _ number: Int32, on queue: DispatchQueue, _ handler: @escaping @Sendable () -> Void
        ) -> any DispatchSourceSignal {
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler(handler: handler)
            source.resume()
            return source
        }
        let ends = [SIGTERM, SIGINT].map { number in
            source(number, on: queue) {
                if count.isFirst() { onFirst() } else { _exit(128 + number) }
            }
        }
        // It takes a while, in which the service may be asked to stop.
        let reading = DispatchQueue(label: "titlecard.fonts")
        sources = ends + [source(SIGHUP, on: reading, onHangup)]
    }

    /// Lets the signals wait instead of ending the process.
    static func block() {
        let set = UnsafeMutablePointer<sigset_t>.allocate(capacity: 1)
        defer { set.deallocate() }
        sigemptyset(set)
        sigaddset(set, SIGTERM)
        sigaddset(set, SIGINT)
        sigaddset(set, SIGHUP)
        pthread_sigmask(SIG_BLOCK, set, nil)
    }

    func cancel() {
        for source in sources { source.cancel() }
    }
}

/// How many signals came.
///
/// `@unchecked Sendable`: only the signals' serial queue asks.
private final class SignalCount: @unchecked Sendable {
    private var count = 0

    func isFirst() -> Bool {
        count += 1
        return count == 1
    }
}
