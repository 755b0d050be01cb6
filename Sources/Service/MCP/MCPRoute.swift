import Bytes
import Encoders
import HTTP
import Motion
import Rendering
import Synchronization

/// The handler of `/mcp`: tools for assistants, by the Model Context Protocol over HTTP.
///
/// Each message is answered by itself, in JSON; nothing is kept between two of them. A rendering is
/// read, permitted, made and counted as for `POST /render`.
final class MCPRoute: Sendable {
    /// The header fields that pages of other origins need leave to send.
    static let fields = "MCP-Protocol-Version, Mcp-Method, Mcp-Name"

    private let resources: RouteResources
    private let origins: AllowedOrigins
    /// The parameters that requests may have; nil for all.
    private let taken: [ByteString]?
    private let tools = Mutex<JSONNode?>(nil)

    init(_ resources: RouteResources) {
        self.resources = resources
        origins = AllowedOrigins(resources.settings)
        taken = resources.settings.onlyPresets ? Permission.parameters : nil
    }

    /// Responds on another thread: it compresses permalinks.
    func respond(_ context: RequestContext) {
        resources.readers.submit(for: context) { [self] in read(context) }
    }

    private func read(_ context: RequestContext) {
        do throws(Problem) {
            try origins.check(context.request)
            try RequestDecoder.checkBody(
                of: context.request, isOneOf: ["application/json"])
            let accept = AcceptField(context.request.fields.combined("Accept"))
            guard accept.quality(of: "application/json") > 0 else {
                throw Problem(
                    .notAcceptable, "No such format", "Accept", "must allow application/json")
            }
        } catch {
            return context.fail(error)
        }
        do throws(MCPFault) {
            let message = try MCPMessage(json: context.request.body)
            let version = try message.version(context.request.fields)
            guard let id = message.id else {
                return context.send(Response(status: .accepted))
            }
            try answer(message, MCPExchange(id: id, version: version, context: context))
        } catch {
            context.send(MCPExchange.response(error.node, status: error.status))
        }
    }

    private func answer(_ message: MCPMessage, _ exchange: MCPExchange) throws(MCPFault) {
        switch (exchange.version, message.method) {
        case (.initialized, "initialize"):
            guard case .string? = message.parameters["protocolVersion"] else {
                throw exchange.fault(
                    .invalidParameters, "params.protocolVersion must be a string", of: message)
            }
            exchange.send([
                ("protocolVersion", .string(exchange.version.rawValue)),
                ("capabilities", ["tools": .object([])]), ("serverInfo", MCPExchange.server),
                ("instructions", .string(Self.instructions)),
            ])
        case (.initialized, "ping"): exchange.send([])
        case (.stateless, "server/discover"):
            exchange.send(
                [
                    ("supportedVersions", MCPVersion.names),
                    ("capabilities", ["tools": .object([])]),
                    ("instructions", .string(Self.instructions)),
                ], isKept: true)
        case (_, "tools/list"):
            guard message.parameters["cursor"] == nil else {
                throw exchange.fault(
                    .invalidParameters, "params.cursor must not be given: the list has one page",
                    of: message)
            }
            exchange.send([("tools", definitions)], isKept: true)
        case (_, "tools/call"): try call(message, exchange)
        case (_, let method):
            throw exchange.fault(
                .unknownMethod, "unknown method \"\(method.text.shortened(to: 60))\"", of: message)
        }
    }

    private static let instructions =
        "Titlecard turns text into animations: SVG, GIF, APNG, WebP, Lottie, or a still PNG. "
        + "Use describe to learn the effects and presets, and render to draw."

    /// The definitions of all tools.
    private var definitions: JSONNode {
        tools.withLock { tools in
            let node =
                tools
                ?? .array(
                    MCPTool.allCases.map {
                        $0.node(resources.settings.rendering.schema, taken: taken)
                    })
            tools = node
            return node
        }
    }

    // MARK: Tools

