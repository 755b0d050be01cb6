import Bytes

/// The content of a request line (RFC 9112, 3).
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

    /// True if nothing but empty lines has come.
    var isBlank: Bool {
        switch stage {
        case .blank, .blankEnd: true
        default: false
        }
    }

    /// The method as far as it is known to be complete.
    var method: ArraySlice<UInt8> { text[..<methodEnd] }

    /// Prepares for another line, keeping the memory of all but long ones.
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
                    throw .badRequest("too many empty lines before the request")
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
            throw .badRequest("the request line must begin with a method")
        }
        position += 1
        methodEnd = text.count
        stage = .target
    }

    private mutating func parseTarget(
        _ input: Span<UInt8>, _ position: inout Int, upTo end: Int, limits: ServerLimits
    ) throws(ProtocolFailure) {
        while true {
            let room = limits.targetBytes - (text.count - methodEnd)
            text.appendRun(of: input, &position, upTo: min(end, position + room), ASCII.isTarget)
            guard position < end else { return }
            guard text.count - methodEnd < limits.targetBytes, isUTF8(input[position], limits)
            else { break }
            text.append(input[position])
            position += 1
        }
        guard !ASCII.isTarget(input[position]), !isUTF8(input[position], limits) else {
            throw ProtocolFailure(
                .uriTooLong, "the request target is longer than \(limits.targetBytes) bytes")
        }
        guard input[position] == ASCII.space else {
            throw .badRequest(
                "the request target must be percent-encoded ASCII, with one space on either side")
        }
        position += 1
        targetEnd = text.count
        stage = .version
    }

    /// Returns true if a byte belongs to UTF-8 that is not percent-encoded, in the query of a path
    /// that may have such.
    private func isUTF8(_ byte: UInt8, _ limits: ServerLimits) -> Bool {
        guard byte >= 0x80 else { return false }
        let target = text[methodEnd...]
        return limits.rawQueryPaths.contains { path in
            target.starts(with: path.utf8)
                && target.dropFirst(path.utf8.count).first == ASCII.questionMark
        }
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
            throw .badRequest("the request line must end with HTTP/1.1 and CR LF")
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
            major.isASCIIDigit, minor.isASCIIDigit, digits.dropFirst().first == 0x2E
        else { throw .badRequest("the version must be HTTP/1.1 or HTTP/1.0") }
        guard major == ASCII.zero + 1 else {
            throw ProtocolFailure(
                .httpVersionNotSupported, "only HTTP/1.1 and HTTP/1.0 are supported")
        }
        // A later minor version is understood by all of its major version (RFC 9110, 2.5).
        return minor == ASCII.zero ? .http10 : .http11
    }
}

/// A request target in one of the forms that an origin server takes (RFC 9112, 3.2).
struct RequestTarget: Sendable {
    /// The target as it was received.
    let text: String
    let path: String
    let query: String?
    /// Host and port of an absolute form with the port that its scheme implies.
    let authority: (named: Authority, defaultPort: Int)?

    /// Reads a target of visible ASCII characters, and perhaps of other bytes.
    init(_ bytes: ArraySlice<UInt8>, method: Method) throws(ProtocolFailure) {
        guard let text = String(utf8: bytes) else {
            throw .badRequest("the request target must be UTF-8")
        }
        guard method != .connect else {
            throw ProtocolFailure(.notImplemented, "CONNECT is not implemented")
        }
        self.text = text
        if bytes.first == ASCII.slash {
            (path, query) = Self.split(bytes, whole: text)
            authority = nil
        } else if method == .options, bytes.elementsEqual(CollectionOfOne(ASCII.asterisk)) {
            (path, query, authority) = ("*", nil, nil)
        } else {
            let absolute = try Self.absolute(bytes)
            authority = (absolute.authority, absolute.defaultPort)
            let rest = absolute.rest
            if rest.first == ASCII.slash {
                (path, query) = Self.split(rest, whole: nil)
            } else {
                path = "/"
                query = rest.isEmpty ? nil : String(decoding: rest.dropFirst(), as: UTF8.self)
            }
        }
    }

