import HTTP
import Rendering
import Synchronization
import Testing
import Typesetting

@testable import Service

/// The service without sockets: requests in, answers out.
@Suite struct ApplicationTests {
    private static let catalog = Result { try FontCatalog() }

    private func application(_ change: (inout ServiceSettings) -> Void = { _ in }) throws
        -> Application
    {
        var settings = ServiceSettings()
        settings.rendering.workers = 1
        change(&settings)
        return try Application(
            settings: settings, catalog: try Self.catalog.get(), drain: DrainSignal())
    }

    private func answer(_ application: Application, _ request: HTTP.Request) async -> Response {
        await withCheckedContinuation { continuation in
            application.handle(request, Responder { continuation.resume(returning: $0) })
        }
    }

    @Test("a rendering carries what caches and browsers need")
    func fields() async throws {
        let application = try application()
        defer { application.stop() }
        let response = await answer(
            application, HTTP.Request(method: .get, target: "/render?text=Hi"))
        #expect(response.status == .ok)
        #expect(response.fields["Content-Type"] == "image/svg+xml")
        #expect(response.fields["Vary"] == "Accept, Accept-Encoding")
        #expect(response.fields["Titlecard-Duration"] == "1.3")
        #expect(response.fields["Titlecard-Warnings"] == nil)
        #expect(
            response.fields["Access-Control-Expose-Headers"]
                == "Content-Disposition, Content-Location, ETag, Retry-After, Server-Timing, "
                + "Titlecard-Duration, Titlecard-Fitted, Titlecard-Key, Titlecard-Location, "
                + "Titlecard-Warnings, X-Request-Id")
        #expect(response.fields["Cross-Origin-Resource-Policy"] == "cross-origin")
        #expect(response.fields["X-Content-Type-Options"] == "nosniff")
        let location = try #require(response.fields["Content-Location"])
        let again = await answer(application, HTTP.Request(method: .get, target: location))
        #expect(again.fields["ETag"] == response.fields["ETag"])
        #expect(again.fields["Cache-Control"] == "public, max-age=31536000, immutable")
    }

    @Test("a permalink is kept forever; in an older revision for an hour, with its own defaults")
    func revisions() async throws {
        let application = try application()
        defer { application.stop() }
        let rendering = await answer(application, HTTP.Request(target: "/render?text=Hi"))
        let earlier = await answer(
            application, HTTP.Request(target: "/render?text=Hi&defaults=0.3"))
        #expect(earlier.fields["ETag"] != rendering.fields["ETag"])
        let location = try #require(rendering.fields["Content-Location"])
        let own = "/r/\(Renderer.revision)/"
        #expect(location.hasPrefix(own))
        let token = location.dropFirst(own.count)
        let forever = "public, max-age=31536000, immutable"
        let hour = "public, max-age=3600"
        for (target, lifetime, meant) in [
            (location, forever, rendering), ("/r/3/\(token)", hour, earlier),
            ("/r/1/\(token)", hour, earlier), ("/r/\(token)", hour, earlier),
        ] {
            let response = await answer(application, HTTP.Request(target: target))
            #expect(response.status == .ok)
            #expect(response.fields["Cache-Control"] == lifetime)
            #expect(response.fields["ETag"] == meant.fields["ETag"])
            #expect(response.fields["Content-Location"] == meant.fields["Content-Location"])
        }
        let newer = await answer(
            application, HTTP.Request(target: "/r/\(Renderer.revision + 1)/\(token)"))
        #expect(newer.status == .serviceUnavailable)
        #expect(newer.fields["Cache-Control"] == "no-store")
        #expect(newer.fields["Retry-After"] == "10")
        let malformed = await answer(application, HTTP.Request(target: "/r/02/\(token)"))
        #expect(malformed.status == .notFound)
    }

    @Test("no cache keeps an error, whoever made it")
    func errors() async throws {
        let kept: Fields = ["Cache-Control": "public, max-age=86400", "ETag": "\"a\""]
        let policy = ResponsePolicy(
            ServiceSettings(), metrics: Metrics(start: 0), log: nil)
        for status in [
            Status.ok, .notModified, .badRequest, .rangeNotSatisfiable, .internalServerError,
        ] {
            let response = await withCheckedContinuation { continuation in
                policy.context(
                    of: HTTP.Request(target: "/"), route: .other,
                    responder: Responder { continuation.resume(returning: $0) }
                ).send(Response(status: status, fields: kept))
            }
            let expected = status.code < 400 ? kept : ["Cache-Control": "no-store"]
            for name in ["Cache-Control", "ETag"] as [FieldName] {
                #expect(response.fields.all(name) == expected.all(name), "\(status.code)")
            }
        }
        let application = try application()
        defer { application.stop() }
        let failure = ProtocolFailure(.internalServerError, "the request was left unanswered")
        #expect(application.response(to: failure, from: "").fields["Cache-Control"] == "no-store")
    }

    @Test("a full queue answers 503 at once, and health stays")
    func fullQueue() async throws {
        let application = try application { $0.rendering.queueLength = 1 }
        defer { application.stop() }
        let statuses = await withTaskGroup(of: Int.self) { group in
            for seed in 0..<12 {
                // Equal requests would share one rendering.
                let target = "/render.png?scale=2&width=800&height=600&seed=\(seed)&text=wait"
                group.addTask {
                    await answer(application, HTTP.Request(target: target)).status.code
                }
            }
            group.addTask { await answer(application, HTTP.Request(target: "/health")).status.code }
            return await group.reduce(into: [Int]()) { $0.append($1) }
        }
        #expect(statuses.contains(503))
        #expect(statuses.contains(200))
        #expect(statuses.allSatisfy { [200, 503].contains($0) })
    }

    @Test("what is kept is sent plain where nobody is free to compress it")
    func keptButNotCompressed() async throws {
        let application = try application()
        let plain = await answer(application, HTTP.Request(target: "/render.svg?text=kept"))
        application.stop()
        var request = HTTP.Request(target: "/render.svg?text=kept")
        request.fields["Accept-Encoding"] = "gzip"
        let response = await answer(application, request)
        #expect(response.status == .ok)
        let lines = [response, plain].map { response in
            response.fields.map { "\($0.name): \($0.value)" }
                .filter { !$0.hasPrefix("X-Request-Id: ") }.sorted()
        }
        #expect(lines[0] == lines[1])
        request = HTTP.Request(target: "/render.svg?text=not+kept", fields: request.fields)
        #expect(await answer(application, request).status == .serviceUnavailable)
    }

    @Test("health tells when shutdown has begun")
    func draining() async throws {
        let drain = DrainSignal()
        let application = try Application(
            settings: ServiceSettings(), catalog: try Self.catalog.get(), drain: drain)
        defer { application.stop() }
        #expect(await answer(application, HTTP.Request(target: "/health")).status == .ok)
        let server = Server(
            on: .host("127.0.0.1", port: 0), loops: 1, drain: drain, handler: application)
        server.shutdown()
        let response = await answer(application, HTTP.Request(target: "/health"))
        #expect(response.status == .serviceUnavailable)
        // A restart would change nothing.
        let live = await answer(application, HTTP.Request(target: "/health?live"))
        #expect(live.status == .ok)
        let other = await answer(application, HTTP.Request(target: "/health?lively"))
        #expect(other.status == .serviceUnavailable)
    }

    @Test("a visit comes to a reader")
    func visit() async throws {
        let application = try application()
        defer { application.stop() }
        await withCheckedContinuation { continuation in
            application.visitReaders { continuation.resume() }
        }
    }

    @Test("an image that fails shows what is wrong")
    func errorCard() async throws {
        let application = try application()
        defer { application.stop() }
        let response = await answer(
            application,
            HTTP.Request(
                method: .get, target: "/render?text=a&efect=fade",
                fields: ["Sec-Fetch-Dest": "image"]))
        #expect(response.status == .badRequest)
        #expect(response.fields["Content-Type"] == "image/svg+xml")
        guard case .bytes(let bytes) = response.body else {
            Issue.record("no body")
            return
        }
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.contains("efect: unknown; did you mean &quot;effect&quot;?"))
    }
}
