import Foundation
import Supervision
import Synchronization
import Testing

struct RefusalTableTests {
    private let table: RefusalTable

    init() throws {
        table = try #require(RefusalTable())
    }

    @Test("A rendering is on trial until it is free or refused, and workers see it")
    func trial() throws {
        let copy = try #require(RefusalTable(duplicated(table.memory.descriptor)))
        #expect(copy.isEmpty)
        #expect(table.beginTrial(of: 7, now: 1))
        #expect(!table.beginTrial(of: 7, now: 1))
        #expect(copy.verdict(on: 7, now: 1) == .onTrial)
        #expect(copy.verdict(on: 8, now: 1) == .free)
        table.release(7)
        #expect(copy.verdict(on: 7, now: 1) == .free)
        #expect(copy.isEmpty)
        #expect(table.beginTrial(of: 7, now: 1))
        table.refuse(7, until: 100, now: 1)
        #expect(copy.verdict(on: 7, now: 99) == .refused(until: 100))
        #expect(copy.verdict(on: 7, now: 100) == .free)
        #expect(table.refusedCount(now: 99) == 1)
        #expect(table.refusedCount(now: 100) == 0)
    }

    @Test("A thread that waits for the outcome of a trial sees no instant at which it is free")
    func noGap() throws {
        let copy = try #require(RefusalTable(duplicated(table.memory.descriptor)))
        for digest in 1...UInt64(300) {
            #expect(table.beginTrial(of: digest, now: 1))
            let watch = Watch()
            let watcher = Thread {
                var verdict = RefusalTable.Verdict.onTrial
                while verdict == .onTrial {
                    watch.begun.signal()
                    verdict = copy.isEmpty ? .free : copy.verdict(on: digest, now: 1)
                }
                watch.outcome.withLock { $0 = verdict }
                watch.ended.signal()
            }
            watcher.start()
            watch.begun.wait()
            table.refuse(digest, until: 100, now: 1)
            watch.ended.wait()
            #expect(watch.outcome.withLock { $0 } == .refused(until: 100))
            table.release(digest)
        }
    }

    private final class Watch: Sendable {
        let begun = DispatchSemaphore(value: 0)
        let ended = DispatchSemaphore(value: 0)
        let outcome = Mutex(RefusalTable.Verdict.onTrial)
    }

    @Test("A refused rendering is not tried again")
    func refused() {
        table.refuse(7, until: 100, now: 1)
        #expect(!table.beginTrial(of: 7, now: 50))
        #expect(table.beginTrial(of: 7, now: 100))
    }

    @Test("What is refused can be freed at once, and what is on trial stays so")
    func released() {
        for digest in 1...UInt64(3) { table.refuse(digest, until: 100, now: 1) }
        #expect(table.beginTrial(of: 4, now: 1))
        table.refuse(5, until: 40, now: 1)
        #expect(table.releaseRefused(now: 50) == 3)
        #expect(table.refusedCount(now: 1) == 0)
        #expect(table.verdict(on: 1, now: 50) == .free)
        #expect(table.verdict(on: 4, now: 50) == .onTrial)
        table.release(4)
        #expect(table.isEmpty)
    }

    @Test("Of more than a thousand that are refused the oldest are let go")
    func bound() {
        for digest in 1...UInt64(RefusalTable.maximumRefused + 5) {
            table.refuse(digest, until: 1000 + digest, now: 1)
        }
        #expect(table.refusedCount(now: 1) == RefusalTable.maximumRefused)
        #expect(table.verdict(on: 5, now: 1) == .free)
        #expect(table.verdict(on: 6, now: 1) == .refused(until: 1006))
    }

    @Test("Both ends of the memory hash alike, and other tables otherwise")
    func hashes() throws {
        let copy = try #require(RefusalTable(duplicated(table.memory.descriptor)))
        let other = try #require(RefusalTable())
        let bytes = Array("svg\n{}".utf8)
        let hashes = bytes.withUnsafeBytes { bytes in
            [table, copy, other].map { $0.hash(of: bytes) }
        }
        #expect(hashes[0] == hashes[1])
        #expect(hashes[0] != hashes[2])
    }

    @Test("The hash is SipHash-2-4, by the vectors of its authors")
    func vectors() {
        let hash = KeyedHash(key: (0x0706_0504_0302_0100, 0x0f0e_0d0c_0b0a_0908))
        let expected: [UInt64] = [
            0x726f_db47_dd0e_0e31, 0x74f8_39c5_93dc_67fd, 0x0d6c_8009_d9a9_4f5a,
            0x8567_6696_d7fb_7e2d, 0xcf27_94e0_2771_87b7, 0x1876_5564_cd99_a68d,
            0xcbc9_466e_58fe_e3ce, 0xab02_00f5_8b01_d137, 0x93f5_f579_9a93_2462,
        ]
        for (count, value) in expected.enumerated() {
            let bytes = (0..<count).map { UInt8($0) }
            #expect(bytes.withUnsafeBytes { hash($0) } == value)
        }
    }
}
