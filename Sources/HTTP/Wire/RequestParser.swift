import Bytes

/// Incremental parser of requests (RFC 9112): a value that is fed bytes and knows no sockets.
///
/// The result does not depend on the splitting of the bytes, and no byte is read twice. After a
/// failure the parser is of no further use.
package struct RequestParser: Sendable {
    /// The outcome of the bytes so far.
    package enum Event: Sendable {
        /// A complete request; the bytes after it belong to the next one.
        case request(Request)
        /// The head is complete, and the client waits for a 100 before it sends the content.
        case continueExpected
    }

    /// The part of the present request that has come.
    enum Progress: Equatable, Sendable {
        case idle
        case head
        case content
    }

    private enum Stage: Sendable {
        case line
        case fields(RequestLine)
        case content(RequestLine, bytesLeft: Int)
        case chunks(RequestLine)
    }

    private let limits: ServerLimits
    let remoteAddress: String
    private var stage = Stage.line
    private var headBytes = 0
    private var lineParser = RequestLineParser()
    private var fieldParser = FieldParser()
    private var content: [UInt8] = []
    private var chunks = ChunkedParser()

    /// Makes a parser for one connection.
    package init(limits: ServerLimits, remoteAddress: String) {
        self.limits = limits
        self.remoteAddress = remoteAddress
    }

    var progress: Progress {
        switch stage {
        case .line: lineParser.isBlank ? .idle : .head
        case .fields: .head
        case .content, .chunks: .content
        }
    }

    /// The number of bytes of the present request that are held.
    var heldBytes: Int { headBytes + content.count + chunks.content.count }

    /// True if the present request's method is known and is HEAD, so that even an error has no
    /// content.
    var isHead: Bool { lineParser.method.elementsEqual(Method.head.rawValue.utf8) }

    /// Reads on from a position, which moves past the bytes that were read.
    ///
    /// - Returns: An event, after which this is to be called again; nil when the bytes are used up.
    /// - Throws: `ProtocolFailure` if the bytes cannot be a request, or pass a limit.
    package mutating func parse(
        _ input: Span<UInt8>, from position: inout Int
    ) throws(ProtocolFailure) -> Event? {
        while position < input.count {
            switch stage {
            case .line, .fields:
                if let event = try parseHead(input, &position) { return event }
            case .content(let line, let bytesLeft):
                let end = min(input.count, position + bytesLeft)
                content.append(input, position..<end)
                let missing = bytesLeft - (end - position)
                position = end
                stage = .content(line, bytesLeft: missing)
                if missing == 0 { return .request(finish(line)) }
            case .chunks(let line):
                guard try chunks.parse(input, &position, limits: limits(for: line)) else {
                    return nil
                }
                content = chunks.content
                chunks = ChunkedParser()
                return .request(finish(line))
            }
        }
        return nil
    }

    private mutating func parseHead(
        _ input: Span<UInt8>, _ position: inout Int
    ) throws(ProtocolFailure) -> Event? {
        let start = position
        let end = min(input.count, start + limits.headBytes - headBytes)
        var completeLine: RequestLine?
        if case .line = stage {
            if let line = try lineParser.parse(input, &position, upTo: end, limits: limits) {
                stage = .fields(line)
            }
        }
        if case .fields(let line) = stage {
            if try fieldParser.parse(input, &position, upTo: end, limits: limits) {
                completeLine = line
            }
        }
        headBytes += position - start
        if let completeLine { return try finishHead(completeLine) }
        guard headBytes < limits.headBytes else { throw .headTooLarge(limits) }
        return nil
    }

    private mutating func finishHead(_ line: RequestLine) throws(ProtocolFailure) -> Event? {
        let fields = fieldParser.fields
        try HeadRules.checkHost(line, fields)
        let framing = try Framing(fields, version: line.version, limits: limits(for: line))
        let expectsContinue = try HeadRules.expectsContinue(line, fields)
        switch framing {
        case .none: return .request(finish(line))
        case .length(let length): stage = .content(line, bytesLeft: length)
        case .chunked: stage = .chunks(line)
        }
        return expectsContinue ? .continueExpected : nil
    }

    /// Returns the limits of a request's content.
    private func limits(for line: RequestLine) -> ServerLimits {
        var limits = limits
        if let long = limits.longContent, line.target.path.isSame(as: long.path) {
            limits.bodyBytes = long.bytes
        } else if let media = limits.mediaLimit, line.method == .post,
            let type = fieldParser.fields.values("Content-Type").first, media.matches(type)
        {
            (limits.bodyBytes, limits.bodyOption) = (media.bytes, media.option)
        }
        return limits
    }

    /// Returns the request and prepares for the next one.
    private mutating func finish(_ line: RequestLine) -> Request {
        let request = Request(
            line: line, fields: fieldParser.fields, body: content, remoteAddress: remoteAddress)
        content = []
        stage = .line
        headBytes = 0
        lineParser.reset()
        fieldParser.reset()
        return request
    }
}

/// The rules that a complete head must fulfil in addition to its grammar, and its demands on the
/// connection.
private enum HeadRules {
    /// Checks `Host` (RFC 9112, 3.2): exactly one in HTTP/1.1, valid, and naming the host that an
    /// absolute target names.
    static func checkHost(_ line: RequestLine, _ fields: Fields) throws(ProtocolFailure) {
        let hosts = fields.values("Host")
        guard let host = hosts.first else {
            guard line.version == .http10 else {
                throw .badRequest("Host is missing")
            }
            return
        }
        guard hosts.count == 1 else {
            throw .badRequest("there is more than one Host")
        }
        guard let host = Authority(host) else {
            throw .badRequest("Host must be a host name with an optional port")
        }
        guard let (named, defaultPort) = line.target.authority else { return }
        guard named.isSame(as: host, defaultPort: defaultPort) else {
            throw .badRequest("the request target and Host name different hosts")
        }
    }

