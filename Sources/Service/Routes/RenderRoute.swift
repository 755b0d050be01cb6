import Bytes
import Encoders
import HTTP
import Rendering
import Synchronization

/// The handler of `/render` and `/r/…`.
struct RenderRoute: Sendable {
    let resources: RouteResources

    /// Responds at once to a request that came before; other requests are read on another thread.
    func respond(to source: RenderingSource, context: RequestContext) {
        let key = RequestMemo.Key(context.request, of: source, resources)
        if let key, let known = resources.memo.request(key) {
            return respond(with: known, to: source, context: context)
        }
        resources.readers.submit(for: context) { [self] in
            do throws(Problem) {
                let negotiated = try NegotiatedRequest(context.request, source: source, resources)
                if let pending = resources.pending(for: negotiated) { return pending.hold(context) }
                // What the permission of an address that ends says is not true for long.
                if let key, negotiated.permission.expiry == nil {
                    resources.memo.keep(negotiated, for: key)
                }
                respond(with: negotiated, to: source, context: context)
            } catch {
                context.fail(Self.problem(error, of: source, context.request))
            }
        }
    }

    private func respond(
        with negotiated: NegotiatedRequest, to source: RenderingSource,
        context: RequestContext
    ) {
        let key = CanonicalRoute.KeyMatch(context.request, negotiated.key)
        if case .newer(let revision) = key { return context.fail(.newerRevision(revision)) }
        if let response = notModified(negotiated, for: context.request) {
            return context.send(response)
        }
        let receiver = ResponseReceiver(context, resources) { [self] outcome in
            switch outcome {
            case .success(let output):
                send(output, for: negotiated, isKept: key == .same, context: context)
            case .failure(let problem):
                context.fail(Self.problem(problem, of: source, context.request))
            }
        }
        let (request, wantsGzip) = (negotiated.resolved, negotiated.wantsGzip)
        if context.request.method == .head {
            resources.renderer.describe(request, wantsGzip: wantsGzip, for: receiver)
        } else {
            resources.renderer.render(request, wantsGzip: wantsGzip, for: receiver)
        }
    }

    /// Returns the problem as the answer shows it: lines that are typed are answered by a picture,
    /// unless the client prefers JSON, and with 422, as readme-typing-svg does it.
    private static func problem(
        _ problem: Problem, of source: RenderingSource, _ request: HTTP.Request
    ) -> Problem {
        guard case .typing = source else { return problem }
        var problem = problem
        problem.isDrawn = !ErrorCard.isUnwanted(by: request)
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
                fields.add(
                    "Content-Disposition",
                    DownloadName(of: negotiated.resolved.request)
                        .disposition(of: negotiated.format))
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
                cacheFields(
                    negotiated, location: resources.renderer.location(of: negotiated.resolved))
            })
    }

    private func cacheFields(_ negotiated: NegotiatedRequest, location: String) -> Fields {
        var fields = Fields()
        fields.add("ETag", negotiated.entityTag(isGzip: negotiated.wantsGzip))
        fields.add("Cache-Control", negotiated.cacheControl)
        if let location = negotiated.permission.permalink(
            location, of: negotiated.resolved, resources.settings)
        {
            fields.add("Content-Location", location)
        }
        if let vary = negotiated.vary { fields.add("Vary", vary) }
        fields.add(ResponsePolicy.anywhere)
        resources.settings.cacheTags.add(
            ["titlecard", "format-\(negotiated.negotiation.format.name)", negotiated.key],
            to: &fields)
        return fields
    }
}

extension Response {
    /// Cuts a whole content down to the part that a request asks for: video players ask for parts.
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
