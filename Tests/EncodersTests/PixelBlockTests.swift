import Raster
import Testing

@testable import Encoders

@Suite struct PixelBlockTests {
    private let size = PixelSize(width: 13, height: 7)

    /// A block of a few values in random places.
    private func block<Value: FixedWidthInteger & Sendable>(
        _ generator: inout some RandomNumberGenerator, in rect: PixelRect
    ) -> PixelBlock<Value> {
        let values = (0..<rect.width * rect.height).map { _ -> Value in
            Int.random(in: 0..<12, using: &generator) == 0 ? 1 : 0
        }
        return PixelBlock(rect: rect, values: values)
    }

    private func check<Value: FixedWidthInteger & Sendable>(_: Value.Type) {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            let below: PixelBlock<Value> = block(&generator, in: PixelRect(size))
            var canvas = below
            let (x, y) = (Int.random(in: 0..<12), Int.random(in: 0..<6))
            let rect = PixelRect(
                minX: x, minY: y, maxX: Int.random(in: x + 1...13), maxY: Int.random(in: y + 1...7))
            let above: PixelBlock<Value> = block(&generator, in: rect)
            var (expected, vanishing) = (PixelRect.empty, PixelRect.empty)
            var changes = above.values
            for (index, value) in above.values.enumerated() {
                let (x, y) = (rect.minX + index % rect.width, rect.minY + index / rect.width)
                let pixel = PixelRect(minX: x, minY: y, maxX: x + 1, maxY: y + 1)
                if value == below.values[y * size.width + x] {
                    changes[index] = 9
                } else {
                    expected = expected.union(pixel)
                    if value == 0 { vanishing = vanishing.union(pixel) }
                }
            }
            #expect(canvas.difference(from: above) == expected)
            #expect(canvas.vanishing(in: above) == vanishing)
            let behind = canvas.cropped(to: rect)
            #expect(
                above.changes(since: behind, else: 9)?.values ?? above.values == changes)
            canvas.draw(above)
            #expect(canvas.difference(from: above).isEmpty)
            guard !expected.isEmpty else { continue }
            let part = above.cropped(to: expected)
            #expect(part.rect == expected && canvas.difference(from: part).isEmpty)
            canvas.clear(PixelRect(size))
            #expect(canvas.difference(from: part).isEmpty == part.values.allSatisfy { $0 == 0 })
        }
    }

    @Test("the difference is the smallest rectangle around what differs, of bytes and of colours")
    func difference() {
        check(UInt8.self)
        check(UInt32.self)
    }

    @Test("runs are counted from row to row")
    func runs() {
        let rect = PixelRect(minX: 0, minY: 0, maxX: 3, maxY: 2)
        #expect(PixelBlock<UInt8>(rect: rect, values: [1, 1, 2, 2, 2, 1]).runCount == 3)
    }
}
