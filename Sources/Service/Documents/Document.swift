import Bytes
import Encoders
import HTTP
import Motion
import Raster
import Rendering

/// A response whose whole content is known, with its entity tag.
struct Document: Sendable {
    private let bytes: [UInt8]
    private let compressed: [UInt8]?
    private let mediaType: String
    private let cacheControl: String
    private let policy: String?
    private let tag: String
    private let dependsOnAccept: Bool

    /// - Parameters:
    ///   - bytes: The content.
    ///   - mediaType: The `Content-Type`.
    ///   - isText: True if a gzip variant is kept too.
    ///   - cacheControl: The `Cache-Control`.
    ///   - policy: The `Content-Security-Policy`, if there is one.
    ///   - dependsOnAccept: True if the path has another document, among which `Accept` chooses.
    /// - Throws: The fault of the compressor.
    init(
        bytes: [UInt8], mediaType: String, isText: Bool, cacheControl: String, policy: String?,
        dependsOnAccept: Bool = false
    ) throws(LibraryFault) {
        self.bytes = bytes
        self.mediaType = mediaType
        self.cacheControl = cacheControl
        self.policy = policy
        self.dependsOnAccept = dependsOnAccept
        compressed = isText && bytes.count > 200 ? try Deflater(.gzip).deflated(bytes) : nil
        tag = Digest([String(decoding: bytes, as: UTF8.self), mediaType]).text
    }

    /// Makes a JSON document.
    init(_ node: JSONNode, dependsOnAccept: Bool = false) throws(LibraryFault) {
        try self.init(
            text: node.bytes, mediaType: "application/json", dependsOnAccept: dependsOnAccept)
    }

    /// Makes a document of text, of a media type, which clients may keep as long as a catalogue.
    init(
        text: [UInt8], mediaType: String, dependsOnAccept: Bool = false
    ) throws(LibraryFault) {
        try self.init(
            bytes: text, mediaType: mediaType, isText: true, cacheControl: "public, max-age=300",
            policy: nil, dependsOnAccept: dependsOnAccept)
    }

    /// Makes the page of a catalogue, which stands beside its JSON.
    init(page: [UInt8]) throws(LibraryFault) {
        try self.init(
            bytes: page, mediaType: "text/html; charset=utf-8", isText: true,
            cacheControl: "public, max-age=300", policy: StaticFiles.policy, dependsOnAccept: true)
    }

    /// Returns the document, or 304 if the client has it.
    func response(to request: HTTP.Request) -> Response {
        let wantsGzip =
            compressed != nil
            && AcceptEncoding.acceptsGzip(request.fields.combined("Accept-Encoding"))
        let (plain, gzip) = ("\"\(tag)\"", "\"\(tag)-gzip\"")
        var response = Response(status: .ok)
        response.fields["ETag"] = wantsGzip ? gzip : plain
        response.fields["Cache-Control"] = cacheControl
        let varying =
            (dependsOnAccept ? ["Accept"] : []) + (compressed == nil ? [] : ["Accept-Encoding"])
        if !varying.isEmpty { response.fields["Vary"] = varying.joined(separator: ", ") }
        if let policy { response.fields["Content-Security-Policy"] = policy }
        if let known = request.fields.combined("If-None-Match") {
            let list = EntityTagList(known)
            if list.matches(plain) || list.matches(gzip) {
                response.status = .notModified
                return response
            }
        }
        response.fields["Content-Type"] = mediaType
        if wantsGzip, let compressed {
            response.fields["Content-Encoding"] = "gzip"
            response.body = .bytes(compressed)
        } else {
            response.body = .bytes(bytes)
        }
        return response
    }
}
