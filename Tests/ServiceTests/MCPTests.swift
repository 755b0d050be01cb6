import Bytes
import HTTP
import Rendering
import Synchronization
import Testing
import Typesetting

@testable import Service

/// Messages of the Model Context Protocol, and answers to them without sockets.
@Suite struct MCPTests {
    private static let catalog = Result { try FontCatalog() }

    // MARK: Messages

    private func message(_ json: String) throws(MCPFault) -> MCPMessage {
        try MCPMessage(json: Array(json.utf8))
    }

    private func fault(_ json: String, _ fields: Fields = Fields()) -> MCPFault? {
        do throws(MCPFault) {
            _ = try message(json).version(fields)
            return nil
        } catch {
            return error
        }
    }

    @Test("an identifier is repeated as it was sent")
    func identifiers() throws {
        for id in [#""""#, #""a\"\u0001é""#, "0", "-3", "9007199254740991"] {
            let message = try message(#"{"jsonrpc":"2.0","id":\#(id),"method":"ping"}"#)
            #expect(message.id?.text == id)
        }
        #expect(try message(#"{"jsonrpc":"2.0","method":"ping"}"#).id == nil)
    }

    @Test(
        "an identifier that would not survive is refused",
        arguments: ["null", "true", "1.5", "1e300", "9007199254740992", "[]", "{}"])
    func wrongIdentifiers(id: String) {
        let fault = fault(#"{"jsonrpc":"2.0","id":\#(id),"method":"ping"}"#)
        #expect(fault?.code == .invalidMessage)
        #expect(fault?.id.text == "null")
    }

    @Test("a fault is of the message whose identifier was read")
    func faults() {
        #expect(fault("{")?.code == .malformed)
        #expect(fault("[]")?.code == .invalidMessage)
        let unnamed = fault(#"{"jsonrpc":"2.0","id":"a"}"#)
        #expect(unnamed?.code == .invalidMessage)
        #expect(
            unnamed?.node.text
                == #"{"jsonrpc":"2.0","id":"a","error":{"code":-32600,"message":"method must be a string"}}"#
        )
    }

    @Test("the version is that of the message, or else of the field, or else 2025-03-26")
    func versions() throws {
        let plain = try message(#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#)
        #expect(try plain.version([:]) == .march2025)
        for version in MCPVersion.allCases where !version.isStateless {
            #expect(try plain.version(["MCP-Protocol-Version": version.rawValue]) == version)
        }
        #expect(throws: MCPFault.self) { try plain.version(["MCP-Protocol-Version": "2026-07-28"]) }
        #expect(throws: MCPFault.self) { try plain.version(["MCP-Protocol-Version": "2024-10-07"]) }
        let stateless = try message(
            #"""
            {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{
            "io.modelcontextprotocol/protocolVersion":"2026-07-28",
            "io.modelcontextprotocol/clientCapabilities":{}}}}
            """#)
        let fields: Fields = ["mcp-protocol-version": "2026-07-28", "MCP-METHOD": "tools/list"]
        #expect(try stateless.version(fields) == .july2026)
        var twice = fields
        twice.add("Mcp-Method", "tools/list")
        for wrong in [[:], ["Mcp-Method": "tools/list"], twice] as [Fields] {
            do throws(MCPFault) {
                _ = try stateless.version(wrong)
                Issue.record("taken with \(wrong)")
            } catch {
                #expect(error.code == .headerMismatch)
                #expect(error.status == .badRequest)
            }
        }
    }

    @Test("initialize agrees on the newest version that both know")
    func agreement() {
        for version in MCPVersion.allCases where !version.isStateless {
            #expect(MCPVersion.agreed(with: version.rawValue) == version)
        }
        for other in ["2026-07-28", "2024-10-07", "2099-01-01", ""] {
            #expect(MCPVersion.agreed(with: other) == .november2025)
        }
    }

    // MARK: Origins

    private func isAllowed(
        _ origin: String, at host: String, _ change: (inout ServiceSettings) -> Void = { _ in }
    ) -> Bool {
        var settings = ServiceSettings()
        change(&settings)
        let request = HTTP.Request(
            method: .post, target: "/mcp", fields: ["Origin": origin, "Host": host])
        return (try? AllowedOrigins(settings).check(request)) != nil
    }

    @Test("a page is of an origin that the operator names, or of an address")
    func origins() {
        #expect(isAllowed("http://127.0.0.1:8080", at: "127.0.0.1:8080"))
        #expect(isAllowed("http://[::1]", at: "[::1]"))
        #expect(isAllowed("https://localhost:1", at: "LOCALHOST:1"))
        for (origin, host) in [
            ("http://a.example", "a.example"), ("http://127.0.0.1", "127.0.0.1:80"),
            ("http://localhost", "[localhost"), ("http://[::1", "[::1"), ("file://", ""),
            ("null", "null"), ("", "localhost"),
        ] {
            #expect(!isAllowed(origin, at: host))
        }
        #expect(isAllowed("https://a.example", at: "b") { $0.allowOrigin = "https://A.example" })
        #expect(
            isAllowed("https://a.example", at: "b") {
                $0.publicURL = PublicURL("https://a.example:443/x/y")
            })
        #expect(PublicURL("http://a.example:8080/x")?.origin == "http://a.example:8080")
    }

    // MARK: Answers

    private func application(_ change: (inout ServiceSettings) -> Void = { _ in }) throws
        -> Application
    {
        var settings = ServiceSettings()
        settings.rendering.workers = 1
        settings.answersMCP = true
        change(&settings)
        return try Application(
            settings: settings, catalog: try Self.catalog.get(), drain: DrainSignal())
    }

    private func answer(_ application: Application, _ body: String) async -> (Response, String) {
        let request = HTTP.Request(
            method: .post, target: "/mcp",
            fields: [
                "Host": "localhost", "Content-Type": "application/json",
                "Content-Length": "\(body.utf8.count)",
            ], body: Array(body.utf8))
        let response = await withCheckedContinuation { continuation in
            application.handle(request, Responder { continuation.resume(returning: $0) })
        }
        guard case .bytes(let bytes) = response.body else { return (response, "") }
        return (response, String(decoding: bytes, as: UTF8.self))
    }

    private func call(_ tool: String, _ arguments: String) -> String {
        #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"\#(tool)","#
            + #""arguments":\#(arguments)}}"#
    }

    @Test("the route is there with the option, and where POST is allowed")
    func option() async throws {
        let changes: [(Bool, @Sendable (inout ServiceSettings) -> Void)] = [
            (true, { _ in }), (false, { $0.answersMCP = false }),
            (false, { $0.allowsPost = false }),
        ]
        for (isThere, change) in changes {
            let application = try application(change)
            defer { application.stop() }
            let (response, _) = await answer(
                application, #"{"jsonrpc":"2.0","id":1,"method":"ping"}"#)
            #expect(response.status == (isThere ? .ok : .notFound))
        }
    }

    @Test("what keeps the service from rendering is the result of the tool")
    func stopped() async throws {
        let application = try application()
        application.stop()
        for tool in ["render", "check"] {
            let (response, text) = await answer(application, call(tool, #"{"text":"Hi"}"#))
            #expect(response.status == .ok)
            #expect(text.contains(#""isError":true"#))
            #expect(text.contains("The server is shutting down\\nTry again after 1 s."))
        }
        #expect(application.metricsText.contains(#"titlecard_refused_total{reason="draining"} 2"#))
    }

    @Test("a check has the size and price of a rendering, which is not made")
    func check() async throws {
        let application = try application()
        defer { application.stop() }
        let (_, text) = await answer(application, call("check", #"{"text":"Hi","format":"svg"}"#))
        #expect(text.contains(#"\"valid\":true"#))
        #expect(text.contains(#""price":{"bytes":"#))
        #expect(!application.metricsText.contains("titlecard_render_seconds_count"))
    }

    // MARK: Files

    /// Pieces that come at once, or from another thread.
    private func stream(_ pieces: [RenderedPiece], isLate: Bool) -> RenderedStream {
        let next = Mutex(0)
        return RenderedStream(
            next: { deliver in
                let index = next.withLock { index in
                    defer { index += 1 }
                    return index
                }
                let piece = index < pieces.count ? pieces[index] : .failed
                if isLate { Task { deliver(piece) } } else { deliver(piece) }
            }, leave: {})
    }

    private func collected(
        _ pieces: [RenderedPiece], isLate: Bool, limit: Int, _ budget: MemoryBudget
    ) async -> String {
        await withCheckedContinuation { continuation in
            FileCollector(
                stream(pieces, isLate: isLate), limit: limit, budget: budget, isAbandoned: { false }
            ) { outcome in
                switch outcome {
                case .whole(let bytes): continuation.resume(returning: "\(bytes.count)")
                case .tooLong: continuation.resume(returning: "too long")
                case .memoryFull: continuation.resume(returning: "memory full")
                case .failed(let problem): continuation.resume(returning: problem.title)
                }
            }.collect()
        }
    }

    @Test("a file in pieces is read to its end or to its limit, from memory that is counted")
    func collecting() async {
        let piece = RenderedPiece.bytes([UInt8](repeating: 1, count: 10))
        // More than a stack would hold if each piece were asked for by the one before it.
        let many = [RenderedPiece](repeating: piece, count: 100_000) + [.end]
        let budget = MemoryBudget(capacity: 1 << 24)
        #expect(await collected(many, isLate: false, limit: 1_000_000, budget) == "1000000")
        #expect(await collected(many, isLate: false, limit: 999_999, budget) == "too long")
        for isLate in [false, true] {
            let pieces = [piece, piece, .end]
            #expect(await collected(pieces, isLate: isLate, limit: 20, budget) == "20")
            #expect(await collected(pieces, isLate: isLate, limit: 19, budget) == "too long")
            #expect(
                await collected([piece, .failed], isLate: isLate, limit: 20, budget)
                    == "The rendering could not be finished")
            let full = MemoryBudget(capacity: 0)
            #expect(
                await collected(pieces, isLate: isLate, limit: 20, full) == "memory full")
            #expect(full.bytes(of: .renderings) == 0)
        }
        #expect(budget.bytes(of: .renderings) == 0)
    }
}
