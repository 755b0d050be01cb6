import Bytes
import HTTP
import Lists
import Motion
import Rendering
import Synchronization

/// The handler of `/batch`: a list of files in, a ZIP archive of them out.
///
/// The list is read whole before the answer begins: most clients send all of it before they read.
/// The archive is made while it is sent.
struct BatchRoute: Sendable {
    let resources: RouteResources

    static let mediaTypes: [ByteString] = [
        "application/jsonl", "application/x-ndjson", "text/plain", "application/octet-stream",
    ]

    func respond(_ context: RequestContext) {
        resources.readers.submit(for: context) { [self] in
            do throws(Problem) {
                let content = try content(of: context)
                context.send(
                    Response(
                        fields: [
                            "Content-Type": "application/zip", "Cache-Control": "no-store",
                            "Content-Disposition": "attachment; filename=\"titlecard.zip\"",
                        ], body: .stream(content)))
            } catch {
                context.fail(error)
            }
        }
    }

    private func content(of context: RequestContext) throws(Problem) -> BatchContent {
        let request = context.request
        let permission = try Permission(
            of: request, for: .parameters(extension: nil), settings: resources.settings)
        try RequestDecoder.checkBody(of: request, isOneOf: Self.mediaTypes)
        try RequestDecoder.checkQuery(of: request, isEmpty: "belongs in the lines of the body")
        let (lines, most) = (
            FileList.lineCount(of: request.body), resources.settings.batch.lines
        )
        guard lines <= most else {
            throw Problem(
                .contentTooLarge, "Too many lines", "body",
                "has \(lines) lines; the limit is \(most)")
        }
        let sender = BatchSender(
            context: context, permission: permission,
            address: ClientAddress.of(request, trusting: resources.settings.trustedProxies))
        guard let place = resources.batchPlaces.take(for: sender.client) else {
            throw .busyLists
        }
        guard resources.renderer.budget.reserve(request.body.count, for: .renderings) else {
            throw Problem(.memoryFull)
        }
        return BatchContent(request.body, from: sender, place, resources)
    }
}

/// The sender of a list.
struct BatchSender: Sendable {
    /// Its request.
    let context: RequestContext
    /// The permission of the lines.
    let permission: Permission
    /// The address whose limit the renderings count against; nil if it is unknown.
    let address: IPAddress?

    /// The client whose share the renderings take.
    var client: ClientID { address?.clientID ?? .anonymous }
}

extension Problem {
    /// The problem of a client whose list is under way.
    fileprivate static var busyLists: Problem {
        var problem = Problem(
            .serviceUnavailable,
            "Another list of this client is being rendered",
            retryAfter: 5)
        problem.refusal = .queueShare
        return problem
    }
}
