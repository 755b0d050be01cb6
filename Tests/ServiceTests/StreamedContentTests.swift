import HTTP
import Rendering
import Synchronization
import Testing

@testable import Service

@Suite struct StreamedContentTests {
    /// Delivers when it is told to, or never.
    private final class ManualSource: Sendable {
        private let waiting = Mutex<(@Sendable (RenderedPiece) -> Void)?>(nil)

        func nextPiece(_ deliver: @escaping @Sendable (RenderedPiece) -> Void) {
            waiting.withLock { $0 = deliver }
        }

        func deliver(_ piece: RenderedPiece) {
            waiting.withLock { waiting in
                defer { waiting = nil }
                return waiting
            }?(piece)
        }

        func forget() {
            waiting.withLock { $0 = nil }
        }
    }

    private final class Ends: Sendable {
        private let ends = Mutex<[String]>([])
        var all: [String] { ends.withLock { $0 } }
        func add(_ end: String) { ends.withLock { $0.append(end) } }
    }

    private func content(_ source: ManualSource, _ ends: Ends) -> StreamedContent {
        let stream = RenderedStream(next: { source.nextPiece($0) }, leave: { source.forget() })
        return StreamedContent(stream) { bytes, isComplete in ends.add("\(bytes) \(isComplete)") }
    }

    @Test("the end is told once, the first that comes", arguments: [true, false])
    func once(clientIsFirst: Bool) {
        let (source, ends) = (ManualSource(), Ends())
        let body = content(source, ends)
        body.nextPiece { _ in }
        source.deliver(.bytes([1, 2, 3]))
        body.nextPiece { _ in }
        // The client goes while a render thread delivers the end.
        if clientIsFirst { body.cancel() }
        source.deliver(.end)
        if !clientIsFirst { body.cancel() }
        #expect(ends.all == ["3 \(!clientIsFirst)"])
    }

    @Test("a source that lets go of the delivery has failed, which is told too")
    func forgotten() {
        let (source, ends) = (ManualSource(), Ends())
        do {
            let body = content(source, ends)
            body.nextPiece { _ in }
            source.deliver(.bytes([1]))
        }
        #expect(ends.all == ["1 false"])
    }
}
