import Motion
import Raster

/// A frame in the form that video encoders take: a plane of luma, two of chroma, and one of alpha,
/// by ITU-R BT.709.
struct VideoPlanes: Sendable {
    enum Layout: Equatable, Sendable {
        /// 8 bits in the range of television, 16…235, one chroma sample for four pixels.
        case subsampled(hasAlpha: Bool)
        /// 8 bits in the full range, 0…255, a chroma sample for each pixel.
        case fullRange(hasAlpha: Bool)
        /// 10 bits in the range of television, a chroma sample for each pixel, and alpha.
        case full

        /// Its name in ffmpeg.
        var name: String {
            switch self {
            case .subsampled(hasAlpha: false): "yuv420p"
            case .subsampled(hasAlpha: true): "yuva420p"
            case .fullRange(hasAlpha: false): "yuv444p"
            case .fullRange(hasAlpha: true): "yuva444p"
            case .full: "yuva444p10le"
            }
        }

        /// The name of its range in ffmpeg.
        var range: String {
            if case .fullRange = self { "pc" } else { "tv" }
        }

        var hasAlpha: Bool {
            switch self {
            case .subsampled(let hasAlpha), .fullRange(let hasAlpha): hasAlpha
            case .full: true
            }
        }

        /// The layout of 8 bits without a plane of alpha.
        var withoutAlpha: Layout {
            if case .fullRange = self {
                .fullRange(hasAlpha: false)
            } else {
                .subsampled(hasAlpha: false)
            }
        }
    }

    /// Pixels of a frame, which may have a column or row more than the picture.
    let size: PixelSize
    /// The planes one after another.
    private(set) var bytes: [UInt8]
    private let layout: Layout
    /// The colours of all cells, if transparent ones have those of their neighbours.
    private var filled: [UInt32]?

    /// - Parameters:
    ///   - size: Pixels of a frame.
    ///   - layout: The planes.
    init(of size: PixelSize, as layout: Layout) {
        (self.size, self.layout) = (size, layout)
        bytes = [UInt8](repeating: 0, count: Self.byteCount(of: size, as: layout))
    }

    /// Returns the bytes of a frame.
    static func byteCount(of size: PixelSize, as layout: Layout) -> Int {
        switch layout {
        case .subsampled(let hasAlpha):
            (hasAlpha ? 2 : 1) * size.count + 2 * size.halved.count
        case .fullRange(let hasAlpha): (hasAlpha ? 4 : 3) * size.count
        case .full: 8 * size.count
        }
    }

    /// Writes a picture.
    ///
    /// - Parameters:
    ///   - picture: Alpha, red, green, and blue of each pixel, 8 bits each, from the highest.
    ///   - changed: The box outside which it is the picture before.
    ///   - fillsClear: True if transparent pixels get the colour of the nearest pixel that is not
    ///     transparent, so that no player mixes another colour into edges.
    ///   - context: The context, which checks the clock.
    /// - Throws: `EncodingError.deadline`.
    mutating func write(
        _ picture: PixelBlock<UInt32>, changed: PixelRect, fillsClear: Bool,
        _ context: EncodingContext
    ) throws(EncodingError) {
        let source = PixelSize(width: picture.rect.width, height: picture.rect.height)
        let changedRows = changed.minY / 2..<(changed.maxY + 1) / 2
        let changedColumns = changed.minX / 2..<(changed.maxX + 1) / 2
        // Any changed pixel may be the nearest to any transparent one.
        let cellRows = fillsClear ? 0..<size.halved.height : changedRows
        var cells = ColorCells(picture, rows: cellRows, width: size.halved.width)
        if fillsClear { try cells.fill(context) }
        try context.checkDeadline()
        let (size, layout, filled) = (size, layout, filled)
        let spans = cellRows.map { row in
            let span = changedRows.contains(row) ? changedColumns : 0..<0
            guard fillsClear else { return span }
            guard let filled else { return 0..<size.halved.width }
            return cells.changes(in: row, since: filled, and: span)
        }
        self.filled = fillsClear ? cells.colors : nil
        let rows = 2 * cellRows.lowerBound..<min(2 * cellRows.upperBound, size.height)
        bytes.withUnsafeMutableBufferPointer { bytes in
            picture.values.withUnsafeBufferPointer { pixels in
                cells.colors.withUnsafeBufferPointer { cells in
                    let part = PictureRows(
                        pixels: pixels, size: source, rows: rows, spans: spans, cells: cells)
                    switch layout {
                    case .subsampled(let hasAlpha):
                        part.write8Bits(to: bytes, size, hasAlpha: hasAlpha)
                    case .fullRange(let hasAlpha):
                        part.writeFullRange(to: bytes, size, hasAlpha: hasAlpha)
                    case .full: part.write10Bits(to: bytes, size)
                    }
                }
            }
        }
    }
}

