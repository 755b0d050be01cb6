import ArgumentParser
import Dispatch
import Encoders
import Glibc
import HTTP
import Logging
import Motion
import Processes
import Raster
import Rendering
import Service
import Supervision
import Typesetting

/// `titlecard serve`: the HTTP service.
struct Serve: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serve renderings and the preview page over HTTP.",
        discussion: "Every option can be given in the environment too: --render-queue is "
            + "TITLECARD_RENDER_QUEUE, and a line of the file of --config: render-queue = 64. An option "
            + "takes precedence over its variable, and this over the file. Listening sockets that "
            + "systemd hands over (LISTEN_FDS) are used instead of --host and --port, and those with "
            + "the name metrics instead of --metrics-listen.")

    @OptionGroup var options: ServeOptions

    func run() throws {
        let supervisor = WorkerLink.inherited().map(SupervisorConnection.init)
        // They stay pending until `Signals` handles them; threads that are made later inherit the mask.
        SignalSet([SIGTERM, SIGINT, SIGHUP]).block()
        Allocator.configure()
        let handed = try Self.failing { try supervisor?.link.operatorFiles() }
        var environment = Environment(file: handed?.files(of: .options).first)
        var values = options.values(&environment)
        try Self.failing { try environment.check() }
        let formats = FormatCatalog.expected(
            processes: values.settings.rendering.videoProcesses)
        let source = ConfigurationSource(values, formats: formats)
        if let link = supervisor?.link, link.role.part == .trial {
            return try Self.runTrial(values.settings, source, handed, link)
        }
        let addresses = try Self.addresses(of: &values, supervisor)
        let logger = Self.logger(values.logLevel.level)
        Environment.forgetLanguage()
        let configured = try Self.failing {
            try handed.map(source.configured) ?? source.read()
        }
        let isFirst = supervisor.map { $0.link.role.part == .first } ?? true
        if isFirst { Self.log(environment, values, logger) }
        Self.complete(&values.settings, configured.configuration, supervisor)
        let (drain, statistics) = (DrainSignal(), ServerStatistics())
        DescriptorLimit.raise()
        let application = try Self.failing {
            try Application(
                settings: values.settings,
                catalog: configured.configuration.fonts, drain: drain,
                statistics: statistics, logger: logger,
                metricsSum: supervisor.map { supervisor in supervisor.addMetrics })
        }
        Self.limitConnections(&values, logger)
        if values.isCheck {
            defer { application.stop() }
            return try Self.report(values, configured, addresses)
        }
        Self.examine(formats, for: application, isFirst ? logger : nil)
        let listeners = try Self.listeners(on: addresses.service, values, supervisor)
        let server = Server(
            on: listeners, loops: listeners.loops ?? values.loops, limits: values.settings.http,
            drain: drain, statistics: statistics, handler: application)
        let reloading = Reloading(application, source, supervisor?.link, logger)
        let metrics = try Self.metricsServer(on: addresses.metrics, application, values, supervisor)
        let commands = Self.commands(to: server, application, reloading, logger)
        // The supervisor takes the signals of its workers.
        let signals = supervisor == nil ? Signals(commands) : nil
        try Self.start(server, metrics, isFirst ? logger : nil)
        if let supervisor {
            reloading.begin(configured, isFirst: isFirst, supervisor.link)
            supervisor.begin(
                Self.readiness(values, logger), values.settings.rendering.journal, commands)
        }
        server.wait()
        let hasEnded = application.stop()
        signals?.cancel()
        Self.finish(hasEnded: hasEnded, logger)
    }
}

extension Serve {
    /// The addresses of a service, and of a port for metrics alone.
    typealias Addresses = (service: BindAddress, metrics: BindAddress?)

    /// Returns the sockets that were handed over, or else the addresses of the options.
    private static func addresses(
        of values: inout ServeValues, _ supervisor: SupervisorConnection?
    ) throws -> Addresses {
        // A worker has its supervisor's, whose process they were handed to.
        let process = supervisor == nil ? getpid() : getppid()
        let inherited = try failing { try inheritedSockets(of: process) }
        var addresses: Addresses = (
            .host(values.host, port: values.port), values.metricsAddress
        )
        if !inherited.service.isEmpty { addresses.service = .sockets(inherited.service) }
        if !inherited.metrics.isEmpty || supervisor?.hasMetricsSockets == true {
            addresses.metrics = .sockets(inherited.metrics)
        }
        values.settings.hasMetricsPort = addresses.metrics != nil
        return addresses
    }

