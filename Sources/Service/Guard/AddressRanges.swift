import Glibc

/// Ranges of IP addresses, as proxies are named: `10.0.0.0/8`, `::1`.
package struct AddressRanges: Equatable, Sendable {
    private struct Range: Equatable, Sendable {
        let address: IPAddress
        /// Leading bits that count.
        let bits: Int
    }

    private var ranges: [Range] = []

    package init() {}

    /// Ranges separated by commas; nil where one cannot be read.
    package init?(_ text: String) {
        for part in text.split(separator: ",") {
            let pieces = part.filter { $0 != " " }.split(
                separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
            guard let address = IPAddress(String(pieces[0])) else { return nil }
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

/// An IP address; one of version 4 as version 6 maps it (RFC 4291, 2.5.5.2).
struct IPAddress: Hashable, Sendable {
    private let high: UInt64
    private let low: UInt64
    /// Bits of the version that it was written in.
    let width: Int

    init?(_ text: String) {
        var bytes = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET6, text, &bytes) == 1 {
            width = 128
        } else {
            bytes = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF, 0, 0, 0, 0]
            var four = [UInt8](repeating: 0, count: 4)
            guard inet_pton(AF_INET, text, &four) == 1 else { return nil }
            bytes.replaceSubrange(12..., with: four)
            width = 32
        }
        high = bytes[..<8].reduce(0) { $0 << 8 | UInt64($1) }
        low = bytes[8...].reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Returns true if the first so many bits of 128 are the same.
    func agrees(with other: IPAddress, bits: Int) -> Bool {
        let differences = (high ^ other.high, low ^ other.low)
        let common =
            differences.0 != 0
            ? differences.0.leadingZeroBitCount : 64 + differences.1.leadingZeroBitCount
        return common >= bits
    }

    /// The part that stands for one client: an address of version 4, or a network of 64 bits of
    /// version 6.
    var client: IPAddress {
        high == 0 && low >> 32 == 0xFFFF ? self : IPAddress(high: high, low: 0, width: 128)
    }

    private init(high: UInt64, low: UInt64, width: Int) {
        self.high = high
        self.low = low
        self.width = width
    }
}