/// Rows of a picture.
private struct PictureRows {
    /// The pixels of the whole picture.
    let pixels: UnsafeBufferPointer<UInt32>
    /// The size of the picture.
    let size: PixelSize
    let rows: Range<Int>
    /// The cells that are written in each row of cells.
    let spans: [Range<Int>]
    /// The colours of the cells in these rows.
    let cells: UnsafeBufferPointer<UInt32>

    /// Returns the columns of a row that are written.
    private func columns(ofRow y: Int, _ frame: PixelSize) -> Range<Int> {
        let span = spans[(y - rows.lowerBound) / 2]
        return 2 * span.lowerBound..<min(2 * span.upperBound, frame.width)
    }

    /// Writes planes of 8 bits for a frame.
    func write8Bits(
        to bytes: UnsafeMutableBufferPointer<UInt8>, _ frame: PixelSize, hasAlpha: Bool
    ) {
        let half = frame.halved
        let blue = frame.count
        let red = blue + half.count
        let alpha = red + half.count
        for y in rows {
            let row = min(y, size.height - 1) * size.width
            let cellRow = (y - rows.lowerBound) / 2 * half.width
            for x in columns(ofRow: y, frame) {
                var pixel = pixels[row + min(x, size.width - 1)]
                if hasAlpha { bytes[alpha + y * frame.width + x] = UInt8(pixel >> 24) }
                if pixel >> 24 == 0 { pixel = cells[cellRow + x / 2] }
                let (r, g, b) = pixel.parts
                bytes[y * frame.width + x] = UInt8(
                    truncatingIfNeeded: (11_966 * r + 40_254 * g + 4064 * b + 1_081_344) >> 16)
            }
        }
        let firstCell = rows.lowerBound / 2 * half.width
        for (row, span) in spans.enumerated() {
            for cell in row * half.width + span.lowerBound..<row * half.width + span.upperBound {
                let (r, g, b) = cells[cell].parts
                bytes[blue + firstCell + cell] = UInt8(
                    truncatingIfNeeded: (28_785 * b - 6596 * r - 22_189 * g + 8_421_376) >> 16)
                bytes[red + firstCell + cell] = UInt8(
                    truncatingIfNeeded: (28_785 * r - 26_145 * g - 2640 * b + 8_421_376) >> 16)
            }
        }
    }

