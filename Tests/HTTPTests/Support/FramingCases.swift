extension RawRequest {
    private static let chunked = "Transfer-Encoding: chunked"

    static let framingCases: [RawRequest] = [
        RawRequest("content of a length", post("Content-Length: 3", content: "abc"), statuses: 200),
        RawRequest("a length of 0", post("Content-Length: 0"), statuses: 200),
        RawRequest("no length", post(), statuses: 200),
        RawRequest("content with GET", get("/", "Content-Length: 1") + "x", statuses: 200),
        RawRequest(
            "the same length twice",
            post("Content-Length: 1", "Content-Length: 1", content: "x"), statuses: 200),
        RawRequest(
            "a list of the same length", post("Content-Length: 1, 1", content: "x"), statuses: 200),
        RawRequest(
            "content and a request",
            post("Content-Length: 3", content: "abc") + get("/"), statuses: 200, 200),
        RawRequest(
            "a length with leading zeros", post("Content-Length: 003", content: "abc"),
            statuses: 200),
        RawRequest(
            "a length with white space around it", post("Content-Length: \t3 ", content: "abc"),
            statuses: 200
        ),
        RawRequest(
            "the same length written differently",
            post("Content-Length: 3", "Content-Length: 03", content: "abc"), statuses: 200),
        RawRequest("a length that is octal elsewhere", post("Content-Length: 0o5"), statuses: 400),
        RawRequest("a length with an exponent", post("Content-Length: 1e1"), statuses: 400),
        RawRequest("a length with an underscore", post("Content-Length: 1_0"), statuses: 400),
        RawRequest("a length in other digits", post("Content-Length: ٣"), statuses: 400),
        RawRequest("a length in quotes", post("Content-Length: \"5\""), statuses: 400),
        RawRequest("a length with a parameter", post("Content-Length: 5;x"), statuses: 400),
        RawRequest("a length that is a word", post("Content-Length: five"), statuses: 400),
        RawRequest("a length with NUL", post("Content-Length: 5\0"), statuses: 400),
        RawRequest("a length with a vertical tab", post("Content-Length: \u{B}5"), statuses: 400),
        RawRequest(
            "a list of lengths that begins empty", post("Content-Length: ,5"), statuses: 400),
        RawRequest(
            "a length and an empty one", post("Content-Length: 5", "Content-Length:"), statuses: 400
        ),
        RawRequest(
            "a length of 0 and another", post("Content-Length: 0", "Content-Length: 5"),
            statuses: 400),
        RawRequest(
            "a length of 64 bits and one more", post("Content-Length: 18446744073709551617"),
            statuses: 413),
        RawRequest(
            "content of HTTP/1.0",
            "POST / HTTP/1.0\r\nContent-Length: 3\r\n\r\nabc", statuses: 200, fate: .closed),
        RawRequest(
            "an expectation of HTTP/1.0 is passed over",
            "POST / HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\na", statuses: 200,
            fate: .closed),
        RawRequest(
            "different lengths", post("Content-Length: 1", "Content-Length: 2"), statuses: 400),
        RawRequest("a list of different lengths", post("Content-Length: 1, 2"), statuses: 400),
        RawRequest("a length with a plus", post("Content-Length: +5"), statuses: 400),
        RawRequest("a negative length", post("Content-Length: -5"), statuses: 400),
        RawRequest("a hexadecimal length", post("Content-Length: 0x5"), statuses: 400),
        RawRequest("a length with a space", post("Content-Length: 5 5"), statuses: 400),
        RawRequest("a length with a point", post("Content-Length: 5.0"), statuses: 400),
        RawRequest("an empty length", post("Content-Length:"), statuses: 400),
        RawRequest("a list with an empty length", post("Content-Length: 5,"), statuses: 400),
        RawRequest(
            "a length as large as allowed",
            post("Content-Length: 65536", content: many("a", 65_536)), statuses: 200),
        RawRequest("a length too large", post("Content-Length: 65537"), statuses: 413),
        RawRequest(
            "a length past every number",
            post("Content-Length: " + many("9", 40)), statuses: 413),
        RawRequest(
            "a length too large that waits",
            post("Content-Length: 65537", "Expect: 100-continue"), statuses: 413),
        RawRequest("half a content", post("Content-Length: 3", content: "a"), fate: .waiting),
        RawRequest(
            "an expectation that is met",
            post("Content-Length: 1", "Expect: 100-Continue", content: "x"), statuses: 200),
        RawRequest(
            "an expectation without content", get("/", "Expect: 100-continue"), statuses: 200),
        RawRequest("an unknown expectation", get("/", "Expect: 200-ok"), statuses: 417),
        RawRequest(
            "two expectations",
            get("/", "Expect: 100-continue", "Expect: 100-continue"), statuses: 417),

        RawRequest("chunks", chunks("3\r\nabc\r\n1\r\nd\r\n0\r\n\r\n"), statuses: 200),
        RawRequest(
            "chunks and a request", chunks("1\r\na\r\n0\r\n\r\n") + get("/"), statuses: 200, 200),
        RawRequest(
            "chunked in capitals",
            post("Transfer-Encoding: CHUNKED", content: "0\r\n\r\n"), statuses: 200),
        RawRequest("no chunk but the last", chunks("0\r\n\r\n"), statuses: 200),
        RawRequest("sizes with leading zeros", chunks("0001\r\na\r\n0000\r\n\r\n"), statuses: 200),
        RawRequest(
            "sizes in both cases", chunks("0a\r\n0123456789\r\n0A\r\n0123456789\r\n0\r\n\r\n"),
            statuses: 200),
        RawRequest(
            "trailers", chunks("1\r\na\r\n0\r\nX: 1\r\nContent-Length: 9\r\n\r\n"), statuses: 200),
        RawRequest("a bad trailer", chunks("0\r\nX : 1\r\n\r\n"), statuses: 400),
        RawRequest(
            "too many trailers", chunks("0\r\n" + many("X: 1\r\n", 101) + "\r\n"), statuses: 431),
        RawRequest(
            "trailers too long", chunks("0\r\nX: " + many("a", 33_000) + "\r\n\r\n"), statuses: 431),
        RawRequest("a chunk extension", chunks("1;a=b;c=\"d\"\r\na\r\n0;e\r\n\r\n"), statuses: 200),
        RawRequest(
            "a chunk extension after white space", chunks("1 ; a\r\na\r\n0\r\n\r\n"), statuses: 200),
        RawRequest(
            "a chunk extension without a name", chunks("1;\r\na\r\n0\r\n\r\n"), statuses: 400),
        RawRequest("a chunk extension with LF", chunks("1;a\nb\r\na\r\n0\r\n\r\n"), statuses: 400),
        RawRequest(
            "a chunk extension too long", chunks("1;" + many("a", 1025) + "\r\n"), statuses: 400),
        RawRequest(
            "chunk extensions too long together",
            chunks(many("1;" + many("a", 300) + "\r\na\r\n", 4)), statuses: 400),
        RawRequest("a space after a size", chunks("1 \r\na\r\n0\r\n\r\n"), statuses: 400),
        RawRequest("a space before a size", chunks(" 1\r\na\r\n0\r\n\r\n"), statuses: 400),
        RawRequest("a size with 0x", chunks("0x1\r\na\r\n0\r\n\r\n"), statuses: 400),
        RawRequest("a size with a plus", chunks("+1\r\na\r\n0\r\n\r\n"), statuses: 400),
        RawRequest("a size with a minus", chunks("-1\r\na\r\n0\r\n\r\n"), statuses: 400),
        RawRequest("an empty size", chunks("\r\na\r\n0\r\n\r\n"), statuses: 400),
        RawRequest(
            "a size with too many digits", chunks(many("0", 17) + "\r\n\r\n"), statuses: 400),
        RawRequest("a size past every number", chunks(many("F", 17) + "\r\n"), statuses: 413),
        RawRequest("a chunk too large", chunks("10001\r\n"), statuses: 413),
        RawRequest(
            "chunks too large together",
            chunks("8000\r\n" + many("a", 32_768) + "\r\n8001\r\n"), statuses: 413),
        RawRequest("LF alone after a size", chunks("1\na\r\n0\r\n\r\n"), statuses: 400),
        RawRequest("CR alone after a size", chunks("1\ra\r\n0\r\n\r\n"), statuses: 400),
        RawRequest("a chunk longer than its size", chunks("1\r\nab\r\n0\r\n\r\n"), statuses: 400),
        RawRequest("LF alone after a chunk", chunks("1\r\na\n0\r\n\r\n"), statuses: 400),
        RawRequest("CR alone after a chunk", chunks("1\r\na\rX0\r\n\r\n"), statuses: 400),
        RawRequest(
            "a size of so many digits as allowed", chunks(many("0", 16) + "\r\n\r\n"), statuses: 200
        ),
        RawRequest(
            "a chunk as large as allowed",
            chunks("10000\r\n" + many("a", 65_536) + "\r\n0\r\n\r\n"), statuses: 200),
        RawRequest(
            "64 chunks as large as allowed together",
            chunks(many("400\r\n" + many("a", 1024) + "\r\n", 64) + "0\r\n\r\n"), statuses: 200),
        RawRequest(
            "a negative size past every number", chunks("-FFFFFFFFFFFFFFFF\r\n"), statuses: 400),
        RawRequest("a size with an underscore", chunks("1_0\r\n"), statuses: 400),
        RawRequest("a size with a point", chunks("1.0\r\n"), statuses: 400),
        RawRequest("a size that is no number", chunks("g\r\n"), statuses: 400),
        RawRequest("a size in other digits", chunks("٣\r\nabc\r\n0\r\n\r\n"), statuses: 400),
        RawRequest("NUL after a size", chunks("1\0\r\na\r\n0\r\n\r\n"), statuses: 400),
        RawRequest("NUL in a chunk extension", chunks("1;a\0\r\na\r\n0\r\n\r\n"), statuses: 400),
        RawRequest("CR in a chunk extension", chunks("1;a\rb\r\na\r\n0\r\n\r\n"), statuses: 400),
        RawRequest("a comma after a size", chunks("1,a\r\na\r\n0\r\n\r\n"), statuses: 400),
        RawRequest(
            "a chunk extension as long as allowed",
            chunks("1;" + many("a", 1023) + "\r\na\r\n0\r\n\r\n"), statuses: 200),
        RawRequest("CR CR LF after a size", chunks("1\r\r\na\r\n0\r\n\r\n"), statuses: 400),
        RawRequest("LF CR after a chunk", chunks("1\r\na\n\r0\r\n\r\n"), statuses: 400),
        RawRequest("a chunk shorter than its size", chunks("2\r\na\r\n0\r\n\r\n"), statuses: 400),
        RawRequest("100 trailers", chunks("0\r\n" + many("X: 1\r\n", 100) + "\r\n"), statuses: 200),
        RawRequest("NUL in a trailer", chunks("0\r\nX: \0\r\n\r\n"), statuses: 400),
        RawRequest("LF alone after a trailer", chunks("0\r\nX: 1\n\r\n"), statuses: 400),
        RawRequest("half a trailer", chunks("0\r\nX: 1\r\n"), fate: .waiting),
        RawRequest("half the last line end", chunks("0\r\n\r"), fate: .waiting),
        RawRequest("half a chunk", chunks("3\r\na"), fate: .waiting),
        RawRequest("no last chunk", chunks("1\r\na\r\n"), fate: .waiting),

        RawRequest(
            "a length and chunks",
            post("Content-Length: 5", chunked, content: "0\r\n\r\n"), statuses: 400),
        RawRequest(
            "chunks and a length",
            post(chunked, "Content-Length: 5", content: "0\r\n\r\n"), statuses: 400),
        RawRequest("chunked twice", post(chunked, chunked, content: "0\r\n\r\n"), statuses: 400),
        RawRequest(
            "chunked twice in a list", post("Transfer-Encoding: chunked, chunked"), statuses: 400),
        RawRequest(
            "chunked before another coding",
            post("Transfer-Encoding: chunked, gzip"), statuses: 400),
        RawRequest(
            "another coding before chunked",
            post("Transfer-Encoding: gzip, chunked"), statuses: 501),
        RawRequest("another coding", post("Transfer-Encoding: xchunked"), statuses: 501),
        RawRequest("identity", post("Transfer-Encoding: identity"), statuses: 501),
        RawRequest("a parameter of chunked", post("Transfer-Encoding: chunked;a=b"), statuses: 400),
        RawRequest("chunked in quotes", post("Transfer-Encoding: \"chunked\""), statuses: 400),
        RawRequest(
            "chunked after a vertical tab", post("Transfer-Encoding: \u{B}chunked"), statuses: 400),
        RawRequest(
            "chunked with white space around it, and no chunk yet",
            post("Transfer-Encoding: \t chunked "), fate: .waiting),
        RawRequest(
            "chunks with GET", get("/", chunked) + "1\r\na\r\n0\r\n\r\n", statuses: 200),
        RawRequest("chunked after NUL", post("Transfer-Encoding: \0chunked"), statuses: 400),
        RawRequest("chunked by another name", post("Transfer-Encoding: chunk"), statuses: 501),
        RawRequest("chunked with text behind", post("Transfer-Encoding: chunked x"), statuses: 400),
        RawRequest(
            "identity and a length",
            post("Transfer-Encoding: identity", "Content-Length: 3"), statuses: 400),
        RawRequest("gzip alone", post("Transfer-Encoding: gzip"), statuses: 501),
        RawRequest("no coding", post("Transfer-Encoding:"), statuses: 400),
        RawRequest("an empty coding", post("Transfer-Encoding: , chunked"), statuses: 400),
        RawRequest(
            "a coding in HTTP/1.0",
            "POST / HTTP/1.0\r\n\(chunked)\r\n\r\n0\r\n\r\n", statuses: 400),
    ]

    private static func chunks(_ content: String) -> String {
        post(chunked, content: content)
    }

    static let all = requestLineCases + fieldCases + framingCases + conversationCases
}