    /// Returns true if the client waits for a 100 before it sends its content (RFC 9110, 10.1.1).
    static func expectsContinue(
        _ line: RequestLine, _ fields: Fields
    ) throws(ProtocolFailure) -> Bool {
        let expectations = fields.values("Expect")
        guard let first = expectations.first else { return false }
        guard expectations.count == 1, ASCII.equalIgnoringCase(first, "100-continue".utf8) else {
            throw ProtocolFailure(
                .expectationFailed, "the only supported expectation is 100-continue")
        }
        return line.version == .http11
    }
}

/// The delimitation of a request's content (RFC 9112, 6.3).
private enum Framing: Equatable, Sendable {
    case none
    /// A number of bytes, at least one.
    case length(Int)
    case chunked

    /// Reads the framing that a head's fields give; fails where two readers could disagree.
    init(_ fields: Fields, version: Version, limits: ServerLimits) throws(ProtocolFailure) {
        let codings = fields.values("Transfer-Encoding")
        let lengths = fields.values("Content-Length")
        guard codings.isEmpty else {
            guard lengths.isEmpty else {
                throw .badRequest("Content-Length and Transfer-Encoding exclude each other")
            }
            guard version == .http11 else {
                throw .badRequest("HTTP/1.0 has no Transfer-Encoding")
            }
            try Self.checkCodings(codings)
            self = .chunked
            return
        }
        let length = try Self.length(lengths)
        guard length <= limits.bodyBytes else { throw .contentTooLarge(limits) }
        self = length == 0 ? .none : .length(length)
    }

    /// Accepts only `chunked`.
    private static func checkCodings(_ values: [ArraySlice<UInt8>]) throws(ProtocolFailure) {
        var codings: [ArraySlice<UInt8>] = []
        for value in values {
            codings += value.split(separator: ASCII.comma, omittingEmptySubsequences: false)
                .map { ASCII.trimmed($0) }
        }
        guard codings.allSatisfy({ !$0.isEmpty && $0.allSatisfy(ASCII.isToken) }),
            codings.dropLast().allSatisfy({ !isChunked($0) })
        else { throw .badRequest("Transfer-Encoding is malformed") }
        guard codings.count == 1, codings.allSatisfy({ isChunked($0) }) else {
            throw ProtocolFailure(
                .notImplemented, "the only supported transfer coding is chunked")
        }
    }

    private static func isChunked(_ coding: ArraySlice<UInt8>) -> Bool {
        ASCII.equalIgnoringCase(coding, "chunked".utf8)
    }

    /// Reads the one length that all values give; 0 without any.
    private static func length(_ values: [ArraySlice<UInt8>]) throws(ProtocolFailure) -> Int {
        var length: Int?
        for value in values {
            for piece in value.split(separator: ASCII.comma, omittingEmptySubsequences: false) {
                // A repeated length may be accepted when all are the same (RFC 9110, 8.6).
                let number = try decimal(ASCII.trimmed(piece))
                guard length == nil || length == number else {
                    throw .badRequest("Content-Length has different values")
                }
                length = number
            }
        }
        return length ?? 0
    }

    /// Reads a decimal number; a number that does not fit an `Int` is past every limit, so it is
    /// cut off there.
    private static func decimal(_ digits: ArraySlice<UInt8>) throws(ProtocolFailure) -> Int {
        guard !digits.isEmpty, digits.allSatisfy(\.isASCIIDigit) else {
            throw .badRequest("Content-Length must be a decimal number")
        }
        var number = 0
        for digit in digits {
            let (tens, overflows) = number.multipliedReportingOverflow(by: 10)
            let (sum, overflowsToo) = tens.addingReportingOverflow(Int(digit - ASCII.zero))
            guard !overflows, !overflowsToo else { return .max }
            number = sum
        }
        return number
    }
}

extension ProtocolFailure {
    static func badRequest(_ message: String) -> ProtocolFailure {
        ProtocolFailure(.badRequest, message)
    }

    static func contentTooLarge(_ limits: ServerLimits) -> ProtocolFailure {
        let option = limits.bodyOption.map { ", the limit of --" + $0 } ?? ""
        return ProtocolFailure(
            .contentTooLarge, "the body is larger than \(limits.bodyBytes) bytes" + option)
    }

    static func headTooLarge(_ limits: ServerLimits) -> ProtocolFailure {
        ProtocolFailure(
            .requestHeaderFieldsTooLarge, "the fields are larger than \(limits.headBytes) bytes")
    }
}

extension Request {
    fileprivate init(
        line: RequestLine, fields: Fields, body: [UInt8], remoteAddress: String
    ) {
        method = line.method
        target = line.target.text
        path = line.target.path
        query = line.target.query
        version = line.version
        self.fields = fields
        self.body = body
        self.remoteAddress = remoteAddress
    }
}

extension Request {
    /// True if the client leaves the connection open for another request (RFC 9112, 9.3).
    var keepsAlive: Bool {
        guard !fields.list("Connection", contains: "close") else { return false }
        return version == .http11 || fields.list("Connection", contains: "keep-alive")
    }
}
