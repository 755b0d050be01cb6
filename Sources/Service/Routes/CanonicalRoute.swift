import Bytes
import Encoders
import HTTP
import Raster
package import Rendering

/// The handler of `/canonical`: the meaning of a request for a rendering, without the rendering.
///
/// Caches and builds ask for it, so that requests that mean the same are kept, or made, once. It
/// checks a request as its own route does, signature included.
struct CanonicalRoute: Sendable {
    /// The field by which a cache says under which key it keeps the answer.
    static let keyField: FieldName = "Titlecard-Key"
    let resources: RouteResources

    /// Returns the request that is asked about: the request for the target behind the prefix.
    ///
    /// - Returns: Nil if only a query stands there, which is a query of `/render`.
    private static func subject(of request: HTTP.Request) -> HTTP.Request? {
        let target = request.target.dropping(first: RoutePath.canonical.utf8.count)
        guard target.utf8.first == UInt8(ascii: "/") else { return nil }
        return HTTP.Request(
            method: request.method, target: String(target), version: request.version,
            fields: request.fields, remoteAddress: request.remoteAddress)
    }

    func respond(_ context: RequestContext) {
        // A query without a path is signed as it was sent.
        guard let subject = Self.subject(of: context.request) else {
            return respond(to: .parameters(extension: nil), of: context.request, context)
        }
        let formats = resources.settings.rendering.schema.formats
        guard let source = RenderingSource.lasting(of: subject, formats) else {
            return context.fail(.notFound)
        }
        respond(to: source, of: subject, context)
    }

    /// Responds on another thread: it compresses a permalink.
    ///
    /// - Parameters:
    ///   - source: The part of `subject` that names a rendering.
    ///   - subject: The request that is asked about.
    ///   - context: The request for `/canonical`.
    private func respond(
        to source: RenderingSource, of subject: HTTP.Request, _ context: RequestContext
    ) {
        resources.readers.submit(for: context) { [self] in
            do throws(Problem) {
                let negotiated = try NegotiatedRequest(
                    subject, source: source, resources)
                if let pending = resources.pending(for: negotiated) { return pending.hold(context) }
                context.send(response(of: negotiated))
            } catch {
                context.fail(error)
            }
        }
    }

    /// Returns the answer, which may be kept as long as the rendering, and varies by the same
    /// fields.
    private func response(of negotiated: NegotiatedRequest) -> Response {
        let location = negotiated.permission.permalink(
            resources.renderer.location(of: negotiated.resolved), of: negotiated.resolved,
            resources.settings)
        let node = JSONNode.object([
            ("key", .string(negotiated.key)),
            ("format", .string(negotiated.negotiation.format.name)),
            ("location", location.map { .string($0) } ?? .null),
        ])
        var response = Response(body: .bytes(node.bytes))
        response.fields["Content-Type"] = "application/json"
        response.fields["Cache-Control"] = negotiated.cacheControl
        // A cache that keeps keys for longer than this field says must not keep those of addresses that end.
        if negotiated.permission.expiry != nil { response.fields["X-Accel-Expires"] = "0" }
        if let vary = negotiated.vary { response.fields["Vary"] = vary }
        response.fields[Self.keyField] = negotiated.key
        if let location { response.fields["Titlecard-Location"] = location }
        return response
    }

    /// The relation of a cache's key to a rendering of this server.
    enum KeyMatch: Equatable {
        /// There is no key, or it is the rendering's.
        case same
        /// A server with other fonts or of an older release gave the key: under it the rendering
        /// must not be kept.
        case other
        /// A newer server gave the key. This server might draw the rendering differently.
        case newer(revision: UInt16)

        init(_ request: HTTP.Request, _ key: String) {
            guard let given = request.fields[CanonicalRoute.keyField], !given.isSame(as: key)
            else {
                self = .same
                return
            }
            let revision = given.pieces(separatedBy: "-").first.flatMap { UInt16($0) }
            self =
                if let revision, revision > Renderer.revision { .newer(revision: revision) } else {
                    .other
                }
        }
    }
}

/// The addresses of renderings, without a service.
package enum CanonicalLocation {
    /// Finds the path that stands for a target, as `/canonical` answers it.
    ///
    /// - Parameters:
    ///   - target: The path and query of a rendering; its signature is neither checked nor kept.
    ///   - schema: The parameters, effects, presets and formats.
    /// - Returns: The path of a permalink, or path and query of lines that are typed.
    /// - Throws: All faults of the request, or 404.
    package static func path(for target: String, _ schema: RequestSchema) throws(Problem) -> String
    {
        var settings = ServiceSettings()
        settings.rendering.schema = schema
        let request = HTTP.Request(target: target)
        guard let source = RenderingSource.lasting(of: request, schema.formats) else {
            throw .notFound
        }
        let checked = try CheckedRequest(request, source: source, settings: settings)
        let deflater = try Problem.catching { () throws(RenderingError) in
            try RenderingError.catching { () throws(LibraryFault) in try Deflater(.permalink) }
        }
        return Permalink.location(
            of: checked.request, as: checked.negotiation.format.type, deflater)
    }
}
