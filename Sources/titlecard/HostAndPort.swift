/// An address with its port as an argument: `127.0.0.1:9100`, `[::1]:9100`, `localhost:9100`.
struct HostAndPort {
    /// The address without brackets.
    let host: String
    let port: UInt16
    /// True if the address stands in brackets, as one of IPv6 should.
    let isBracketed: Bool

    /// - Returns: Nil without an address, or without a port.
    init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[colon...].dropFirst())
        else { return nil }
        let written = text[..<colon]
        isBracketed = written.hasPrefix("[") && written.hasSuffix("]")
        host = String(isBracketed ? written.dropFirst().dropLast() : written)
        self.port = port
        guard !host.isEmpty else { return nil }
    }
}
