import HTTP

/// Who sent a request, as far as can be believed.
enum ClientAddress {
    /// The peer, or where that is a trusted proxy the last in `X-Forwarded-For` that is none.
    static func of(_ request: HTTP.Request, trusting proxies: AddressRanges) -> String {
        guard let peer = IPAddress(request.remoteAddress), proxies.contain(peer),
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