    /// Logs which variables are ignored, and whether memory is short.
    private static func log(_ environment: Environment, _ values: ServeValues, _ logger: Logger) {
        if !environment.kubernetesVariables.isEmpty {
            let names = environment.kubernetesVariables.joined(separator: ", ")
            logger.notice("ignored variables that Kubernetes sets for Services: \(names)")
        }
        let memory = values.settings.rendering.memoryBytes * values.processes
        if let limit = ContainerLimits().memoryBytes, limit < memory {
            let (most, asked) = (limit >> 20, memory >> 20)
            logger.notice("the container may take \(most) MiB, less than --memory \(asked)")
        }
    }

    /// Starts the servers, and logs where they listen.
    private static func start(_ server: Server, _ metrics: Server?, _ logger: Logger?) throws {
        try failing {
            try metrics?.start()
            try server.start()
        }
        guard let logger else { return }
        func url(_ address: String) -> String {
            "\(address.hasPrefix("unix:") ? "" : "http://")\(address)"
        }
        for address in metrics?.addresses ?? [] {
            logger.info("metrics at \(url(address))/metrics")
        }
        for address in server.addresses { logger.info("listening on \(url(address))") }
    }

    /// Makes the server of a port for metrics alone; nil without such a port.
    private static func metricsServer(
        on address: BindAddress?, _ application: Application, _ values: ServeValues,
        _ supervisor: SupervisorConnection?
    ) throws -> Server? {
        guard let address else { return nil }
        var limits = values.settings.http
        limits.maximumConnections = 64
        let listeners = try failing { () throws(ServerError) in
            try supervisor?.metricsListeners(
                on: address, processes: values.processes, backlog: limits.backlog) ?? address
        }
        return Server(
            on: listeners, loops: 1, limits: limits, handler: MetricsPort(of: application))
    }

    /// Tries on a thread of its own which of the formats there are, and logs which are missing.
    private static func examine(
        _ formats: FormatCatalog, for application: Application, _ logger: Logger?
    ) {
        let log = { @Sendable (formats: FormatCatalog) in
            for missing in formats.missing {
                logger?.notice("no \(missing.type.name): \(missing.reason)")
            }
        }
        guard formats.videoEncoder != nil else { return log(formats) }
        DispatchQueue(label: "titlecard.formats").async {
            let examined = formats.examined()
            application.use(examined)
            log(examined)
        }
    }

    /// Adds the settings that are no options.
    private static func complete(
        _ settings: inout ServiceSettings, _ configuration: ServiceConfiguration,
        _ supervisor: SupervisorConnection?
    ) {
        settings.use(configuration)
        settings.expectsFormats = configuration.schema.formats.videoEncoder != nil
        settings.http.rawQueryPaths = Application.rawQueryPaths
        settings.http.longContent = Application.longContent(settings)
        settings.http.mediaLimit = Application.mediaLimit(settings)
        if let supervisor {
            settings.rendering.journal = WorkJournal(
                threads: settings.rendering.threads, table: supervisor.link.table)
        }
    }

    /// Lowers the number of connections to the descriptors that there are.
    private static func limitConnections(_ values: inout ServeValues, _ logger: Logger) {
        // Fonts are opened with descriptors that no connection may take.
        let connections = max(
            DescriptorLimit.room(
                reserve: 16 + 4 * (values.settings.rendering.threads + values.loops)), 1)
        guard connections < values.settings.http.maximumConnections else { return }
        let number = connections == 1 ? "1 connection" : "\(connections) connections"
        logger.notice(
            "\(DescriptorLimit.soft) open files (ulimit -n) allow \(number) at a time; more will wait"
        )
        values.settings.http.maximumConnections = connections
    }

    /// Returns the sockets to serve on, which a supervisor keeps; without one, the address.
    private static func listeners(
        on address: BindAddress, _ values: ServeValues, _ supervisor: SupervisorConnection?
    ) throws -> BindAddress {
        let (loops, processes) = (values.loops, values.processes)
        let backlog = values.settings.http.backlog
        return try failing { () throws(ServerError) in
            try supervisor?.listeners(
                on: address, loops: loops, processes: processes, backlog: backlog) ?? address
        }
    }

