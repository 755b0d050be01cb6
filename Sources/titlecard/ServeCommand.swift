import ArgumentParser
import Dispatch
import Glibc
import HTTP
import Logging
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
        let (serviceSettings, address, level) = settings(&environment)
        try environment.finish()
        let place = try Self.failing { () throws(ServerError) in
            try Self.handedSockets() ?? .host(address.host, port: address.port)
        }

        let logger = Self.logger(level)
        Environment.forgetLanguage()
        if !environment.ofKubernetes.isEmpty {
            let names = environment.ofKubernetes.joined(separator: ", ")
            logger.notice("passed over what Kubernetes sets for Services: \(names)")
        }

        // Connections, and what the process itself holds open.
        let wanted = serviceSettings.http.maximumConnections + 100
        let descriptors = DescriptorLimit.raise(to: wanted)
        if descriptors < wanted {
            logger.notice("only \(descriptors) descriptors; connections beyond them will wait")
        }

        let drain = DrainSignal()
        let statistics = ServerStatistics()
        let application = try Self.failing { () throws(StaticFilesError) in
            try Application(
                settings: serviceSettings, catalog: FontCatalog(), drain: drain,
                statistics: statistics, logger: logger)
        }
        let server = Server(
            on: place, loops: address.loops, limits: serviceSettings.http, drain: drain,
            statistics: statistics, handler: application)
        let signals = Signals(onFirst: {
            logger.info("shutting down")
            server.shutdown()
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
    private static func handedSockets() throws(ServerError) -> ListeningPlace? {
        defer { for name in HandedSockets.variables { unsetenv(name) } }
        let descriptors = try HandedSockets.descriptors(of: getpid()) { (name) in
            getenv(name).map { String(cString: $0) }
        }
        return descriptors.isEmpty ? nil : .sockets(descriptors)
    }

    /// Ends the command when the server cannot be had.
    private static func failing<Result, Failure: Error & CustomStringConvertible>(
        _ body: () throws(Failure) -> Result
    ) throws -> Result {
        do {
            return try body()
        } catch {
            StandardStreams.complain("cannot serve: \(error.description)")
            throw error is StaticFilesError ? CommandFailure.Kind.noInput.exitCode : .failure
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

/// SIGTERM and SIGINT: the first asks to stop, the second ends at once.
private final class Signals {
    private let sources: [any DispatchSourceSignal]

    init(onFirst: @escaping @Sendable () -> Void) {
        let queue = DispatchQueue(label: "titlecard.signals")
        let count = SignalCount()
        sources = [SIGTERM, SIGINT].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                if count.isFirst() { onFirst() } else { _exit(128 + number) }
            }
            source.resume()
            return source
        }
    }

    /// Lets the signals wait instead of ending the process.
    static func block() {
        let set = UnsafeMutablePointer<sigset_t>.allocate(capacity: 1)
        defer { set.deallocate() }
        sigemptyset(set)
        sigaddset(set, SIGTERM)
        sigaddset(set, SIGINT)
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
