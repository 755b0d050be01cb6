import Glibc
import Supervision
import Testing

struct PacketTests {
    @Test("A packet arrives whole, with its descriptors")
    func carries() throws {
        let (one, other) = try #require(PacketSocket.pair())
        let memory = try #require(SharedMemory.make(named: "test", size: 4096))
        memory.number(at: 8).set(42)
        let bytes = (0..<150_000).map { UInt8(truncatingIfNeeded: $0) }
        #expect(
            one.send(
                Packet(.suspect, bytes, descriptors: [memory.descriptor, memory.descriptor])))
        guard case .packet(let packet) = other.receive(waits: true) else {
            Issue.record("nothing arrives")
            return
        }
        #expect(packet.kind == .suspect)
        #expect(packet.bytes == bytes)
        #expect(packet.descriptors.count == 2)
        let copies = packet.descriptors.compactMap { SharedMemory($0, isWritable: false) }
        #expect(copies.map { $0.number(at: 8).value } == [42, 42])
    }

    @Test("Nothing and the end are told apart")
    func ends() throws {
        let (one, other) = try #require(PacketSocket.pair())
        if case .nothing = one.receive(waits: false) {} else { Issue.record("not nothing") }
        shutdown(other.descriptor, Int32(SHUT_RDWR))
        if case .finished = one.receive(waits: false) {} else { Issue.record("no end") }
        #expect(!one.send(Packet(.stop)))
    }

    @Test("Roles and readiness are read as they were written")
    func codings() {
        let role = WorkerRole(.other, index: 300, socketPackets: 2)
        #expect(WorkerRole(role.bytes) == role)
        #expect(WorkerRole([9, 0, 0, 0, 0]) == nil)
        let readiness = WorkerReadiness(
            processes: 64, logLevel: 3, stopSeconds: 70_000, hangSeconds: 600)
        #expect(WorkerReadiness(readiness.bytes) == readiness)
    }
}
