import Testing

@testable import HTTP

@Suite struct RouterTests {
    private let router: Router<String> = {
        var router = Router<String>()
        router.add(.get, "/effects", "effects")
        router.add(.get, "/render", "render by query")
        router.add(.post, "/render", "render by body")
        router.add(.get, prefix: "/", "file")
        router.add(.get, prefix: "/r/", "permalink")
        router.add(.post, prefix: "/render.", "render as")
        return router
    }()

    @Test(
        "a request finds its route and the rest of its path",
        arguments: [
            (.get, "/effects", "effects", ""), (.head, "/effects", "effects", ""),
            (.post, "/render", "render by body", ""), (.get, "/r/abc.svg", "permalink", "abc.svg"),
            (.post, "/render.svg", "render as", "svg"), (.get, "/x/y", "file", "x/y"),
            (.get, "/", "file", ""),
        ] as [(HTTP.Method, String, String, String)])
    func found(method: HTTP.Method, path: String, route: String, rest: String) {
        guard case .found(let found, let foundRest) = router.match(method, path) else {
            Issue.record("not found")
            return
        }
        #expect(found == route)
        #expect(foundRest == rest)
    }

    @Test(
        "the wrong method gets the right ones",
        arguments: [
            (.post, "/effects", ["GET", "HEAD"]), (.put, "/render", ["GET", "HEAD", "POST"]),
            (.get, "/render.svg", ["POST"]), (.options, "/r/x", ["GET", "HEAD"]),
        ] as [(HTTP.Method, String, [String])])
    func wrongMethod(method: HTTP.Method, path: String, allow: [String]) {
        guard case .methodNotAllowed(let allowed) = router.match(method, path) else {
            Issue.record("another match")
            return
        }
        #expect(allowed.map { $0.rawValue } == allow)
    }

    @Test("what no pattern fits is not found")
    func notFound() {
        guard case .notFound = router.match(.options, "*") else {
            Issue.record("found")
            return
        }
    }
}
