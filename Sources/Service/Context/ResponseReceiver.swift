import HTTP
import Rendering

/// A receiver that turns errors of renderings into problems.
final class ResponseReceiver: RenderingReceiver {
    private let context: RequestContext
    private let resources: RouteResources
    private let respond: @Sendable (Result<RenderedOutput, Problem>) -> Void

    /// - Parameters:
    ///   - context: The request for which it is rendered.
    ///   - resources: The parts of the service.
    ///   - respond: Sends the response; called once, unless the client has gone.
    init(
        _ context: RequestContext, _ resources: RouteResources,
        respond: @escaping @Sendable (Result<RenderedOutput, Problem>) -> Void
    ) {
        self.context = context
        self.resources = resources
        self.respond = respond
    }

    var isAbandoned: Bool { context.isAbandoned }

    var client: ClientID { resources.readers.client(of: context.request) }

    func receive(_ result: Result<RenderedOutput, RenderingError>) {
        respond(
            result.mapError { error in
                error == .queueFull && resources.drain.isDraining ? .draining : Problem(error)
            })
    }
}
