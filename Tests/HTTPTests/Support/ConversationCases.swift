extension RawRequest {
    /// Several requests on one connection, and forms in which smugglers hide a second one.
    static let conversationCases: [RawRequest] = [
        RawRequest("two requests", get("/1") + get("/2"), statuses: 200, 200),
        RawRequest("ten requests", many(get("/"), 5) + many(post(), 5), count: 10),
        RawRequest("a good and a bad request", get("/1") + get("/ 2"), statuses: 200, 400),
        RawRequest(
            "nothing behind a bad request", get("/1") + "BAD\r\n\r\n" + get("/2"), statuses: 200,
            400),
        RawRequest(
            "nothing behind the last request",
            get("/", "Connection: close") + get("/2"), statuses: 200, fate: .closed),
        RawRequest(
            "nothing behind the last request of HTTP/1.0",
            "GET / HTTP/1.0\r\n\r\n" + get("/2"), statuses: 200, fate: .closed),
        RawRequest("a request and half of one", get("/1") + "GET", statuses: 200, fate: .waiting),
        RawRequest(
            "empty lines between requests", get("/1") + "\r\n\r\n" + get("/2"), statuses: 200, 200),
        RawRequest("LF between requests", get("/1") + "\n" + get("/2"), statuses: 200, 400),
        RawRequest(
            "content of every framing in a row",
            post("Content-Length: 1", content: "a")
                + post("Transfer-Encoding: chunked", content: "1\r\na\r\n0\r\n\r\n")
                + post("Content-Length: 0") + get("/"), statuses: 200, 200, 200, 200),
        RawRequest(
            "HTTP/1.0 that is kept, and HTTP/1.1 behind it",
            "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n" + get("/2"), statuses: 200, 200),
        RawRequest(
            "a request within content is content",
            post("Content-Length: \(smuggled.utf8.count)", content: smuggled), statuses: 200),
        RawRequest(
            "a request within a chunk is content",
            post(
                "Transfer-Encoding: chunked",
                content: String(smuggled.utf8.count, radix: 16) + "\r\n\(smuggled)\r\n0\r\n\r\n"),
            statuses: 200),
        RawRequest(
            "content that is longer than its length begins a bad request",
            post("Content-Length: 3", content: "abcdef\r\n\r\n"), statuses: 200, 400),
        RawRequest(
            "content without a length begins a bad request",
            post(content: "a=b\r\n\r\n"), statuses: 200, 400),
        RawRequest(
            "chunks without a coding begin a bad request",
            post(content: "0\r\n\r\n"), statuses: 200, 400),
        RawRequest(
            "CL.TE", post("Content-Length: 6", "Transfer-Encoding: chunked", content: "0\r\n\r\nG"),
            statuses: 400),
        RawRequest(
            "TE.CL",
            post("Transfer-Encoding: chunked", "Content-Length: 4", content: "5c\r\nGPOST"),
            statuses: 400),
        RawRequest(
            "CL.TE of length 0",
            post("Content-Length: 0", "Transfer-Encoding: chunked") + smuggled, statuses: 400),
        RawRequest(
            "a coding with a space before its colon",
            post("Content-Length: 4", "Transfer-Encoding : chunked"), statuses: 400),
        RawRequest(
            "a coding on a folded line",
            post("Content-Length: 4", "Transfer-Encoding:", " chunked"), statuses: 400),
        RawRequest(
            "a coding behind CR",
            post("Content-Length: 4", "X: y\rTransfer-Encoding: chunked"), statuses: 400),
        RawRequest(
            "a coding behind LF",
            post("Content-Length: 4", "X: y\nTransfer-Encoding: chunked"), statuses: 400),
        RawRequest(
            "a coding behind NUL", post("Content-Length: 4", "X: y\0Transfer-Encoding: chunked"),
            statuses: 400),
        RawRequest(
            "a length behind LF",
            post("X: y\nContent-Length: 40", content: smuggled), statuses: 400),
        RawRequest(
            "a second coding that is no token",
            post("Transfer-Encoding: chunked", "Transfer-Encoding: cow(", content: "0\r\n\r\n"),
            statuses: 400),
        RawRequest(
            "a coding with its name's letters off",
            post("Content-Length: 3", "Transfer_Encoding: chunked", content: "abc"), statuses: 200),
        RawRequest(
            "a length among the trailers is none",
            post(
                "Transfer-Encoding: chunked",
                content: "0\r\nContent-Length: \(smuggled.utf8.count)\r\n\r\n") + smuggled,
            statuses: 200, 200),
        RawRequest(
            "a coding among the trailers is none",
            post(
                "Transfer-Encoding: chunked",
                content: "0\r\nTransfer-Encoding: chunked\r\n\r\n") + get("/"), statuses: 200, 200),
        RawRequest(
            "a last chunk that ends in LF",
            post("Transfer-Encoding: chunked", content: "0\r\n\n"), statuses: 400),
        RawRequest(
            "a last chunk with content",
            post("Transfer-Encoding: chunked", content: "0\r\nabc\r\n\r\n"), statuses: 400),
        RawRequest(
            "a trailer that is folded",
            post("Transfer-Encoding: chunked", content: "0\r\nX: 1\r\n 2\r\n\r\n"), statuses: 400),
        RawRequest(
            "HTTP/2 by upgrade is not taken",
            get("/", "Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AA"),
            statuses: 200),
        RawRequest(
            "a web socket is not taken",
            get("/", "Connection: Upgrade", "Upgrade: websocket"), statuses: 200),
    ]

    private static let smuggled = "GET /admin HTTP/1.1\r\nHost: a.example\r\n\r\n"
}
