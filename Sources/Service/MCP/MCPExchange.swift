import Bytes
import HTTP
import Motion
import Rendering

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
            if version.isStateless {
                code == .unknownMethod ? Status.notFound : .badRequest
            } else {
                Status.ok
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
        if version.isStateless {
            members.insert(("resultType", "complete"), at: 0)
            if isKept {
                members += [("ttlMs", .number(Self.lifetime)), ("cacheScope", "public")]
            }
            members.append(("_meta", ["io.modelcontextprotocol/serverInfo": Self.server]))
        }
        return Self.response(["jsonrpc": "2.0", "id": id, "result": .object(members)])
    }
}
