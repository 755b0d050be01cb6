/// What a request line says (RFC 9112, 3).
struct RequestLine: Sendable {
    var method: Method
    var target: RequestTarget
    var version: Version
}

/// Incremental parser of a request line and the empty lines before it.
///
/// Each decision depends only on the bytes up to it, so that a split makes no difference.
struct RequestLineParser: Sendable {
    private enum Stage: Sendable {
        case blank
        case blankEnd
        case method
        case target
        case version
        case end
    }

    private static let versionBytes = 8

    private var stage = Stage.blank
    private var emptyLines = 0
    /// Method, target and version without the spaces between them.
    private var text: [UInt8] = []
    private var methodEnd = 0
    private var targetEnd = 0

    /// Whether no byte but empty lines has come.
    var isBlank: Bool {
        switch stage {
        case .blank, .blankEnd: true
        default: false
        }
    }

    /// The method as far as it is known to be complete.
    var method: ArraySlice<UInt8> { text[..<methodEnd] }

    /// Makes ready for another line, keeping the memory of all but long ones.
    mutating func reset() {
        stage = .blank
        emptyLines = 0
        text.removeAll(keepingCapacity: text.capacity <= 1024)
        methodEnd = 0
        targetEnd = 0
    }

    /// Reads on from a position; nil until the line is complete.
    mutating func parse(
        _ input: Span<UInt8>, _ position: inout Int, upTo end: Int, limits: ServerLimits
    ) throws(ProtocolFailure) -> RequestLine? {
        while position < end {
            switch stage {
            case .blank:
                stage = input[position] == ASCII.carriageReturn ? .blankEnd : .method
                if case .blankEnd = stage { position += 1 }
            case .blankEnd:
                try takeLineFeed(input, &position)
                emptyLines += 1
                guard emptyLines <= limits.leadingEmptyLines else {
                    throw ProtocolFailure(.badRequest, "too many empty lines before the request")
                }
                stage = .blank
            case .method:
                try parseMethod(input, &position, upTo: end, limits: limits)
            case .target:
                try parseTarget(input, &position, upTo: end, limits: limits)
            case .version:
                try parseVersion(input, &position, upTo: end)
            case .end:
                try takeLineFeed(input, &position)
                return try line()
            }
        }
        return nil
    }

    private mutating func parseMethod(
        _ input: Span<UInt8>, _ position: inout Int, upTo end: Int, limits: ServerLimits
    ) throws(ProtocolFailure) {
        let room = limits.methodBytes - text.count
        text.appendRun(of: input, &position, upTo: min(end, position + room), ASCII.isToken)
        guard position < end else { return }
        guard input[position] == ASCII.space, !text.isEmpty else {
            guard !ASCII.isToken(input[position]) else {
                throw ProtocolFailure(.notImplemented, "unknown method")
            }
            throw ProtocolFailure(.badRequest, "the request line must begin with a method")
        }
        position += 1
        methodEnd = text.count
        stage = .target
    }

    private mutating func parseTarget(
        _ input: Span<UInt8>, _ position: inout Int, upTo end: Int, limits: ServerLimits
    ) throws(ProtocolFailure) {
        let room = limits.targetBytes - (text.count - methodEnd)
        text.appendRun(of: input, &position, upTo: min(end, position + room), ASCII.isTarget)
        guard position < end else { return }
        guard !ASCII.isTarget(input[position]) else {
            throw ProtocolFailure(
                .uriTooLong, "the request target is longer than \(limits.targetBytes) bytes")
        }
        guard input[position] == ASCII.space else {
            throw ProtocolFailure(
                .badRequest,
                "the request target must be percent-encoded ASCII, with one space on either side")
        }
        position += 1
        targetEnd = text.count
        stage = .version
    }

    private mutating func parseVersion(
        _ input: Span<UInt8>, _ position: inout Int, upTo end: Int
    ) throws(ProtocolFailure) {
        let room = Self.versionBytes - (text.count - targetEnd)
        text.appendRun(of: input, &position, upTo: min(end, position + room)) {
            $0 > ASCII.space && $0 < ASCII.delete
        }
        guard position < end else { return }
        guard input[position] == ASCII.carriageReturn else {
            throw ProtocolFailure(.badRequest, "the request line must end with HTTP/1.1 and CR LF")
        }
        position += 1
        stage = .end
    }

    private func line() throws(ProtocolFailure) -> RequestLine {
        let version = try Self.version(text[targetEnd...])
        let method = Method(bytes: method)
        let target = try RequestTarget(text[methodEnd..<targetEnd], method: method)
        return RequestLine(method: method, target: target, version: version)
    }

    private static func version(_ bytes: ArraySlice<UInt8>) throws(ProtocolFailure) -> Version {
        let digits = bytes.suffix(3)
        guard bytes.count == versionBytes, bytes.starts(with: "HTTP/".utf8),
            let major = digits.first, let minor = digits.last,
            ASCII.isDigit(major), ASCII.isDigit(minor), digits.dropFirst().first == 0x2E
        else { throw ProtocolFailure(.badRequest, "the version must be HTTP/1.1 or HTTP/1.0") }
        guard major == ASCII.zero + 1 else {
            throw ProtocolFailure(
                .httpVersionNotSupported, "only HTTP/1.1 and HTTP/1.0 are spoken here")
        }
        // A later minor version is understood by all of its major version (RFC 9110, 2.5).
        return minor == ASCII.zero ? .http10 : .http11
    }
}
