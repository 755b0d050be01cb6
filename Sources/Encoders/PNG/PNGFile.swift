import CZlib
import Motion

/// A picture as a PNG file (PNG, third edition): 8-bit RGBA, or RGB where all is opaque.
enum PNGFile {
    static func bytes(of pixmap: Pixmap) -> [UInt8] {
        let hasAlpha = stride(from: 3, to: pixmap.pixels.count, by: 4)
            .contains { pixmap.pixels[$0] != 255 }
        var sink = ByteSink(capacity: 1024 + pixmap.pixels.count / 8)
        sink.append([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        var header: [UInt8] = []
        header.append(bigEndian: UInt32(pixmap.width))
        header.append(bigEndian: UInt32(pixmap.height))
        header += [8, hasAlpha ? 6 : 2, 0, 0, 0]
        sink.append(chunk: "IHDR", header)
        sink.append(chunk: "IDAT", Zlib.deflated(filtered(pixmap, hasAlpha: hasAlpha)))
        sink.append(chunk: "IEND", [])
        return sink.bytes()
    }

    /// Rows with the filter Up: text has long vertical runs, and flat areas become zeros.
    private static func filtered(_ pixmap: Pixmap, hasAlpha: Bool) -> [UInt8] {
        let samples = hasAlpha ? 4 : 3
        let rowBytes = 1 + samples * pixmap.width
        return [UInt8](unsafeUninitializedCapacity: rowBytes * pixmap.height) { rows, count in
            pixmap.pixels.withUnsafeBufferPointer { pixels in
                for y in 0..<pixmap.height {
                    var target = y * rowBytes
                    rows[target] = 2
                    target += 1
                    var source = 4 * pixmap.width * y
                    for _ in 0..<pixmap.width {
                        for sample in source..<source + samples {
                            let above = y > 0 ? pixels[sample - 4 * pixmap.width] : 0
                            rows[target] = pixels[sample] &- above
                            target += 1
                        }
                        source += 4
                    }
                }
            }
            count = rowBytes * pixmap.height
        }
    }
}

extension ByteSink {
    /// A PNG chunk: length, type, data, CRC.
    fileprivate mutating func append(chunk type: StaticString, _ data: [UInt8]) {
        var body: [UInt8] = []
        body.reserveCapacity(data.count + 12)
        body += UnsafeBufferPointer(start: type.utf8Start, count: 4)
        body += data
        var framed: [UInt8] = []
        framed.append(bigEndian: UInt32(data.count))
        append(framed)
        append(body)
        var check: [UInt8] = []
        check.append(bigEndian: Zlib.crc32(of: body))
        append(check)
    }
}

extension [UInt8] {
    fileprivate mutating func append(bigEndian value: UInt32) {
        for shift in [24, 16, 8, 0] as [UInt32] {
            append(UInt8(truncatingIfNeeded: value >> shift))
        }
    }
}
