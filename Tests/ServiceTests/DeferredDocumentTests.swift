import Dispatch
import HTTP
import Raster
import Rendering
import Synchronization
import Testing

@testable import Service

@Suite("Deferred documents")
struct DeferredDocumentTests {
    @Test("a document is made when it is first asked for, and once for all who ask at a time")
    func once() {
        let count = Mutex(0)
        let document = DeferredDocument { () throws(LibraryFault) in
            count.withLock { $0 += 1 }
            return try Document(.object([("name", .string("value"))]))
        }
        #expect(document.made == nil)
        #expect(count.withLock { $0 } == 0)
        DispatchQueue.concurrentPerform(iterations: 8) { _ in _ = try? document.document() }
        #expect(document.made != nil)
        #expect(count.withLock { $0 } == 1)
    }

    @Test("after a fault it is tried again")
    func faults() throws {
        let isMended = Mutex(false)
        let document = DeferredDocument { () throws(LibraryFault) in
            guard isMended.withLock({ $0 }) else { throw .memory }
            return try Document(.null)
        }
        #expect(throws: LibraryFault.memory) { _ = try document.document() }
        #expect(document.made == nil)
        isMended.withLock { $0 = true }
        #expect(try document.document().response(to: HTTP.Request()).status == .ok)
    }
}
