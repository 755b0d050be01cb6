import CZlib

extension ByteSink {
    /// The eight bytes that every PNG begins with.
    mutating func appendPNGSignature() {
        append([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    }

    /// A PNG chunk: length, type, content, CRC (PNG third edition, 5.3).
    mutating func append(chunk type: StaticString, _ content: [UInt8]) {
        append(bigEndian: UInt32(content.count))
        append(type)
        append(content)
        var check = crc32(0, type.utf8Start, uInt(type.utf8CodeUnitCount))
        check = crc32(check, content, uInt(content.count))
        append(bigEndian: UInt32(truncatingIfNeeded: check))
    }

    mutating func append(bigEndian value: UInt32) {
        var bytes: [UInt8] = []
        bytes.append(bigEndian: value)
        append(bytes)
    }
}

extension [UInt8] {
    /// Appends a number as PNG stores it, the highest byte first.
    mutating func append(bigEndian value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
    }
}
