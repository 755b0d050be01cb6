import Bytes
import Encoders
import HTTP
import Rendering
import Synchronization

/// The handler of `/render` and `/r/…`.
final class RenderRoute: Sendable {
    private let settings: ServiceSettings
    private let renderer: Renderer
    private let drain: DrainSignal
    private let readers: RequestReaders
    private let memo: RequestMemo

    init(
        settings: ServiceSettings, renderer: Renderer, readers: RequestReaders, drain: DrainSignal
    ) {
        self.settings = settings
        self.renderer = renderer
        self.readers = readers
        self.drain = drain
        memo = RequestMemo(
            cacheCapacity: settings.rendering.cacheBytes, budget: renderer.budget)
    }

    func respond(to source: NegotiatedRequest.Source, context: RequestContext) {
        let isLarge = source.takesLong || RequestReaders.isLarge(context.request)
        let fonts = renderer.fonts
        let key = isLarge ? nil : RequestMemo.Key(context.request)
        if let key, let known = memo.request(key, fonts: fonts) {
            return respond(with: known, to: source, context: context)
        }
        guard !isLarge, let source = Self.withSmallJSON(source) else {
            return readers.submit(for: context) { [self] in read(source, key: nil, context) }
        }
        read(source, key: key, context)
    }

    /// Returns the source, of a permalink with its JSON; nil for one that a loop must not read.
    private static func withSmallJSON(
        _ source: NegotiatedRequest.Source
    ) -> NegotiatedRequest.Source? {
        guard case .permalink(let path, _, let fileExtension) = source else { return source }
        guard
            let json = Permalink.smallJSON(in: path.token, limit: RequestReaders.smallBytes)
        else { return nil }
        return .permalink(path, json: json, extension: fileExtension)
    }

    /// Reads and checks a request, which is kept under its key if it has one, and goes on with it.
    private func read(
        _ source: NegotiatedRequest.Source, key: RequestMemo.Key?, _ context: RequestContext
    ) {
        let negotiated: NegotiatedRequest
        do throws(Problem) {
            negotiated = try NegotiatedRequest(
                context.request, source: source, settings: settings, fonts: renderer.fonts)
        } catch {
            return context.fail(Self.problem(error, of: source))
        }
        if let key { memo.keep(negotiated, for: key) }
        respond(with: negotiated, to: source, context: context)
    }

