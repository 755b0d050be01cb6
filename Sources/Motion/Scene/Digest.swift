/// A hash that is the same in every process, unlike Swift's hasher and its seed.
///
/// FNV-1a (draft-eastlake-fnv) in one lane of 64 bits, and a variant of it in another. The hash is
/// not cryptographic: it makes entity tags and the ids in an SVG, and nobody gains by forging
/// these. Another hash would change all of them.
package struct Digest: Hashable, Sendable {
    /// FNV-1a of 64 bits.
    package let fnv1a: UInt64
    private let second: UInt64

    package init(_ parts: [[UInt8]]) {
        var (first, second): (UInt64, UInt64) = (0xcbf2_9ce4_8422_2325, 0x9ae1_6a3b_2f90_404f)
        func add(_ byte: UInt8) {
            first = (first ^ UInt64(byte)) &* 0x100_0000_01b3
            second = (second ^ UInt64(byte ^ 0x5A)) &* 0x100_0000_01b3
            second ^= second >> 29
        }
        for part in parts {
            for byte in part { add(byte) }
            // No UTF-8 text holds this byte, so that parts cannot run into each other.
            add(0xFF)
        }
        (fnv1a, self.second) = (first, second)
    }

    package init(_ texts: [String]) {
        self.init(texts.map { Array($0.utf8) })
    }

    package var low: UInt64 { Self.mixed(fnv1a) }

    /// 32 hexadecimal digits.
    package var text: String {
        String(unsafeUninitializedCapacity: 32) { digits in
            for (place, part) in [Self.mixed(second), low].enumerated() {
                for digit in 0..<16 {
                    let value = UInt8(truncatingIfNeeded: part >> (60 - 4 * digit)) & 0xF
                    let first = value < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10
                    digits.initializeElement(at: 16 * place + digit, to: first + value)
                }
            }
            return 32
        }
    }

    /// Spreads the last bytes over all bits (SplitMix64's finaliser).
    private static func mixed(_ value: UInt64) -> UInt64 {
        var z = value
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
