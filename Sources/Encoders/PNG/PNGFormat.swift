import Bytes
package import Motion
import Raster

/// One still frame.
package struct PNGFormat: OutputFormat {
    package static let name = "png"
    package static let title = "PNG"
    package static let mediaType = "image/png"
    package static let fileExtension = "png"
    package static let isAnimated = false

    private let scale: Double
    private let moment: Moment

    package init(_ parameters: inout ParameterReader) {
        scale = parameters.scale()
        let seconds = parameters.number(
            "time", in: 0...86_400, unit: .seconds, or: "end",
            "The instant in seconds, or end for the finished text.")
        moment = seconds.map { .instant(Instant(seconds: $0)) } ?? .finished
    }

    package var enlargingParameter: String? { scale > 1 ? "scale" : nil }

    package func price(of scene: Scene, _ context: EncodingContext) throws(EncodingError) -> Price {
        let work = try WorkEstimate(of: scene, at: moment, scale: scale, context)
        return work.price(ofPicture: scene.pixelSize(scale: scale), frames: 1)
    }

    package func encode(
        _ scene: Scene, _ context: EncodingContext
    ) throws(EncodingError) -> [UInt8] {
        // Decoys would take memory, although the finished text does not show them.
        let scene = moment == .finished ? scene.without(.decoys) ?? scene : scene
        let card = scene.appearance.card
        guard let color = moment == .finished ? scene.finishedInkColor : scene.inkColor else {
            return try Self.bytes(of: painted(scene, context), over: card, context)
        }
        return try Self.bytes(of: painted(scene, context), in: color, over: card, context)
    }

    /// Returns a picture in several colours as a file.
    static func bytes(
        of canvas: Canvas<ColorPixel>, over card: Card, _ context: EncodingContext
    ) throws(EncodingError) -> [UInt8] {
        try PNGFile.bytes(
            of: canvas, as: TrueColorPixels(over: card),
            try context.deflater(of: Self.self, .picture), context)
    }

    /// Returns a picture in one colour and its alphas as a file.
    static func bytes(
        of canvas: Canvas<CoveragePixel>, in color: Color, over card: Card,
        _ context: EncodingContext
    ) throws(EncodingError) -> [UInt8] {
        var used = [Bool](repeating: false, count: 256)
        for pixel in canvas.pixels { used[Int(pixel.byte)] = true }
        let pixels = PalettePixels(
            color, over: card.backdrop, used: used, needsTransparentPixel: false)
        return try PNGFile.bytes(
            of: canvas, as: pixels, try context.deflater(of: Self.self, .picture), context)
    }

    private func painted<Pixel: RasterPixel>(
        _ scene: Scene, _ context: EncodingContext
    ) throws(EncodingError) -> Canvas<Pixel> {
        var painter = FramePainter<Pixel>(scene, scale: scale)
        _ = try painter.paint(moment, context)
        try context.checkDeadline()
        return painter.canvas
    }
}

/// The chunks of a PNG (third edition).
struct PNGFile<Pixels: PNGPixels> {
    let size: PixelSize
    let pixels: Pixels

    /// Writes the chunks before the first picture.
    func writeHeader(to sink: inout ByteSink) {
        // The signature (PNG third edition, 5.2).
        sink.append([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        var header: [UInt8] = []
        header.append(bigEndian: UInt32(size.width))
        header.append(bigEndian: UInt32(size.height))
        header += [8, pixels.colorType, 0, 0, 0]
        sink.append(chunk: "IHDR", header)
        if !pixels.palette.isEmpty { sink.append(chunk: "PLTE", pixels.palette) }
        if !pixels.alphas.isEmpty { sink.append(chunk: "tRNS", pixels.alphas) }
    }

    /// Returns a block's rows as one compressed stream.
    ///
    /// - Throws: `EncodingError.deadline`, or `.library` when memory is short.
    func deflated(
        _ block: PixelBlock<Pixels.Value>, _ deflater: Deflater, _ context: EncodingContext
    ) throws(EncodingError) -> [UInt8] {
        let rows = block.rows(filteredUp: pixels.differsByRow)
        try context.checkDeadline()
        return try deflater.deflated(rows, until: context)
    }

    /// Returns a canvas as a file of one picture.
    static func bytes(
        of canvas: Canvas<Pixels.Pixel>, as pixels: Pixels, _ deflater: Deflater,
        _ context: EncodingContext
    ) throws(EncodingError) -> [UInt8] {
        let file = PNGFile(size: canvas.size, pixels: pixels)
        var sink = ByteSink(capacity: 2048 + canvas.size.count / 8)
        file.writeHeader(to: &sink)
        var form = pixels
        let block = try canvas.block(as: &form, context)
        sink.append(chunk: "IDAT", try file.deflated(block, deflater, context))
        sink.append(chunk: "IEND", [])
        return sink.bytes()
    }
}

extension PixelBlock {
    /// Returns the bytes of its rows, each after its filter type (PNG third edition, 7.2): None, or
    /// Up, which makes flat areas zeros (9.2).
    fileprivate func rows(filteredUp: Bool) -> [UInt8] {
        let rowBytes = rect.width * MemoryLayout<Value>.size
        let count = (1 + rowBytes) * rect.height
        return [UInt8](unsafeUninitializedCapacity: count) { target, written in
            written = count
            values.withUnsafeBytes { source in
                guard var row = target.baseAddress,
                    var bytes = source.assumingMemoryBound(to: UInt8.self).baseAddress
                else { return }
                for y in 0..<rect.height {
                    row[0] = filteredUp ? 2 : 0
                    if filteredUp, y > 0 {
                        for x in 0..<rowBytes { row[1 &+ x] = bytes[x] &- (bytes - rowBytes)[x] }
                    } else {
                        (row + 1).update(from: bytes, count: rowBytes)
                    }
                    row += 1 + rowBytes
                    bytes += rowBytes
                }
            }
        }
    }
}

extension ByteSink {
    /// Appends a PNG chunk: length, type, content, CRC (PNG third edition, 5.3).
    mutating func append(chunk type: StaticString, _ content: [UInt8]) {
        append(bigEndian: UInt32(content.count))
        append(type)
        append(content)
        append(bigEndian: CRC32.of(type, content))
    }

    private mutating func append(bigEndian value: UInt32) {
        var bytes: [UInt8] = []
        bytes.append(bigEndian: value)
        append(bytes)
    }
}

extension [UInt8] {
    /// Appends a number, the highest byte first.
    mutating func append(bigEndian value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
    }
}
