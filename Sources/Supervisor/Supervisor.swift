import CProcess
import Glibc
import Processes
import Supervision

/// Starts the workers, keeps their listening sockets, and replaces workers that die.
final class Supervisor {
    /// The reading of the operator's files that SIGHUP asks for.
    private enum Reload: Equatable {
        case none
        /// The next worker that serves is asked.
        case wanted
        /// A worker reads them; another reading follows where one is asked for meanwhile.
        case asked(Int, again: Bool)
    }

    /// A sum of metrics that is being made.
    private struct Collection {
        var askers: Set<Int>
        var missing: Set<Int>
        let deadline: UInt64
    }

    private let program: String
    private let signals: Int32
    private let table: RefusalTable
    private var log = SupervisorLog()
    private var workers: [Worker] = [Worker()]
    private var trials: Trials
    private var responder = UnavailableResponder()
    private var kills = KillWatch()
    /// Nil where workers may be silent for any time, and before the first one serves.
    private var hangWatch: HangWatch?
    private var collection: Collection?
    /// The packets of the operator's files that the service is made of.
    private var files: [Packet] = []
    private var reload = Reload.none
    /// The counters of workers that have ended.
    private var past = ""
    private var restarts = 0
    private var hangs = 0
    /// The instant at which this process started, in seconds since 1970.
    private let began = time(nil)
    private var isReady = false
    private var isStopping = false
    /// The seconds in which a worker that was told to stop ends.
    private var stopSeconds: UInt64 = 35
    /// The instant at which workers that have not ended are killed.
    private var killTime: UInt64?
    /// The first end of a worker that was not as it should be, while the service stops.
    private var fault: Ending?

    /// The time for which a report of metrics is waited for.
    private static let metricsPatience: UInt64 = 500_000_000
    /// The signals that concern the service, which workers leave to the supervisor.
    private static let serviceSignals = SignalSet([SIGTERM, SIGINT, SIGHUP])

