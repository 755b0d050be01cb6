import Bytes
import Motion
import Raster

/// Writes the chunks of a WebP (RFC 9649, 2).
struct WebPWriter {
    let size: PixelSize

    /// The bytes of an `ANMF` chunk before the image's own chunk.
    private static let frameHeaderLength = 24
    private static let extendedHeaderLength = 18

    /// Makes the bytes before the first frame.
    ///
    /// - Parameters:
    ///   - hasAlpha: True if some pixel is not opaque.
    ///   - loop: The number of plays.
    ///   - length: The bytes of all frames.
    /// - Returns: The file's beginning.
    func header(hasAlpha: Bool, loop: Loop, length: Int) -> [UInt8] {
        var sink = ByteSink(capacity: 44)
        writeStart(length: Self.extendedHeaderLength + 14 + length, to: &sink)
        writeExtendedHeader(isAnimated: true, hasAlpha: hasAlpha, to: &sink)
        sink.append("ANIM")
        sink.append(littleEndian: 6, bytes: 4)
        // The canvas is transparent.
        sink.append(littleEndian: 0, bytes: 4)
        let plays = if case .count(let count) = loop { count } else { 0 }
        sink.append(littleEndian: plays, bytes: 2)
        return sink.bytes()
    }

    /// Returns a still picture: a file of only one frame, given as an `ANMF` chunk.
    func still(_ frame: [UInt8]) -> [UInt8] {
        let image = frame.dropFirst(Self.frameHeaderLength)
        // Alpha in a chunk of its own needs a header.
        let isExtended = image.starts(with: "ALPH".utf8)
        let length = image.count + (isExtended ? Self.extendedHeaderLength : 0)
        var sink = ByteSink(capacity: 12 + length)
        writeStart(length: length, to: &sink)
        if isExtended { writeExtendedHeader(isAnimated: false, hasAlpha: true, to: &sink) }
        sink.append(Array(image))
        return sink.bytes()
    }

    private func writeExtendedHeader(
        isAnimated: Bool, hasAlpha: Bool, to sink: inout ByteSink
    ) {
        sink.append("VP8X")
        sink.append(littleEndian: 10, bytes: 4)
        sink.append(littleEndian: (hasAlpha ? 0x10 : 0) | (isAnimated ? 0x02 : 0), bytes: 4)
        sink.append(littleEndian: size.width - 1, bytes: 3)
        sink.append(littleEndian: size.height - 1, bytes: 3)
    }

    private func writeStart(length: Int, to sink: inout ByteSink) {
        sink.append("RIFF")
        sink.append(littleEndian: 4 + length, bytes: 4)
        sink.append("WEBP")
    }

    /// Makes a chunk of a frame.
    ///
    /// - Parameters:
    ///   - image: The image's chunks.
    ///   - rect: Its place, which begins at even coordinates.
    ///   - duration: In milliseconds.
    ///   - isOver: True if it is drawn over the pixels there, false if it replaces them.
    ///   - isErased: True if its place is transparent after it.
    /// - Returns: An `ANMF` chunk.
    func frame(
        _ image: [UInt8], in rect: PixelRect, duration: Int, isOver: Bool, isErased: Bool
    ) -> [UInt8] {
        var sink = ByteSink(capacity: Self.frameHeaderLength + image.count)
        sink.append("ANMF")
        sink.append(littleEndian: Self.frameHeaderLength - 8 + image.count, bytes: 4)
        for value in [rect.minX / 2, rect.minY / 2, rect.width - 1, rect.height - 1, duration] {
            sink.append(littleEndian: value, bytes: 3)
        }
        // Do not blend; dispose to the background.
        sink.append(littleEndian: (isOver ? 0 : 2) | (isErased ? 1 : 0), bytes: 1)
        sink.append(image)
        return sink.bytes()
    }
}
