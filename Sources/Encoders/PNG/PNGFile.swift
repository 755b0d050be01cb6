import Motion

/// The chunks of a PNG (third edition).
struct PNGFile<Pixels: PNGPixels> {
    let size: PixelSize
    let pixels: Pixels

    /// All before the first picture.
    func writeHeader(to sink: inout ByteSink) {
        sink.appendPNGSignature()
        var header: [UInt8] = []
        header.append(bigEndian: UInt32(size.width))
        header.append(bigEndian: UInt32(size.height))
        header += [8, pixels.colorType, 0, 0, 0]
        sink.append(chunk: "IHDR", header)
        if !pixels.palette.isEmpty { sink.append(chunk: "PLTE", pixels.palette) }
        if !pixels.alphas.isEmpty { sink.append(chunk: "tRNS", pixels.alphas) }
    }

    /// Rows as one compressed stream.
    func deflated(_ rows: [UInt8], width: Int, _ deflater: Deflater) -> [UInt8] {
        guard pixels.differsByRow else { return deflater.deflated(rows) }
        return deflater.deflated(rows.filteredUp(rowBytes: 1 + width * pixels.bytesPerPixel))
    }

    /// A canvas as a file of one picture.
    static func bytes(
        of canvas: Canvas<Pixels.Pixel>, as pixels: Pixels, _ deflater: Deflater
    ) -> [UInt8] {
        let file = PNGFile(size: canvas.size, pixels: pixels)
        var sink = ByteSink(capacity: 2048 + canvas.size.count / 8)
        file.writeHeader(to: &sink)
        let rows = canvas.rows(PixelRect(canvas.size), as: pixels)
        sink.append(chunk: "IDAT", file.deflated(rows, width: canvas.size.width, deflater))
        sink.append(chunk: "IEND", [])
        return sink.bytes()
    }
}
