import Bytes
import HTTP
import Motion
import Rendering

/// A version of the Model Context Protocol, from the newest to the oldest.
enum MCPVersion: String, CaseIterable, Sendable {
    /// Every message says its version, and there is no session.
    case july2026 = "2026-07-28"
    /// From here on back `initialize` comes first, and agrees on the version.
    case november2025 = "2025-11-25"
    case june2025 = "2025-06-18"
    case march2025 = "2025-03-26"
    case november2024 = "2024-11-05"

    /// The version of a message that does not say it, as the protocol has it.
    static let unsaid = march2025

    static var names: JSONNode { .array(allCases.map { .string($0.rawValue) }) }

    init?(_ name: String) {
        guard let version = Self.allCases.first(where: { name.isSame(as: $0.rawValue) }) else {
            return nil
        }
        self = version
    }

    /// Returns the version to speak with a client whose newest has a name: that version, or else the
    /// newest with `initialize`.
    static func agreed(with name: String) -> MCPVersion {
        guard let version = MCPVersion(name), !version.isStateless else { return november2025 }
        return version
    }

    var isStateless: Bool { self == .july2026 }

    /// True if a result may link to a resource.
    var hasLinks: Bool {
        switch self {
        case .july2026, .november2025, .june2025: true
        case .march2025, .november2024: false
        }
    }
}

/// A request or a notification of the Model Context Protocol (JSON-RPC 2.0, section 4).
struct MCPMessage {
    /// The identifier, which the response repeats; nil for a notification.
    let id: JSONNode?
    let method: ByteString
    let parameters: [ByteString: RawValue]

    /// Reads the body of an HTTP request.
    ///
    /// - Throws: The first fault.
    init(json body: [UInt8]) throws(MCPFault) {
        let value: RawValue
        do {
            value = try RawValue.value(json: body, named: "body")
        } catch {
            let reason = error.faults.first?.message ?? "cannot be read"
            throw MCPFault(.malformed, "the body \(reason)")
        }
        guard case .object(let members) = value else {
            throw MCPFault(
                .invalidMessage, "the body must be one message, an object; got \(value.description)"
            )
        }
        let id = try members["id"].map(Self.id)
        func fault(_ message: String) -> MCPFault {
            MCPFault(.invalidMessage, message, id: id ?? .null)
        }
        guard case .string(let version)? = members["jsonrpc"], version.isSame(as: "2.0") else {
            throw fault("jsonrpc must be \"2.0\"")
        }
        guard case .string(let method)? = members["method"] else {
            throw fault("method must be a string")
        }
        switch members["params"] {
        case nil: parameters = [:]
        case .object(let members)?: parameters = members
        case let other?: throw fault("params must be an object; got \(other.description)")
        }
        (self.id, self.method) = (id, ByteString(method))
    }

    /// Returns an identifier: a string, or a whole number that survives being read and written.
    private static func id(_ raw: RawValue) throws(MCPFault) -> JSONNode {
        switch raw {
        case .string(let text): return .string(text)
        case .number(let number) where number == number.rounded() && abs(number) < 0x1p53:
            return .number(number)
        default:
            throw MCPFault(
                .invalidMessage, "id must be a string or a whole number; got \(raw.description)")
        }
    }

    /// Returns a fault of this message.
    func fault(
        _ code: MCPFault.Code, _ message: String, data: JSONNode? = nil, status: Status? = nil
    ) -> MCPFault {
        MCPFault(code, message, data: data, id: id ?? .null, status: status)
    }

    // MARK: Version

    private static let versionKey: ByteString = "io.modelcontextprotocol/protocolVersion"
    private static let capabilitiesKey: ByteString = "io.modelcontextprotocol/clientCapabilities"
    private static let versionField: FieldName = "MCP-Protocol-Version"
    /// The parameter that the field `Mcp-Name` repeats, by method.
    private static let named: [ByteString: ByteString] = [
        "tools/call": "name", "resources/read": "uri",
    ]

