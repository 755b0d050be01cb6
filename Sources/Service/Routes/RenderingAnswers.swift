import Encoders
import HTTP
import Motion
import Rendering
import Synchronization

/// Words the answers of `/render` and `/r/…`.
final class RenderingAnswers: Sendable {
    private let settings: ServiceSettings
    private let permalinks: Mutex<Deflater>

    static let svgPolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"

    init(_ settings: ServiceSettings) throws(LibraryFault) {
        self.settings = settings
        permalinks = Mutex(try Deflater(.permalink))
    }

    /// The path of the permalink that means the same.
    func location(of asked: AskedRendering) -> String {
        let token = permalinks.withLock { Permalink.token(of: asked.request.canonical, $0) }
        return "/r/\(token).\(asked.format.fileExtension)"
    }

    /// 304 where the client has the rendering; that takes no rendering.
    func notModified(_ asked: AskedRendering, for request: HTTP.Request) -> Response? {
        guard request.method != .post, let known = request.fields.combined("If-None-Match") else {
            return nil
        }
        let list = EntityTagList(known)
        guard [false, true].contains(where: { list.matches(asked.entityTag(isGzip: $0)) }) else {
            return nil
        }
        return Response(
            status: .notModified, fields: cacheFields(asked, location: location(of: asked)))
    }

    /// A rendering, as it is or compressed.
    func response(_ asked: AskedRendering, _ rendering: Rendering, gzip: [UInt8]?) -> Response {
        var response = head(asked, location: rendering.location, duration: rendering.duration)
        if gzip != nil { response.fields.add("Content-Encoding", "gzip") }
        response.body = .bytes(gzip ?? rendering.bytes)
        return response
    }

    /// A rendering as it is, whether or not the client would take it compressed.
    func plain(_ asked: AskedRendering, _ rendering: Rendering) -> Response {
        var response = response(asked, rendering, gzip: nil)
        response.fields["ETag"] = asked.entityTag(isGzip: false)
        return response
    }

    /// A rendering that is made while it is sent.
    func response(
        _ asked: AskedRendering, _ source: any BodySource, location: String, duration: String
    ) -> Response {
        var response = head(asked, location: location, duration: duration)
        response.body = .stream(source)
        return response
    }

    private func head(
        _ asked: AskedRendering, location: String, duration: String
    ) -> Response {
        Response(
            fields: asked.head {
                var fields = cacheFields(asked, location: location)
                fields.add("Content-Type", asked.format.mediaType)
                fields.add("Titlecard-Duration", duration)
                if asked.format.mediaType == SVGFormat.mediaType {
                    fields.add("Content-Security-Policy", Self.svgPolicy)
                }
                return fields
            })
    }

    private func cacheFields(_ asked: AskedRendering, location: String) -> Fields {
        var fields = Fields()
        fields.add("ETag", asked.entityTag(isGzip: asked.wantsGzip))
        fields.add(
            "Cache-Control",
            asked.isPermanent ? "public, max-age=31536000, immutable" : settings.cacheControl)
        let location = asked.isSigned ? settings.signer?.signed(location) ?? location : location
        let isTaken =
            location.utf8.count <= settings.http.longestTarget
            && asked.request.canonical.utf8.count <= settings.limits.permalinkBytes
        if isTaken { fields.add("Content-Location", location) }
        switch (asked.negotiation.dependsOnAccept, asked.format.isText) {
        case (true, true): fields.add("Vary", "Accept, Accept-Encoding")
        case (true, false): fields.add("Vary", "Accept")
        case (false, true): fields.add("Vary", "Accept-Encoding")
        case (false, false): break
        }
        return fields
    }
}
