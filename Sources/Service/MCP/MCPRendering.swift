import Bytes
import Encoders
import HTTP
import Rendering

/// A rendering in the answers of the tools `render` and `check`.
struct MCPRendering: Sendable {
    /// Where the client may ask for the file.
    struct Addresses: Sendable {
        /// The address with the request in its query, for people; nil where no query expresses it,
        /// or the client may have no addresses.
        var url: String?
        /// The address that always gives the same file; nil if the client may have none.
        var permalink: String?
        /// For a still, the permalink of the animation.
        var animation: String?
    }

    private let negotiated: NegotiatedRequest
    private let head: RenderedHead
    private let isCached: Bool?
    private let addresses: Addresses

    init(_ negotiated: NegotiatedRequest, _ output: RenderedOutput, _ addresses: Addresses) {
        (self.negotiated, self.addresses) = (negotiated, addresses)
        (head, isCached) = (output.head, output.isCached)
    }

    private var format: any OutputFormat.Type { negotiated.format }

    /// The most bytes of a file that an answer holds.
    ///
    /// Assistants take answers of a megabyte, in which a picture is four thirds as long as its file,
    /// and much less of text, each word of which costs them.
    var limit: Int { format.isText ? 65_536 : 737_280 }

    /// Answers with the file, or without it if it is too long.
    func send(_ bytes: [UInt8]?, _ exchange: MCPExchange) {
        let labels = RenderingLabels(
            format: negotiated.negotiation.format.name, isCached: isCached)
        if let bytes, bytes.count <= limit {
            let size: JSONNode = .number(Double(bytes.count))
            return exchange.send(
                structured: .object(members + [("bytes", size)]), after: content(of: bytes),
                rendering: labels)
        }
        let reason = "the file has more than \(limit / 1024) KiB"
        guard let permalink = addresses.permalink else {
            return exchange.fail(
                Problem(
                    .unprocessableContent, "Limit exceeded", "format",
                    reason + "; an answer holds no more, and this server has no address for it"))
        }
        let link: JSONNode = [
            "type": "resource_link", "uri": .string(permalink), "name": .string(fileName),
            "mimeType": .string(format.mediaType),
        ]
        exchange.send(
            structured: .object(
                members + [("omitted", .string(reason + "; it is at its permalink"))]),
            after: exchange.version.hasLinks ? link : nil, rendering: labels)
    }

    /// Answers with the price instead of the file.
    func sendPrice(_ exchange: MCPExchange) {
        let price: JSONNode = [
            "bytes": .number(head.price.bytes.rounded()),
            "megapixels": .number((head.price.work * 100).rounded() / 100),
        ]
        exchange.send(
            structured: .object([("valid", true)] + members + [("price", price)]),
            rendering: RenderingLabels(
                format: negotiated.negotiation.format.name, isCached: isCached))
    }

    private var members: [(String, JSONNode)] {
        var members: [(String, JSONNode)] = [
            ("format", .string(negotiated.negotiation.format.name)),
            ("url", addresses.url.map { .string($0) } ?? .null),
            ("permalink", addresses.permalink.map { .string($0) } ?? .null),
        ]
        if let animation = addresses.animation { members.append(("animation", .string(animation))) }
        members += [
            ("width", .number(head.width)), ("height", .number(head.height)),
            ("duration", .number(head.duration)),
        ]
        if let fitted = head.fitted { members.append(("fitted", .string(fitted))) }
        return members + [
            ("warnings", .array(head.warnings.map(EmbedDocument.node)))
        ]
    }

    private var fileName: String { "titlecard.\(format.fileExtension)" }

    /// A picture is shown; text and anything else is a resource.
    private func content(of bytes: [UInt8]) -> JSONNode {
        let base64 = { String(decoding: Base64.standard.encoded(bytes), as: UTF8.self) }
        if !format.isText, format.mediaType.begins(with: "image/") {
            return [
                "type": "image", "data": .string(base64()),
                "mimeType": .string(format.mediaType),
            ]
        }
        let address = addresses.permalink ?? "titlecard:\(negotiated.key)/\(fileName)"
        let text = format.isText ? String(decoding: bytes, as: UTF8.self) : base64()
        return [
            "type": "resource",
            "resource": [
                "uri": .string(address), "mimeType": .string(format.mediaType),
                format.isText ? "text" : "blob": .string(text),
            ],
        ]
    }
}
