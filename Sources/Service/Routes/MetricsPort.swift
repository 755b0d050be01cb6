import Bytes
package import HTTP

/// The handler of a port of its own for metrics: `/metrics`, and nothing else.
package struct MetricsPort: Handler {
    private let application: Application

    package init(of application: Application) {
        self.application = application
    }

    package func handle(_ request: Request, _ responder: Responder) {
        // Of all that monitoring asks there, the log has lines for debugging only.
        let context = application.policy.context(
            of: request, route: .metrics, responder: responder)
        guard request.path.isSame(as: RoutePath.metrics) else { return context.fail(.notFound) }
        guard request.method == .get || request.method == .head else {
            return context.refuseMethod(allowing: [.get, .head])
        }
        application.metrics.respond { context.send($0) }
    }

    package func response(to failure: ProtocolFailure, from address: String) -> Response {
        application.response(to: failure, from: address)
    }
}
