extension RawRequest {
    static let fieldCases: [RawRequest] = [
        RawRequest("a field without a value", get("/", "X:"), 200),
        RawRequest("white space around a value", get("/", "X: \t a b \t "), 200),
        RawRequest(
            "obs-text in a value",
            bytes: Array("GET / HTTP/1.1\r\nHost: a\r\nX: ".utf8)
                + [0xE9, 0xFF] + Array("\r\n\r\n".utf8), 200),
        RawRequest("a space before the colon", get("/", "X : 1"), 400),
        RawRequest("a tab before the colon", get("/", "X\t: 1"), 400),
        RawRequest("a field without a name", get("/", ": 1"), 400),
        RawRequest("a field without a colon", get("/", "X"), 400),
        RawRequest("a name that is no token", get("/", "X(y): 1"), 400),
        RawRequest("a folded field", get("/", "X: 1", " 2"), 400),
        RawRequest(
            "white space before the first field",
            "GET / HTTP/1.1\r\n Host: a\r\n\r\n", 400),
        RawRequest("NUL in a value", get("/", "X: a\0b"), 400),
        RawRequest("a control character in a value", get("/", "X: a\u{8}b"), 400),
        RawRequest("DEL in a value", get("/", "X: a\u{7F}"), 400),
        RawRequest("LF alone after a field", "GET / HTTP/1.1\r\nHost: a\nX: 1\r\n\r\n", 400),
        RawRequest("CR alone in a value", "GET / HTTP/1.1\r\nHost: a\r\nX: 1\r2\r\n\r\n", 400),
        RawRequest("LF alone after the fields", "GET / HTTP/1.1\r\nHost: a\r\n\n", 400),
        RawRequest("CR CR after the fields", "GET / HTTP/1.1\r\nHost: a\r\n\r\r\n", 400),
        RawRequest("100 fields", get("/", many("X: 1\r\n", 98) + "Y: 2"), 200),
        RawRequest("101 fields", get("/", many("X: 1\r\n", 99) + "Y: 2"), 431),
        RawRequest("a field too long", get("/", "X: " + many("a", 33_000)), 431),
        RawRequest(
            "fields without end",
            "GET / HTTP/1.1\r\n" + many("X: 1234567890\r\n", 99)
                + "X: " + many("b", 40_000), 431),
        RawRequest("no Host", "GET / HTTP/1.1\r\n\r\n", 400),
        RawRequest("an empty Host", "GET / HTTP/1.1\r\nHost:\r\n\r\n", 400),
        RawRequest("two Hosts", get("/", "Host: b"), 400),
        RawRequest("the same Host twice", get("/", "Host: a.example"), 400),
        RawRequest("two Hosts in HTTP/1.0", "GET / HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n", 400),
        RawRequest("a Host with a port", host("a.example:8080"), 200),
        RawRequest("a Host with an empty port", host("a.example:"), 200),
        RawRequest("a Host that is an address", host("127.0.0.1:80"), 200),
        RawRequest("a Host that is an IPv6 address", host("[::1]:80"), 200),
        RawRequest("a Host with an escape", host("a%2Db"), 200),
        RawRequest("a Host with a broken escape", host("a%2"), 400),
        RawRequest("a Host with a user", host("u@a.example"), 400),
        RawRequest("a Host with a path", host("a.example/x"), 400),
        RawRequest("a Host with a space", host("a b"), 400),
        RawRequest("a Host with a bad port", host("a:8o"), 400),
        RawRequest("a Host with a port too high", host("a:65536"), 400),
        RawRequest("a Host with an open bracket", host("[::1"), 400),
        RawRequest("a Host with text after the bracket", host("[::1]x"), 400),
        RawRequest("Connection: close", get("/", "Connection: close"), 200, fate: .closed),
        RawRequest("close in a list", get("/", "Connection: te , CLOSE"), 200, fate: .closed),
        RawRequest(
            "keep-alive in HTTP/1.0",
            "GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n", 200),
        RawRequest(
            "keep-alive and close in HTTP/1.0",
            "GET / HTTP/1.0\r\nConnection: keep-alive, close\r\n\r\n", 200, fate: .closed),
        RawRequest("half a head", "GET / HTTP/1.1\r\nHost: a\r\nX", fate: .waiting),
        RawRequest("two requests", get("/1") + get("/2"), 200, 200),
        RawRequest("a good and a bad request", get("/1") + get("/ 2"), 200, 400),
        RawRequest("a request and half of one", get("/1") + "GET", 200, fate: .waiting),
    ]

    private static func host(_ host: String) -> String {
        "GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n"
    }
}
