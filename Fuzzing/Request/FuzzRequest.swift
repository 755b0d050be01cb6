import HTTP

/// The bytes of a connection: what comes of them does not depend on how they are split, keeps to
/// the limits, and means the same when it is written anew.
enum FuzzRequest: FuzzTarget {
    static func take(_ input: [UInt8]) {
        let whole = outcomes([input[...]], limits)
        let single = input.indices.map { input[$0...$0] }
        check(outcomes(single, limits) == whole, "fed byte by byte it is not \(whole)")
        check(outcomes(split(input), limits) == whole, "fed in pieces it is not \(whole)")
        for case .request(let request) in whole {
            checkLimits(request)
            checkRewritten(request)
        }
    }

    /// Small enough that inputs of a kilobyte reach them.
    private static let limits: ServerLimits = {
        var limits = ServerLimits()
        limits.methodBytes = 8
        limits.targetBytes = 128
        limits.headBytes = 512
        limits.fieldCount = 8
        limits.bodyBytes = 256
        limits.chunkExtensionBytes = 16
        return limits
    }()

    // MARK: Parsing

    private struct Parsed: Equatable {
        var method: Method
        var target: String
        var path: String
        var query: String?
        var version: Version
        var fields: Fields
        var body: [UInt8]

        init(_ request: Request) {
            method = request.method
            target = request.target
            path = request.path
            query = request.query
            version = request.version
            fields = request.fields
            body = request.body
        }
    }

    private enum Outcome: Equatable {
        case request(Parsed)
        case continueExpected
        case failure(ProtocolFailure)
    }

    private static func outcomes(
        _ pieces: [ArraySlice<UInt8>], _ limits: ServerLimits
    ) -> [Outcome] {
        var parser = RequestParser(limits: limits, remoteAddress: "")
        var outcomes: [Outcome] = []
        for piece in pieces {
            var position = 0
            do throws(ProtocolFailure) {
                let bytes = Array(piece)
                while let event = try parser.parse(bytes.span, from: &position) {
                    switch event {
                    case .request(let request): outcomes.append(.request(Parsed(request)))
                    case .continueExpected: outcomes.append(.continueExpected)
                    }
                }
            } catch {
                return outcomes + [.failure(error)]
            }
        }
        return outcomes
    }

    /// Pieces of lengths that the input's own bytes give.
    private static func split(_ input: [UInt8]) -> [ArraySlice<UInt8>] {
        var rest = input[...]
        var pieces: [ArraySlice<UInt8>] = []
        while let first = rest.first {
            let length = Int(first) % 29 + 1
            pieces.append(rest.prefix(length))
            rest = rest.dropFirst(length)
        }
        return pieces
    }

    // MARK: Rules

    private static func checkLimits(_ request: Parsed) {
        check((1...8).contains(request.method.rawValue.utf8.count), "\(request) has no method")
        check(request.target.utf8.count <= limits.targetBytes, "\(request) has a long target")
        check(request.fields.count <= limits.fieldCount, "\(request) has many fields")
        check(request.body.count <= limits.bodyBytes, "\(request) has a large body")
        check(
            request.path.utf8.first == UInt8(ascii: "/") || request.path == "*",
            "\(request) has another path")
        check(!request.path.utf8.contains(UInt8(ascii: "?")), "\(request) has a query in its path")
        for (name, value) in request.fields {
            check(!name.isEmpty, "\(request) has a field without a name")
            check(
                value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 },
                "\(request) has controls in a field")
        }
    }

    /// Another reader of the same request finds no second one in it.
    private static func checkRewritten(_ request: Parsed) {
        let version = request.version == .http11 ? "HTTP/1.1" : "HTTP/1.0"
        var head = "\(request.method.rawValue) \(request.target) \(version)\r\n"
        for (name, value) in request.fields
        where !["content-length", "transfer-encoding", "expect"].contains(name.lowercased()) {
            head += "\(name): \(value)\r\n"
        }
        let wire = Array("\(head)Content-Length: \(request.body.count)\r\n\r\n".utf8) + request.body
        guard case .request(let again)? = outcomes([wire[...]], ServerLimits()).first else {
            return check(false, "\(request) is refused when it is written anew")
        }
        check(
            again.method == request.method && again.target == request.target
                && again.query == request.query && again.body == request.body,
            "\(request) becomes \(again)")
    }
}