    /// Writes planes of 8 bits in the full range for a frame.
    func writeFullRange(
        to bytes: UnsafeMutableBufferPointer<UInt8>, _ frame: PixelSize, hasAlpha: Bool
    ) {
        let plane = frame.count
        let halfWidth = frame.halved.width
        for y in rows {
            let row = min(y, size.height - 1) * size.width
            let cellRow = (y - rows.lowerBound) / 2 * halfWidth
            for x in columns(ofRow: y, frame) {
                var pixel = pixels[row + min(x, size.width - 1)]
                let offset = y * frame.width + x
                if hasAlpha { bytes[3 * plane + offset] = UInt8(pixel >> 24) }
                if pixel >> 24 == 0 { pixel = cells[cellRow + x / 2] }
                let (r, g, b) = pixel.parts
                bytes[offset] = UInt8(
                    truncatingIfNeeded: (13_933 * r + 46_871 * g + 4732 * b + 32_768) >> 16)
                // A half is rounded down: the purest blue and red would be 256.
                bytes[plane + offset] = UInt8(
                    truncatingIfNeeded: (32_768 * b - 7509 * r - 25_259 * g + 8_421_375) >> 16)
                bytes[2 * plane + offset] = UInt8(
                    truncatingIfNeeded: (32_768 * r - 29_763 * g - 3005 * b + 8_421_375) >> 16)
            }
        }
    }

    /// Writes planes of 10 bits for a frame.
    func write10Bits(to bytes: UnsafeMutableBufferPointer<UInt8>, _ frame: PixelSize) {
        let plane = 2 * frame.count
        let halfWidth = frame.halved.width
        let target = UnsafeMutableRawBufferPointer(bytes)
        func put(_ value: Int32, at offset: Int) {
            target.storeBytes(
                of: UInt16(truncatingIfNeeded: value).littleEndian, toByteOffset: offset,
                as: UInt16.self)
        }
        for y in rows {
            let row = min(y, size.height - 1) * size.width
            let cellRow = (y - rows.lowerBound) / 2 * halfWidth
            // Most pixels have the colour of the one before.
            var (last, luma, blue, red) = (UInt32?.none, Int32(0), Int32(0), Int32(0))
            for x in columns(ofRow: y, frame) {
                var pixel = pixels[row + min(x, size.width - 1)]
                let offset = 2 * (y * frame.width + x)
                put((Int32(pixel >> 24) * 1023 + 127) / 255, at: 3 * plane + offset)
                if pixel >> 24 == 0 { pixel = cells[cellRow + x / 2] }
                if pixel != last {
                    let (r, g, b) = pixel.parts
                    last = pixel
                    luma = (47_864 * r + 161_015 * g + 16_255 * b + 4_227_072) >> 16
                    blue = (115_138 * b - 26_383 * r - 88_755 * g + 33_587_200) >> 16
                    red = (115_138 * r - 104_580 * g - 10_558 * b + 33_587_200) >> 16
                }
                put(luma, at: offset)
                put(blue, at: plane + offset)
                put(red, at: 2 * plane + offset)
            }
        }
    }
}

/// The colours of cells of two by two pixels, in rows of a picture.
private struct ColorCells {
    private let size: PixelSize
    /// The colours in the form of pixels; alpha is 0 where all pixels of a cell are transparent.
    private(set) var colors: [UInt32]

    /// Makes the means of pixels' colours, weighted by alpha.
    init(_ picture: PixelBlock<UInt32>, rows: Range<Int>, width cellWidth: Int) {
        let size = PixelSize(width: cellWidth, height: rows.count)
        self.size = size
        let (width, height) = (picture.rect.width, picture.rect.height)
        colors = [UInt32](unsafeUninitializedCapacity: size.count) { target, count in
            count = size.count
            picture.values.withUnsafeBufferPointer { pixels in
                for y in 0..<size.height {
                    // A cell at an edge may have only one row or column of pixels.
                    let top = 2 * (rows.lowerBound + y)
                    let upper = min(top, height - 1) * width
                    let lower = min(top + 1, height - 1) * width
                    for x in 0..<size.width {
                        let (left, right) = (min(2 * x, width - 1), min(2 * x + 1, width - 1))
                        target[y * size.width + x] = Self.mean(
                            pixels[upper + left], pixels[upper + right], pixels[lower + left],
                            pixels[lower + right])
                    }
                }
            }
        }
    }

