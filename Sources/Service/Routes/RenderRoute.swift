import Bytes
import Encoders
import HTTP
import Motion
import Rendering
import Synchronization

/// The handler of `/render` and `/r/…`.
final class RenderRoute: Sendable {
    private let settings: ServiceSettings
    private let renderer: Renderer
    private let drain: DrainSignal
    private let memo: RequestMemo

    init(settings: ServiceSettings, renderer: Renderer, drain: DrainSignal) {
        self.settings = settings
        self.renderer = renderer
        self.drain = drain
        memo = RequestMemo(
            cacheCapacity: settings.rendering.cacheBytes, budget: renderer.budget)
    }

    func respond(to source: NegotiatedRequest.Source, context: RequestContext) {
        let negotiated: NegotiatedRequest
        let fonts = renderer.fonts
        do throws(Problem) {
            negotiated = try memo.request(context.request, fonts: fonts) { () throws(Problem) in
                try NegotiatedRequest(
                    context.request, source: source, settings: settings, fonts: fonts)
            }
        } catch {
            return context.fail(Self.problem(error, of: source))
        }
        if let response = notModified(negotiated, for: context.request) {
            return context.send(response)
        }
        let receiver = ResponseReceiver(context, settings, drain: drain) { [self] outcome in
            switch outcome {
            case .success(let output): send(output, for: negotiated, context: context)
            case .failure(let problem): context.fail(Self.problem(problem, of: source))
            }
        }
        let (request, wantsGzip) = (negotiated.resolved, negotiated.wantsGzip)
        if context.request.method == .head {
            renderer.describe(request, wantsGzip: wantsGzip, for: receiver)
        } else {
            renderer.render(request, wantsGzip: wantsGzip, for: receiver)
        }
    }

    /// Returns the problem as the answer shows it: lines that are typed are answered by a picture,
    /// and with 422, as readme-typing-svg does it.
    private static func problem(_ problem: Problem, of source: NegotiatedRequest.Source) -> Problem
    {
        guard case .typing = source else { return problem }
        var problem = problem
        problem.isDrawn = true
        if problem.status == .badRequest { problem.status = .unprocessableContent }
        return problem
    }

    private func send(
        _ output: RenderedOutput, for negotiated: NegotiatedRequest, context: RequestContext
    ) {
        var response = Response(
            fields: negotiated.head {
                var fields = cacheFields(negotiated, location: output.head.location)
                fields.add("Content-Type", negotiated.format.mediaType)
                fields.add("Titlecard-Duration", NumberText.of(output.head.duration))
                if let codes = output.head.warningCodes { fields.add("Titlecard-Warnings", codes) }
                if negotiated.format.mediaType.isSame(as: SVGFormat.mediaType) {
                    fields.add("Content-Security-Policy", ResponsePolicy.svgPolicy)
                }
                return fields
            })
        let cache = output.isCached.map { $0 ? "hit" : "miss" }
        switch output.content {
        case .gzip(let bytes):
            response.fields.add("Content-Encoding", "gzip")
            response.body = .bytes(bytes)
            context.send(response, cache: cache)
        case .plain(let bytes):
            if negotiated.wantsGzip {
                response.fields["ETag"] = negotiated.entityTag(isGzip: false)
            }
            response.body = .bytes(bytes)
            context.send(response, cache: cache)
        case .stream(let stream):
            // A long text is not compressed.
            if negotiated.wantsGzip {
                response.fields["ETag"] = negotiated.entityTag(isGzip: false)
            }
            context.send(response, stream: stream, cache: cache)
        case .omitted: context.send(response, stream: nil, cache: cache)
        }
    }

    /// Returns 304 if the client has the rendering, which then need not be made; otherwise nil.
    private func notModified(
        _ negotiated: NegotiatedRequest, for request: HTTP.Request
    ) -> Response? {
        guard request.method != .post, let known = request.fields.combined("If-None-Match") else {
            return nil
        }
        let list = EntityTagList(known)
        let isKnown = [false, true].contains {
            list.matches(negotiated.entityTag(isGzip: $0))
        }
        guard isKnown else { return nil }
        let location = renderer.location(of: negotiated.resolved)
        return Response(
            status: .notModified, fields: cacheFields(negotiated, location: location))
    }