    private func respond(
        with negotiated: NegotiatedRequest, to source: NegotiatedRequest.Source,
        context: RequestContext
    ) {
        let key = CanonicalRoute.KeyMatch(context.request, negotiated.key)
        if case .newer(let revision) = key { return context.fail(.newerRevision(revision)) }
        if let response = notModified(negotiated, for: context.request) {
            return context.send(response)
        }
        let receiver = ResponseReceiver(
            context, trusting: settings.trustedProxies, drain: drain
        ) { [self] outcome in
            switch outcome {
            case .success(let output):
                send(output, for: negotiated, isKept: key == .same, context: context)
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

    /// Sends a rendering; `isKept` is false where caches must not keep it.
    private func send(
        _ output: RenderedOutput, for negotiated: NegotiatedRequest, isKept: Bool,
        context: RequestContext
    ) {
        var response = Response(
            fields: negotiated.head {
                var fields = cacheFields(negotiated, location: output.head.location)
                fields.add("Content-Type", negotiated.format.mediaType)
                fields.add("Titlecard-Duration", NumberText.of(output.head.duration))
                if let codes = output.head.warningCodes { fields.add("Titlecard-Warnings", codes) }
                if let fitted = output.head.fitted { fields.add("Titlecard-Fitted", fitted) }
                if negotiated.format.mediaType.isSame(as: SVGFormat.mediaType) {
                    fields.add("Content-Security-Policy", ResponsePolicy.svgPolicy)
                }
                return fields
            })
        if !isKept { response.fields["Cache-Control"] = "no-store" }
        let labels = RenderingLabels(
            format: negotiated.negotiation.format.name, isCached: output.isCached)
        switch output.content {
        case .gzip(let bytes):
            response.fields.add("Content-Encoding", "gzip")
            response.body = .bytes(bytes)
            context.send(response, rendering: labels)
        case .plain(let bytes):
            if negotiated.wantsGzip {
                response.fields["ETag"] = negotiated.entityTag(isGzip: false)
            }
            response.body = .bytes(bytes)
            if negotiated.format.isVideo, !response.takePart(askedForBy: context.request) {
                return context.fail(
                    .rangeNotSatisfiable(of: bytes.count),
                    adding: ["Content-Range": "bytes */\(bytes.count)"])
            }
            context.send(response, rendering: labels)
        case .stream(let stream):
            // A long text is not compressed.
            if negotiated.wantsGzip {
                response.fields["ETag"] = negotiated.entityTag(isGzip: false)
            }
            context.send(response, stream: stream, rendering: labels)
        case .omitted: context.send(response, stream: nil, rendering: labels)
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
        return Response(
            status: .notModified,
            fields: negotiated.unchangedHead {
                cacheFields(negotiated, location: renderer.location(of: negotiated.resolved))
            })
    }

    private func cacheFields(_ negotiated: NegotiatedRequest, location: String) -> Fields {
        var fields = Fields()
        fields.add("ETag", negotiated.entityTag(isGzip: negotiated.wantsGzip))
        fields.add("Cache-Control", negotiated.cacheControl)
        if let location = negotiated.permission.permalink(
            location, of: negotiated.resolved, settings)
        {
            fields.add("Content-Location", location)
        }
        if let vary = negotiated.vary { fields.add("Vary", vary) }
        fields.add(ResponsePolicy.anywhere)
        settings.cacheTags.add(
            ["titlecard", "format-\(negotiated.negotiation.format.name)", negotiated.key],
            to: &fields)
        return fields
    }
}

extension Response {
    /// Leaves of a whole content what a request asks for: players of videos ask for parts.
    ///
    /// - Returns: False if the content has no such part.
    fileprivate mutating func takePart(askedForBy request: HTTP.Request) -> Bool {
        guard case .bytes(let bytes) = body else { return true }
        fields["Accept-Ranges"] = "bytes"
        guard request.method == .get, let range = request.fields.combined("Range") else {
            return true
        }
        // Another tag, or a date: the client has a part of something else.
        if let known = request.fields.combined("If-Range"),
            !known.isSame(as: fields["ETag"] ?? "")
        {
            return true
        }
        switch ContentRange(range, of: bytes.count) {
        case .whole: break
        case .part(let part):
            status = .partialContent
            fields["Content-Range"] =
                "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(bytes.count)"
            body = .bytes(Array(bytes[part]))
        case .outside: return false
        }
        return true
    }
}

/// A receiver that turns errors of renderings into problems.
final class ResponseReceiver: RenderingReceiver {
    private let context: RequestContext
    private let trustedProxies: AddressRanges
    private let drain: DrainSignal
    private let respond: @Sendable (Result<RenderedOutput, Problem>) -> Void

    /// - Parameters:
    ///   - context: The request for which it is rendered.
    ///   - trustedProxies: The proxies that say who the client is.
    ///   - drain: The signal that shutdown has begun.
    ///   - respond: Sends the response; called once, unless the client has gone.
    init(
        _ context: RequestContext, trusting trustedProxies: AddressRanges, drain: DrainSignal,
        respond: @escaping @Sendable (Result<RenderedOutput, Problem>) -> Void
    ) {
        self.context = context
        self.trustedProxies = trustedProxies
        self.drain = drain
        self.respond = respond
    }

    var isAbandoned: Bool { context.isAbandoned }

    var client: ClientID {
        ClientAddress.of(context.request, trusting: trustedProxies)?.clientID ?? .anonymous
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
/// It holds only small requests with GET and HEAD, which the target and two fields determine.
private final class RequestMemo: Sendable {
    struct Key: Hashable, Sendable {
        let target: ByteString
        let accept: ByteString?
        let acceptsGzip: Bool

        /// Makes the key of a request; nil if the request is not kept.
        init?(_ request: HTTP.Request) {
            guard request.method != .post else { return nil }
            target = ByteString(request.target)
            accept = request.fields.combined("Accept").map { ByteString($0) }
            acceptsGzip = AcceptEncoding.acceptsGzip(request.fields.combined("Accept-Encoding"))
        }

        var byteCount: Int { target.utf8.count + (accept?.utf8.count ?? 0) }
    }

    private let requests = Mutex(LeastRecentlyUsed<Key, NegotiatedRequest>())

    /// Bytes of memory.
    private let capacity: Int
    private let budget: MemoryBudget

    /// Makes a memo with a small part of the cache's capacity.
    init(cacheCapacity: Int, budget: MemoryBudget) {
        capacity = cacheCapacity / 16
        self.budget = budget
    }

    /// Returns the checked request of a key, if it is kept.
    func request(_ key: Key, fonts: FontReading) -> NegotiatedRequest? {
        guard let known = requests.withLock({ $0.use(key) }), known.resolved.fonts === fonts else {
            return nil
        }
        return known
    }

    /// Keeps a checked request, unless it takes more memory than it had bytes when it was sent.
    func keep(_ request: NegotiatedRequest, for key: Key) {
        let canonicalBytes = request.resolved.request.canonical.utf8.count
        guard canonicalBytes <= RequestReaders.smallBytes else { return }
        // The types of a checked request take 4 KB. Its texts stand in it in several forms: as
        // written, as typeset, in the canonical request, in the key, and in the address.
        let cost = 4096 + 16 * canonicalBytes + 2 * key.byteCount
        // Those for which there is no room any more are freed outside of the lock.
        _ = requests.withLock { requests in
            requests.insert(request, for: key, cost: cost)
            let removed = requests.shrink(
                to: budget.allowed(for: .requests, wanted: min(requests.cost, capacity)))
            budget.set(.requests, to: requests.cost)
            return removed
        }
    }
}
