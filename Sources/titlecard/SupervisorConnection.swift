import Dispatch
import Glibc
import HTTP
import Rendering
import Service
import Supervision
import Synchronization

/// The worker's side of its supervision.
final class SupervisorConnection: Sendable {
    /// What the supervisor asks for.
    struct Commands: Sendable {
        let stop: @Sendable () -> Void
        let reload: @Sendable () -> Void
        /// Returns the metrics of this process.
        let metrics: @Sendable () -> String
    }

    private struct Asked: Sendable {
        var receivers: [@Sendable (String) -> Void] = []
        var round = 0
    }

    let link: WorkerLink
    private let asked = Mutex(Asked())
    private let queue = DispatchQueue(label: "titlecard.supervisor")

    /// The time for which the metrics of the other workers are waited for.
    private static let patience = DispatchTimeInterval.seconds(1)

    init(_ link: WorkerLink) {
        self.link = link
    }

    // MARK: Sockets

    /// The sockets to serve on: those that the supervisor keeps, or new ones, of which it gets copies.
    func listeners(
        on address: BindAddress, loops: Int, processes: Int, backlog: Int32
    ) throws(ServerError) -> BindAddress {
        guard link.role.part == .first else {
            let groups = link.sockets
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
                .opened, [sockets.isShared ? 1 : 0, UInt8(clamping: worker)],
                descriptors: sockets.descriptors))
    }

    // MARK: Service

    /// Tells that the service serves, and obeys the supervisor from now on.
    func begin(_ readiness: WorkerReadiness, _ journal: WorkJournal?, _ commands: Commands) {
        let descriptors = [journal?.memory.descriptor].compactMap { $0 }
        link.socket.send(Packet(.ready, readiness.bytes, descriptors: descriptors))
        // Reading fonts takes a while, during which the service can still be stopped.
        let reading = DispatchQueue(label: "titlecard.fonts")
        Thread.start { [self] in
            while case .packet(let packet) = link.socket.receive(waits: true) {
                switch packet.kind {
                case .stop: commands.stop()
                case .reload: reading.async(execute: commands.reload)
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
    }

    // MARK: Metrics

    /// Asks for the metrics of all workers; those who ask meanwhile get the same.
    func addMetrics(_ own: String, _ receive: @escaping @Sendable (String) -> Void) {
        let round = asked.withLock { asked -> Int? in
            asked.receivers.append(receive)
            guard asked.receivers.count == 1 else { return nil }
            asked.round += 1
            return asked.round
        }
        guard let round else { return }
        guard link.socket.send(Packet(.metricsAsked, Array(own.utf8)), waits: false) else {
            return deliver(own, round: round)
        }
        queue.asyncAfter(deadline: .now() + Self.patience) { [self] in deliver(own, round: round) }
    }

    /// Passes on metrics to those who wait; those of a round only if it is still the present one.
    private func deliver(_ text: String, round: Int?) {
        let receivers = asked.withLock { asked -> [@Sendable (String) -> Void] in
            guard round == nil || round == asked.round else { return [] }
            defer { asked.receivers = [] }
            return asked.receivers
        }
        for receive in receivers { receive(text) }
    }
}

/// A thread that nobody waits for.
private enum Thread {
    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    static func start(_ run: @escaping @Sendable () -> Void) {
        var thread = pthread_t()
        let body = Unmanaged.passRetained(Body(run))
        let status = pthread_create(
            &thread, nil,
            { pointer in
                guard let pointer else { return nil }
                Unmanaged<Body>.fromOpaque(pointer).takeRetainedValue().run()
                return nil
            }, body.toOpaque())
        guard status == 0 else {
            body.release()
            // A worker that nobody can stop must not serve.
            _exit(CommandFailure.Kind.system.rawValue)
        }
        pthread_detach(thread)
    }
}