    private static func commands(
        to server: Server, _ application: Application, _ reloading: Reloading, _ logger: Logger
    ) -> SupervisorConnection.Commands {
        SupervisorConnection.Commands(
            stop: {
                logger.info("shutting down")
                server.shutdown()
            },
            reload: { reloading.readAnew() }, use: { reloading.use($0) },
            metrics: { application.metricsText },
            visit: { end in server.visitLoops { application.visitReaders(then: end) } })
    }

    /// Returns the settings that the supervisor learns once the service serves.
    private static func readiness(_ values: ServeValues, _ logger: Logger) -> WorkerReadiness {
        WorkerReadiness(
            processes: values.processes, logLevel: logger.logLevel.severity,
            stopSeconds: Int(values.settings.http.drainTimeout.components.seconds) + 5,
            hangSeconds: values.hangTimeout)
    }

    /// Logs that the service has stopped; does not return if render threads have not ended.
    private static func finish(hasEnded: Bool, _ logger: Logger) {
        if hasEnded {
            logger.info("stopped")
        } else {
            logger.warning("stopped while render threads were still at work")
        }
        LogLines.standardError.finish()
        // Threads that are still at work use memory that returning would free.
        if !hasEnded { _exit(0) }
    }

    /// Returns the sockets that a service manager such as systemd has opened, for the service and for
    /// metrics.
    ///
    /// Child processes do not inherit the variables.
    private static func inheritedSockets(
        of process: pid_t
    ) throws(ServerError) -> (service: [Int32], metrics: [Int32]) {
        defer { for name in InheritedSockets.variables { unsetenv(name) } }
        func value(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
        let descriptors = try InheritedSockets.descriptors(of: process, value)
        try InheritedSockets.check(descriptors)
        return InheritedSockets.divided(descriptors, value)
    }

    /// Renders a request that was in flight when a worker died; the supervisor sees whether that
    /// ends the process again.
    private static func runTrial(
        _ settings: ServiceSettings, _ source: ConfigurationSource, _ files: OperatorFiles?,
        _ link: WorkerLink
    ) throws {
        guard case .packet(let packet) = link.socket.receive(waits: true),
            packet.kind == .suspect
        else { return }
        // The worker has left a core dump already, if any.
        ResourceLimit.coreDump.set(0)
        Environment.forgetLanguage()
        let configuration = try failing {
            try (files.map(source.configured) ?? source.read()).configuration
        }
        var rendering = settings.rendering
        rendering.schema = configuration.schema
        // An error is an answer too.
        try? TrialRendering.run(
            packet.bytes, rendering, configuration.fonts, now: settings.clock.monotonic
        ) { path in
            link.socket.send(Packet(.begun, Array(path.utf8)))
        }
    }

    /// Logs why the service does not start, and ends the command with the status of the error.
    static func failing<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch {
            let failure = CommandFailure(start: error)
            for message in failure.messages {
                let line = JSONLogHandler.line(at: LogLines.secondsSince1970(), .error, message)
                _ = StandardStreams.write(line, descriptor: 2)
            }
            throw failure.kind.exitCode
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
/// The first SIGTERM or SIGINT stops the service, the second ends the process at once. SIGHUP reads the
/// operator's files again.
private final class Signals {
    private let sources: [any DispatchSourceSignal]

    init(_ commands: SupervisorConnection.Commands) {
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
                if count.isFirst() { commands.stop() } else { _exit(128 + number) }
            }
        }
        // Reading takes a while, during which the service can still be stopped.
        let reading = DispatchQueue(label: "titlecard.reloading")
        sources = ends + [source(SIGHUP, on: reading, commands.reload)]
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

extension BindAddress {
    /// The number of loops that the sockets are for; nil if they are for any.
    fileprivate var loops: Int? {
        guard case .opened(let groups) = self else { return nil }
        return groups.first?.count
    }
}

extension Logger.Level {
    /// The severity as the supervisor counts it, 0 for debug to 4 for error.
    fileprivate var severity: UInt8 {
        switch self {
        case .trace, .debug: 0
        case .info: 1
        case .notice: 2
        case .warning: 3
        case .error, .critical: 4
        }
    }
}
