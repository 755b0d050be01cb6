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
    /// The parameters as documents describe them.
    private let schema: RequestSchema
    /// The parameters that requests may have; nil for all.
    private let taken: [ByteString]?
    private let tools = Mutex<JSONNode?>(nil)

    init(_ resources: RouteResources) {
        self.resources = resources
        origins = AllowedOrigins(resources.settings)
        schema = resources.settings.openSchema
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
        switch (exchange.version.isStateless, message.method) {
        case (false, "initialize"):
            guard case .string(let version)? = message.parameters["protocolVersion"] else {
                throw exchange.fault(
                    .invalidParameters, "params.protocolVersion must be a string", of: message)
            }
            exchange.send([
                ("protocolVersion", .string(MCPVersion.agreed(with: version).rawValue)),
                ("capabilities", Self.capabilities), ("serverInfo", MCPExchange.server),
                ("instructions", .string(Self.instructions)),
            ])
        case (false, "ping"): exchange.send([])
        case (true, "server/discover"):
            exchange.send(
                [
                    ("supportedVersions", MCPVersion.names), ("capabilities", Self.capabilities),
                    ("instructions", .string(Self.instructions)),
                ], isKept: true)
        case (_, "tools/list"): try list("tools", definitions, message, exchange)
        case (_, "tools/call"): try call(message, exchange)
        case (_, "resources/list"):
            try list("resources", [MCPGuide.definition], message, exchange)
        case (_, "resources/templates/list"):
            try list("resourceTemplates", [], message, exchange)
        case (_, "resources/read"): try read(message, exchange)
        case (_, let method):
            throw exchange.fault(
                .unknownMethod, "unknown method \"\(method.text.shortened(to: 60))\"", of: message)
        }
    }

    private static let capabilities: JSONNode = ["tools": .object([]), "resources": .object([])]
    private static let instructions =
        "Titlecard turns text into animations: SVG, GIF, APNG, WebP, Lottie, videos, or a still "
        + "PNG. Most wishes take one call of render: a text, a preset for its look, and for the "
        + "place that it goes to, as \"for\". Use describe to learn the effects, presets, and "
        + "targets; the resource \(MCPGuide.address) has examples."

    private func list(
        _ name: String, _ entries: JSONNode, _ message: MCPMessage, _ exchange: MCPExchange
    ) throws(MCPFault) {
        guard message.parameters["cursor"] == nil else {
            throw exchange.fault(
                .invalidParameters, "params.cursor must not be given: the list has one page",
                of: message)
        }
        exchange.send([(name, entries)], isKept: true)
    }

    /// Answers with a resource, of which there is one.
    private func read(_ message: MCPMessage, _ exchange: MCPExchange) throws(MCPFault) {
        guard case .string(let address)? = message.parameters["uri"] else {
            throw exchange.fault(.invalidParameters, "params.uri must be a string", of: message)
        }
        guard address.isSame(as: MCPGuide.address) else {
            throw exchange.fault(
                exchange.version.isStateless ? .invalidParameters : .unknownResource,
                "unknown resource \"\(address.shortened(to: 60))\"; there is \(MCPGuide.address)",
                of: message)
        }
        let guide = AssistantGuide(schema, taken: taken)
        exchange.send([("contents", [MCPGuide.contents(guide)])], isKept: true)
    }

    /// The definitions of all tools.
    private var definitions: JSONNode {
        tools.withLock { tools in
            let node =
                tools
                ?? .array(
                    MCPTool.allCases.map {
                        $0.node(schema, taken: taken)
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
                let description = MCPDescription(schema, taken: taken)
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
        let addresses = try addresses(of: negotiated, arguments, exchange)
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
        let addresses = try addresses(of: negotiated, arguments, exchange)
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

    /// Returns the addresses at which the client may ask for the rendering of a call's arguments.
    private func addresses(
        of negotiated: NegotiatedRequest, _ arguments: [ByteString: RawValue],
        _ exchange: MCPExchange
    ) throws(Problem) -> MCPRendering.Addresses {
        let (settings, permission) = (resources.settings, negotiated.permission)
        let origin = try settings.origin(of: exchange.context.request)
        // Where there is a key, others are refused an address without a signature.
        guard settings.signer == nil || permission.isSigned else { return .init() }
        func permalink(_ request: ResolvedRequest) -> String? {
            permission.permalink(resources.renderer.location(of: request), of: request, settings)
                .map { origin + $0 }
        }
        let resolved = negotiated.resolved
        let url = permission.readable(
            RawRequest(members: arguments), as: negotiated.format, settings)
        var addresses = MCPRendering.Addresses(
            url: url.map { origin + $0 }, permalink: permalink(resolved))
        // A place that takes stills takes no animation.
        if !negotiated.format.isAnimated, arguments["for"] == nil {
            let format = settings.rendering.schema.formats.defaultEntry
            addresses.animation = try Problem.catching { () throws(RenderingError) in
                permalink(try ResolvedRequest(resolved.request, as: format, fonts: resolved.fonts))
            }
        }
        return addresses
    }
}
