import Motion

/// Writes a GIF's blocks (GIF89a, 17 to 27).
struct GIFWriter {
    let size: PixelSize
    let palette: GIFPalette

    /// The longest time that one frame can stand.
    private static let longestDelay = 65_535

    /// The header, the palette, and how often the animation is played.
    func writeHeader(loop: Loop, to sink: inout ByteSink) {
        let bits = palette.indexBits
        sink.append("GIF89a")
        sink.append(littleEndian: size.width)
        sink.append(littleEndian: size.height)
        sink.append([0xF0 | UInt8(bits - 1), 0, 0])
        for color in palette.colors { sink.append([color.red, color.green, color.blue]) }
        for _ in palette.colors.count..<1 << bits { sink.append([0, 0, 0]) }
        switch loop {
        case .infinite: writeRepeats(0, to: &sink)
        // The number counts the plays after the first.
        case .count(let count) where count > 1: writeRepeats(count - 1, to: &sink)
        case .count: break
        }
    }

    /// A frame that stands for so many hundredths of a second.
    func write(
        _ image: GIFImage, delay: Int, _ encoder: LZWWorkspace, to sink: inout ByteSink
    ) {
        var rest = delay
        writeControl(delay: min(rest, Self.longestDelay), isErased: image.isErased, to: &sink)
        writeDescriptor(image.rect, to: &sink)
        encoder.encode(image, into: &sink)
        rest -= Self.longestDelay
        while rest > 0, !image.isErased {
            writeControl(delay: min(rest, Self.longestDelay), isErased: false, to: &sink)
            writeDescriptor(PixelRect(minX: 0, minY: 0, maxX: 1, maxY: 1), to: &sink)
            // One transparent pixel: clear, 0, end.
            sink.append([2, 2, 0x44, 0x01, 0])
            rest -= Self.longestDelay
        }
    }

    private func writeRepeats(_ count: Int, to sink: inout ByteSink) {
        sink.append([0x21, 0xFF, 11])
        sink.append("NETSCAPE2.0")
        sink.append([3, 1])
        sink.append(littleEndian: count)
        sink.append(UInt8(0))
    }

    private func writeControl(delay: Int, isErased: Bool, to sink: inout ByteSink) {
        // Leave in place, or restore to background; the transparent index counts.
        sink.append([0x21, 0xF9, 4, (isErased ? 2 : 1) << 2 | 1])
        sink.append(littleEndian: delay)
        sink.append([0, 0])
    }

    private func writeDescriptor(_ rect: PixelRect, to sink: inout ByteSink) {
        sink.append(UInt8(0x2C))
        for value in [rect.minX, rect.minY, rect.width, rect.height] {
            sink.append(littleEndian: value)
        }
        sink.append(UInt8(0))
    }
}

extension ByteSink {
    /// Appends the low 16 bits.
    fileprivate mutating func append(littleEndian value: Int) {
        append(UInt8(truncatingIfNeeded: value))
        append(UInt8(truncatingIfNeeded: value >> 8))
    }
}
