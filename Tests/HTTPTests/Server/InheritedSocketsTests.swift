import Glibc
import Testing

@testable import HTTP

@Suite struct InheritedSocketsTests {
    @Test(
        "descriptors are taken when the variables are meant for this process",
        arguments: [
            ("77", "1", [3]), ("77", "3", [3, 4, 5]), ("77", "0", []), ("78", "1", []),
            (nil, "1", []), ("77", nil, []), (nil, nil, []),
        ] as [(String?, String?, [Int32])])
    func variables(process: String?, count: String?, descriptors: [Int32]) throws {
        let values = ["LISTEN_PID": process, "LISTEN_FDS": count]
        #expect(try InheritedSockets.descriptors(of: 77) { values[$0] ?? nil } == descriptors)
    }

    @Test(
        "values without sense are refused",
        arguments: [
            ("x", "1"), ("", "1"), ("+77", "1"), ("77", ""), ("77", "-1"), ("77", "1 "),
            ("77", "99999999999"), ("77", "1025"),
        ])
    func nonsense(process: String, count: String) {
        let values = ["LISTEN_PID": process, "LISTEN_FDS": count]
        #expect(throws: ServerError.self) {
            try InheritedSockets.descriptors(of: 77) { values[$0] }
        }
    }

    @Test func `sockets with the name metrics are told from the others`() {
        func divided(_ names: String?) -> [[Int32]] {
            let both = InheritedSockets.divided([3, 4, 5]) { $0 == "LISTEN_FDNAMES" ? names : nil }
            return [both.service, both.metrics]
        }
        #expect(divided("titlecard.socket:metrics:x") == [[3, 5], [4]])
        #expect(divided("metrics:metrics:metrics") == [[], [3, 4, 5]])
        for names in [nil, "", "metrics", "metrics:a", "a:b:c:metrics"] {
            #expect(divided(names) == [[3, 4, 5], []])
        }
    }

    @Test("all loops take connections from one socket, and none is lost")
    func sharing() throws {
        let socket = try ListeningSocket()
        let server = try TestServer(on: .sockets([socket.inherited()]), loops: 4)
        #expect(server.server.addresses == [socket.address.description])
        let clients = try (0..<100).map { _ in try socket.connect() }
        for (number, client) in clients.enumerated() {
            #expect(client.get("/\(number)")?.text == "/\(number)")
        }
        #expect(server.server.connectionCount == 100)
    }

    @Test("past the number of connections a shared socket pauses and goes on")
    func pausing() throws {
        let socket = try ListeningSocket()
        let server = try TestServer(on: .sockets([socket.inherited()])) {
            $0.maximumConnections = 1
        }
        for number in 0..<20 {
            let first = try socket.connect()
            #expect(first.get("/1")?.text == "/1")
            let second = try socket.connect()
            second.send(get("/\(number)"))
            first.disconnect()
            #expect(second.answer()?.text == "/\(number)")
        }
        #expect(eventually { server.server.connectionCount == 0 })
    }

    @Test("peers of a Unix socket are all called the same")
    func unix() throws {
        let name = "http-tests-\(getpid())"
        let socket = try ListeningSocket(name: name)
        let server = try TestServer(on: .sockets([socket.inherited()]))
        #expect(server.server.addresses == ["unix:@\(name)"])
        #expect(try socket.connect().get("/address")?.text == "unix:")
        #expect(try socket.connect().get("/large")?.body == TestHandler.largeBody)
    }

    @Test("who connects between two servers of one socket is served by the second")
    func restart() throws {
        let socket = try ListeningSocket()
        let first = try TestServer(on: .sockets([socket.inherited()]))
        #expect(try socket.connect().get("/1")?.text == "/1")
        first.server.shutdown()
        first.server.wait()
        let client = try socket.connect()
        client.send(get("/2"))
        let second = try TestServer(on: .sockets([socket.inherited()]))
        #expect(client.answer()?.text == "/2")
        #expect(second.server.connectionCount == 1)
    }

    @Test("what is no listening stream socket is refused with its number")
    func refused() throws {
        var pipe: [Int32] = [0, 0]
        try #require(Glibc.pipe(&pipe) == 0)
        defer { close(pipe[1]) }
        let datagrams = Glibc.socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        let silent = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        for descriptor in [pipe[0], datagrams, silent] {
            let server = Server(on: .sockets([descriptor]), loops: 1, handler: TestHandler())
            #expect(throws: ServerError.notAListener(descriptor: descriptor)) {
                try server.start()
            }
            #expect(throws: ServerError.notAListener(descriptor: descriptor)) {
                try InheritedSockets.check([descriptor])
            }
            // It may belong to somebody else, so it is not closed.
            #expect(close(descriptor) == 0)
        }
    }
}
