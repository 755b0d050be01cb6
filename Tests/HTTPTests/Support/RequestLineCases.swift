extension RawRequest {
    static let requestLineCases: [RawRequest] = [
        RawRequest("a plain request", get("/"), statuses: 200),
        RawRequest("a query", get("/a?b=c&d"), statuses: 200),
        RawRequest(
            "characters that browsers leave in a query", get("/?a={|}[]^`\"<>'"), statuses: 200),
        RawRequest("an unknown method is the service's matter", method("BREW"), statuses: 200),
        RawRequest("a method in lower case is another method", method("get"), statuses: 200),
        RawRequest("a method too long", method(String(repeating: "M", count: 33)), statuses: 501),
        RawRequest(
            "CONNECT", "CONNECT a.example:443 HTTP/1.1\r\nHost: a.example\r\n\r\n", statuses: 501),
        RawRequest("an empty method", " / HTTP/1.1\r\nHost: a\r\n\r\n", statuses: 400),
        RawRequest("a method that is no token", method("G@T"), statuses: 400),
        RawRequest("a tab after the method", "GET\t/ HTTP/1.1\r\nHost: a\r\n\r\n", statuses: 400),
        RawRequest(
            "two spaces before the target", "GET  / HTTP/1.1\r\nHost: a\r\n\r\n", statuses: 400),
        RawRequest(
            "two spaces after the target", "GET /  HTTP/1.1\r\nHost: a\r\n\r\n", statuses: 400),
        RawRequest(
            "a space after the version", "GET / HTTP/1.1 \r\nHost: a\r\n\r\n", statuses: 400),
        RawRequest("a space in the target", get("/a b"), statuses: 400),
        RawRequest("a fragment", get("/a#b"), statuses: 400),
        RawRequest("raw UTF-8 in the target", get("/?text=é"), statuses: 400),
        RawRequest("NUL in the target", get("/a\0"), statuses: 400),
        RawRequest("DEL in the target", get("/a\u{7F}"), statuses: 400),
        RawRequest("a target without a slash", get("render"), statuses: 400),
        RawRequest("an authority form", get("a.example:80"), statuses: 400),
        RawRequest("a target as long as allowed", get("/" + many("a", 8191)), statuses: 200),
        RawRequest("a target one byte too long", get("/" + many("a", 8192)), statuses: 414),
        RawRequest("a target without end", "GET /" + many("a", 9000), statuses: 414),
        RawRequest("no version", "GET /\r\nHost: a\r\n\r\n", statuses: 400),
        RawRequest("HTTP/1.0", "GET / HTTP/1.0\r\n\r\n", statuses: 200, fate: .closed),
        RawRequest("a later minor version", version("HTTP/1.9"), statuses: 200),
        RawRequest("HTTP/2.0", version("HTTP/2.0"), statuses: 505),
        RawRequest("HTTP/0.9", version("HTTP/0.9"), statuses: 505),
        RawRequest("the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", statuses: 505),
        RawRequest("a version in lower case", version("http/1.1"), statuses: 400),
        RawRequest("a version with too many digits", version("HTTP/1.10"), statuses: 400),
        RawRequest("a version with too few digits", version("HTTP/1"), statuses: 400),
        RawRequest("another protocol", version("HTTQ/1.1"), statuses: 400),
        RawRequest(
            "LF alone after the request line", "GET / HTTP/1.1\nHost: a\r\n\r\n", statuses: 400),
        RawRequest(
            "CR alone after the request line", "GET / HTTP/1.1\rHost: a\r\n\r\n", statuses: 400),
        RawRequest("an empty line first", "\r\n" + get("/"), statuses: 200),
        RawRequest("four empty lines first", many("\r\n", 4) + get("/"), statuses: 200),
        RawRequest("five empty lines first", many("\r\n", 5) + get("/"), statuses: 400),
        RawRequest("LF alone first", "\n" + get("/"), statuses: 400),
        RawRequest("CR alone first", "\rGET / HTTP/1.1\r\nHost: a\r\n\r\n", statuses: 400),
        RawRequest("TLS", bytes: [0x16, 3, 1, 2, 0, 1, 0, 1, 0xFC, 3, 3], status: 400),
        RawRequest("an absolute target", get("http://a.example/x?y"), statuses: 200),
        RawRequest("an absolute target without a path", get("HTTP://A.Example?y"), statuses: 200),
        RawRequest(
            "an absolute target with the default port", get("http://a.example:80/"), statuses: 200),
        RawRequest("an absolute target with another host", get("http://b.example/"), statuses: 400),
        RawRequest(
            "an absolute target with another port", get("http://a.example:81/"), statuses: 400),
        RawRequest("an absolute target with a user", get("http://a@a.example/"), statuses: 400),
        RawRequest("an absolute target without a host", get("http:///x"), statuses: 400),
        RawRequest("an absolute target of another scheme", get("ftp://a.example/"), statuses: 400),
        RawRequest(
            "an asterisk with OPTIONS", "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", statuses: 200),
        RawRequest("an asterisk with GET", get("*"), statuses: 400),
        RawRequest(
            "a query behind an asterisk", "OPTIONS *?x HTTP/1.1\r\nHost: a\r\n\r\n", statuses: 400),
        RawRequest("an absolute target in HTTP/1.0", absolute10(""), statuses: 200, fate: .closed),
        RawRequest(
            "an absolute target in HTTP/1.0 with another host",
            absolute10("Host: b.example\r\n"), statuses: 400),
        RawRequest(
            "an absolute target without Host", "GET http://a/ HTTP/1.1\r\n\r\n", statuses: 400),
        RawRequest(
            "an absolute target with an address",
            "GET http://[::1]:8080/ HTTP/1.1\r\nHost: [::1]:8080\r\n\r\n", statuses: 200),
        RawRequest(
            "an absolute target with the port of https",
            "GET https://a/ HTTP/1.1\r\nHost: a:443\r\n\r\n", statuses: 200),
        RawRequest(
            "an absolute target of https with the port of http",
            "GET https://a/ HTTP/1.1\r\nHost: a:80\r\n\r\n", statuses: 400),
        RawRequest("an absolute target with a part of the host", get("http://a/"), statuses: 400),
        RawRequest("an absolute target with one slash", get("http:/a.example/"), statuses: 400),
        RawRequest(
            "an absolute target with a backslash", get("http://a.example\\@b/"), statuses: 400),
        RawRequest("a target of two slashes is a path", get("//b.example/"), statuses: 200),
        RawRequest("a target with dots", get("/../../etc/passwd"), statuses: 200),
        RawRequest(
            "a target with a broken escape is the service's matter", get("/%zz"), statuses: 200),
        RawRequest(
            "a target with an escaped NUL is the service's matter", get("/%00"), statuses: 200),
        RawRequest("a tab in the target", get("/a\tb"), statuses: 400),
        RawRequest("CR in the target", get("/a\rb"), statuses: 400),
        RawRequest("LF in the target", get("/a\nb"), statuses: 400),
        RawRequest("no target", "GET HTTP/1.1\r\nHost: a\r\n\r\n", statuses: 400),
        RawRequest("a method alone", "GET\r\nHost: a\r\n\r\n", statuses: 400),
        RawRequest("a method as long as allowed", method(many("M", 32)), statuses: 200),
        RawRequest("NUL in the method", method("G\0T"), statuses: 400),
        RawRequest("a colon in the method", method("GET:"), statuses: 400),
        RawRequest(
            "white space before the method", " GET / HTTP/1.1\r\nHost: a\r\n\r\n", statuses: 400),
        RawRequest("a version with a comma", version("HTTP/1,1"), statuses: 400),
        RawRequest("a version with a leading zero", version("HTTP/01.1"), statuses: 400),
        RawRequest("a version with letters", version("HTTP/1.x"), statuses: 400),
        RawRequest("a version with a sign", version("HTTP/+1.1"), statuses: 400),
        RawRequest("a version with a space", version("HTTP /1.1"), statuses: 400),
        RawRequest("a version with a tab behind", version("HTTP/1.1\t"), statuses: 400),
        RawRequest("NUL behind the version", version("HTTP/1.1\0"), statuses: 400),
        RawRequest("HTTP/3.0", version("HTTP/3.0"), statuses: 505),
        RawRequest("HTTP/0.9 without a version", "GET /\r\n", statuses: 400),
        RawRequest(
            "LF CR after the request line", "GET / HTTP/1.1\n\rHost: a\r\n\r\n", statuses: 400),
        RawRequest(
            "CR CR LF after the request line", "GET / HTTP/1.1\r\r\nHost: a\r\n\r\n", statuses: 400),
        RawRequest("a byte order mark", "\u{FEFF}" + get("/"), statuses: 400),
        RawRequest("SSH", "SSH-2.0-OpenSSH_9.2\r\n", statuses: 400),
        RawRequest("a proxy's line", "PROXY TCP4 1.2.3.4 5.6.7.8 1 2\r\n", statuses: 400),
        RawRequest("NUL first", "\0" + get("/"), statuses: 400),
        RawRequest("half a request line", "GET / HT", fate: .waiting),
        RawRequest("nothing", "", fate: .open),
    ]

    private static func absolute10(_ lines: String) -> String {
        "GET http://a.example/ HTTP/1.0\r\n\(lines)\r\n"
    }

    private static func method(_ method: String) -> String {
        "\(method) / HTTP/1.1\r\nHost: a\r\n\r\n"
    }

    private static func version(_ version: String) -> String {
        "GET / \(version)\r\nHost: a\r\n\r\n"
    }

    static func many(_ text: String, _ count: Int) -> String {
        String(repeating: text, count: count)
    }
}
