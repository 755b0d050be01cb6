import Bytes
import HTTP

/// The address at which clients reach the service: scheme, host, and perhaps a port and a path.
///
/// None of its characters needs an escape in HTML, Markdown, CSS or a shell's quotes.
package struct PublicURL: Equatable, Sendable {
    /// The address without a slash at its end, such as `https://titlecard.example/cards`.
    package let text: String

    /// Reads an address; nil if it is malformed.
    package init?(_ text: String) {
        let schemes = ["https://", "http://"]
        guard let scheme = schemes.first(where: { text.lowercasedASCII.begins(with: $0) }) else {
            return nil
        }
        let rest = text.dropping(first: scheme.utf8.count)
        let slash = rest.utf8.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
        var path = rest[slash...]
        while path.ends(with: "/") { path = path.dropping(last: 1) }
        guard Self.isAuthority(rest[..<slash]), Self.isPath(path) else { return nil }
        self.text = scheme + rest[..<slash] + path
    }

    /// The scheme, the host, and a port that is not the scheme's own, as browsers send them.
    package var origin: String {
        let parts = text.lowercasedASCII.pieces(separatedBy: "/")
        let (scheme, authority) = (parts[0], parts[2])
        let ownPort = scheme.isSame(as: "https:") ? ":443" : ":80"
        return scheme + "//"
            + (authority.ends(with: ownPort)
                ? authority.dropping(last: ownPort.utf8.count) : authority)
    }

    private static func isAuthority(_ text: Substring) -> Bool {
        let host: Substring
        if text.begins(with: "[") {
            guard let end = text.utf8.firstIndex(of: UInt8(ascii: "]")) else { return false }
            guard IPAddress(String(text[..<end].dropping(first: 1)))?.width == 128 else {
                return false
            }
            host = text[...end]
        } else {
            host = text.pieces(separatedBy: ":", maxSplits: 1)[0]
            guard !host.isEmpty, host.utf8.allSatisfy(isPlain) else { return false }
        }
        let port = text[host.endIndex...]
        guard !port.isEmpty else { return true }
        let digits = port.dropping(first: 1)
        return port.begins(with: ":") && digits.utf8.allSatisfy(\.isASCIIDigit)
            && UInt16(digits).map { $0 > 0 } == true
    }

    private static func isPath(_ text: Substring) -> Bool {
        !text.pieces(separatedBy: "/").dropFirst().dropLast().contains(where: \.isEmpty)
            && text.utf8.allSatisfy { isPlain($0) || "/~".utf8.contains($0) }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        byte.isASCIILetterOrDigit || "-._".utf8.contains(byte)
    }
}

extension ServiceSettings {
    /// Returns the part before paths in addresses: the operator's public URL, or else the origin in
    /// the request.
    ///
    /// - Throws: 400 if the request has no origin that can stand in an address.
    func origin(of request: HTTP.Request) throws(Problem) -> String {
        if let publicURL { return publicURL.text }
        let isSecure =
            ClientAddress.isProxied(request, by: trustedProxies)
            && request.fields["X-Forwarded-Proto"]?.lowercasedASCII.isSame(as: "https")
                == true
        let host = request.fields["Host"] ?? ""
        guard let url = PublicURL((isSecure ? "https://" : "http://") + host) else {
            throw .invalid(
                "Host",
                "must be a plain name or address, since this server has no "
                    + "--public-url; got \"\(host.shortened(to: 80))\"")
        }
        return url.text
    }
}
