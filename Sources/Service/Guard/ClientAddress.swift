import HTTP

/// The address of the sender of a request, as far as can be believed.
enum ClientAddress {
    /// The peer, or where that is a trusted proxy the last in `X-Forwarded-For` that is none.
    ///
    /// A peer on a Unix socket is a proxy, and let in by the file's permissions.
    static func of(_ request: HTTP.Request, trusting proxies: AddressRanges) -> String {
        guard IPAddress(request.remoteAddress).map(proxies.contain) ?? true,
            let forwarded = request.fields.combined("X-Forwarded-For")
        else { return request.remoteAddress }
        var client = request.remoteAddress
        for part in forwarded.split(separator: ",").reversed() {
            let text = String(part.filter { $0 != " " && $0 != "\t" })
            // What no proxy of ours can have written is not believed.
            guard let address = IPAddress(text) else { break }
            client = text
            guard proxies.contain(address) else { break }
        }
        return client
    }
}
