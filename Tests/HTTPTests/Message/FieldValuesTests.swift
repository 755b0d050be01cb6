import Testing

@testable import HTTP

@Suite struct NegotiationTests {
    private static let chromeImage =
        "image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8"

    @Test(
        "a media type takes the weight of the most specific range",
        arguments: [
            (nil, "image/gif", 1), ("", "image/gif", 1), ("*/*", "image/gif", 1),
            ("image/*;q=0.5, image/gif;q=0.25, */*", "image/gif", 0.25),
            ("image/*;q=0.5, image/gif;q=0.25, */*", "image/png", 0.5),
            ("image/*;q=0.5, image/gif;q=0.25, */*;q=0.1", "text/plain", 0.1),
            ("application/json", "image/svg+xml", 0),
            ("image/svg+xml;q=0, */*", "image/svg+xml", 0),
            ("IMAGE/SVG+XML ; Q=0.3", "image/svg+xml", 0.3),
            ("application/json;charset=utf-8", "application/json", 1),
            ("application/json;v=2", "application/json", 0),
            ("text/html;level=1;q=0.4, text/html;q=0.7", "text/html;level=1", 0.4),
            ("image/gif;q=2, image/png", "image/gif", 0),
            ("nonsense, */json, image/gif", "application/json", 0),
            (chromeImage, "image/svg+xml", 1), (chromeImage, "application/json", 0.8),
        ] as [(String?, String, Double)])
    func accept(value: String?, mediaType: String, quality: Double) {
        #expect(AcceptField(value).quality(of: mediaType) == quality)
    }

    @Test(
        "gzip is used only where it is accepted",
        arguments: [
            (nil, false), ("", false), ("gzip", true), ("GZIP", true), ("x-gzip", true),
            ("deflate, gzip;q=1.0, br", true), ("gzip;q=0", false), ("gzip;q=0.000", false),
            ("gzip ; q=0.1", true), ("*", true), ("*;q=0", false), ("*, gzip;q=0", false),
            ("br", false), ("identity", false), ("gzipped", false),
        ] as [(String?, Bool)])
    func gzip(value: String?, accepts: Bool) {
        #expect(AcceptEncoding.acceptsGzip(value) == accepts)
    }

    @Test(
        "entity tags are compared weakly",
        arguments: [
            ("\"a\"", "\"a\"", true), ("W/\"a\"", "\"a\"", true), ("\"a\"", "W/\"a\"", true),
            ("\"b\", W/\"a\"", "\"a\"", true), ("*", "\"a\"", true), (" * ", "\"a\"", true),
            ("\"b\"", "\"a\"", false), ("a", "\"a\"", false), ("", "\"a\"", false),
            ("\"a,b\", \"c\"", "\"a,b\"", true), ("\"A\"", "\"a\"", false),
            ("w/\"a\"", "\"a\"", false), ("\"a", "\"a\"", false), ("\"*\"", "\"a\"", false),
        ])
    func entityTags(value: String, tag: String, matches: Bool) {
        #expect(EntityTagList(value).matches(tag) == matches)
    }
}

@Suite struct ContentRangeTests {
    @Test(
        "a range is a part of ten bytes",
        arguments: [
            ("bytes=0-0", 0..<1), ("bytes=3-", 3..<10), ("bytes=-3", 7..<10), ("bytes=-99", 0..<10),
            ("bytes=2-999999999999999", 2..<10), ("BYTES= 1 - 2 ", 1..<3), ("bytes=9-9", 9..<10),
        ])
    func parts(value: String, part: Range<Int>) {
        #expect(ContentRange(value, of: 10) == .part(part))
    }

    @Test(
        "what lies beyond the end is outside",
        arguments: ["bytes=10-", "bytes=10-20", "bytes=-0", "bytes=999999999999999-"])
    func outside(value: String) {
        #expect(ContentRange(value, of: 10) == .outside)
        #expect(ContentRange("bytes=0-", of: 0) == .outside)
        #expect(ContentRange("bytes=-1", of: 0) == .outside)
    }

    @Test(
        "several ranges, and what is none, are passed over",
        arguments: [
            "", "bytes", "bytes=", "bytes=-", "bytes=5-4", "bytes=0-1,3-4", "bytes=0-,0-,0-,0-",
            "bytes=0-1, 0-1", "bytes=a-b", "bytes=+1-2", "bytes=1-+2", "bytes=0x1-2", "bytes=--1",
            "bytes=1-2-3", "bytes=1.0-2", "lines=0-1", "bytes 0-1", " bytes=0-1", "bytes=1 2-3",
            "bytes=\u{661}-2", "bytes=9223372036854775808-", "bytes=-9223372036854775808",
            "bytes=0-" + String(repeating: "9", count: 5000),
            "bytes=" + String(repeating: "0-0,", count: 5000) + "0-0",
        ])
    func whole(value: String) {
        #expect(ContentRange(value, of: 10) == .whole)
    }
}
