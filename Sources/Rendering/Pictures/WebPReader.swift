import Bytes
import Motion

/// Reads the parts of a WebP file that define its pixels, and leaves out all others: profiles, Exif,
/// XMP.
///
/// The pixels are not decoded. Source: RFC 9649, 2 (the container) and 3.4 (lossless); RFC 6386, 9.1
/// (lossy).
struct WebPReader {
    private let file: [UInt8]
    private var offset = 12
    /// The end of the last chunk.
    private let end: Int
    /// The size of the canvas in an extended file.
    private var canvas: Size?
    /// The chunk of transparency, of an extended file.
    private var alpha: ArraySlice<UInt8>?

    private struct Size: Equatable {
        var width: Int
        var height: Int
    }

    /// The pixels of the file.
    private struct Pixels {
        let size: Size
        let isOpaque: Bool
        let chunk: ArraySlice<UInt8>
    }

    /// Returns true for a file with the header of WebP.
    static func isWebP(_ file: [UInt8]) -> Bool {
        file.count >= 12 && file[..<4].elementsEqual("RIFF".utf8)
            && file[8..<12].elementsEqual("WEBP".utf8)
    }

    /// Returns the picture in a file with the header of WebP.
    ///
    /// - Throws: The fault of the file, in words that follow its name.
    static func picture(
        in file: [UInt8], named name: ByteString
    ) throws(ValueFault) -> TextPicture {
        var reader = try WebPReader(file)
        let pixels = try reader.readPixels()
        let size = pixels.size
        try PictureReader.check(width: size.width, height: size.height)
        guard reader.canvas == nil || reader.canvas == size else { throw PictureReader.damaged }
        return TextPicture(
            name: name, width: size.width, height: size.height, isOpaque: pixels.isOpaque,
            file: reader.written(pixels))
    }

    private init(_ file: [UInt8]) throws(ValueFault) {
        self.file = file
        end = 8 + Self.number(in: file[4..<8])
        guard end <= file.count else { throw PictureReader.damaged }
    }

    /// Returns bytes as a number, the lowest first.
    private static func number(in bytes: ArraySlice<UInt8>) -> Int {
        bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    private mutating func readPixels() throws(ValueFault) -> Pixels {
        while true {
            guard end - offset >= 8 else { throw PictureReader.damaged }
            let length = Self.number(in: file[offset + 4..<offset + 8])
            guard length <= end - offset - 8 else { throw PictureReader.damaged }
            let content = file[offset + 8..<offset + 8 + length]
            let chunk = file[offset..<content.endIndex]
            let isFirst = offset == 12
            switch ByteString(String(decoding: file[offset..<offset + 4], as: UTF8.self)) {
            case "VP8 ": return try lossy(content, chunk)
            case "VP8L": return try lossless(content, chunk)
            case "VP8X" where isFirst: try readCanvas(content)
            case "ALPH" where canvas != nil: alpha = chunk
            case "ANIM", "ANMF":
                throw ValueFault("must be a still picture; got an animated one")
            default:
                guard canvas != nil else { throw PictureReader.damaged }
            }
            offset = content.endIndex + length % 2
        }
    }

    private mutating func readCanvas(_ content: ArraySlice<UInt8>) throws(ValueFault) {
        let bytes = Array(content)
        guard bytes.count >= 10 else { throw PictureReader.damaged }
        canvas = Size(
            width: 1 + Self.number(in: bytes[4..<7]), height: 1 + Self.number(in: bytes[7..<10]))
    }

    private func lossy(
        _ content: ArraySlice<UInt8>, _ chunk: ArraySlice<UInt8>
    ) throws(ValueFault) -> Pixels {
        let bytes = Array(content.prefix(10))
        guard bytes.count == 10, bytes[0] & 1 == 0, bytes[3..<6].elementsEqual([0x9D, 0x01, 0x2A])
        else { throw PictureReader.damaged }
        // The upper two bits ask for a scale that nobody follows.
        let size = Size(
            width: Self.number(in: bytes[6..<8]) & 0x3FFF,
            height: Self.number(in: bytes[8..<10]) & 0x3FFF)
        return Pixels(size: size, isOpaque: alpha == nil, chunk: chunk)
    }

    private func lossless(
        _ content: ArraySlice<UInt8>, _ chunk: ArraySlice<UInt8>
    ) throws(ValueFault) -> Pixels {
        let bytes = Array(content.prefix(5))
        guard bytes.count == 5, bytes[0] == 0x2F, bytes[4] >> 5 == 0 else {
            throw PictureReader.damaged
        }
        let header = Self.number(in: bytes[1..<5])
        return Pixels(
            size: Size(width: 1 + header & 0x3FFF, height: 1 + header >> 14 & 0x3FFF),
            isOpaque: header >> 28 == 0, chunk: chunk)
    }

    /// Returns a file of the pixels only.
    private func written(_ pixels: Pixels) -> [UInt8] {
        var chunks: [UInt8] = []
        func bytes(of number: Int, count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        }
        func add(_ chunk: ArraySlice<UInt8>) {
            chunks += chunk
            if chunk.count % 2 > 0 { chunks.append(0) }
        }
        let isLossy = pixels.chunk.dropFirst(3).first == UInt8(ascii: " ")
        if let alpha, isLossy {
            let hasAlpha = 0x10
            add(
                (Array("VP8X".utf8) + bytes(of: 10, count: 4) + bytes(of: hasAlpha, count: 4)
                    + bytes(of: pixels.size.width - 1, count: 3)
                    + bytes(of: pixels.size.height - 1, count: 3))[...])
            add(alpha)
        }
        add(pixels.chunk)
        return Array("RIFF".utf8) + bytes(of: 4 + chunks.count, count: 4) + Array("WEBP".utf8)
            + chunks
    }
}
