import CProcess
import Glibc

/// A message between a supervisor and a worker, which may carry descriptors.
package struct Packet: Sendable {
    package enum Kind: UInt8, Sendable {
        // From the supervisor.
        /// The worker's part, with the table of refused renderings.
        case role = 1
        /// Listening sockets of one address, for a worker that replaces another.
        case sockets
        /// The rendering of a trial.
        case suspect
        /// The worker is to finish the renderings in flight and to end.
        case stop
        /// The worker is to read the operator's files anew, and to send them.
        case reload
        /// The worker is to report its metrics.
        case metricsWanted
        /// The metrics of all workers together.
        case metricsSum
        /// The worker is to send `pong` from its loops, its readers, and the locks that they need.
        case ping

        // Both ways.
        /// A part of the operator's files that the service is made of; the first byte is 1 in the last.
        case files

        // From a worker.
        /// Listening sockets of one address, for the supervisor to keep.
        case opened
        /// The worker serves.
        case ready
        /// The metrics of the worker, which asks for the sum.
        case metricsAsked
        /// The metrics of the worker, which was asked for them.
        case metrics
        /// A trial begins to render; the path of its permalink.
        case begun
        /// The operator's files were to be read anew, and cannot be.
        case reloadFailed
        /// The fonts differ from the fonts of the service, so that all workers have to read them.
        case reloadWanted
        /// The worker has done what `ping` asked for.
        case pong
    }

    package var kind: Kind
    package var bytes: [UInt8]
    package var descriptors: [Int32]

    package init(_ kind: Kind, _ bytes: [UInt8] = [], descriptors: [Int32] = []) {
        self.kind = kind
        self.bytes = bytes
        self.descriptors = descriptors
    }
}

extension Packet {
    /// Returns packets of one kind that carry descriptors together; the first byte of the last is 1.
    package static func split(_ kind: Kind, descriptors: [Int32]) -> [Packet] {
        let most = Int(titlecard_packet_descriptors)
        let starts = Array(stride(from: 0, to: max(descriptors.count, 1), by: most))
        return starts.map { start in
            Packet(
                kind, [start == starts.last ? 1 : 0],
                descriptors: Array(descriptors[start..<min(start + most, descriptors.count)]))
        }
    }

    /// True of the last of several packets that belong together.
    package var isLast: Bool { bytes.first == 1 }
}

/// One end of a connection of packets, closed with its owner.
package final class PacketSocket: Sendable {
    package let descriptor: Int32

    /// The largest packet; the kernel's buffer takes somewhat more.
    package static let maximumBytes = 180_000

    /// The outcome of one attempt to receive.
    package enum Received: Sendable {
        case packet(Packet)
        /// Nothing at the moment.
        case nothing
        /// The other end is closed.
        case finished
    }

    package init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Makes both ends of a connection; nil where the system has no room.
    package static func pair() -> (PacketSocket, PacketSocket)? {
        var ends: [Int32] = [-1, -1]
        let type = SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue
        guard socketpair(AF_UNIX, Int32(type), 0, &ends) == 0 else { return nil }
        return (PacketSocket(ends[0]), PacketSocket(ends[1]))
    }

    /// Sends a packet.
    ///
    /// - Parameters:
    ///   - packet: The packet, whose descriptors stay open here.
    ///   - waits: False if a full buffer is a failure.
    /// - Returns: False if the other end cannot take it.
    @discardableResult
    package func send(_ packet: Packet, waits: Bool = true) -> Bool {
        let bytes = [packet.kind.rawValue] + packet.bytes
        guard bytes.count <= Self.maximumBytes else { return false }
        while true {
            let count = titlecard_send(
                descriptor, bytes, bytes.count, packet.descriptors,
                Int32(packet.descriptors.count), waits ? 0 : Int32(MSG_DONTWAIT))
            if count >= 0 { return true }
            guard errno == EINTR else { return false }
        }
    }

    /// Receives the next packet, and perhaps waits for one.
    package func receive(waits: Bool) -> Received {
        var descriptors = [Int32](repeating: -1, count: Int(titlecard_packet_descriptors))
        var descriptorCount: Int32 = 0
        while true {
            var count = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: Self.maximumBytes) { buffer, filled in
                count = titlecard_receive(
                    descriptor, buffer.baseAddress, buffer.count, &descriptors, &descriptorCount,
                    waits ? 0 : Int32(MSG_DONTWAIT))
                filled = max(count, 0)
            }
            if count < 0, errno == EINTR { continue }
            if count < 0 { return errno == EAGAIN ? .nothing : .finished }
            guard let first = bytes.first else { return .finished }
            let carried = Array(descriptors.prefix(Int(descriptorCount)))
            guard let kind = Packet.Kind(rawValue: first) else {
                for descriptor in carried { close(descriptor) }
                continue
            }
            return .packet(Packet(kind, Array(bytes.dropFirst()), descriptors: carried))
        }
    }
}

