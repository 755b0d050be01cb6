/// Incremental parser of requests (RFC 9112): a value that is fed bytes and knows no sockets.
///
/// The result does not depend on how the bytes are split, and no byte is looked at twice. After a
/// failure the parser is of no further use.
package struct RequestParser: Sendable {
    /// What the bytes so far amount to.
    package enum Event: Sendable {
        /// A complete request; what follows belongs to the next one.
        case request(Request)
        /// The head is complete, and the client waits for a 100 before it sends the content.
        case continueExpected
    }

    /// How far the present request has come.
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
    private let remoteAddress: String
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

    /// Whether the present request's method is known and is HEAD, so that even an error has no
    /// content.
    var isHead: Bool { lineParser.method.elementsEqual(Method.head.rawValue.utf8) }

    /// Reads on from a position, which moves behind what was read.
    ///
    /// - Returns: an event, after which this is to be called again; nil when the bytes are used up.
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
                guard try chunks.parse(input, &position, limits: limits) else { return nil }
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
        let framing = try Framing(fields, version: line.version, limits: limits)
        let expectsContinue = try HeadRules.expectsContinue(line, fields)
        switch framing {
        case .none: return .request(finish(line))
        case .length(let length): stage = .content(line, bytesLeft: length)
        case .chunked: stage = .chunks(line)
        }
        return expectsContinue ? .continueExpected : nil
    }

    /// Hands the request over and makes ready for the next one.
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
