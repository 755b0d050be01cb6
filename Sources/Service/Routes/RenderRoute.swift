import Encoders
import HTTP
import Rendering

/// Answers `/render` and `/r/…`.
final class RenderRoute: Sendable {
    private let settings: ServiceSettings
    private let renderer: Renderer
    private let drain: DrainSignal
    private let memo: RequestMemo

    init(_ settings: ServiceSettings, _ renderer: Renderer, _ drain: DrainSignal) {
        self.settings = settings
        self.renderer = renderer
        self.drain = drain
        memo = RequestMemo(cacheCapacity: settings.rendering.cacheBytes)
    }

    func answer(_ source: NegotiatedRequest.Source, _ context: RequestContext) {
        let negotiated: NegotiatedRequest
        let fonts = renderer.fonts
        do throws(Problem) {
            negotiated = try memo.request(context.request, fonts: fonts) { () throws(Problem) in
                try NegotiatedRequest(context.request, source, settings, fonts: fonts)
            }
        } catch {
            return context.fail(error)
        }
        if let response = notModified(negotiated, for: context.request) {
            return context.send(response)
        }
        let receiver = ResponseReceiver(self, negotiated, context)
        if context.request.method == .head, negotiated.resolved.isStreamed {
            renderer.describe(negotiated.resolved, for: receiver)
        } else {
            renderer.render(
                negotiated.resolved, wantsGzip: negotiated.wantsGzip, for: receiver)
        }
    }

    /// Turns a rendering into a response.
    private final class ResponseReceiver: RenderingReceiver {
        private let route: RenderRoute
        private let negotiated: NegotiatedRequest
        private let context: RequestContext

        init(
            _ route: RenderRoute, _ negotiated: NegotiatedRequest, _ context: RequestContext
        ) {
            self.route = route
            self.negotiated = negotiated
            self.context = context
        }

        var isAbandoned: Bool { context.isAbandoned }

        func receive(_ result: Result<RenderedOutput, RenderingError>) {
            switch result {
            case .success(let output): route.send(output, negotiated, context)
            case .failure(.queueFull) where route.drain.isDraining: context.fail(.draining)
            case .failure(let error): context.fail(Problem(error))
            }
        }
    }

    private func send(
        _ output: RenderedOutput, _ negotiated: NegotiatedRequest, _ context: RequestContext
    ) {
        var response = Response(
            fields: negotiated.head {
                var fields = cacheFields(negotiated, location: output.location)
                fields.add("Content-Type", negotiated.format.mediaType)
                fields.add("Titlecard-Duration", output.duration)
                if negotiated.format.mediaType == SVGFormat.mediaType {
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
        case .stream(let stream): context.send(response, stream, cache: cache)
        case .omitted: context.send(response, nil, cache: cache)
        }
    }

    /// Returns 304 where the client has the rendering; that takes no rendering.
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
        let location =
            negotiated.isSigned ? settings.signer?.signed(location) ?? location : location
        let canonical = negotiated.resolved.request.canonical
        let isTaken =
            location.utf8.count <= settings.http.longestTarget
            && canonical.utf8.count <= settings.rendering.limits.permalinkBytes
        if isTaken { fields.add("Content-Location", location) }
        switch (negotiated.negotiation.dependsOnAccept, negotiated.format.isText) {
        case (true, true): fields.add("Vary", "Accept, Accept-Encoding")
        case (true, false): fields.add("Vary", "Accept")
        case (false, true): fields.add("Vary", "Accept-Encoding")
        case (false, false): break
        }
        return fields
    }
}
