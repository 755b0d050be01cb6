import Dispatch
import Synchronization
import Testing

@testable import HTTP

@Suite struct PromiseTests {
    /// The values that a receiver was given; nil stands for a promise that was dropped.
    private final class Received: Sendable {
        private let values = Mutex<[Int?]>([])

        var all: [Int?] { values.withLock { $0 } }

        func take(_ value: Int?) {
            values.withLock { $0.append(value) }
        }
    }

    private let received = Received()

    @Test("a value that is there when it is asked for is returned")
    func kept() {
        let promise = Promise<Int>()
        #expect(promise.fulfill(1))
        #expect(promise.value(orSendTo: received.take) == 1)
        #expect(received.all.isEmpty)
    }

    @Test("a later value goes to the receiver")
    func awaited() {
        let promise = Promise<Int>()
        #expect(promise.value(orSendTo: received.take) == nil)
        #expect(received.all.isEmpty)
        #expect(promise.fulfill(1))
        #expect(received.all == [1])
    }

    @Test("of several values the first counts, whether it is kept, received or sent")
    func twice() {
        let early = Promise<Int>()
        #expect(early.fulfill(1))
        #expect(!early.fulfill(2))
        #expect(early.value(orSendTo: received.take) == 1)
        #expect(!early.fulfill(3))

        let late = Promise<Int>()
        #expect(late.value(orSendTo: received.take) == nil)
        #expect(late.fulfill(4))
        #expect(!late.fulfill(5))
        #expect(received.all == [4])
    }

    @Test("a promise that is dropped after it was asked for tells the receiver so, once")
    func dropped() {
        do {
            let promise = Promise<Int>()
            #expect(promise.value(orSendTo: received.take) == nil)
        }
        #expect(received.all == [nil])
    }

    @Test("a promise that was fulfilled is dropped without a word")
    func droppedAfterValue() {
        do {
            let kept = Promise<Int>()
            #expect(kept.fulfill(1))
            let awaited = Promise<Int>()
            #expect(awaited.value(orSendTo: received.take) == nil)
            #expect(awaited.fulfill(2))
        }
        #expect(received.all == [2])
    }

    @Test("threads that race to fulfill and a loop that asks meanwhile get one value between them")
    func race() {
        for _ in 0..<2000 {
            let promise = Promise<Int>()
            let received = Received()
            let fulfilled = Mutex<[Int]>([])
            let requested = Mutex<Int?>(nil)
            DispatchQueue.concurrentPerform(iterations: 3) { index in
                if index == 0 {
                    let value = promise.value(orSendTo: received.take)
                    requested.withLock { $0 = value }
                } else if promise.fulfill(index) {
                    fulfilled.withLock { $0.append(index) }
                }
            }
            let first = fulfilled.withLock { $0 }
            #expect(first.count == 1)
            #expect(received.all + [requested.withLock { $0 }].filter { $0 != nil } == first)
        }
    }

    @Test("abandoning is seen by those who fulfill, who may do so all the same")
    func abandoned() {
        let promise = Promise<Int>()
        #expect(!promise.isAbandoned)
        promise.abandon()
        #expect(promise.isAbandoned)
        #expect(promise.fulfill(1))
        #expect(promise.value(orSendTo: received.take) == 1)
    }
}
