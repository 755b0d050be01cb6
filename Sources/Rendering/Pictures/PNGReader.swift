import Bytes
import Motion

/// Reads the parts of a PNG file that define its pixels, and leaves out all others: text, profiles,
/// the further frames of an APNG.
///
/// The pixels are not decoded, so a file with more pixels takes no longer. Source: PNG, third
/// edition, 5 and 11.
struct PNGReader {
    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    /// The bit depths of each colour type.
    private static let depths: [UInt8: [UInt8]] = [
        0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16],
    ]

    private let file: [UInt8]
    private var offset = signature.count
    /// The chunks that are kept.
    private var kept = signature
    /// True unless pixels may be transparent.
    private var isOpaque = false

    /// Returns true for a file with the signature of PNG.
    static func isPNG(_ file: [UInt8]) -> Bool { file.starts(with: signature) }

    /// Returns the picture in a file with the signature of PNG.
    ///
    /// - Throws: The fault of the file, in words that follow its name.
    static func picture(
        in file: [UInt8], named name: ByteString
    ) throws(ValueFault) -> TextPicture {
        var reader = PNGReader(file: file)
        let size = try reader.readHeader()
        try reader.readChunks()
        return TextPicture(
            name: name, width: size.width, height: size.height, isOpaque: reader.isOpaque,
            file: reader.kept)
    }

    private init(file: [UInt8]) {
        self.file = file
    }

    /// A part of the file.
    private struct Chunk {
        let type: ByteString
        let content: ArraySlice<UInt8>
        /// With its length and its checksum.
        let all: ArraySlice<UInt8>

        /// True if a picture cannot be drawn without it.
        var isCritical: Bool { type.text.utf8.first.map { $0 & 0x20 == 0 } ?? true }
    }

    private mutating func next() throws(ValueFault) -> Chunk {
        guard file.count - offset >= 12 else { throw PictureReader.damaged }
        let length = number(at: offset)
        let type = file[offset + 4..<offset + 8]
        guard length <= file.count - offset - 12, type.allSatisfy(\.isASCIILetter) else {
            throw PictureReader.damaged
        }
        let start = offset
        offset += 12 + length
        return Chunk(
            type: ByteString(String(decoding: type, as: UTF8.self)),
            content: file[start + 8..<start + 8 + length], all: file[start..<offset])
    }

    /// Returns the four bytes at an offset as a number.
    private func number(at offset: Int) -> Int {
        file[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
    }

    private mutating func readHeader() throws(ValueFault) -> (width: Int, height: Int) {
        let chunk = try next()
        let header = Array(chunk.content)
        guard chunk.type == "IHDR", header.count == 13 else { throw PictureReader.damaged }
        let first = chunk.content.startIndex
        let (width, height) = (number(at: first), number(at: first + 4))
        try PictureReader.check(width: width, height: height)
        guard Self.depths[header[9]]?.contains(header[8]) == true, header[10] == 0,
            header[11] == 0, header[12] < 2
        else { throw PictureReader.damaged }
        kept += chunk.all
        // Greys, colours, and palettes.
        isOpaque = [0, 2, 3].contains(header[9])
        return (width, height)
    }

    private mutating func readChunks() throws(ValueFault) {
        var hasPixels = false
        while true {
            let chunk = try next()
            switch chunk.type {
            case "IDAT": hasPixels = true
            case "PLTE": break
            case "tRNS": isOpaque = false
            case "IEND":
                guard hasPixels else { throw PictureReader.damaged }
                kept += chunk.all
                return
            default:
                guard !chunk.isCritical else { throw PictureReader.damaged }
                continue
            }
            kept += chunk.all
        }
    }
}
