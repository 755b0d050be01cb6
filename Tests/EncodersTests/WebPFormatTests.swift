import Bytes
import Motion
import Raster
import Testing

@testable import Encoders

@Suite struct WebPFormatTests {
    private struct Chunk {
        let name: String
        let content: ArraySlice<UInt8>
    }

    private func number(_ bytes: some Sequence<UInt8>) -> Int {
        bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    /// Takes a file's chunks apart.
    private func chunks(_ file: [UInt8]) throws -> [Chunk] {
        #expect(file.starts(with: "RIFF".utf8) && file[8..<12].elementsEqual("WEBP".utf8))
        #expect(number(file[4..<8]) == file.count - 8)
        var rest = file[12...]
        var chunks: [Chunk] = []
        while rest.count >= 8 {
            let length = number(rest.dropFirst(4).prefix(4))
            let content = rest.dropFirst(8).prefix(length)
            try #require(content.count == length)
            chunks.append(
                Chunk(name: String(decoding: rest.prefix(4), as: UTF8.self), content: content))
            rest = rest.dropFirst(8 + length + length % 2)
        }
        #expect(rest.isEmpty)
        return chunks
    }

    private func encoded(
        _ scene: Scene, _ values: [ByteString: ParameterValue] = [:]
    ) throws -> [UInt8] {
        try WebPFormat(values).encode(scene, .sample)
    }

    @Test("an animation has a header, its loop, and frames that last as long as the scene")
    func animation() throws {
        var scene = SampleScene.scene()
        scene.loop = .count(3)
        let chunks = try chunks(encoded(scene))
        #expect(chunks.map(\.name).prefix(2) == ["VP8X", "ANIM"])
        let header = Array(chunks[0].content)
        #expect(header[0] == 0x12, "animated, with alpha")
        #expect(number(header[4..<7]) == 71 && number(header[7..<10]) == 55)
        #expect(number(chunks[1].content.suffix(2)) == 3)
        let frames = chunks.dropFirst(2)
        #expect(frames.count > 5 && frames.allSatisfy { $0.name == "ANMF" })
        let durations = frames.map { number($0.content.dropFirst(12).prefix(3)) }
        #expect(durations.reduce(0, +) == 1530)
        #expect(durations.allSatisfy { $0 >= 20 })
        for frame in frames {
            let values = stride(from: 0, to: 12, by: 3).map { offset in
                number(frame.content.dropFirst(offset).prefix(3))
            }
            #expect(2 * values[0] + values[2] + 1 <= 72 && 2 * values[1] + values[3] + 1 <= 56)
            #expect(frame.content.dropFirst(16).starts(with: "VP8L".utf8))
        }
    }

    @Test("what does not move is a still picture")
    func still() throws {
        var scene = SampleScene.scene()
        scene.tracks = scene.tracks.map { _ in .shown }
        #expect(try chunks(encoded(scene)).map(\.name) == ["VP8L"])
    }

    @Test("on an opaque backdrop no frame is erased")
    func opaque() throws {
        var scene = SampleScene.scene()
        let white = Color(red: 255, green: 255, blue: 255)
        scene.appearance.card = Card(background: .color(white), darkBackground: nil)
        let frames = try chunks(encoded(scene)).filter { $0.name == "ANMF" }
        let flags = frames.compactMap { $0.content.dropFirst(15).first }
        #expect(!flags.isEmpty && flags.allSatisfy { $0 & 1 == 0 })
    }

    @Test("fewer levels are fewer bytes")
    func levels() throws {
        var scene = SampleScene.scene()
        scene.loop = .infinite
        let exact = try encoded(scene).count
        #expect(try encoded(scene, ["levels": .number(2)]).count < exact)
    }

    /// A picture of more colours than a palette has.
    private func gradient(alpha: UInt8) -> PixelBlock<UInt32> {
        let size = PixelSize(width: 64, height: 48)
        let values = (0..<size.count).map { index in
            let color = Color(
                red: UInt8(index % 64 * 4), green: UInt8(index / 64 * 5), blue: 90, alpha: alpha)
            return color.argb
        }
        return PixelBlock(rect: PixelRect(size), values: values)
    }

    @Test("a lossy picture has its alpha in a chunk of its own, and a still of it a header")
    func lossy() throws {
        let coding = WebPEffort.of(PixelSize(width: 64, height: 48), frames: 1).lossy(80)
        for alpha in [UInt8(255), 80] {
            let image = gradient(alpha: alpha)
            let picture = try WebPEncoder.chunks(of: image, coding, WorkDeadline())
            #expect(WebPEncoder.hasAlpha(picture) == (alpha < 255))
            let writer = WebPWriter(size: PixelSize(width: 64, height: 48))
            let frame = writer.frame(
                picture, in: image.rect, duration: 40, isOver: false, isErased: false)
            let names = try chunks(writer.still(frame)).map(\.name)
            #expect(names == (alpha < 255 ? ["VP8X", "ALPH", "VP8 "] : ["VP8 "]))
        }
    }

    @Test("the effort falls with the pixels of all frames, and so does its price")
    func effort() {
        let canvas = PixelSize(width: 1000, height: 500)
        let efforts = [1, 16, 17, 32, 33, 64, 65].map { WebPEffort.of(canvas, frames: $0) }
        let image = gradient(alpha: 255)
        let methods = efforts.map { $0.lossless(image, isOnly: false).method }
        #expect(methods == [3, 3, 2, 2, 1, 1, 0])
        #expect(efforts.map(\.passes.many) == [80, 80, 40, 40, 20, 20, 0])
        #expect(efforts[6].lossless(image, isOnly: true).method == 1)
    }

    @Test("a level is the nearest of steps of equal size, and none and full are levels")
    func nearestLevel() {
        for count in [2, 3, 32, 255] {
            let levels = AlphaLevels(count: count)
            let step = 65_535 / Double(count - 1)
            for alpha in stride(from: 0, through: 65_535, by: 257).map({ UInt16($0) }) {
                let level = Double(levels.nearest(to: alpha))
                #expect(abs(level - Double(alpha)) <= step / 2 + 0.5)
                #expect(abs(level / step - (level / step).rounded()) * step <= 0.501)
            }
            #expect(levels.nearest(to: 0) == 0 && levels.nearest(to: 65_535) == 65_535)
        }
    }

    @Test("a side that no WebP has is an error that names what makes it smaller")
    func tooLong() throws {
        var scene = SampleScene.scene()
        scene.width = 16_383
        #expect(throws: Never.self) { try WebPFormat().begin(scene, frameLimit: 100, .sample) }
        scene.width = 16_384
        #expect(
            throws: EncodingError.sideTooLong(parameter: "width", pixels: 16_384, limit: 16_383)
        ) { try WebPFormat().begin(scene, frameLimit: 100, .sample) }
        scene.width = 8192
        #expect(
            throws: EncodingError.sideTooLong(parameter: "scale", pixels: 16_384, limit: 16_383)
        ) {
            try WebPFormat(["scale": .number(2)]).begin(scene, frameLimit: 100, .sample)
        }
    }
}
