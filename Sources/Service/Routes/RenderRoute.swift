import Encoders
import HTTP
import Motion
import Typesetting

/// Answers `/render` and `/r/…`: everything here runs on a render thread.
struct RenderRoute: Sendable {
    /// Where the request is.
    enum Source: Sendable {
        /// In the query or the body; the path may name the format.
        case parameters(extension: (any OutputFormat.Type)?)
        /// In the path.
        case permalink(token: String, extension: any OutputFormat.Type)
    }

    let pipeline: RenderPipeline
    let settings: ServiceSettings
    let pool: RenderPool
    /// Of fonts and libraries.
    let fingerprint: UInt64

    func response(
        to request: HTTP.Request, from source: Source, on worker: RenderWorker
    ) throws(Problem) -> Response {
        let (rendering, negotiation, isPermanent) = try read(request, source)
        let format = negotiation.format
        let wantsGzip =
            format.isText && AcceptEncoding.acceptsGzip(request.fields.combined("Accept-Encoding"))
        let tag = entityTag(of: rendering, format)
        var response = Response(status: .ok)
        let fields = cacheFields(rendering, negotiation, isPermanent: isPermanent, worker)
        for (name, value) in fields { response.fields.add(name, value) }
        response.fields["ETag"] = wantsGzip ? tag.gzip : tag.plain

        if request.method != .post, let known = request.fields.combined("If-None-Match") {
            let list = EntityTagList(known)
            if list.matches(tag.plain) || list.matches(tag.gzip) {
                response.status = .notModified
                return response
            }
        }
        let scene = try pipeline.scene(of: rendering, on: worker)
        response.fields["Content-Type"] = format.mediaType
        response.fields["Titlecard-Duration"] = NumberText.of(scene.duration.seconds)
        if format.mediaType == SVGFormat.mediaType {
            response.fields["Content-Security-Policy"] = Self.svgPolicy
        }
        if let streamed = format as? any StreamedFormat.Type {
            let file = try pipeline.file(of: scene, as: streamed, rendering.output)
            // Nobody waits for a length that takes the whole rendering to know.
            response.body =
                request.method == .head
                ? .stream(StreamedRendering(file, pool))
                : try StreamedRendering.body(of: file, pool, worker)
            return response
        }
        var bytes = try pipeline.bytes(of: scene, as: format, rendering.output, on: worker)
        if wantsGzip {
            bytes = worker.gzip.deflated(bytes)
            response.fields["Content-Encoding"] = "gzip"
        }
        response.body = .bytes(bytes)
        return response
    }

    static let svgPolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"

    // MARK: Reading

    private func read(
        _ request: HTTP.Request, _ source: Source
    ) throws(Problem) -> (RenderRequest, Negotiation, isPermanent: Bool) {
        switch source {
        case .parameters(let fileExtension):
            let raw = try RequestDecoder.decode(request)
            let rendering = try RequestReader.read(raw, limits: pipeline.limits)
            let negotiation = try Negotiation(
                extension: fileExtension, requested: rendering.format,
                accept: request.fields.combined("Accept"))
            return (rendering, negotiation, false)
        case .permalink(let token, let fileExtension):
            if let query = request.query, !query.isEmpty {
                let names = try RequestDecoder.form(Array(query.utf8))
                let given = (names.values.keys + (names.texts.isEmpty ? [] : ["text"])).sorted()
                guard given.isEmpty else {
                    throw .invalid(
                        given.map {
                            ParameterFault(
                                parameter: $0, message: "a permalink takes no other parameters")
                        })
                }
            }
            let raw = try Permalink.request(in: token[...], limit: pipeline.limits.permalinkBytes)
            let rendering = try RequestReader.read(raw, limits: pipeline.limits)
            let negotiation = try Negotiation(
                extension: fileExtension, requested: nil, accept: nil)
            return (rendering, negotiation, true)
        }
    }

    // MARK: Fields

    private func entityTag(
        of rendering: RenderRequest, _ format: any OutputFormat.Type
    ) -> (plain: String, gzip: String) {
        let digest = Digest.of([
            rendering.canonical, format.name, Release.version, String(fingerprint, radix: 16),
        ])
        return ("\"\(digest.text)\"", "\"\(digest.text)-gzip\"")
    }

    private func cacheFields(
        _ rendering: RenderRequest, _ negotiation: Negotiation, isPermanent: Bool,
        _ worker: RenderWorker
    ) -> [(String, String)] {
        var fields = [
            (
                "Cache-Control",
                isPermanent ? "public, max-age=31536000, immutable" : settings.cacheControl
            )
        ]
        let token = Permalink.token(of: rendering.canonical, worker.permalinks)
        let location = "/r/\(token).\(negotiation.format.fileExtension)"
        if location.utf8.count <= settings.targetBytes {
            fields.append(("Content-Location", location))
        }
        let vary = [
            negotiation.dependsOnAccept ? "Accept" : nil,
            negotiation.format.isText ? "Accept-Encoding" : nil,
        ].compactMap { $0 }
        if !vary.isEmpty { fields.append(("Vary", vary.joined(separator: ", "))) }
        return fields
    }
}