    /// Returns the version that the message is of.
    ///
    /// - Parameter fields: The header fields that came with it.
    /// - Returns: The version.
    /// - Throws: The fault of a version that is not known, or of fields that contradict the message.
    func version(_ fields: Fields) throws(MCPFault) -> MCPVersion {
        let field = fields[Self.versionField]
        var meta: [ByteString: RawValue] = [:]
        if case .object(let members)? = parameters["_meta"] { meta = members }
        let isStateless =
            meta[Self.versionKey] != nil
            || field?.isSame(as: MCPVersion.july2026.rawValue) == true
        // The protocol has no notification for which it asks for more than the field.
        guard isStateless, id != nil else {
            guard let field else { return .unsaid }
            guard let version = MCPVersion(field) else { throw unsupported(field) }
            return version
        }
        guard case .string(let version)? = meta[Self.versionKey] else {
            throw fault(
                .invalidParameters, "params._meta must have \(Self.versionKey), a string",
                status: .badRequest)
        }
        guard case .object? = meta[Self.capabilitiesKey] else {
            throw fault(
                .invalidParameters, "params._meta must have \(Self.capabilitiesKey), an object",
                status: .badRequest)
        }
        try check(fields, Self.versionField, "MCP-Protocol-Version", says: version)
        try check(fields, "Mcp-Method", "Mcp-Method", says: method.text)
        if let parameter = Self.named[method], case .string(let name)? = parameters[parameter] {
            try check(fields, "Mcp-Name", "Mcp-Name", says: name, decode: Self.decoded)
        }
        guard version.isSame(as: MCPVersion.july2026.rawValue) else {
            throw unsupported(version)
        }
        return .july2026
    }

    private func unsupported(_ version: String) -> MCPFault {
        fault(
            .unsupportedVersion, "unsupported protocol version",
            data: [
                "supported": MCPVersion.names, "requested": .string(version.shortened(to: 60)),
            ])
    }

    /// Checks that a field is there once, and agrees with the body; proxies rely on that.
    private func check(
        _ fields: Fields, _ field: FieldName, _ name: String, says expected: String,
        decode: (String) -> String? = { $0 }
    ) throws(MCPFault) {
        let values = fields.all(field)
        guard values.count == 1, decode(values[0])?.isSame(as: expected) == true else {
            throw fault(
                .headerMismatch,
                "the header field \(name) must match the body, "
                    + "\"\(expected.shortened(to: 60))\"")
        }
    }

    /// Returns the text in a field's value, which may be in base64 between `=?base64?` and `?=`;
    /// nil if that is malformed.
    private static func decoded(_ value: String) -> String? {
        let (start, end) = ("=?base64?", "?=")
        guard value.begins(with: start), value.ends(with: end),
            value.utf8.count >= start.utf8.count + end.utf8.count
        else { return value }
        let padded = value.dropping(first: start.utf8.count).dropping(last: end.utf8.count)
        let digits = padded.trimming { $0 == UInt8(ascii: "=") }
        guard let bytes = Base64.standard.decoded(digits),
            Base64.standard.encoded(bytes).elementsEqual(padded.utf8)
        else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }
}

/// An error that answers a message (JSON-RPC 2.0, section 5.1).
struct MCPFault: Error {
    /// The codes of JSON-RPC, then the codes of the protocol.
    enum Code: Int, Sendable {
        case malformed = -32700
        case invalidMessage = -32600
        case unknownMethod = -32601
        case invalidParameters = -32602
        case unknownResource = -32002
        case headerMismatch = -32020
        case unsupportedVersion = -32022
    }

    let code: Code
    /// The fault for people, a sentence without its full stop.
    let message: String
    let data: JSONNode?
    /// The identifier of the message; null if it could not be read.
    let id: JSONNode
    /// The status of the HTTP response.
    let status: Status

    init(
        _ code: Code, _ message: String, data: JSONNode? = nil, id: JSONNode = .null,
        status: Status? = nil
    ) {
        (self.code, self.message, self.data, self.id) = (code, message, data, id)
        self.status = status ?? .badRequest
    }

    /// The content of the response.
    var node: JSONNode {
        var error: [(String, JSONNode)] = [
            ("code", .number(Double(code.rawValue))), ("message", .string(message)),
        ]
        if let data { error.append(("data", data)) }
        return ["jsonrpc": "2.0", "id": id, "error": .object(error)]
    }
}
