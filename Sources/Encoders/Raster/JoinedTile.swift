import Raster

/// The tiles of several parts as one, which are blended once.
struct JoinedTile {
    private let kind: Tile.Kind
    private let rect: PixelRect
    private let stride: Int
    private var bytes: [UInt8]

    var tile: Tile { Tile(kind: kind, rect: rect, stride: stride, bytes: bytes) }

    /// Begins with a tile.
    ///
    /// - Parameters:
    ///   - first: The tile.
    ///   - rect: The pixels that are wanted.
    init(_ first: Tile, within rect: PixelRect) {
        kind = first.kind
        self.rect = rect
        stride = rect.width * (kind == .picture ? 4 : 1)
        bytes = [UInt8](repeating: 0, count: stride * rect.height)
        add(first, overlap: 1)
    }

    /// Adds a tile of the same kind.
    ///
    /// - Parameters:
    ///   - tile: The tile.
    ///   - overlap: The factor of the product of two coverages, 0…1 each, that is taken from their
    ///     sum.
    mutating func add(_ tile: Tile, overlap: Double) {
        let common = tile.rect.intersection(rect)
        guard !common.isEmpty else { return }
        let step = kind == .picture ? 4 : 1
        let factor = UInt32((overlap * 65_536 / 255).rounded())
        bytes.withUnsafeMutableBufferPointer { bytes in
            tile.bytes.withUnsafeBufferPointer { source in
                for y in common.minY..<common.maxY {
                    let target = (y - rect.minY) * stride + (common.minX - rect.minX) * step
                    let first =
                        (y - tile.rect.minY) * tile.stride + (common.minX - tile.rect.minX) * step
                    switch kind {
                    case .coverage:
                        for x in 0..<common.width where source[first + x] != 0 {
                            let (one, other) = (
                                UInt32(bytes[target + x]), UInt32(source[first + x])
                            )
                            let twice = (one &* other &* factor &+ 0x8000) >> 16
                            bytes[target + x] = UInt8(min(one + other - min(twice, other), 255))
                        }
                    case .picture:
                        for x in Swift.stride(from: 0, to: 4 * common.width, by: 4)
                        where source[first + x + 3] != 0 {
                            let rest = 255 - UInt32(source[first + x + 3])
                            for part in x..<x + 4 {
                                let below = UInt32(bytes[target + part]) * rest
                                bytes[target + part] = UInt8(
                                    min(UInt32(source[first + part]) + (below + 127) / 255, 255))
                            }
                        }
                    }
                }
            }
        }
    }
}
