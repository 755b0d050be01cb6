/// What a complete head must fulfil besides its grammar, and what it asks of the connection.
enum HeadRules {
    /// Checks `Host` (RFC 9112, 3.2): exactly one in HTTP/1.1, valid, and naming the host that an
    /// absolute target names.
    static func checkHost(_ line: RequestLine, _ fields: Fields) throws(ProtocolFailure) {
        let hosts = fields.values("Host")
        guard let host = hosts.first else {
            guard line.version == .http10 else {
                throw ProtocolFailure(.badRequest, "Host is missing")
            }
            return
        }
        guard hosts.count == 1 else {
            throw ProtocolFailure(.badRequest, "there is more than one Host")
        }
        guard let host = Authority(host) else {
            throw ProtocolFailure(.badRequest, "Host must be a host name with an optional port")
        }
        guard let (named, defaultPort) = line.target.authority else { return }
        guard named.isSame(as: host, defaultPort: defaultPort) else {
            throw ProtocolFailure(.badRequest, "the request target names another host than Host")
        }
    }

    /// Whether the client waits for a 100 before it sends its content (RFC 9110, 10.1.1).
    static func expectsContinue(
        _ line: RequestLine, _ fields: Fields
    ) throws(ProtocolFailure) -> Bool {
        let expectations = fields.values("Expect")
        guard let first = expectations.first else { return false }
        guard expectations.count == 1, ASCII.equalIgnoringCase(first, "100-continue".utf8) else {
            throw ProtocolFailure(
                .expectationFailed, "no expectation but 100-continue can be met")
        }
        return line.version == .http11
    }
}

extension Fields {
    /// Whether a list-valued field contains a word, compared without case.
    func list(_ name: FieldName, contains word: String) -> Bool {
        values(name).contains { value in
            value.split(separator: ASCII.comma)
                .contains { ASCII.equalIgnoringCase(ASCII.trimmed($0), word.utf8) }
        }
    }
}

extension Request {
    /// Whether the client leaves the connection open for another request (RFC 9112, 9.3).
    var keepsAlive: Bool {
        guard !fields.list("Connection", contains: "close") else { return false }
        return version == .http11 || fields.list("Connection", contains: "keep-alive")
    }
}
