import Motion

/// What a viewer has on its canvas, as a PNG's unfiltered bytes.
struct APNGPlane {
    private let width: Int
    private let bytesPerPixel: Int
    private var bytes: [UInt8]

    /// A rectangle's bytes, a filter's number before each row.
    struct Picture {
        let rect: PixelRect
        let rows: [UInt8]
    }

    init(size: PixelSize, bytesPerPixel: Int) {
        width = size.width
        self.bytesPerPixel = bytesPerPixel
        bytes = [UInt8](repeating: 0, count: size.count * bytesPerPixel)
    }

    /// The smallest rectangle around all in which a picture differs.
    func difference(from picture: Picture) -> PixelRect {
        var difference = PixelRect.empty
        forEachRow(of: picture) { y, old, new in
            guard let first = old.indices.first(where: { old[$0] != new[$0] }),
                let last = old.indices.last(where: { old[$0] != new[$0] })
            else { return }
            let left = picture.rect.minX
            difference = difference.union(
                PixelRect(
                    minX: left + first / bytesPerPixel, minY: y,
                    maxX: left + last / bytesPerPixel + 1, maxY: y + 1))
        }
        return difference
    }

    /// A picture's rows with holes where nothing differs; nil where there is no such place.
    func pierced(_ picture: Picture, with hole: [UInt8]) -> [UInt8]? {
        var rows = picture.rows
        var isPierced = false
        var start = 1
        forEachRow(of: picture) { _, old, new in
            for pixel in stride(from: 0, to: new.count, by: bytesPerPixel)
            where (0..<bytesPerPixel).allSatisfy({ old[pixel + $0] == new[pixel + $0] }) {
                for offset in 0..<bytesPerPixel { rows[start + pixel + offset] = hole[offset] }
                isPierced = true
            }
            start += 1 + new.count
        }
        return isPierced ? rows : nil
    }

    /// Draws a picture.
    mutating func show(_ picture: Picture) {
        let rowBytes = picture.rect.width * bytesPerPixel
        for y in 0..<picture.rect.height {
            let target = ((picture.rect.minY + y) * width + picture.rect.minX) * bytesPerPixel
            let source = y * (1 + rowBytes) + 1
            bytes.replaceSubrange(
                target..<target + rowBytes, with: picture.rows[source..<source + rowBytes])
        }
    }

    /// Calls `body` with each row's y and its bytes here and in a picture.
    private func forEachRow(
        of picture: Picture,
        _ body: (Int, UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>) -> Void
    ) {
        let rect = picture.rect
        let rowBytes = rect.width * bytesPerPixel
        bytes.withUnsafeBufferPointer { bytes in
            picture.rows.withUnsafeBufferPointer { rows in
                for y in 0..<rect.height {
                    let old = ((rect.minY + y) * width + rect.minX) * bytesPerPixel
                    let new = y * (1 + rowBytes) + 1
                    body(
                        rect.minY + y, UnsafeBufferPointer(rebasing: bytes[old..<old + rowBytes]),
                        UnsafeBufferPointer(rebasing: rows[new..<new + rowBytes]))
                }
            }
        }
    }
}
