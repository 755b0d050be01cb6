import Dispatch
import Glibc
import Synchronization

@testable import HTTP

/// A handler with one path for each kind of response.
final class TestHandler: Handler {
    static let largeBody = (0..<8_000_000).map { UInt8(truncatingIfNeeded: $0 / 1000) }

    /// The bodies that `/counted` and `/counted/thread` send.
    static let pieceCount = 100

    /// The content of the response to `/stream`, one for each test that streams.
    let source = ManualSource()

    /// Learns how much was sent of the responses to `/observed`.
    let observer = TestObserver()

    private let held = Mutex<[Responder]>([])

    /// The number of requests for `/held` that wait for `release`.
    var heldCount: Int { held.withLock { $0.count } }

    /// The number of them whose clients have disconnected.
    var abandonedCount: Int { held.withLock { $0.count { $0.isAbandoned } } }

    /// Answers all requests for `/held`.
    func release(with response: Response = text("held")) {
        let responders = held.withLock { held in
            defer { held = [] }
            return held
        }
        for responder in responders { responder.send(response) }
    }

    func handle(_ request: Request, _ responder: Responder) {
        switch request.path {
        case "/echo": responder.send(Response(body: .bytes(request.body)))
        case "/held": held.withLock { $0.append(responder) }
        case "/large": responder.send(Response(body: .bytes(Self.largeBody)))
        case "/dropped": break
        case "/stream": responder.send(Response(body: .stream(source)))
        case "/observed": send(Self.text("text"), to: responder)
        case "/observed/large": send(Response(body: .bytes(Self.largeBody)), to: responder)
        case "/observed/stream": send(Response(body: .stream(source)), to: responder)
        case "/unmodified":
            responder.send(Response(status: .notModified, body: .stream(source)))
        case "/counted": responder.send(Self.counted(from: nil))
        case "/counted/thread": responder.send(Self.counted(from: Self.queue))
        case "/address": responder.send(Self.text(request.remoteAddress))
        case "/thread":
            DispatchQueue(label: "test.answer").async {
                responder.send(Self.text(request.target))
            }
        case "/close":
            responder.send(Response(fields: ["Connection": "close"]))
        default: responder.send(Self.text(request.target))
        }
    }

    private func send(_ response: Response, to responder: Responder) {
        var response = response
        response.observer = observer
        responder.send(response)
    }

    func response(to failure: ProtocolFailure, from address: String) -> Response {
        Response(status: failure.status, body: .bytes(Array(failure.message.utf8)))
    }

    private static let queue = DispatchQueue(label: "test.pieces")

    private static func counted(from queue: DispatchQueue?) -> Response {
        Response(body: .stream(CountingSource(count: pieceCount, from: queue)))
    }

    static func text(_ text: String) -> Response {
        Response(fields: ["Content-Type": "text/plain"], body: .bytes(Array(text.utf8)))
    }
}

/// Keeps what it learns of responses.
final class TestObserver: ResponseObserver {
    struct End: Equatable, Sendable {
        let contentBytes: Int
        let isComplete: Bool
    }

    private let state = Mutex<[End]>([])

    /// The ends of responses in their order.
    var ends: [End] { state.withLock { $0 } }

    func responseEnded(contentBytes: Int, isComplete: Bool) {
        state.withLock { $0.append(End(contentBytes: contentBytes, isComplete: isComplete)) }
    }
}

/// Waits for a condition of another thread; returns false after 20 s.
func eventually(_ condition: () -> Bool) -> Bool {
    for _ in 0..<4000 {
        if condition() { return true }
        usleep(5000)
    }
    return condition()
}
