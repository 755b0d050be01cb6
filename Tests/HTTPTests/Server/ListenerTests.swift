import Testing

@testable import HTTP

@Suite struct ListenerTests {
    @Test("`::` takes both families, and IPv4 addresses look like themselves")
    func dualStack() throws {
        let server = try TestServer(on: .host("::", port: 0))
        #expect(try server.connect().get("/address")?.text == "127.0.0.1")
        if let client = TestClient(host: "::1", port: server.port) {
            #expect(client.get("/address")?.text == "::1")
        }
    }

    @Test("localhost is both loopback addresses, on one port")
    func localhost() throws {
        let server = try TestServer(on: .host("localhost", port: 0))
        #expect(server.server.addresses.first == "127.0.0.1:\(server.port)")
        #expect(try server.connect().get("/1")?.text == "/1")
        if server.server.addresses.count == 2 {
            #expect(server.server.addresses.last == "[::1]:\(server.port)")
            #expect(try server.connect(host: "::1").get("/address")?.text == "::1")
        }
    }

    @Test("connections are spread over the loops' sockets, and none is lost")
    func spreading() throws {
        let server = try TestServer(loops: 4)
        for number in 0..<100 {
            #expect(try server.connect().get("/\(number)")?.text == "/\(number)")
        }
    }

    @Test("a second server on the same port fails to start", arguments: ["127.0.0.1", "localhost"])
    func inUse(host: String) throws {
        let server = try TestServer(on: .host(host, port: 0))
        let second = Server(on: .host(host, port: server.port), loops: 2, handler: server.handler)
        #expect(throws: ServerError.addressInUse(address: "127.0.0.1:\(server.port)")) {
            try second.start()
        }
    }

    @Test("a server starts once")
    func once() throws {
        let server = try TestServer()
        #expect(throws: ServerError.alreadyStarted) { try server.server.start() }
    }

    @Test("an address of another machine is refused with a sentence")
    func notAvailable() {
        let server = Server(on: .host("192.0.2.1", port: 0), loops: 1, handler: TestHandler())
        let error = ServerError.addressNotAvailable(address: "192.0.2.1:0")
        #expect(throws: error) { try server.start() }
        #expect("\(error)" == "192.0.2.1:0 is not an address of this machine")
    }

    @Test("a host without meaning is refused with its name")
    func unresolved() {
        let server = Server(on: .host("no such host", port: 0), loops: 1, handler: TestHandler())
        let error = #expect(throws: ServerError.self) { try server.start() }
        guard case .cannotResolve(host: "no such host", _)? = error else {
            Issue.record("another error")
            return
        }
    }
}
