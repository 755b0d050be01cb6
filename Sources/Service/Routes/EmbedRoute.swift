import Bytes
import Encoders
import HTTP
import Motion
import Raster
import Rendering

/// The handler of `/embed`.
///
/// It checks and renders the request that it describes as `/render` does, so that whoever asks for
/// the rendering next finds it in the cache. Videos take seconds, and are only examined.
struct EmbedRoute: Sendable {
    let resources: RouteResources

    /// Responds on another thread: it compresses each address of its own.
    func respond(_ context: RequestContext) {
        resources.readers.submit(for: context) { [self] in read(context) }
    }

    private func read(_ context: RequestContext) {
        let negotiated: NegotiatedRequest
        let addresses: EmbedDocument.Addresses
        do throws(Problem) {
            var request = context.request
            // It is about the description, and so decides nothing about the rendering.
            request.fields["Accept"] = nil
            negotiated = try NegotiatedRequest(
                request, source: .parameters(extension: nil), resources)
            if let pending = resources.pending(for: negotiated) { return pending.hold(context) }
            addresses = try self.addresses(of: negotiated, request)
        } catch {
            return context.fail(error)
        }
        let receiver = ResponseReceiver(context, resources) { [self] outcome in
            switch outcome {
            case .success(let output):
                let document = EmbedDocument(
                    request: negotiated.resolved, head: output.head, addresses: addresses)
                send(document, of: negotiated, isCached: output.isCached, context)
            case .failure(let problem): context.fail(problem)
            }
        }
        let resolved = negotiated.resolved
        if resolved.formatType.isVideo {
            resources.renderer.examine(resolved, for: receiver)
        } else {
            resources.renderer.describe(resolved, wantsGzip: false, for: receiver)
        }
    }

    private func send(
        _ content: EmbedDocument, of negotiated: NegotiatedRequest, isCached: Bool?,
        _ context: RequestContext
    ) {
        do throws(LibraryFault) {
            // Addresses made from one client's fields are of no use to others.
            let document = try Document(
                bytes: content.node.bytes, mediaType: "application/json", isText: false,
                cacheControl: resources.settings.publicURL == nil
                    ? "no-store" : negotiated.cacheControl,
                policy: nil)
            context.send(
                document.response(to: context.request),
                rendering: RenderingLabels(format: RenderingLabels.noFormat, isCached: isCached))
        } catch {
            context.fail(Problem(.library(error)))
        }
    }

    // MARK: Addresses

    private func addresses(
        of negotiated: NegotiatedRequest, _ request: HTTP.Request
    ) throws(Problem) -> EmbedDocument.Addresses {
        let (resolved, permission) = (negotiated.resolved, negotiated.permission)
        let origin = try resources.settings.origin(of: request)
        func permalink(_ request: ResolvedRequest) -> String? {
            permission.permalink(
                resources.renderer.location(of: request), of: request, resources.settings
            )
            .map { origin + $0 }
        }
        let query = permission.readable(
            try RequestDecoder.decode(request), as: negotiated.format, resources.settings)
        var addresses = EmbedDocument.Addresses(
            query: query.map { origin + $0 }, permalink: permalink(resolved))
        let (schema, limits) = (
            resources.settings.rendering.schema, resources.settings.rendering.limits
        )
        let format = negotiated.negotiation.format
        try Problem.catching { () throws(RenderingError) in
            let schemes = try SchemeRequests(of: resolved.request, schema: schema, limits: limits)
            func pictures(
                as format: FormatCatalog.Entry,
                _ change: (RenderRequest) throws(RenderingError) -> RenderRequest
            ) throws(RenderingError) -> EmbedDocument.Pictures? {
                func address(_ request: RenderRequest) throws(RenderingError) -> String? {
                    permalink(
                        try ResolvedRequest(
                            try change(request), as: format, fonts: resolved.fonts))
                }
                guard let light = try address(schemes?.light ?? resolved.request) else {
                    return nil
                }
                guard let schemes else { return EmbedDocument.Pictures(light: light) }
                guard let dark = try address(schemes.dark) else { return nil }
                return EmbedDocument.Pictures(
                    light: light, dark: dark, areOfOneSize: schemes.areOfOneSize)
            }
            addresses.pictures = try pictures(as: format) { $0 }
            guard format.type.mediaType.begins(with: "image/"), format.type.isAnimated,
                !format.type.followsReducedMotion, let still = schema.formats.still
            else { return }
            addresses.stills = try pictures(as: still) { request throws(RenderingError) in
                try request.still(of: format, as: still, schema: schema, limits: limits)
            }
        }
        return addresses
    }
}
