import Bytes
import Encoders
import HTTP
import Motion
import Rendering
import Synchronization
import Testing

@testable import Service

@Suite struct GuardTests {
    private static let signer = URLSigner([.init(secret: Array("secret".utf8))])

    private func check(
        _ target: String, _ method: HTTP.Method = .get, hasKey: Bool = true,
        onlyPresets: Bool = false
    ) -> String? {
        var settings = ServiceSettings()
        settings.signer = hasKey ? Self.signer : nil
        settings.onlyPresets = onlyPresets
        let format = settings.rendering.schema.formats.defaultEntry
        let path = target.hasPrefix("/r/") ? Permalink.Path(target.dropFirst(3)) : nil
        let source: RenderingSource =
            path.map { .permalink($0, extension: format) } ?? .parameters(extension: nil)
        do throws(Problem) {
            let permission = try Permission(
                of: HTTP.Request(method: method, target: target), for: source, settings: settings)
            return permission.isSigned ? "signed" : "unsigned"
        } catch {
            return error.status == .forbidden ? error.faults.first?.message : "another problem"
        }
    }

    @Test(
        "what was signed is let in",
        arguments: ["/render?text=a", "/r/x.svg", "/r/2/x.svg", "/render.gif?a=b&c"])
    func signed(target: String) {
        #expect(check(Self.signer.signed(target)) == "signed")
        #expect(check(Self.signer.signed(target), .head) == "signed")
    }

    @Test("a signature must be there, right and last")
    func refused() {
        let signed = Self.signer.signed("/render?text=a")
        #expect(check("/render?text=a")?.hasPrefix("is missing") == true)
        #expect(check("/render")?.hasPrefix("is missing") == true)
        #expect(check(signed + "&seed=1")?.hasPrefix("is missing") == true)
        #expect(check(signed + "A") == "is wrong")
        #expect(check(String(signed.dropLast())) == "is wrong")
        #expect(check(signed.replacing("text=a", with: "text=b")) == "is wrong")
        #expect(check("/render?text=a&signature=") == "is wrong")
        let other = URLSigner([.init(secret: Array("other".utf8))]).signed("/render?text=a")
        #expect(check(other) == "is wrong")
        #expect(check("/render", .post) == "unsigned")
    }

    @Test(
        "a signature is known by its own name only, and signs all that stands before it",
        arguments: [
            "&%73ignature=", "&Signature=", "&signature%3D", "&amp;signature=", ";signature=",
            "#signature=",
        ])
    func names(name: String) throws {
        let signed = Self.signer.signed("/render?text=a")
        let code = signed.pieces(separatedBy: "=").last ?? ""
        #expect(check("/render?text=a\(name)\(code)")?.hasPrefix("is missing") == true)
        // One that is not the last is signed as any other value is.
        #expect(check(Self.signer.signed(signed)) == "signed")
        #expect(check("\(signed)&signature=\(code)") == "is wrong")
        #expect(check("\(signed)%3D") == "is wrong")
    }

