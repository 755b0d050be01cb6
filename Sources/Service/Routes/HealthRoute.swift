import Bytes
import HTTP
import Rendering

/// The handler of `/health`: whether the service can render, or with `?live` only that it answers.
struct HealthRoute: Sendable {
    let resources: RouteResources

    func respond(_ context: RequestContext) {
        let isLiveness = context.request.query?.isSame(as: "live") == true
        context.send(isLiveness ? Self.healthy : response)
    }

    private var response: Response {
        if resources.drain.isDraining { return Self.draining }
        let renderer = resources.renderer
        let reasons = renderer.failures
        guard !reasons.isEmpty else { return Self.healthy }
        // A load balancer may send no requests until the response is 200.
        renderer.trySample()
        let body: JSONNode = ["status": "failing", "reasons": .array(reasons.map { .string($0) })]
        return Response(
            status: .serviceUnavailable, fields: Self.healthy.fields, body: .bytes(body.bytes))
    }

    private static let healthy = Response(
        fields: ["Content-Type": "application/json", "Cache-Control": "no-store"],
        body: .bytes(Array(#"{"status":"ok"}"#.utf8)))
    private static let draining = Response(
        status: .serviceUnavailable, fields: healthy.fields,
        body: .bytes(Array(#"{"status":"draining"}"#.utf8)))
}