    private func cacheFields(_ negotiated: NegotiatedRequest, location: String) -> Fields {
        var fields = Fields()
        fields.add("ETag", negotiated.entityTag(isGzip: negotiated.wantsGzip))
        fields.add(
            "Cache-Control",
            negotiated.isPermanent ? "public, max-age=31536000, immutable" : settings.cacheControl)
        if let location = negotiated.permission.permalink(
            location, of: negotiated.resolved.request, settings)
        {
            fields.add("Content-Location", location)
        }
        switch (negotiated.negotiation.dependsOnAccept, negotiated.format.isText) {
        case (true, true): fields.add("Vary", "Accept, Accept-Encoding")
        case (true, false): fields.add("Vary", "Accept")
        case (false, true): fields.add("Vary", "Accept-Encoding")
        case (false, false): break
        }
        return fields
    }
}

/// A receiver that turns errors of renderings into problems.
final class ResponseReceiver: RenderingReceiver {
    private let context: RequestContext
    private let settings: ServiceSettings
    private let drain: DrainSignal
    private let respond: @Sendable (Result<RenderedOutput, Problem>) -> Void

    /// - Parameters:
    ///   - context: The request for which it is rendered.
    ///   - settings: The settings, which say what proxies are trusted.
    ///   - drain: The signal that shutdown has begun.
    ///   - respond: Sends the response; called once, unless the client has gone.
    init(
        _ context: RequestContext, _ settings: ServiceSettings, drain: DrainSignal,
        respond: @escaping @Sendable (Result<RenderedOutput, Problem>) -> Void
    ) {
        self.context = context
        self.settings = settings
        self.drain = drain
        self.respond = respond
    }

    var isAbandoned: Bool { context.isAbandoned }

    var client: ClientID {
        let address = ClientAddress.of(context.request, trusting: settings.trustedProxies)
        return IPAddress(address)?.clientID ?? .anonymous
    }

    func receive(_ result: Result<RenderedOutput, RenderingError>) {
        respond(
            result.mapError { error in
                error == .queueFull && drain.isDraining ? .draining : Problem(error)
            })
    }
}

/// A cache of checked requests.
///
/// It holds only requests with GET and HEAD, which the target and two fields determine.
private final class RequestMemo: Sendable {
    private struct Key: Hashable, Sendable {
        let target: ByteString
        let accept: ByteString?
        let acceptsGzip: Bool
    }

    private let requests = Mutex(LeastRecentlyUsed<Key, NegotiatedRequest>())

    /// The approximate number of bytes in memory.
    private let capacity: Int
    private let budget: MemoryBudget

    /// Makes a memo with a small part of the cache's capacity.
    init(cacheCapacity: Int, budget: MemoryBudget) {
        capacity = cacheCapacity / 16
        self.budget = budget
    }

    /// Returns a checked request, which `read` reads if it is not cached.
    func request(
        _ request: HTTP.Request, fonts: FontReading,
        _ read: () throws(Problem) -> NegotiatedRequest
    ) throws(Problem) -> NegotiatedRequest {
        guard request.method != .post else { return try read() }
        let key = Key(
            target: ByteString(request.target),
            accept: request.fields.combined("Accept").map { ByteString($0) },
            acceptsGzip: AcceptEncoding.acceptsGzip(request.fields.combined("Accept-Encoding")))
        if let known = requests.withLock({ $0.use(key) }), known.resolved.fonts === fonts {
            return known
        }
        let negotiated = try read()
        // A checked request takes several times the memory of its text, which a permalink inflates.
        let texts = negotiated.resolved.request.canonical.utf8.count
        let cost = 8 * (key.target.utf8.count + (key.accept?.utf8.count ?? 0) + texts) + 4096
        guard cost <= capacity / 8 else { return negotiated }
        // Freed outside of the lock.
        _ = requests.withLock { requests in
            requests.insert(negotiated, for: key, cost: cost)
            let allowed = budget.allowed(
                for: .requests, wanted: min(requests.cost, capacity))
            defer { budget.set(.requests, to: requests.cost) }
            return requests.shrink(to: allowed)
        }
        return negotiated
    }
}
