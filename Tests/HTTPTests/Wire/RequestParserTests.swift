import Testing

@testable import HTTP

@Suite struct RequestParserTests {
    @Test("the cases are many, and each has its own name and bytes")
    func cases() {
        #expect(RawRequest.all.count > 240)
        #expect(Set(RawRequest.all.map { $0.testDescription }).count == RawRequest.all.count)
        #expect(Set(RawRequest.all.map { $0.bytes }).count == RawRequest.all.count)
    }

    @Test("each request gets its status and its connection's fate", arguments: RawRequest.all)
    func table(raw: RawRequest) {
        let run = ParserRun([raw.bytes[...]])
        #expect(run.statuses == raw.statuses)
        #expect(run.fate == raw.fate)
    }

    @Test("a request split at any byte parses the same", arguments: RawRequest.all)
    func split(raw: RawRequest) {
        let whole = ParserRun([raw.bytes[...]])
        let single = raw.bytes.indices.map { raw.bytes[$0...$0] }
        #expect(ParserRun(single) == whole)
        // Long requests repeat themselves; taken byte by byte, they were cut everywhere just now.
        let step = max(1, raw.bytes.count / 1000)
        let cuts = stride(from: 0, to: raw.bytes.count, by: step * step)
        for cut in cuts where ParserRun([raw.bytes[..<cut], raw.bytes[cut...]]) != whole {
            Issue.record("differs when it is split before byte \(cut)")
        }
    }

    @Test("a request has its parts as they were sent")
    func parts() throws {
        let text = """
            POST /a%20b?c=%41&d HTTP/1.1\r\nHost: h\r\nX-One:  1 \r\nx-one: 2\r\n\
            Content-Length: 4\r\n\r\nbody
            """
        let request = try #require(try parse(text))
        #expect(request.method == .post)
        #expect(request.target == "/a%20b?c=%41&d")
        #expect(request.path == "/a%20b")
        #expect(request.query == "c=%41&d")
        #expect(request.version == .http11)
        #expect(request.fields["X-ONE"] == "1")
        #expect(request.fields.all("X-One") == ["1", "2"])
        #expect(request.body == Array("body".utf8))
        #expect(request.remoteAddress == "192.0.2.7")
    }

    @Test(
        "path and query come from every form of a target",
        arguments: [
            ("/", "/", nil), ("/?", "/", ""), ("/a?b?c", "/a", "b?c"),
            ("http://a.example", "/", nil), ("http://a.example?q", "/", "q"),
            ("https://a.example/p?q", "/p", "q"),
        ] as [(String, String, String?)])
    func targets(target: String, path: String, query: String?) throws {
        let request = try #require(try parse(get(target)))
        #expect(request.target == target)
        #expect(request.path == path)
        #expect(request.query == query)
    }

    @Test("chunks are joined, extensions and trailers dropped")
    func chunks() throws {
        let content = "3;x=y\r\nabc\r\nA\r\n0123456789\r\n0\r\nX-Trailer: 1\r\n\r\n"
        let request = try #require(try parse(post("Transfer-Encoding: chunked", content: content)))
        #expect(request.body == Array("abc0123456789".utf8))
        #expect(request.fields["X-Trailer"] == nil)
        #expect(request.declaresContent)
    }

    @Test("the client is told to continue once, after the head and before the content")
    func continuation() throws {
        var parser = RequestParser(limits: ServerLimits(), remoteAddress: "")
        let bytes = Array(post("Content-Length: 1", "Expect: 100-continue", content: "x").utf8)
        var position = 0
        guard case .continueExpected? = try parser.parse(bytes.span, from: &position) else {
            Issue.record("no continuation")
            return
        }
        #expect(position == bytes.count - 1)
        #expect(parser.progress == .content)
        guard case .request? = try parser.parse(bytes.span, from: &position) else {
            Issue.record("no request")
            return
        }
        #expect(parser.progress == .idle)
    }

