import Testing

@testable import HTTP

/// Bytes that a client sends, and the outcome that is expected.
struct RawRequest: Sendable, CustomTestStringConvertible {
    enum Fate: Sendable {
        /// The connection accepts another request.
        case open
        /// The connection is closed after the last answer.
        case closed
        /// The last request is incomplete.
        case waiting
    }

    let testDescription: String
    let bytes: [UInt8]
    /// The status of each answer; 200 stands for a request that reaches the handler.
    let statuses: [Int]
    let fate: Fate

    /// A case of a text; by default only a failure closes the connection.
    init(_ description: String, _ text: String, statuses: Int..., fate: Fate? = nil) {
        testDescription = description
        bytes = Array(text.utf8)
        self.statuses = statuses
        self.fate = fate ?? (statuses.last.map { $0 < 400 } == true ? .open : .closed)
    }

    /// A case of several requests that are all served.
    init(_ description: String, _ text: String, count: Int) {
        testDescription = description
        bytes = Array(text.utf8)
        statuses = Array(repeating: 200, count: count)
        fate = .open
    }

    /// A case of bytes that are not text.
    init(_ description: String, bytes: [UInt8], status: Int) {
        testDescription = description
        self.bytes = bytes
        statuses = [status]
        fate = status < 400 ? .open : .closed
    }
}

/// A request with a Host and further lines.
func get(_ target: String, _ lines: String...) -> String {
    "GET \(target) HTTP/1.1\r\nHost: a.example\r\n\(lines.map { $0 + "\r\n" }.joined())\r\n"
}

/// A request with content.
func post(_ lines: String..., content: String = "") -> String {
    "POST /echo HTTP/1.1\r\nHost: a.example\r\n\(lines.map { $0 + "\r\n" }.joined())\r\n\(content)"
}

/// The outcome of parsing bytes in pieces.
struct ParserRun: Equatable {
    var requests: [String] = []
    var statuses: [Int] = []
    var fate = RawRequest.Fate.open

    init(_ pieces: [ArraySlice<UInt8>], limits: ServerLimits = ServerLimits()) {
        var parser = RequestParser(limits: limits, remoteAddress: "")
        do throws(ProtocolFailure) {
            for piece in pieces {
                var position = 0
                while position < piece.count, fate != .closed {
                    guard
                        case .request(let request)? = try parser.parse(piece.span, from: &position)
                    else { continue }
                    requests.append(Self.description(of: request))
                    statuses.append(200)
                    fate = request.keepsAlive ? .open : .closed
                }
            }
            if fate == .open, parser.progress != .idle { fate = .waiting }
        } catch {
            statuses.append(error.status.code)
            fate = .closed
        }
    }

    private static func description(of request: Request) -> String {
        let fields = request.fields.map { "\($0.name)=\($0.value)" }
        return """
            \(request.method.rawValue) \(request.target) \(request.path) \(request.query ?? "-") \
            \(request.version) \(fields) \(request.body)
            """
    }
}
