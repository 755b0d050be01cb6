extension RawRequest {
    static let fieldCases: [RawRequest] = [
        RawRequest("a field without a value", get("/", "X:"), statuses: 200),
        RawRequest("white space around a value", get("/", "X: \t a b \t "), statuses: 200),
        RawRequest(
            "obs-text in a value",
            bytes: Array("GET / HTTP/1.1\r\nHost: a\r\nX: ".utf8)
                + [0xE9, 0xFF] + Array("\r\n\r\n".utf8), status: 200),
        RawRequest("a space before the colon", get("/", "X : 1"), statuses: 400),
        RawRequest("a tab before the colon", get("/", "X\t: 1"), statuses: 400),
        RawRequest("a field without a name", get("/", ": 1"), statuses: 400),
        RawRequest("a field without a colon", get("/", "X"), statuses: 400),
        RawRequest("a name that is no token", get("/", "X(y): 1"), statuses: 400),
        RawRequest("a folded field", get("/", "X: 1", " 2"), statuses: 400),
        RawRequest(
            "white space before the first field",
            "GET / HTTP/1.1\r\n Host: a\r\n\r\n", statuses: 400),
        RawRequest("NUL in a value", get("/", "X: a\0b"), statuses: 400),
        RawRequest("a control character in a value", get("/", "X: a\u{8}b"), statuses: 400),
        RawRequest("DEL in a value", get("/", "X: a\u{7F}"), statuses: 400),
        RawRequest(
            "LF alone after a field", "GET / HTTP/1.1\r\nHost: a\nX: 1\r\n\r\n", statuses: 400),
        RawRequest(
            "CR alone in a value", "GET / HTTP/1.1\r\nHost: a\r\nX: 1\r2\r\n\r\n", statuses: 400),
        RawRequest("LF alone after the fields", "GET / HTTP/1.1\r\nHost: a\r\n\n", statuses: 400),
        RawRequest("CR CR after the fields", "GET / HTTP/1.1\r\nHost: a\r\n\r\r\n", statuses: 400),
        RawRequest("100 fields", get("/", many("X: 1\r\n", 98) + "Y: 2"), statuses: 200),
        RawRequest("101 fields", get("/", many("X: 1\r\n", 99) + "Y: 2"), statuses: 431),
        RawRequest("a field too long", get("/", "X: " + many("a", 33_000)), statuses: 431),
        RawRequest(
            "fields without end",
            "GET / HTTP/1.1\r\n" + many("X: 1234567890\r\n", 99)
                + "X: " + many("b", 40_000), statuses: 431),
        RawRequest("no Host", "GET / HTTP/1.1\r\n\r\n", statuses: 400),
        RawRequest("an empty Host", "GET / HTTP/1.1\r\nHost:\r\n\r\n", statuses: 400),
        RawRequest("two Hosts", get("/", "Host: b"), statuses: 400),
        RawRequest("the same Host twice", get("/", "Host: a.example"), statuses: 400),
        RawRequest(
            "two Hosts in HTTP/1.0", "GET / HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n", statuses: 400),
        RawRequest("a Host with a port", host("a.example:8080"), statuses: 200),
        RawRequest("a Host with an empty port", host("a.example:"), statuses: 200),
        RawRequest("a Host that is an address", host("127.0.0.1:80"), statuses: 200),
        RawRequest("a Host that is an IPv6 address", host("[::1]:80"), statuses: 200),
        RawRequest("a Host with an escape", host("a%2Db"), statuses: 200),
        RawRequest("a Host with a broken escape", host("a%2"), statuses: 400),
        RawRequest("a Host with a user", host("u@a.example"), statuses: 400),
        RawRequest("a Host with a path", host("a.example/x"), statuses: 400),
        RawRequest("a Host with a space", host("a b"), statuses: 400),
        RawRequest("a Host with a bad port", host("a:8o"), statuses: 400),
        RawRequest("a Host with a port too high", host("a:65536"), statuses: 400),
        RawRequest("a Host with an open bracket", host("[::1"), statuses: 400),
        RawRequest("a Host with text after the bracket", host("[::1]x"), statuses: 400),
        RawRequest(
            "Connection: close", get("/", "Connection: close"), statuses: 200, fate: .closed),
        RawRequest(
            "close in a list", get("/", "Connection: te , CLOSE"), statuses: 200, fate: .closed),
        RawRequest(
            "keep-alive in HTTP/1.0",
            "GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n", statuses: 200),
        RawRequest(
            "keep-alive and close in HTTP/1.0",
            "GET / HTTP/1.0\r\nConnection: keep-alive, close\r\n\r\n", statuses: 200, fate: .closed),
        RawRequest("half a head", "GET / HTTP/1.1\r\nHost: a\r\nX", fate: .waiting),
        RawRequest("keep-alive in HTTP/1.1", get("/", "Connection: keep-alive"), statuses: 200),
        RawRequest(
            "close and keep-alive", get("/", "Connection: keep-alive, close"), statuses: 200,
            fate: .closed),
        RawRequest(
            "close in a second field",
            get("/", "Connection: te", "Connection: close"), statuses: 200, fate: .closed),
        RawRequest("a word that contains close", get("/", "Connection: closed"), statuses: 200),
        RawRequest("an empty Connection", get("/", "Connection: ,"), statuses: 200),
        RawRequest("a name in capitals", "GET / HTTP/1.1\r\nHOST: a\r\n\r\n", statuses: 200),
        RawRequest(
            "every character of a token in a name", get("/", "!#$%&'*+-.^_`|~09aZ: 1"),
            statuses: 200),
        RawRequest("a name in quotes", get("/", "\"X\": 1"), statuses: 400),
        RawRequest("a name with a slash", get("/", "X/Y: 1"), statuses: 400),
        RawRequest("a name with an at sign", get("/", "X@Y: 1"), statuses: 400),
        RawRequest("a name that is not ASCII", get("/", "Ä: 1"), statuses: 400),
        RawRequest("NUL in a name", get("/", "X\0: 1"), statuses: 400),
        RawRequest("CR in a name", get("/", "X\rY: 1"), statuses: 400),
        RawRequest("two colons", get("/", "X:: 1"), statuses: 200),
        RawRequest("a folded field that is empty", get("/", "X:", "\t"), statuses: 400),
        RawRequest("a tab in a value", get("/", "X: a\tb"), statuses: 200),
        RawRequest("ESC in a value", get("/", "X: a\u{1B}b"), statuses: 400),
        RawRequest("a vertical tab in a value", get("/", "X: a\u{B}b"), statuses: 400),
        RawRequest("a form feed after a value", get("/", "X: a\u{C}"), statuses: 400),
        RawRequest("NUL after a value", get("/", "X: a\0"), statuses: 400),
        RawRequest("CR before CR LF", get("/", "X: a\r"), statuses: 400),
        RawRequest("LF alone in the empty line", "GET / HTTP/1.1\r\nHost: a\r\n\nX", statuses: 400),
        RawRequest("a head as large as allowed", head(of: 32_768), statuses: 200),
        RawRequest("a head one byte too large", head(of: 32_769), statuses: 431),
        RawRequest("two Hosts on one line", host("a, b"), statuses: 400),
        RawRequest("a Host that is a URL", host("http://a.example"), statuses: 400),
        RawRequest("a Host with a query", host("a.example?x"), statuses: 400),
        RawRequest("a Host with a fragment", host("a.example#x"), statuses: 400),
        RawRequest("a Host with a backslash", host("a.example\\x"), statuses: 400),
        RawRequest("a Host with two ports", host("a.example:1:2"), statuses: 400),
        RawRequest("a Host with a port alone", host(":80"), statuses: 400),
        RawRequest("a Host with a negative port", host("a:-1"), statuses: 400),
        RawRequest("a Host with a port of six digits", host("a:000080"), statuses: 400),
        RawRequest("a Host in brackets that is no address", host("[a.example]"), statuses: 400),
        RawRequest("a Host with empty brackets", host("[]"), statuses: 400),
        RawRequest("a Host that is not ASCII", host("ä.example"), statuses: 400),
        RawRequest("a Host with white space around it", host(" \ta.example\t "), statuses: 200),
        RawRequest("two Hosts apart", get("/", "X: 1", "host: a.example"), statuses: 400),
    ]

    /// A request whose head has so many bytes.
    private static func head(of count: Int) -> String {
        let frame = get("/", "X: ")
        return get("/", "X: " + many("a", count - frame.utf8.count))
    }

    private static func host(_ host: String) -> String {
        "GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n"
    }
}
