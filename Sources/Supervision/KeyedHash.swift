/// A hash of bytes under a secret key (SipHash-2-4; Aumasson and Bernstein, 2012).
///
/// Without the key, nobody can make two requests with the same hash.
package struct KeyedHash: Equatable, Sendable {
    package let key: (UInt64, UInt64)

    package init(key: (UInt64, UInt64)) {
        self.key = key
    }

    package static func == (one: KeyedHash, other: KeyedHash) -> Bool {
        one.key == other.key
    }

    package func callAsFunction(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        var state = State(key)
        let whole = bytes.count / 8 * 8
        for offset in stride(from: 0, to: whole, by: 8) {
            state.add(
                UInt64(
                    littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
        }
        var last = UInt64(truncatingIfNeeded: bytes.count) << 56
        for offset in whole..<bytes.count {
            last |= UInt64(bytes[offset]) << UInt64(8 * (offset - whole))
        }
        state.add(last)
        return state.finish()
    }

    private struct State {
        var v0, v1, v2, v3: UInt64

        init(_ key: (UInt64, UInt64)) {
            v0 = key.0 ^ 0x736f_6d65_7073_6575
            v1 = key.1 ^ 0x646f_7261_6e64_6f6d
            v2 = key.0 ^ 0x6c79_6765_6e65_7261
            v3 = key.1 ^ 0x7465_6462_7974_6573
        }

        mutating func add(_ word: UInt64) {
            v3 ^= word
            round()
            round()
            v0 ^= word
        }

        mutating func finish() -> UInt64 {
            v2 ^= 0xff
            for _ in 0..<4 { round() }
            return v0 ^ v1 ^ v2 ^ v3
        }

        private mutating func round() {
            v0 = v0 &+ v1
            v1 = Self.rotated(v1, 13) ^ v0
            v0 = Self.rotated(v0, 32)
            v2 = v2 &+ v3
            v3 = Self.rotated(v3, 16) ^ v2
            v0 = v0 &+ v3
            v3 = Self.rotated(v3, 21) ^ v0
            v2 = v2 &+ v1
            v1 = Self.rotated(v1, 17) ^ v2
            v2 = Self.rotated(v2, 32)
        }

        private static func rotated(_ word: UInt64, _ count: UInt64) -> UInt64 {
            word << count | word >> (64 - count)
        }
    }
}
