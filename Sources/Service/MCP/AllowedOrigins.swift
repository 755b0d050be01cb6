import Bytes
import HTTP

/// The origins whose pages may send messages to a server (RFC 6454).
///
/// A page can make its own name stand for the address of any server, also of one that only the
/// reader of the page can reach. So it is of no use to compare its origin with `Host`, unless that
/// is an address, or `localhost`, for which browsers ask no name server.
struct AllowedOrigins: Sendable {
    private let named: [ByteString]

    /// - Parameter settings: The settings of the service: its public URL, and an origin that it
    ///   allows.
    init(_ settings: borrowing ServiceSettings) {
        named = [settings.publicURL?.origin, settings.allowOrigin].compactMap { origin in
            origin.map { ByteString($0.lowercasedASCII) }
        }
    }

    /// - Throws: 403 for a page of another origin.
    func check(_ request: HTTP.Request) throws(Problem) {
        guard let field = request.fields.combined("Origin") else { return }
        let origin = ByteString(field.lowercasedASCII)
        if named.contains(origin) { return }
        if let host = request.fields["Host"]?.lowercasedASCII, Self.isFixed(host),
            ["http://", "https://"].contains(where: { origin.text.isSame(as: $0 + host) })
        {
            return
        }
        throw Problem(
            .forbidden, "Forbidden", "Origin",
            "must be that of --public-url or --allow-origin, or this server's own address; "
                + "got \"\(field.shortened(to: 80))\"")
    }

    /// True of `localhost` and addresses, with a port or without.
    private static func isFixed(_ host: String) -> Bool {
        if host.begins(with: "[") {
            let parts = host.dropping(first: 1).pieces(separatedBy: "]", maxSplits: 1)
            return parts.count == 2 && IPAddress(String(parts[0])) != nil
        }
        let name = host.pieces(separatedBy: ":", maxSplits: 1)[0]
        return name.isSame(as: "localhost") || IPAddress(String(name)) != nil
    }
}
