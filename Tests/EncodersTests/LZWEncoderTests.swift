import Bytes
import Motion
import Raster
import Testing

@testable import Encoders

@Suite struct LZWEncoderTests {
    /// Reproducible pseudorandom numbers.
    private struct Numbers {
        private var state: UInt64

        init(seed: UInt64) { state = seed }

        mutating func next(below limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % limit
        }
    }

    /// The data of an image of one row; symbols with `isFree` may come back as the alternative.
    private func encoded(
        _ symbols: [UInt8], isFree: [Bool], alternative: UInt8 = 0, near: NearColors? = nil
    ) -> [UInt8] {
        let rect = PixelRect(PixelSize(width: symbols.count, height: 1))
        let known = zip(symbols, isFree).map { $1 ? $0 : $0 &+ 1 }
        let image = GIFImage(
            PixelBlock(rect: rect, values: symbols), known: known, alternative: alternative)
        var encoder = LZWEncoder()
        var sink = ByteSink()
        encoder.encode(image, near: near, into: &sink)
        return sink.bytes()
    }

    @Test("what is coded is read again", arguments: [2, 3, 16, 33, 100, 256])
    func roundTrip(alphabet: Int) throws {
        var numbers = Numbers(seed: UInt64(alphabet))
        for length in [1, 2, 3, 10, 255, 4000, 40_000] {
            // Runs, as pictures have them.
            var symbols: [UInt8] = []
            while symbols.count < length {
                let run = min(numbers.next(below: 12) + 1, length - symbols.count)
                symbols += [UInt8](
                    repeating: UInt8(numbers.next(below: alphabet)), count: run)
            }
            let bytes = encoded(symbols, isFree: [Bool](repeating: false, count: length))
            #expect(LZWDecoder.symbols(in: bytes) == symbols, "\(length) of \(alphabet)")
        }
    }

    @Test(
        "free pixels come back as themselves or as the alternative", arguments: [0, 5] as [UInt8])
    func freePixels(alternative: UInt8) throws {
        var numbers = Numbers(seed: 7)
        for length in [1, 9, 300, 30_000] {
            let symbols = (0..<length).map { _ in UInt8(numbers.next(below: 40)) }
            let isFree = (0..<length).map { $0 / 50 % 3 != 0 }
            let bytes = encoded(symbols, isFree: isFree, alternative: alternative)
            let read = try #require(LZWDecoder.symbols(in: bytes))
            #expect(read.count == length)
            for index in read.indices where read[index] != symbols[index] {
                #expect(isFree[index] && read[index] == alternative)
            }
        }
    }

    @Test("a flat picture takes about as many codes as the square root of twice its pixels")
    func flat() {
        let count = 200_000
        let bytes = encoded(
            [UInt8](repeating: 3, count: count), isFree: [Bool](repeating: true, count: count),
            alternative: 3)
        #expect(LZWDecoder.symbols(in: bytes)?.count == count)
        #expect(bytes.count < 720)
    }

    /// A palette of greys that differ by 4, after the transparent colour.
    private func greys() -> Palette {
        var palette = Palette()
        for level in 0..<60 {
            let value = UInt8(4 * level)
            _ = palette.index(of: Color(red: value, green: value, blue: value))
        }
        return palette
    }

    @Test("near colours are those within the distance, the nearest first, without transparent")
    func nearColors() {
        // 20 · 10 allows a squared distance of 200, which is two steps of 4 in three components.
        let rows = NearColors(in: greys(), over: .transparent, quality: 90).rows
        func row(_ index: Int) -> ArraySlice<UInt8> {
            rows[index * NearColors.most..<(index + 1) * NearColors.most].prefix { $0 > 0 }
        }
        #expect(row(10).elementsEqual([9, 11, 8, 12]))
        #expect(row(1).elementsEqual([2, 3]))
        #expect(row(0).isEmpty)
        let ground = Color(red: 36, green: 36, blue: 36)
        let others = NearColors(in: greys(), over: ground, quality: 90).rows
        #expect(others[10 * NearColors.most] == 0 && others[11 * NearColors.most] != 0)
        let nearest = NearColors(in: greys(), over: .transparent, quality: 99)
        #expect(nearest.rows.allSatisfy { $0 == 0 })
    }

    @Test("a lossy image is smaller, and no pixel is further from its own than the quality allows")
    func lossy() throws {
        var numbers = Numbers(seed: 3)
        let symbols = (0..<20_000).map { index in
            UInt8(20 + index / 40 % 12 + numbers.next(below: 3))
        }
        let isFree = symbols.indices.map { $0 / 1000 % 5 == 4 }
        let exact = encoded(symbols, isFree: isFree)
        let near = NearColors(in: greys(), over: .transparent, quality: 90)
        let lossy = encoded(symbols, isFree: isFree, near: near)
        #expect(lossy.count < exact.count * 3 / 4)
        let read = try #require(LZWDecoder.symbols(in: lossy))
        #expect(read.count == symbols.count)
        for index in read.indices where !(isFree[index] && read[index] == 0) {
            #expect(abs(Int(read[index]) - Int(symbols[index])) <= 2)
        }
    }
}