    @Test("every limit on sizes is obeyed")
    func limits() {
        var limits = ServerLimits()
        limits.headBytes = 100
        limits.fieldCount = 2
        limits.bodyBytes = 3
        limits.targetBytes = 10
        limits.methodBytes = 4
        limits.leadingEmptyLines = 0
        let statuses = [
            get("/123456789"), get("/1234567890"), get("/", "A: " + RawRequest.many("a", 80)),
            get("/", "A: 1"), get("/", "A: 1", "B: 2"), get("/", "Content-Length: 3") + "abc",
            get("/", "Content-Length: 4"), "PATCH / HTTP/1.1\r\n", "\r\n",
        ].map { ParserRun([Array($0.utf8)[...]], limits: limits).statuses }
        #expect(statuses == [[200], [414], [431], [200], [431], [200], [413], [501], [400]])
    }

    @Test("the content of one path may be longer than that of others")
    func longContent() throws {
        var limits = ServerLimits()
        limits.bodyBytes = 10
        limits.longContent = LongContent(path: "/long", bytes: 20)
        func length(_ path: String, _ count: Int, isChunked: Bool) throws -> Int? {
            let content = String(repeating: "x", count: count)
            let size = String(count, radix: 16)
            let text =
                isChunked
                ? "Transfer-Encoding: chunked\r\n\r\n\(size)\r\n\(content)\r\n0\r\n\r\n"
                : "Content-Length: \(count)\r\n\r\n\(content)"
            return try parse("POST \(path) HTTP/1.1\r\nHost: h\r\n\(text)", limits: limits)?
                .body.count
        }
        for isChunked in [false, true] {
            #expect(try length("/long?x", 20, isChunked: isChunked) == 20)
            #expect(try length("/other", 10, isChunked: isChunked) == 10)
            for (path, count) in [("/long", 21), ("/other", 11), ("/longer", 11)] {
                #expect(throws: ProtocolFailure.self) {
                    try length(path, count, isChunked: isChunked)
                }
            }
        }
    }

    @Test("UTF-8 that is not percent-encoded is taken in the queries of the paths that are named")
    func rawQueries() {
        var limits = ServerLimits()
        limits.rawQueryPaths = ["/", "/typing"]
        limits.targetBytes = 24
        func statuses(_ target: [UInt8]) -> [Int] {
            let bytes = Array("GET ".utf8) + target + Array(" HTTP/1.1\r\nHost: h\r\n\r\n".utf8)
            let whole = ParserRun([bytes[...]], limits: limits)
            // A split makes no difference.
            #expect(ParserRun(bytes.indices.map { bytes[$0...$0] }, limits: limits) == whole)
            return whole.statuses
        }
        for target in ["/?é", "/?a=é&b=你好", "/typing?lines=👻", "/typing?é{}"] {
            #expect(statuses(Array(target.utf8)) == [200], "\(target)")
        }
        for target in ["/é", "/é?a", "/typing/?é", "/typings?é", "/render?é", "http://h/?é"] {
            #expect(statuses(Array(target.utf8)) == [400], "\(target)")
        }
        #expect(statuses(Array("/?".utf8) + [0xC3]) == [400])
        #expect(statuses(Array("/?".utf8) + [0xFF, 0x41]) == [400])
        #expect(statuses(Array("/?".utf8) + [0xED, 0xA0, 0x80]) == [400])
        #expect(statuses(Array("/?\u{7F}é".utf8)) == [400])
        #expect(statuses(Array("/?12345678901234567890é".utf8)) == [200])
        #expect(statuses(Array("/?123456789012345678901é".utf8)) == [414])
        // Nothing else has become lenient.
        limits.rawQueryPaths = []
        #expect(statuses(Array("/?é".utf8)) == [400])
    }

    private func parse(
        _ text: String, limits: ServerLimits = ServerLimits()
    ) throws(ProtocolFailure) -> Request? {
        var parser = RequestParser(limits: limits, remoteAddress: "192.0.2.7")
        var position = 0
        let bytes = Array(text.utf8)
        guard case .request(let request)? = try parser.parse(bytes.span, from: &position) else {
            return nil
        }
        return request
    }
}