    /// Takes over the signals of this process.
    init?(_ program: String) {
        for number in [SIGPIPE, SIGXFSZ] { signal(number, SIG_IGN) }
        for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) == -1 {
            // The lowest free descriptor; opened so that its use still fails.
            _ = open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
        }
        // The sockets of many workers are kept here.
        ResourceLimit.openFiles.raise()
        // A disposition that is inherited would discard it.
        signal(SIGCHLD, SIG_DFL)
        let all = SignalSet([SIGTERM, SIGINT, SIGHUP, SIGCHLD])
        all.block()
        signals = all.withPointer {
            signalfd(-1, $0, Int32(SFD_CLOEXEC | SFD_NONBLOCK))
        }
        guard signals >= 0, let table = RefusalTable() else { return nil }
        self.program = program
        self.table = table
        trials = Trials(table)
    }

    /// Supervises until the service ends.
    ///
    /// - Returns: How this process is to end.
    func run() -> Ending {
        workers[0].child = start(WorkerRole(.first))
        guard workers[0].child != nil else {
            log.write(.error, "cannot run \(program): \(String(cString: strerror(errno)))")
            return .exit(71)
        }
        while true {
            let ready = wait()
            if let ending = takeSignals() ?? reap() { return ending }
            for index in workers.indices { takePackets(of: index) }
            takeTrialPackets()
            let now = Clock.nanoseconds
            answer(ready, now)
            if let collection, collection.deadline <= now { finishCollection() }
            if let killTime, killTime <= now { killWorkers() }
            for index in workers.indices { workers[index].killIfAborted(now: now) }
            guard !isStopping else { continue }
            askWorkers(now)
            for index in workers.indices {
                if let instant = workers[index].start, instant <= now { startWorker(index) }
            }
            trials.proceed(start)
        }
    }

    /// Waits for a signal, a packet, a client, or the next instant at which something is to be done.
    ///
    /// - Returns: The descriptors of the responder's that can be read.
    private func wait() -> Set<Int32> {
        let now = Clock.nanoseconds
        let sockets = workers.compactMap { $0.child?.socket } + [trials.socket].compactMap { $0 }
        let own = [signals] + sockets.map { $0.descriptor }
        let others = responder.descriptors(accepting: unattendedSockets(at: now), now: now)
        var polled = (own + others).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        let instants =
            workers.flatMap { [$0.start, $0.killTime, $0.absence.flatMap { $0 > now ? $0 : nil }] }
            + [responder.deadline(after: now), trials.deadline, collection?.deadline, killTime]
            + [isStopping ? nil : hangWatch?.next]
        var timeout: Int32 = -1
        if let next = instants.compactMap({ $0 }).min() {
            timeout = next > now ? Int32(clamping: (next - now) / 1_000_000 + 1) : 0
        }
        _ = poll(&polled, nfds_t(polled.count), timeout)
        return Set(polled.dropFirst(own.count).filter { $0.revents != 0 }.map { $0.fd })
    }

    /// Answers the connections that no worker takes.
    private func answer(_ ready: Set<Int32>, _ now: UInt64) {
        let sockets = unattendedSockets(at: now)
        responder.proceed(ready, accepting: sockets, now: now)
        guard sockets.isEmpty, case let count = responder.takeCount(), count > 0 else { return }
        log.write(.warning, "answered \(count) connections with 503 while their worker was down")
    }

    /// Returns the sockets whose connections no worker takes, or has taken soon enough.
    ///
    /// Workers have sockets of their own, between which the kernel divides connections, unless a
    /// service manager has opened them: all workers share such sockets.
    private func unattendedSockets(at now: UInt64) -> [Int32] {
        guard !isStopping else { return [] }
        let absent = workers.filter { $0.absence.map { $0 <= now } ?? false }
        let own = absent.flatMap { $0.sockets }.filter { !$0.isShared }
        let shared =
            absent.count == workers.count ? workers[0].sockets.filter { $0.isShared } : []
        return (own + shared).flatMap { $0.descriptors }
    }

    /// Asks the workers whether they still answer, and ends those that have not for too long.
    private func askWorkers(_ now: UInt64) {
        guard let nanoseconds = hangWatch?.begin(now: now), let patience = hangWatch?.patience
        else { return }
        for index in workers.indices where !workers[index].hangs {
            // A start takes as long as it takes.
            guard workers[index].readiness != nil, let child = workers[index].child else {
                continue
            }
            let silence = workers[index].silence.extend(by: nanoseconds) {
                child.socket.send(Packet(.ping), waits: false)
            }
            guard silence >= patience * 1_000_000_000 else { continue }
            hangs += 1
            log.write(
                .error,
                "worker \(index), process \(child.id), has not answered for \(patience) s, and is ended"
            )
            workers[index].abort(now: now)
        }
    }

    // MARK: Processes

    /// Starts a process, and hands it the operator's files.
    private func start(_ role: WorkerRole) -> ChildProcess? {
        var role = role
        role.hasFiles = !files.isEmpty
        guard
            let child = ChildProcess.start(
                program, role: role, table: table, blocking: Self.serviceSignals)
        else { return nil }
        guard files.allSatisfy({ child.socket.send($0, waits: false) }) else {
            kill(child.id, SIGKILL)
            return nil
        }
        return child
    }

    /// Starts a worker on the sockets that are kept for it.
    private func startWorker(_ index: Int) {
        workers[index].start = nil
        let sockets = workers[index].sockets
        let child = start(WorkerRole(.other, index: index, socketPackets: sockets.count))
        let isComplete = sockets.allSatisfy { group in
            child?.socket.send(
                Packet(.sockets, [group.flags], descriptors: group.descriptors),
                waits: false) ?? false
        }
        workers[index].child = child
        if child == nil {
            log.write(.error, "cannot start a worker: \(String(cString: strerror(errno)))")
            retry(index, after: 0)
        } else if !isComplete, let child {
            kill(child.id, SIGKILL)
        }
    }

    /// Decides when a worker is started again that has served for some nanoseconds.
    private func retry(_ index: Int, after service: UInt64) {
        workers[index].start = Clock.nanoseconds + workers[index].backoff.delay(after: service)
    }

    /// Collects the processes that have ended; for PID 1 these may be the children of any process.
    private func reap() -> Ending? {
        var status: Int32 = 0
        while true {
            let process = waitpid(-1, &status, WNOHANG)
            guard process > 0 else { break }
            let ending = Ending(status)
            let index = workers.firstIndex { $0.child?.id == process }
            let isOwnKill =
                isStopping || trials.hasCut(process) || index.map { workers[$0].hangs } ?? false
            let isTrial = trials.end(process, ending, log)
            guard isTrial || index != nil else { continue }
            if ending == .signal(SIGKILL), !isOwnKill { noteKill() }
            if let index, let ending = takeDeath(of: index, ending) { return ending }
        }
        guard isStopping, workers.allSatisfy({ $0.child == nil }) else { return nil }
        return fault ?? .exit(0)
    }

    /// - Returns: How this process is to end, if it has to.
    private func takeDeath(of index: Int, _ ending: Ending) -> Ending? {
        // Packets from before its death: the worker may have said that it was ready, or what it
        // worked on.
        takePackets(of: index)
        let worker = workers[index]
        let now = Clock.nanoseconds
        workers[index].noteDeath(now: now)
        close(workers[index].files)
        workers[index].files = []
        if case .asked(index, let again) = reload {
            log.write(.error, "a worker died while it reloaded the files; they stay as they were")
            endReload(again: again)
        }
        forgetMetrics(of: index)
        // It states the reason itself.
        guard isReady else { return ending }
        let entries = ending == .exit(0) ? [] : worker.journal?.entries ?? []
        if isStopping {
            if ending != .exit(0) {
                fault = fault ?? ending
                log.write(.error, "a worker \(ending.description) while it stopped")
            }
            return nil
        }
        restarts += 1
        retry(index, after: worker.readiness.map { now - $0 } ?? 0)
        log.write(
            .error, "a worker \(ending.description), with \(entries.count) renderings in flight")
        // What hangs is no rendering, which has a thread of its own and a deadline.
        if !worker.hangs { trials.add(entries) }
        return nil
    }

    /// Logs what may have killed processes, once several were killed.
    private func noteKill() {
        guard kills.note(now: Clock.nanoseconds) else { return }
        let events =
            MemoryEvents.text().map { "the memory.events of its cgroup are: \($0)" }
            ?? "no cgroup (v2) says whether memory ran out"
        log.write(
            .error, "three processes were ended by SIGKILL from outside within a minute; \(events)")
    }

    // MARK: Signals

    private func takeSignals() -> Ending? {
        var signal = signalfd_siginfo()
        let size = MemoryLayout<signalfd_siginfo>.size
        while read(signals, &signal, size) == size {
            switch Int32(signal.ssi_signo) {
            case SIGHUP:
                forgetRefusals()
                askForReload()
            case SIGTERM, SIGINT:
                guard !isStopping else {
                    for child in workers.compactMap({ $0.child }) { kill(child.id, SIGKILL) }
                    return .exit(128 + Int32(signal.ssi_signo))
                }
                stop()
            default: break
            }
        }
        return nil
    }

    /// Lets refused renderings be rendered again.
    private func forgetRefusals() {
        let count = table.releaseRefused(now: Clock.nanoseconds)
        if count > 0 { log.write(.info, "\(count) refused renderings are allowed again") }
    }

    private func stop() {
        isStopping = true
        killTime = Clock.nanoseconds + stopSeconds * 1_000_000_000
        trials.stop()
        for index in workers.indices {
            // Closed here, they are closed for good once the worker closes them.
            close(workers[index].sockets)
            workers[index].sockets = []
            workers[index].start = nil
            tell(workers[index], .stop)
        }
    }

    /// Ends the workers that do not end by themselves.
    private func killWorkers() {
        killTime = nil
        let children = workers.compactMap { $0.child }
        log.write(.error, "\(children.count) workers did not stop, and are killed")
        for child in children { kill(child.id, SIGKILL) }
    }

    private func close(_ packets: [Packet]) {
        for descriptor in packets.flatMap({ $0.descriptors }) { Glibc.close(descriptor) }
    }

    private func close(_ sockets: [ListeningSockets]) {
        for descriptor in sockets.flatMap({ $0.descriptors }) { Glibc.close(descriptor) }
    }

    private func tell(_ worker: Worker, _ kind: Packet.Kind) {
        worker.child?.socket.send(Packet(kind), waits: false)
    }

    // MARK: Files

    /// Asks one worker to read the operator's files anew.
    private func askForReload() {
        if case .asked(let index, _) = reload {
            reload = .asked(index, again: true)
            return
        }
        reload = .wanted
        guard let index = workers.firstIndex(where: { $0.readiness != nil }) else { return }
        reload = .asked(index, again: false)
        tell(workers[index], .reload)
    }

    private func endReload(again: Bool) {
        reload = .none
        if again { askForReload() }
    }

    /// Takes a part of the operator's files; once it has all, the other workers get them.
    private func takeFiles(_ packet: Packet, from index: Int) {
        workers[index].files.append(packet)
        guard packet.isLast else { return }
        close(files)
        (files, workers[index].files) = (workers[index].files, [])
        for other in workers.indices where other != index {
            guard let child = workers[other].child else { continue }
            // A worker that cannot take them must not go on with others.
            if !files.allSatisfy({ child.socket.send($0, waits: false) }) {
                kill(child.id, SIGKILL)
            }
        }
        if case .asked(index, let again) = reload { endReload(again: again) }
    }

    // MARK: Packets

    private func takePackets(of index: Int) {
        while let socket = workers[index].child?.socket,
            case .packet(let packet) = socket.receive(waits: false)
        {
            take(packet, from: index)
        }
    }

    private func takeTrialPackets() {
        while let socket = trials.socket, case .packet(let packet) = socket.receive(waits: false) {
            if packet.kind == .begun {
                trials.begin(path: String(decoding: packet.bytes, as: UTF8.self))
            }
        }
    }

    private func take(_ packet: Packet, from index: Int) {
        switch packet.kind {
        case .opened:
            let group = ListeningSockets(packet)
            let owner = packet.bytes.count > 1 ? Int(packet.bytes[1]) : 0
            while workers.count <= owner { workers.append(Worker()) }
            if isStopping { close([group]) } else { workers[owner].sockets.append(group) }
        case .ready:
            workers[index].readiness = Clock.nanoseconds
            workers[index].death = nil
            workers[index].journal = packet.descriptors.first.flatMap {
                WorkJournal(reading: $0)
            }
            if let readiness = WorkerReadiness(packet.bytes) { noteReadiness(readiness) }
            if reload == .wanted { askForReload() }
        case .files: takeFiles(packet, from: index)
        case .reloadFailed: if case .asked(index, let again) = reload { endReload(again: again) }
        case .reloadWanted: askForReload()
        case .pong: workers[index].silence.noteAnswer()
        case .metricsAsked: collect(packet.bytes, for: index)
        case .metrics:
            workers[index].metrics = String(decoding: packet.bytes, as: UTF8.self)
            noteReport(of: index)
        default: for descriptor in packet.descriptors { Glibc.close(descriptor) }
        }
    }

    /// Notes that a worker serves; after the first one the others are started.
    private func noteReadiness(_ readiness: WorkerReadiness) {
        guard !isReady else { return }
        isReady = true
        log.least = SupervisorLog.Level(rawValue: readiness.logLevel) ?? .info
        stopSeconds = UInt64(readiness.stopSeconds)
        InheritedSockets.close()
        hangWatch = HangWatch(seconds: readiness.hangSeconds, now: Clock.nanoseconds)
        guard !isStopping else { return }
        let now = Clock.nanoseconds
        for index in workers.indices.dropFirst() { workers[index].start = now }
    }

    // MARK: Metrics

    /// Begins to add up the metrics of all workers for one of them.
    private func collect(_ report: [UInt8], for index: Int) {
        workers[index].metrics = String(decoding: report, as: UTF8.self)
        guard collection == nil else {
            collection?.askers.insert(index)
            return noteReport(of: index)
        }
        var missing: Set<Int> = []
        for other in workers.indices where other != index && workers[other].readiness != nil {
            let isTold =
                workers[other].child?.socket.send(Packet(.metricsWanted), waits: false) ?? false
            if isTold { missing.insert(other) }
        }
        collection = Collection(
            askers: [index], missing: missing,
            deadline: Clock.nanoseconds + Self.metricsPatience)
        if missing.isEmpty { finishCollection() }
    }

    private func noteReport(of index: Int) {
        collection?.missing.remove(index)
        if collection?.missing.isEmpty == true { finishCollection() }
    }

    private func finishCollection() {
        guard let askers = collection?.askers else { return }
        collection = nil
        var sum = MetricsSum()
        sum.append(
            "process_start_time_seconds", kind: "gauge",
            help: "The instant at which the service started, in seconds since 1970.", value: began)
        for worker in workers { sum.add(worker.metrics) }
        sum.add(past, countersOnly: true)
        sum.append(
            "titlecard_worker_restarts_total", kind: "counter",
            help: "Workers that died and were replaced.", value: restarts)
        sum.append(
            "titlecard_worker_hangs_total", kind: "counter",
            help: "Workers that were ended because they did not answer.", value: hangs)
        sum.append(
            "titlecard_refused_keys", kind: "gauge",
            help: "Renderings that are refused because they end a process.",
            value: table.refusedCount(now: Clock.nanoseconds))
        let packet = Packet(.metricsSum, Array(sum.text.utf8))
        for index in askers { workers[index].child?.socket.send(packet, waits: false) }
    }

    /// Keeps the counters of a worker that has ended, so that sums do not fall.
    private func forgetMetrics(of index: Int) {
        var sum = MetricsSum()
        sum.add(past, countersOnly: true)
        sum.add(workers[index].metrics, countersOnly: true)
        past = sum.text
        workers[index].metrics = ""
        collection?.askers.remove(index)
        noteReport(of: index)
    }
}