/// The part that the supervisor gives to a process that it starts.
package struct WorkerRole: Equatable, Sendable {
    package enum Part: UInt8, Sendable {
        /// It opens the sockets of all workers.
        case first
        /// It serves on sockets that are open.
        case other
        /// It renders one request, and ends.
        case trial
    }

    package var part: Part
    /// Its number among the workers.
    package var index: UInt16
    /// True if the operator's files follow.
    package var hasFiles: Bool
    /// The packets of sockets that follow after these.
    package var socketPackets: UInt16

    package init(_ part: Part, index: Int = 0, hasFiles: Bool = false, socketPackets: Int = 0) {
        self.part = part
        self.index = UInt16(clamping: index)
        self.hasFiles = hasFiles
        self.socketPackets = UInt16(clamping: socketPackets)
    }

    package init?(_ bytes: [UInt8]) {
        guard bytes.count == 6, let part = Part(rawValue: bytes[0]) else { return nil }
        self.part = part
        index = UInt16(bytes[1]) << 8 | UInt16(bytes[2])
        socketPackets = UInt16(bytes[3]) << 8 | UInt16(bytes[4])
        hasFiles = bytes[5] == 1
    }

    package var bytes: [UInt8] {
        [part.rawValue]
            + [index, socketPackets].flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
            + [hasFiles ? 1 : 0]
    }
}

/// Listening sockets of one address, as packets carry them.
package struct ListeningSockets: Sendable {
    /// The descriptors; of all loops of a worker, or of all workers one after another.
    package var descriptors: [Int32]
    /// True if every loop of every worker takes connections from the one socket.
    package var isShared: Bool
    /// True if nothing but metrics is asked for there.
    package var isForMetrics: Bool

    package init(_ descriptors: [Int32], isShared: Bool, isForMetrics: Bool = false) {
        self.descriptors = descriptors
        self.isShared = isShared
        self.isForMetrics = isForMetrics
    }

    /// Reads the sockets of a packet.
    package init(_ packet: Packet) {
        let flags = packet.bytes.first ?? 0
        self.init(
            packet.descriptors, isShared: flags & 1 != 0, isForMetrics: flags & 2 != 0)
    }

    /// The first byte of a packet with the sockets.
    package var flags: UInt8 { (isShared ? 1 : 0) | (isForMetrics ? 2 : 0) }
}

/// The report of a worker when it begins to serve.
package struct WorkerReadiness: Equatable, Sendable {
    /// The number of workers that the options ask for.
    package var processes: UInt16
    /// The least severe level that is logged, 0 for debug to 4 for error.
    package var logLevel: UInt8
    /// The seconds after which a worker that was told to stop has ended.
    package var stopSeconds: UInt32
    /// The seconds after which a worker that does not answer is ended; 0 for never.
    package var hangSeconds: UInt16

    package init(processes: Int, logLevel: UInt8, stopSeconds: Int, hangSeconds: Int) {
        self.processes = UInt16(clamping: processes)
        self.logLevel = logLevel
        self.stopSeconds = UInt32(clamping: stopSeconds)
        self.hangSeconds = UInt16(clamping: hangSeconds)
    }

    package init?(_ bytes: [UInt8]) {
        guard bytes.count == 9 else { return nil }
        processes = UInt16(bytes[0]) << 8 | UInt16(bytes[1])
        logLevel = bytes[2]
        stopSeconds = bytes[3..<7].reduce(0) { $0 << 8 | UInt32($1) }
        hangSeconds = UInt16(bytes[7]) << 8 | UInt16(bytes[8])
    }

    package var bytes: [UInt8] {
        [UInt8(processes >> 8), UInt8(truncatingIfNeeded: processes), logLevel]
            + stride(from: 24, through: 0, by: -8).map {
                UInt8(truncatingIfNeeded: stopSeconds >> $0)
            }
            + [UInt8(hangSeconds >> 8), UInt8(truncatingIfNeeded: hangSeconds)]
    }
}
