package import Motion

extension Tile {
    /// Returns the part of it within a rectangle that lies in any direction.
    ///
    /// - Parameters:
    ///   - rect: The rectangle before it is turned and moved, in CSS pixels.
    ///   - map: The turn and the move.
    ///   - scale: Pixels in one CSS pixel.
    /// - Returns: The tile; pixels at the sides of the rectangle by the share of them that is within.
    package func cut(to rect: Rect, _ map: Affine, scale: Double) -> Tile {
        let back = map.inverse
        let step = kind == .picture ? 4 : 1
        var bytes = bytes
        /// The share of a pixel's width from a position on that is between two others.
        func share(_ position: Double, _ low: Double, _ high: Double) -> Double {
            let (after, before) = ((position - low) * scale + 0.5, (high - position) * scale + 0.5)
            return max(min(max(after, 0), 1) + min(max(before, 0), 1) - 1, 0)
        }
        for row in 0..<self.rect.height {
            for column in 0..<self.rect.width {
                let pixel = SIMD2(
                    Double(self.rect.minX + column) + 0.5, Double(self.rect.minY + row) + 0.5)
                let own = back(pixel / scale)
                let coverage =
                    share(own.x, rect.x, rect.maxX) * share(own.y, rect.y, rect.maxY)
                guard coverage < 1 else { continue }
                let first = row * stride + column * step
                for index in first..<first + step {
                    bytes[index] = UInt8((Double(bytes[index]) * coverage).rounded())
                }
            }
        }
        return Tile(kind: kind, rect: self.rect, stride: stride, bytes: bytes)
    }
}
