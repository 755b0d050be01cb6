import Dispatch
import Testing

@testable import HTTP

@Suite struct VisitTests {
    @Test("a visit comes to all loops, and no further than one that is blocked", arguments: [1, 4])
    func visits(loops: Int) throws {
        let server = try TestServer(loops: loops)
        let (visited, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        server.server.visitLoops { visited.signal() }
        #expect(visited.wait(timeout: .now() + 20) == .success)
        // It blocks the last of them.
        server.server.visitLoops {
            visited.signal()
            gate.wait()
        }
        #expect(visited.wait(timeout: .now() + 20) == .success)
        server.server.visitLoops { visited.signal() }
        #expect(visited.wait(timeout: .now()) == .timedOut)
        gate.signal()
        #expect(visited.wait(timeout: .now() + 20) == .success)
    }
}
