import Bytes
import Glibc
import HTTP
import Rendering

/// Ranges of IP addresses, such as `10.0.0.0/8` and `::1`.
package struct AddressRanges: Equatable, Sendable {
    private struct Range: Equatable, Sendable {
        let address: IPAddress
        /// The number of leading bits that are compared.
        let bits: Int
    }

    private var ranges: [Range] = []

    package init() {}

    /// Reads ranges that are separated by commas; nil if one is invalid.
    package init?(_ text: String) {
        for part in text.pieces(separatedBy: ",", omittingEmpty: true) {
            let pieces = part.pieces(separatedBy: " ").joined().pieces(
                separatedBy: "/", maxSplits: 1)
            var written = ArraySlice(pieces[0].utf8)
            // Brackets are for addresses with ports, from which an address may be copied.
            if written.first == UInt8(ascii: "["), written.last == UInt8(ascii: "]") {
                written = written.dropFirst().dropLast()
            }
            guard let address = IPAddress(String(decoding: written, as: UTF8.self)) else {
                return nil
            }
            var bits = 128
            if pieces.count > 1 {
                guard let written = Int(pieces[1]), (0...address.width).contains(written) else {
                    return nil
                }
                bits = 128 - address.width + written
            }
            ranges.append(Range(address: address, bits: bits))
        }
    }

    func contain(_ address: IPAddress) -> Bool {
        ranges.contains { $0.address.agrees(with: address, bits: $0.bits) }
    }
}

/// An IP address; version 4 is mapped to version 6 (RFC 4291, 2.5.5.2).
struct IPAddress: Hashable, Sendable {
    private let high: UInt64
    private let low: UInt64
    /// The number of bits of an address of its version.
    let width: Int

    init?(_ text: String) {
        // Only version 6 is written with colons.
        guard text.utf8.contains(UInt8(ascii: ":")) else {
            var four = in_addr()
            guard inet_pton(AF_INET, text, &four) == 1 else { return nil }
            (high, low) = (0, 0xFFFF << 32 | UInt64(UInt32(bigEndian: four.s_addr)))
            width = 32
            return
        }
        var six = in6_addr()
        guard inet_pton(AF_INET6, text, &six) == 1 else { return nil }
        (high, low) = withUnsafeBytes(of: six) { bytes in
            (
                UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
                UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            )
        }
        width = 128
    }

    /// Returns true if the given number of leading bits of 128 are the same.
    func agrees(with other: IPAddress, bits: Int) -> Bool {
        let differences = (high ^ other.high, low ^ other.low)
        let common =
            differences.0 != 0
            ? differences.0.leadingZeroBitCount : 64 + differences.1.leadingZeroBitCount
        return common >= bits
    }

    /// The part that identifies a client: an address of version 4, also of one that is written as
    /// version 6, or a 64-bit network of version 6.
    var client: IPAddress {
        let isFour = high == 0 && low >> 32 == 0xFFFF
        return IPAddress(high: high, low: isFour ? low : 0, width: isFour ? 32 : 128)
    }

    /// The network of 24 bits of version 4, or of 48 bits of version 6, that the address is in.
    var network: String {
        if client.width == 32 {
            let bytes = [24, 16, 8].map { String(UInt8(truncatingIfNeeded: low >> $0)) }
            return bytes.joined(separator: ".") + ".0/24"
        }
        let words = [48, 32, 16].map {
            String(UInt16(truncatingIfNeeded: high >> $0), radix: 16)
        }
        return words.joined(separator: ":") + "::/48"
    }

    /// The client of this address.
    var clientID: ClientID { ClientID(high: client.high, low: client.low) }

    private init(high: UInt64, low: UInt64, width: Int) {
        self.high = high
        self.low = low
        self.width = width
    }
}

/// The trustworthy address of a request's sender.
enum ClientAddress {
    /// Returns true if the peer is a trusted proxy.
    ///
    /// A peer on a Unix socket is one, since the file's permissions let it connect.
    static func isProxied(_ request: HTTP.Request, by proxies: AddressRanges) -> Bool {
        IPAddress(request.remoteAddress).map(proxies.contain) ?? true
    }

    /// Returns the peer, or if that is a trusted proxy, the last address in `X-Forwarded-For` that
    /// is not one; nil if that is a peer without an address.
    static func of(_ request: HTTP.Request, trusting proxies: AddressRanges) -> IPAddress? {
        let peer = IPAddress(request.remoteAddress)
        guard peer.map(proxies.contain) ?? true,
            let forwarded = request.fields.combined("X-Forwarded-For")
        else { return peer }
        var client = peer
        for part in forwarded.pieces(separatedBy: ",", omittingEmpty: true).reversed() {
            let text = String(part.trimming { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") })
            // A trusted proxy writes valid addresses only.
            guard let address = IPAddress(text) else { break }
            client = address
            guard proxies.contain(address) else { break }
        }
        return client
    }
}
