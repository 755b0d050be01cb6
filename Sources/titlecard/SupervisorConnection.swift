import CStacks
import Dispatch
import Glibc
import HTTP
import Rendering
import Service
import Supervision
import Synchronization

/// The worker's side of its supervision.
final class SupervisorConnection: Sendable {
    /// The actions that the supervisor asks for.
    struct Commands: Sendable {
        let stop: @Sendable () -> Void
        /// Reads the operator's files anew.
        let reload: @Sendable () -> Void
        /// Serves by the operator's files in packets.
        let use: @Sendable ([Packet]) -> Void
        /// Returns the metrics of this process.
        let metrics: @Sendable () -> String
        /// Calls a function once all that requests need has had a turn.
        let visit: @Sendable (@escaping @Sendable () -> Void) -> Void
    }

    private typealias Receiver = @Sendable (String) -> Void

    /// The receivers that have asked for metrics, round by round.
    private struct Asked: Sendable {
        /// The receivers of the round under way.
        var present: [Receiver] = []
        /// The receivers that came since, whose requests the present round may not have counted.
        var next: [Receiver] = []
        /// The number of the round.
        var round = 0
    }

    let link: WorkerLink
    private let asked = Mutex(Asked())
    /// Returns the metrics of this process, once they were asked for.
    private let ownMetrics = Mutex<(@Sendable () -> String)?>(nil)
    private let queue = DispatchQueue(label: "titlecard.supervisor")

    /// The time for which the metrics of the other workers are waited for.
    private static let timeout = DispatchTimeInterval.seconds(1)

    init(_ link: WorkerLink) {
        self.link = link
    }

    // MARK: Sockets

    /// True if the supervisor keeps sockets for metrics.
    var hasMetricsSockets: Bool { link.sockets.contains { $0.isForMetrics } }

    /// The sockets of a port for metrics, which all workers share: those that the supervisor keeps, or
    /// new ones, of which it gets copies.
    func metricsListeners(
        on address: BindAddress, processes: Int, backlog: Int32
    ) throws(ServerError) -> BindAddress {
        guard link.role.part == .first else {
            return .sockets(link.sockets.filter { $0.isForMetrics }.flatMap { $0.descriptors })
        }
        let descriptors =
            if case .sockets(let inherited) = address { inherited } else {
                try address.descriptors(count: 1, backlog: backlog).flatMap { $0 }
            }
        for index in 0..<processes {
            for descriptor in descriptors {
                give(index, ListeningSockets([descriptor], isShared: true, isForMetrics: true))
            }
        }
        return .sockets(descriptors)
    }

    /// The sockets to serve on: the sockets that the supervisor keeps, or new ones, of which it
    /// gets copies.
    func listeners(
        on address: BindAddress, loops: Int, processes: Int, backlog: Int32
    ) throws(ServerError) -> BindAddress {
        guard link.role.part == .first else {
            let groups = link.sockets.filter { !$0.isForMetrics }
            guard groups.first?.isShared == true else {
                return .opened(groups.map { $0.descriptors })
            }
            return .sockets(groups.flatMap { $0.descriptors })
        }
        if case .sockets(let descriptors) = address {
            for index in 0..<processes {
                for descriptor in descriptors {
                    give(index, ListeningSockets([descriptor], isShared: true))
                }
            }
            return address
        }
        let groups = try address.descriptors(count: loops * processes, backlog: backlog)
        for group in groups {
            for index in 0..<processes {
                let part = group[(index * loops)..<((index + 1) * loops)]
                give(index, ListeningSockets(Array(part), isShared: false))
                if index > 0 { for descriptor in part { close(descriptor) } }
            }
        }
        return .opened(groups.map { Array($0.prefix(loops)) })
    }

    private func give(_ worker: Int, _ sockets: ListeningSockets) {
        link.socket.send(
            Packet(
                .opened, [sockets.flags, UInt8(clamping: worker)],
                descriptors: sockets.descriptors))
    }

    // MARK: Service

    /// Tells that the service serves, and obeys the supervisor from now on.
    func begin(_ readiness: WorkerReadiness, _ journal: WorkJournal?, _ commands: Commands) {
        titlecard_write_stacks_on_abort()
        let descriptors = [journal?.memory.descriptor].compactMap { $0 }
        link.socket.send(Packet(.ready, readiness.bytes, descriptors: descriptors))
        // Reading fonts takes a while, during which the service can still be stopped.
        let reading = DispatchQueue(label: "titlecard.reloading")
        do {
            try ThreadStarter.startThread { [self] in
                var files: [Packet] = []
                while case .packet(let packet) = link.socket.receive(waits: true) {
                    switch packet.kind {
                    case .stop: commands.stop()
                    case .reload: reading.async(execute: commands.reload)
                    case .files:
                        files.append(packet)
                        guard packet.isLast else { break }
                        reading.async { [files] in commands.use(files) }
                        files = []
                    case .ping:
                        commands.visit { [self] in link.socket.send(Packet(.pong)) }
                    case .metricsWanted:
                        link.socket.send(Packet(.metrics, Array(commands.metrics().utf8)))
                    case .metricsSum:
                        deliver(String(decoding: packet.bytes, as: UTF8.self), round: nil)
                    default: for descriptor in packet.descriptors { close(descriptor) }
                    }
                }
                // The supervisor has ended, and its workers with it.
                _exit(1)
            }
        } catch {
            // A worker that nobody can stop must not serve.
            _exit(CommandFailure.Kind.system.rawValue)
        }
    }

    // MARK: Metrics

    /// Asks for the metrics of all workers, without any work on the calling thread.
    func addMetrics(
        _ own: @escaping @Sendable () -> String, _ receive: @escaping @Sendable (String) -> Void
    ) {
        let isIdle = asked.withLock { asked in
            asked.next.append(receive)
            return asked.present.isEmpty && asked.next.count == 1
        }
        if isIdle { beginRound(own) }
    }

    private func beginRound(_ own: @escaping @Sendable () -> String) {
        queue.async { [self] in
            let round = asked.withLock { asked in
                (asked.present, asked.next) = (asked.next, [])
                asked.round += 1
                return asked.round
            }
            let text = own()
            ownMetrics.withLock { $0 = own }
            guard link.socket.send(Packet(.metricsAsked, Array(text.utf8)), waits: false) else {
                return deliver(text, round: round)
            }
            queue.asyncAfter(deadline: .now() + Self.timeout) { [self] in
                deliver(text, round: round)
            }
        }
    }

    /// Passes on metrics to the receivers of the present round, unless it is another round, and
    /// begins the next if others wait.
    private func deliver(_ text: String, round: Int?) {
        let (receivers, othersWait) = asked.withLock { asked -> ([Receiver], Bool) in
            guard round == nil || round == asked.round, !asked.present.isEmpty else {
                return ([], false)
            }
            defer { asked.present = [] }
            return (asked.present, !asked.next.isEmpty)
        }
        for receive in receivers { receive(text) }
        if othersWait, let own = ownMetrics.withLock({ $0 }) { beginRound(own) }
    }
}