    private func call(_ message: MCPMessage, _ exchange: MCPExchange) throws(MCPFault) {
        guard case .string(let name)? = message.parameters["name"] else {
            throw exchange.fault(.invalidParameters, "params.name must be a string", of: message)
        }
        var arguments: [ByteString: RawValue] = [:]
        switch message.parameters["arguments"] {
        case nil: break
        case .object(let members)?: arguments = members
        case let other?:
            throw exchange.fault(
                .invalidParameters,
                "params.arguments must be an object; got \(other.description)", of: message)
        }
        guard let tool = MCPTool.allCases.first(where: { name.isSame(as: $0.rawValue) }) else {
            let tools = MCPTool.allCases.map(\.rawValue).joined(separator: ", ")
            throw exchange.fault(
                .invalidParameters,
                "unknown tool \"\(name.shortened(to: 60))\"; the tools are \(tools)", of: message)
        }
        do throws(Problem) {
            switch tool {
            case .describe:
                let description = MCPDescription(resources.settings.rendering.schema, taken: taken)
                exchange.send(structured: try description.node(arguments))
            case .render: try render(arguments, exchange)
            case .check: try check(arguments, exchange)
            }
        } catch {
            exchange.fail(error)
        }
    }

    /// Returns the request in the arguments of a call.
    ///
    /// - Throws: All faults of the request; a missing or wrong signature comes first.
    private func negotiated(
        _ arguments: [ByteString: RawValue], _ exchange: MCPExchange
    ) throws(Problem) -> NegotiatedRequest {
        let formats = resources.settings.rendering.schema.formats
        return try NegotiatedRequest(
            exchange.context.request,
            source: .message(
                RawRequest(members: arguments), format: formats.still ?? formats.defaultEntry),
            resources)
    }

    private func render(
        _ arguments: [ByteString: RawValue], _ exchange: MCPExchange
    ) throws(Problem) {
        let negotiated = try negotiated(arguments, exchange)
        let addresses = try addresses(of: negotiated, exchange)
        let receiver = receiver(exchange) { [self] output in
            let result = MCPRendering(negotiated, output, addresses)
            switch output.content {
            case .plain(let bytes): result.send(bytes, exchange)
            case .stream(let stream):
                let collector = FileCollector(
                    stream, limit: result.limit, budget: resources.renderer.budget,
                    isAbandoned: { exchange.context.isAbandoned }
                ) { outcome in
                    switch outcome {
                    case .whole(let bytes): result.send(bytes, exchange)
                    case .tooLong: result.send(nil, exchange)
                    case .memoryFull: exchange.fail(Problem(.memoryFull))
                    case .failed(let problem): exchange.fail(problem)
                    }
                }
                collector.collect()
            // The request was for the whole file, uncompressed.
            case .gzip, .omitted: result.send(nil, exchange)
            }
        }
        resources.renderer.render(negotiated.resolved, wantsGzip: false, for: receiver)
    }

    private func check(
        _ arguments: [ByteString: RawValue], _ exchange: MCPExchange
    ) throws(Problem) {
        let negotiated: NegotiatedRequest
        do {
            negotiated = try self.negotiated(arguments, exchange)
        } catch {
            return try exchange.send(faultsOf: error)
        }
        let addresses = try addresses(of: negotiated, exchange)
        let receiver = receiver(exchange, isCheck: true) { output in
            MCPRendering(negotiated, output, addresses).sendPrice(exchange)
        }
        resources.renderer.examine(negotiated.resolved, for: receiver)
    }

    private func receiver(
        _ exchange: MCPExchange, isCheck: Bool = false,
        _ send: @escaping @Sendable (RenderedOutput) -> Void
    ) -> ResponseReceiver {
        ResponseReceiver(exchange.context, resources) { outcome in
            do throws(Problem) {
                switch outcome {
                case .success(let output): send(output)
                case .failure(let problem) where isCheck: try exchange.send(faultsOf: problem)
                case .failure(let problem): throw problem
                }
            } catch {
                exchange.fail(error)
            }
        }
    }

    /// Returns the addresses at which the client may ask for a rendering.
    private func addresses(
        of negotiated: NegotiatedRequest, _ exchange: MCPExchange
    ) throws(Problem) -> MCPRendering.Addresses {
        let origin = try resources.settings.origin(of: exchange.context.request)
        let permission = negotiated.permission
        // Where there is a key, others are refused an address without a signature.
        guard resources.settings.signer == nil || permission.isSigned else { return (nil, nil) }
        func permalink(_ request: ResolvedRequest) -> String? {
            permission.permalink(
                resources.renderer.location(of: request), of: request, resources.settings
            )
            .map { origin + $0 }
        }
        let resolved = negotiated.resolved
        var animation: String?
        if !negotiated.format.isAnimated {
            let format = resources.settings.rendering.schema.formats.defaultEntry
            animation = try Problem.catching { () throws(RenderingError) in
                permalink(try ResolvedRequest(resolved.request, as: format, fonts: resolved.fonts))
            }
        }
        return (permalink(resolved), animation)
    }
}

