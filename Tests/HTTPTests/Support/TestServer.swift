import Testing

@testable import HTTP

/// A server on a port of its own that is shut down with its owner.
final class TestServer {
    let handler = TestHandler()
    let drain = DrainSignal()
    let server: Server
    let port: UInt16

    init(
        on address: BindAddress = .host("127.0.0.1", port: 0), loops: Int = 2,
        time: TimeSource = .system, limits change: (inout ServerLimits) -> Void = { _ in }
    ) throws {
        var limits = ServerLimits()
        limits.lingerTimeout = .seconds(20)
        change(&limits)
        server = Server(
            on: address, loops: loops, limits: limits, time: time, drain: drain, handler: handler)
        try server.start()
        port = try #require(server.boundPort)
    }

    deinit {
        handler.release()
        server.shutdown()
    }

    func connect(host: String = "127.0.0.1", receiveBuffer: Int32? = nil) throws -> TestClient {
        try #require(TestClient(host: host, port: port, receiveBuffer: receiveBuffer))
    }
}