    @inline(__always)
    private static func mean(_ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: UInt32) -> UInt32 {
        if a == b, c == d, a == c { return a }
        var sums = SIMD4<UInt32>.zero
        func add(_ pixel: UInt32) {
            let alpha = pixel >> 24
            sums &+=
                SIMD4(alpha, pixel >> 16 & 0xFF, pixel >> 8 & 0xFF, pixel & 0xFF)
                &* SIMD4(1, alpha, alpha, alpha)
        }
        add(a)
        add(b)
        add(c)
        add(d)
        let whole = sums.x
        guard whole > 0 else { return a }
        let mean = (sums &+ SIMD4(repeating: whole / 2)) / SIMD4(repeating: whole)
        return 0xFF00_0000 | mean.y << 16 | mean.z << 8 | mean.w
    }

    /// Returns the smallest span of a row with some cells and all that differ from other colours.
    func changes(in row: Int, since others: [UInt32], and span: Range<Int>) -> Range<Int> {
        let start = row * size.width
        return colors.withUnsafeBufferPointer { colors in
            others.withUnsafeBufferPointer { others in
                let isEmpty = span.isEmpty
                var first = isEmpty ? size.width : span.lowerBound
                var end = isEmpty ? 0 : span.upperBound
                if let change = (0..<first).first(where: {
                    colors[start + $0] != others[start + $0]
                }) {
                    first = change
                }
                let last = (max(end, first)..<size.width).last {
                    colors[start + $0] != others[start + $0]
                }
                if let last { end = last + 1 }
                return min(first, end)..<end
            }
        }
    }

    /// Gives transparent cells the colour of the nearest cell that is not transparent.
    ///
    /// Two passes add steps to the distances of earlier neighbours, 2 to the sides and 3
    /// diagonally: the sums are at most a tenth longer than straight lines.
    mutating func fill(_ context: EncodingContext) throws(EncodingError) {
        try context.checkDeadline()
        let (width, height) = (size.width, size.height)
        guard colors.contains(where: { $0 >> 24 == 0 }),
            let firstColor = colors.firstIndex(where: { $0 >> 24 > 0 })
        else { return }
        var distances = colors.map { $0 >> 24 > 0 ? Int32(0) : Int32.max / 2 }
        colors.withUnsafeMutableBufferPointer { colors in
            distances.withUnsafeMutableBufferPointer { distances in
                @inline(__always)
                func take(_ cell: Int, from other: Int, _ step: Int32) {
                    guard distances[other] &+ step < distances[cell] else { return }
                    distances[cell] = distances[other] &+ step
                    colors[cell] = colors[other] & 0xFF_FFFF
                }
                @inline(__always)
                func visit(_ x: Int, _ y: Int, _ behind: Int) {
                    let cell = y * width + x
                    guard distances[cell] > 0 else { return }
                    if x &- behind >= 0, x &- behind < width { take(cell, from: cell - behind, 2) }
                    let row = y - behind
                    guard row >= 0, row < height else { return }
                    take(cell, from: row * width + x, 2)
                    if x > 0 { take(cell, from: row * width + x - 1, 3) }
                    if x < width - 1 { take(cell, from: row * width + x + 1, 3) }
                }
                // No row has a colour from above before the first that has its own.
                for y in firstColor / width..<height { for x in 0..<width { visit(x, y, 1) } }
                for y in (0..<height).reversed() {
                    for x in (0..<width).reversed() { visit(x, y, -1) }
                }
            }
        }
    }
}

extension PixelSize {
    /// The size in cells of two by two pixels.
    fileprivate var halved: PixelSize {
        PixelSize(width: (width + 1) / 2, height: (height + 1) / 2)
    }
}

extension UInt32 {
    /// Red, green, and blue.
    @inline(__always)
    fileprivate var parts: (Int32, Int32, Int32) {
        (Int32(self >> 16 & 0xFF), Int32(self >> 8 & 0xFF), Int32(self & 0xFF))
    }
}