    @Test("restricted to presets, all but GET and HEAD of /render needs a signature")
    func restricted() {
        for hasKey in [false, true] {
            func check(_ target: String, _ method: HTTP.Method = .get) -> String? {
                self.check(target, method, hasKey: hasKey, onlyPresets: true)
            }
            #expect(check("/render?text=a") == "unsigned")
            #expect(check("/render.gif?text=a", .head) == "unsigned")
            #expect(check("/render", .post)?.hasPrefix("is ") == true)
            #expect(check("/r/x.svg")?.hasPrefix("is ") == true)
        }
        let signed = Self.signer.signed("/r/x.svg")
        #expect(check(signed, onlyPresets: true) == "signed")
        #expect(check(signed, hasKey: false, onlyPresets: true)?.hasPrefix("is required") == true)
        #expect(check(Self.signer.signed("/render"), .post, onlyPresets: true) == "signed")
        #expect(check("/render?text=a&signature=AAAA", onlyPresets: true) == "is wrong")
        #expect(
            check("/render?signature=AAAA&text=a", onlyPresets: true)?.hasPrefix("is missing")
                == true)
    }

    @Test("restricted to presets, requests take text, preset, format and boxes")
    func restrictedNames() throws {
        var settings = ServiceSettings()
        settings.onlyPresets = true
        let permission = try Permission(
            of: HTTP.Request(method: .get, target: "/render"), for: .parameters(extension: nil),
            settings: settings)
        try permission.check(
            RawRequest(
                values: ["preset": "nord", "format": "svg", "boxes": "true"], texts: ["a", "b"]))
        let schema = settings.rendering.schema
        let effectNames = schema.effects.entries.flatMap { $0.parameters.map(\.name) }
        let names = schema.parameters.map(\.name) + effectNames + ["blocks", "signature"]
        for name in names where name != "boxes" {
            #expect(throws: Problem.self, "\(name)") {
                try permission.check(RawRequest(values: [ByteString(name): "1"]))
            }
        }
    }

    @Test func `an address ends when it says`() throws {
        var settings = ServiceSettings()
        settings.signer = Self.signer
        settings.clock = TimeSource(monotonic: { 0 }, wall: { 1000 })
        func outcome(_ target: String) -> (Status?, expiry: Int64?, location: String?) {
            do throws(Problem) {
                let permission = try Permission(
                    of: HTTP.Request(target: target), for: .parameters(extension: nil),
                    settings: settings)
                return (nil, permission.expiry, permission.target("/r/x.svg", settings))
            } catch {
                return (error.status, nil, nil)
            }
        }
        let good = outcome(Self.signer.signed("/render?expires=1001&text=a"))
        #expect(good.0 == nil && good.expiry == 1001)
        #expect(good.location == Self.signer.signed("/r/x.svg?expires=1001"))
        for (query, status) in [
            ("expires=1000", Status.forbidden), ("expires=0", .forbidden),
            ("expires=2000&expires=999", .forbidden), ("expires=", .badRequest),
            ("expires=+1", .badRequest), ("expires=soon", .badRequest),
            ("expires=9999999999999999999", .badRequest),
        ] {
            #expect(outcome(Self.signer.signed("/render?" + query)).0 == status, "\(query)")
        }
        let later = Self.signer.signed("/render?expires=1001").replacing("1001", with: "1002")
        #expect(outcome(later).0 == .forbidden)
    }

    @Test(
        "no cache keeps an answer past its address",
        arguments: [
            ("public, max-age=86400", "public, max-age=60"), ("max-age=5", "max-age=5"),
            ("public, max-age=31536000, immutable", "public, max-age=60"),
            ("S-MaxAge=9, s-maxage=99, stale-if-error=5", "s-maxage=9, s-maxage=60, max-age=60"),
            ("no-store", "no-store, max-age=60"), ("max-age=x", "max-age=0"),
        ])
    func lifetimes(usual: String, limited: String) {
        #expect(CacheControl.field(usual, until: 160, 100) == limited)
    }

    @Test("only the network of a client is logged")
    func loggedNetworks() {
        for (address, network) in [
            ("192.0.2.77", "192.0.2.0/24"), ("::ffff:192.0.2.77", "192.0.2.0/24"),
            ("2001:db8:1:2::3", "2001:db8:1::/48"), ("::1", "0:0:0::/48"),
        ] {
            #expect(IPAddress(address)?.network == network)
        }
    }

    @Test("a signature is HMAC-SHA256 in base64url, as others compute it")
    func known() {
        #expect(
            Self.signer.signed("/r/x.svg")
                == "/r/x.svg?signature=vYDdRvy4lbg0Pr880XI5IkDwTRQxlJZ1hb8BXWkPHCs")
    }

    @Test func `the first key signs, all verify, and a signature names its key`() {
        let (old, new) = (
            URLSigner.Key("old", secret: [1]), URLSigner.Key("new-2", secret: Array("a b".utf8))
        )
        let nameless = URLSigner.Key(secret: [2])
        let signer = URLSigner([new, old, nameless])
        let target = "/render?text=a"
        func outcome(_ signed: String, by signer: URLSigner = signer) -> String? {
            do throws(Problem) {
                try signer.check(signed)
                return nil
            } catch {
                return error.faults.first?.message
            }
        }
        let signed = signer.signed(target)
        #expect(signed.hasPrefix(target + "&signature=new-2."))
        #expect(outcome(signed) == nil)
        for key in [old, nameless] { #expect(outcome(URLSigner([key]).signed(target)) == nil) }
        #expect(outcome(signed.replacing("new-2.", with: "old.")) == "is wrong")
        #expect(outcome(signed.replacing("new-2.", with: "")) == "is wrong")
        #expect(
            outcome(signed.replacing("new-2.", with: "gone.")) == "names a key that is not in use")
        #expect(outcome(signed + ".x") == "is wrong")
        let later = URLSigner([old])
        #expect(outcome(signed, by: later) == "names a key that is not in use")
        #expect(outcome(URLSigner([nameless]).signed(target), by: later) == "names no key")
        #expect(outcome(later.signed(target), by: later) == nil)
    }

    @Test func `a file of keys has a name and a secret in each line`() throws {
        let file = "# rotated\n\n  new \t a secret # with blanks \r\nold sixteen bytes...\n"
        #expect(
            try URLSigner.Key.list(in: Array(file.utf8)) == [
                URLSigner.Key("new", secret: Array("a secret # with blanks".utf8)),
                URLSigner.Key("old", secret: Array("sixteen bytes...".utf8)),
            ])
        for (wrong, line, message) in [
            ("a sixteen bytes...\nb\n", 2, "no secret"), ("a fifteen bytes..", 1, "16"),
            ("a sixteen bytes...\na sixteen bytes...", 2, "twice"), ("a.b x", 1, "letters"),
            ("\n# a\n", nil, "no key"), ("", nil, "no key"), ("é x", 1, "letters"),
        ] as [(String, Int?, String)] {
            do throws(URLSignerKeyFault) {
                _ = try URLSigner.Key.list(in: Array(wrong.utf8))
                Issue.record("taken: \(wrong)")
            } catch {
                #expect(error.line == line && error.message.contains(message), "\(wrong)")
            }
        }
    }

    @Test func `a cache's key says whether the rendering may be kept under it`() {
        func match(_ given: String?) -> CanonicalRoute.KeyMatch {
            var fields = Fields()
            if let given { fields["Titlecard-Key"] = given }
            return CanonicalRoute.KeyMatch(HTTP.Request(fields: fields), "\(own)-abc")
        }
        let own = Renderer.revision
        #expect(match(nil) == .same && match("\(own)-abc") == .same)
        for other in ["\(own)-abd", "1-abc", "", "-", "x-abc", "70000-abc", "\(own)"] {
            #expect(match(other) == .other, "\(other)")
        }
        #expect(match("\(own + 1)-abc") == .newer(revision: own + 1))
    }

    @Test("ranges of addresses hold what they say")
    func ranges() throws {
        #expect(AddressRanges("[::1], [fd00::]/8") == AddressRanges("::1, fd00::/8"))
        let ranges = try #require(AddressRanges("10.0.0.0/8, ::1,192.168.1.7"))
        func holds(_ text: String) -> Bool { IPAddress(text).map(ranges.contain) ?? false }
        #expect(holds("10.255.0.1") && holds("::ffff:10.1.1.1") && holds("::1"))
        #expect(
            holds("192.168.1.7") && !holds("192.168.1.8") && !holds("11.0.0.1") && !holds("::2"))
        for wrong in ["10.0.0.0/33", "x", "1.2.3", "::/129", "10.0.0.0/", "10.0.0.0/-1"] {
            #expect(AddressRanges(wrong) == nil, "\(wrong)")
        }
        let all = try #require(AddressRanges("0.0.0.0/0"))
        #expect(all.contain(try #require(IPAddress("203.0.113.9"))))
        #expect(!all.contain(try #require(IPAddress("2001:db8::1"))))
    }

    @Test("only what trusted proxies wrote is believed")
    func clients() throws {
        let proxies = try #require(AddressRanges("127.0.0.0/8,10.0.0.0/8"))
        func client(_ forwarded: String?, peer: String = "127.0.0.1") -> IPAddress? {
            var fields = Fields()
            if let forwarded { fields["X-Forwarded-For"] = forwarded }
            let request = HTTP.Request(fields: fields, remoteAddress: peer)
            return ClientAddress.of(request, trusting: proxies)
        }
        #expect(client(nil) == IPAddress("127.0.0.1"))
        #expect(client("203.0.113.9") == IPAddress("203.0.113.9"))
        #expect(client("1.1.1.1, 203.0.113.9, 10.0.0.5") == IPAddress("203.0.113.9"))
        #expect(client("203.0.113.9", peer: "198.51.100.1") == IPAddress("198.51.100.1"))
        #expect(client("203.0.113.9", peer: "unix:") == IPAddress("203.0.113.9"))
        #expect(client("203.0.113.9, rubbish") == IPAddress("127.0.0.1"))
        #expect(client(nil, peer: "unix:") == nil)
        #expect(client("10.0.0.7, 10.0.0.5") == IPAddress("10.0.0.7"))
    }

    @Test("an address of version 4 is the same where it is written as version 6")
    func mapped() throws {
        let proxies = try #require(AddressRanges("::ffff:127.0.0.0/104, 10.0.0.0/8"))
        func client(_ forwarded: String, peer: String) -> IPAddress? {
            ClientAddress.of(
                HTTP.Request(fields: ["X-Forwarded-For": forwarded], remoteAddress: peer),
                trusting: proxies)
        }
        for (peer, proxy) in [("127.0.0.1", "::ffff:10.0.0.5"), ("::ffff:127.0.0.1", "10.0.0.5")] {
            let chain = "1.1.1.1, ::ffff:203.0.113.9, \(proxy)"
            #expect(client(chain, peer: peer)?.client == IPAddress("203.0.113.9"))
        }
        #expect(client("203.0.113.9", peer: "::127.0.0.1") == IPAddress("::127.0.0.1"))
        #expect(IPAddress("::ffff:1.2.3.4")?.clientID == IPAddress("1.2.3.4")?.clientID)
        let limiter = RateLimiter(RateLimit(perSecond: 1, burst: 1), clock: .system)
        #expect(limiter.take(for: try #require(IPAddress("203.0.113.9"))) == nil)
        #expect(limiter.take(for: try #require(IPAddress("::ffff:203.0.113.9"))) != nil)
        #expect(limiter.take(for: try #require(IPAddress("::ffff:203.0.113.8"))) == nil)
    }

    @Test("a bucket fills while its address rests")
    func rate() throws {
        let now = Mutex(Int64(0))
        let clock = TimeSource(monotonic: { now.withLock { $0 } }, wall: { 0 })
        let limiter = RateLimiter(RateLimit(perSecond: 2, burst: 3), clock: clock)
        let one = try #require(IPAddress("203.0.113.9"))
        let other = try #require(IPAddress("203.0.113.10"))
        #expect((0..<3).allSatisfy { _ in limiter.take(for: one) == nil })
        #expect(limiter.take(for: one) == 1)
        #expect(limiter.take(for: other) == nil)
        now.withLock { $0 = 500_000_000 }
        #expect(limiter.take(for: one) == nil)
        #expect(limiter.take(for: one) == 1)
        // Lookups of caches cost a tenth.
        now.withLock { $0 = 1_000_000_000 }
        #expect((0..<10).allSatisfy { _ in limiter.take(0.1, for: one) == nil })
        #expect(limiter.take(0.1, for: one) == 1)
        now.withLock { $0 = 100_000_000_000 }
        #expect((0..<3).allSatisfy { _ in limiter.take(for: one) == nil })
        #expect(limiter.take(for: one) == 1)
    }

    @Test("a network of version 6 is one client")
    func networks() throws {
        let limiter = RateLimiter(RateLimit(perSecond: 1, burst: 1), clock: .system)
        #expect(limiter.take(for: try #require(IPAddress("2001:db8:1:2::1"))) == nil)
        #expect(limiter.take(for: try #require(IPAddress("2001:db8:1:2::9"))) != nil)
        #expect(limiter.take(for: try #require(IPAddress("2001:db8:1:3::1"))) == nil)
    }
}