    private static func split(
        _ bytes: ArraySlice<UInt8>, whole: String?
    ) -> (path: String, query: String?) {
        guard let mark = bytes.firstIndex(of: ASCII.questionMark) else {
            return (whole ?? String(decoding: bytes, as: UTF8.self), nil)
        }
        return (
            String(decoding: bytes[..<mark], as: UTF8.self),
            String(decoding: bytes[(mark + 1)...], as: UTF8.self)
        )
    }

    private static func absolute(
        _ bytes: ArraySlice<UInt8>
    ) throws(ProtocolFailure) -> (authority: Authority, defaultPort: Int, rest: ArraySlice<UInt8>) {
        for (scheme, port) in [("http://", 80), ("https://", 443)] {
            let start = bytes.prefix(scheme.utf8.count)
            guard ASCII.equalIgnoringCase(start, scheme.utf8) else { continue }
            let afterScheme = bytes[start.endIndex...]
            let end = afterScheme.firstIndex { $0 == ASCII.slash || $0 == ASCII.questionMark }
            let host = afterScheme[..<(end ?? afterScheme.endIndex)]
            guard let authority = Authority(host) else { break }
            return (authority, port, afterScheme[host.endIndex...])
        }
        throw .badRequest("the request target must begin with / or with http:// and a host")
    }
}

/// Host and optional port, as `Host` and an absolute target carry them (RFC 9110, 7.2).
///
/// User information is refused, and so is an empty host (RFC 9110, 4.2).
struct Authority: Sendable {
    private let host: ArraySlice<UInt8>
    private let port: Int?

    /// Reads an authority; nil where it is malformed.
    init?(_ bytes: ArraySlice<UInt8>) {
        let hostEnd: Int
        if bytes.first == ASCII.openingBracket {
            guard let bracket = bytes.firstIndex(of: ASCII.closingBracket),
                Self.isAddress(bytes[(bytes.startIndex + 1)..<bracket])
            else { return nil }
            hostEnd = bracket + 1
        } else {
            hostEnd = bytes.firstIndex(of: ASCII.colon) ?? bytes.endIndex
            guard Self.isRegisteredName(bytes[..<hostEnd]) else { return nil }
        }
        host = bytes[..<hostEnd]
        let rest = bytes[hostEnd...]
        guard rest.isEmpty || rest.first == ASCII.colon, rest.count <= 6 else { return nil }
        guard !rest.dropFirst().isEmpty else {
            port = nil
            return
        }
        var number = 0
        for byte in rest.dropFirst() {
            guard byte.isASCIIDigit else { return nil }
            number = number * 10 + Int(byte - ASCII.zero)
        }
        guard number <= 65_535 else { return nil }
        port = number
    }

    /// Returns true if both name the same host and port.
    func isSame(as other: Authority, defaultPort: Int) -> Bool {
        ASCII.equalIgnoringCase(host, other.host)
            && (port ?? defaultPort) == (other.port ?? defaultPort)
    }

    /// Returns true if the bytes are characters of an IPv6 address between brackets.
    private static func isAddress(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.contains(ASCII.colon)
            && bytes.allSatisfy {
                $0.hexadecimalValue != nil || $0 == ASCII.colon || $0 == 0x2E
            }
    }

    private static func isRegisteredName(_ bytes: ArraySlice<UInt8>) -> Bool {
        var digitsLeft = 0
        for byte in bytes {
            if digitsLeft > 0 {
                guard byte.hexadecimalValue != nil else { return false }
                digitsLeft -= 1
            } else if byte == ASCII.percent {
                digitsLeft = 2
            } else if !ASCII.isRegisteredName(byte) {
                return false
            }
        }
        return !bytes.isEmpty && digitsLeft == 0
    }
}