/// A rendering in the answers of the tools `render` and `check`.
private struct MCPRendering: Sendable {
    /// The address of the file, and for a still the address of the animation; nil if the client may
    /// have none.
    typealias Addresses = (permalink: String?, animation: String?)

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
            return exchange.send(
                structured: .object(members), after: content(of: bytes), rendering: labels)
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
            after: link, rendering: labels)
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
            ("permalink", addresses.permalink.map { .string($0) } ?? .null),
        ]
        if let animation = addresses.animation { members.append(("animation", .string(animation))) }
        return members + [
            ("width", .number(head.width)), ("height", .number(head.height)),
            ("duration", .number(head.duration)),
            ("warnings", .array(head.warnings.map(EmbedDocument.node))),
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

/// A message that is to be answered.
struct MCPExchange: Sendable {
    let id: JSONNode
    let version: MCPVersion
    let context: RequestContext

    static let server: JSONNode = [
        "name": "titlecard", "title": "Titlecard", "version": .string(Release.version),
    ]
    /// The milliseconds for which clients may keep results that depend only on the server.
    private static let lifetime = 300_000.0

    static func response(_ node: JSONNode, status: Status = .ok) -> Response {
        Response(
            status: status,
            fields: ["Content-Type": "application/json", "Cache-Control": "no-store"],
            body: .bytes(node.bytes))
    }

    /// Returns a fault of a message that could be read; only newer versions have a status for it.
    func fault(_ code: MCPFault.Code, _ text: String, of message: MCPMessage) -> MCPFault {
        let status =
            switch version {
            case .initialized: Status.ok
            case .stateless: code == .unknownMethod ? Status.notFound : .badRequest
            }
        return message.fault(code, text, status: status)
    }

    /// Sends a result.
    ///
    /// - Parameters:
    ///   - members: Its members without the members that every result has.
    ///   - isKept: True if clients may keep it for a while.
    ///   - rendering: The labels by which it is counted.
    func send(
        _ members: [(String, JSONNode)], isKept: Bool = false, rendering: RenderingLabels = .none
    ) {
        context.send(response(members, isKept: isKept), rendering: rendering)
    }

    /// Sends the result of a tool: content, and the structured content, also as text.
    func send(
        structured: JSONNode, after content: JSONNode? = nil, rendering: RenderingLabels = .none
    ) {
        let text: JSONNode = ["type": "text", "text": .string(structured.text)]
        send(
            [
                ("content", .array((content.map { [$0] } ?? []) + [text])),
                ("structuredContent", structured), ("isError", false),
            ], rendering: rendering)
    }

    /// Sends a problem as the result of a tool, in words that the model can act on.
    func fail(_ problem: Problem) {
        var lines = [problem.title]
        lines += problem.faults.map { LineText.escaped("- \($0.parameter): \($0.message)") }
        if let seconds = problem.retryAfter { lines.append("Try again after \(seconds) s.") }
        let text: JSONNode = ["type": "text", "text": .string(lines.joined(separator: "\n"))]
        context.fail(
            problem,
            with: response([
                ("content", [text]), ("structuredContent", context.json(of: problem)),
                ("isError", true),
            ]))
    }

    /// Sends the faults of a request that was checked.
    ///
    /// - Throws: The problem if it is not the request's.
    func send(faultsOf problem: Problem) throws(Problem) {
        guard [.badRequest, .unprocessableContent].contains(problem.status) else { throw problem }
        send(structured: ["valid": false, "errors": problem.errors])
    }

    private func response(_ members: [(String, JSONNode)], isKept: Bool = false) -> Response {
        var members = members
        if version == .stateless {
            members.insert(("resultType", "complete"), at: 0)
            if isKept {
                members += [("ttlMs", .number(Self.lifetime)), ("cacheScope", "public")]
            }
            members.append(("_meta", ["io.modelcontextprotocol/serverInfo": Self.server]))
        }
        return Self.response(["jsonrpc": "2.0", "id": id, "result": .object(members)])
    }
}
