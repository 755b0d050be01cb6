import Bytes
import Encoders
import HTTP
import Motion
import Raster
import Rendering

/// The handler of `/element`: a `<title-card>` with its picture, for servers that write pages.
struct ElementRoute: Sendable {
    let resources: RouteResources

    func respond(_ context: RequestContext) {
        resources.readers.submit(for: context) { [self] in read(context) }
    }

    private func read(_ context: RequestContext) {
        let element: TitleCardElement
        let negotiated: NegotiatedRequest
        do throws(Problem) {
            let raw = try RequestDecoder.decode(context.request)
            let schema = resources.settings.rendering.schema
            element = try Problem.catching { () throws(RenderingError) in
                try TitleCardElement(of: raw, schema: schema)
            }
            negotiated = try NegotiatedRequest(
                context.request,
                source: .message(element.request, format: schema.formats.defaultEntry),
                resources)
        } catch {
            return context.fail(error)
        }
        let receiver = ResponseReceiver(context, resources) { [self] outcome in
            switch outcome {
            case .success(let output): send(output, of: element, negotiated, context)
            case .failure(let problem): context.fail(problem)
            }
        }
        resources.renderer.render(negotiated.resolved, wantsGzip: false, for: receiver)
    }

    private func send(
        _ output: RenderedOutput, of element: TitleCardElement, _ negotiated: NegotiatedRequest,
        _ context: RequestContext
    ) {
        guard case .plain(let svg) = output.content else {
            return context.fail(
                Problem(
                    .contentTooLarge, "Too large for a page", "text",
                    "makes an SVG of more than 1 MiB; link to it"))
        }
        let markup = element.markup(
            svg, duration: output.head.duration,
            texts: negotiated.resolved.request.plainTexts)
        do throws(LibraryFault) {
            let document = try Document(
                bytes: markup, mediaType: "text/html; charset=utf-8", isText: true,
                cacheControl: negotiated.cacheControl, policy: ResponsePolicy.svgPolicy)
            context.send(
                document.response(to: context.request),
                rendering: RenderingLabels(
                    format: negotiated.negotiation.format.name, isCached: output.isCached))
        } catch {
            context.fail(Problem(.library(error)))
        }
    }
}
