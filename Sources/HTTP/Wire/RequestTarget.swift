/// A request target in one of the forms that an origin server takes (RFC 9112, 3.2).
struct RequestTarget: Sendable {
    /// As it was received.
    let text: String
    let path: String
    let query: String?
    /// Host and port of an absolute form with the port that its scheme implies.
    let authority: (named: Authority, defaultPort: Int)?

    /// Reads a target of visible ASCII characters.
    init(_ bytes: ArraySlice<UInt8>, method: Method) throws(ProtocolFailure) {
        guard method != .connect else {
            throw ProtocolFailure(.notImplemented, "CONNECT is not implemented")
        }
        text = String(decoding: bytes, as: UTF8.self)
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
        throw ProtocolFailure(
            .badRequest, "the request target must begin with / or with http:// and a host")
    }
}
