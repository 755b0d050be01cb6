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

    @OptionGroup var options: ServeOptions

    func run() throws {
        // They stay pending until `Signals` handles them; threads that are made later inherit the mask.
        Signals.block()
        Allocator.configure()
        var environment = Environment()
        var values = options.values(&environment)
        try environment.finish()
        do throws(CommandFailure) {
            values.settings.rendering.schema = try values.catalogs.schema()
        } catch {
            throw StandardStreams.report(error)
        }
        let address = try Self.failing { () throws(ServerError) in
            try Self.inheritedSockets() ?? .host(values.host, port: values.port)
        }

        let logger = Self.logger(values.logLevel)
        Environment.forgetLanguage()
        if !environment.kubernetesVariables.isEmpty {
            let names = environment.kubernetesVariables.joined(separator: ", ")
            logger.notice("passed over what Kubernetes sets for Services: \(names)")
        }

        values.settings.http.rawQueryPaths = Application.rawQueryPaths
        let drain = DrainSignal()
        let statistics = ServerStatistics()
        DescriptorLimit.raise()
        let application = try Self.failing {
            try Application(
                settings: values.settings,
                catalog: try FontCatalog(directories: values.catalogs.fonts),
                drain: drain,
                statistics: statistics, logger: logger)
        }
        // Fonts are opened with descriptors that no connection may take.
        let connections = DescriptorLimit.room(
            reserve: 16 + 4 * (values.settings.rendering.workers + values.loops))
        if connections < values.settings.http.maximumConnections {
            logger.notice("descriptors for \(connections) connections only; more will wait")
            values.settings.http.maximumConnections = max(connections, 1)
        }
        let server = Server(
            on: address, loops: values.loops, limits: values.settings.http, drain: drain,
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
        let hasEnded = application.stop()
        signals.cancel()
        if hasEnded {
            logger.info("stopped")
        } else {
            logger.warning("stopped while render threads were still at work")
        }
        LogLines.standardError.finish()
        // Threads at work use what a return would take from them.
        if !hasEnded { _exit(0) }
    }
}

extension Serve {
    /// The names of all variables that `serve` reads.
    static var variables: Set<String> {
        var environment = Environment([:])
        _ = (try? ServeOptions.parse([]))?.values(&environment)
        return environment.known
    }

    /// Returns the sockets that a service manager such as systemd has opened; nil if there are none.
    ///
    /// Child processes do not inherit the variables.
    private static func inheritedSockets() throws(ServerError) -> BindAddress? {
        defer { for name in InheritedSockets.variables { unsetenv(name) } }
        let descriptors = try InheritedSockets.descriptors(of: getpid()) { (name) in
            getenv(name).map { String(cString: $0) }
        }
        try InheritedSockets.check(descriptors)
        return descriptors.isEmpty ? nil : .sockets(descriptors)
    }

    /// Ends the command with the status of an error.
    private static func failing<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let fault as LibraryFault where fault.isOfOwnFonts {
            throw StandardStreams.report(CommandFailure(.library(fault), hasTexts: false))
        } catch {
            StandardStreams.writeError("cannot serve: \(error)")
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

/// The handlers of signals.
///
/// The first SIGTERM or SIGINT stops the service, the second ends the process at once. SIGHUP reads
/// the fonts again.
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
        // Reading takes a while, during which the service can still be stopped.
        let reading = DispatchQueue(label: "titlecard.fonts")
        sources = ends + [source(SIGHUP, on: reading, onHangup)]
    }

    /// Keeps the signals pending, so that they do not end the process.
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

/// The number of signals that came.
///
/// `@unchecked Sendable`: only the signals' serial queue uses it.
private final class SignalCount: @unchecked Sendable {
    private var count = 0

    func isFirst() -> Bool {
        count += 1
        return count == 1
    }
}
