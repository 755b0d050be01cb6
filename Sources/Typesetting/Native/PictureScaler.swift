import Bytes
import Motion
import Raster

/// Scales the pictures of one request, and counts the work.
///
/// A class, because all tries of a layout share it.
final class PictureScaler {
    private struct Key: Hashable {
        var picture: TextPicture
        var size: Double
    }

    /// A decoded file: an object, because it is not copied.
    private final class Pixels {
        let surface: ImageSurface

        init(_ picture: TextPicture) throws(LibraryFault) {
            surface = try ImageSurface.picture(in: picture.file)
        }
    }

    /// The megapixels that take as long as decoding a megapixel of a file, scaling it, and
    /// compressing a megapixel of the result: between the times for a flat picture and for noise.
    private static let work = (decoding: 10.0, scaling: 10.0, compressing: 120.0)

    private let cache: any GlyphCache
    private let limit: Double
    private let deadline: WorkDeadline
    /// The work of all pictures so far, in megapixels that take as long to compose. Pictures in the cache
    /// count too, so that equal requests have equal prices.
    private(set) var megapixels = 0.0
    private var bitmaps: [Key: Bitmap] = [:]
    /// The picture that was scaled last, and its number in the glyph cache.
    private var last: (picture: TextPicture, number: Int)?
    /// The pixels of the last picture, once they were needed: at most one picture's, up to 16
    /// mebibytes, or 64 for an operator's.
    private var pixels: Pixels?

    /// - Parameters:
    ///   - cache: The cache of scaled pictures.
    ///   - limit: The most work, in megapixels that take as long to compose.
    ///   - deadline: The end of the work.
    init(_ cache: any GlyphCache, limit: Double, until deadline: WorkDeadline) {
        self.cache = cache
        self.limit = limit
        self.deadline = deadline
    }

    /// Returns a picture at twice the size shown, at most its own, with its own file in its own
    /// size.
    ///
    /// - Parameters:
    ///   - picture: The picture.
    ///   - size: Its height in CSS pixels; by default, any.
    /// - Returns: The bitmap, whose file has its size.
    /// - Throws: `TypesettingError.damagedPicture` if the picture's file cannot be decoded,
    ///   `.tooMuchWork` before work past the limit, or `.deadline`.
    func bitmap(
        of picture: TextPicture, size: Double = .infinity
    ) throws(TypesettingError) -> Bitmap {
        let key = Key(picture: picture, size: size)
        if let known = bitmaps[key] { return known }
        try deadline.look()
        do {
            let bitmap = try scaled(picture, width: 2 * size * picture.aspectRatio)
            bitmaps[key] = bitmap
            return bitmap
        } catch .library {
            // The file's sender is at fault, not a library; cairo says the same of damage and of memory.
            try TypesettingError.catching(LibraryWatch.checkMemory)
            throw .damagedPicture(name: picture.name.text)
        }
    }

    private func scaled(
        _ picture: TextPicture, width: Double
    ) throws(TypesettingError) -> Bitmap {
        let isOther = last?.picture != picture
        if isOther {
            let text = "picture\u{1F}" + ContentHash.text(of: picture.file)
            last = (picture, cache.number(ofFont: text))
            pixels = nil
        }
        let number = last?.number ?? 0
        let bitmap = try TypesettingError.catching { () throws(LibraryFault) in
            try BitmapScaler.bitmap(font: number, glyph: 0, file: picture.file, width: width)
        }
        try count(bitmap, of: picture, isDecoded: isOther)
        let cacheKey = GlyphKey(TextPicture.self, UInt64(number), UInt64(bitmap.width))
        let file = try TypesettingError.catching { () throws(LibraryFault) in
            try cache.bytes(for: cacheKey) { () throws(LibraryFault) in
                try BitmapScaler.file(of: bitmap, from: decoded(picture).surface)
            }
        }
        return Bitmap(
            font: number, glyph: 0, width: bitmap.width, height: bitmap.height, source: file)
    }

    /// Returns the pixels of the last picture.
    private func decoded(_ picture: TextPicture) throws(LibraryFault) -> Pixels {
        if let pixels { return pixels }
        let decoded = try Pixels(picture)
        pixels = decoded
        return decoded
    }

    /// Adds the work for a bitmap.
    private func count(
        _ bitmap: Bitmap, of picture: TextPicture, isDecoded: Bool
    ) throws(TypesettingError) {
        let source = Double(picture.width * picture.height) / 1_000_000
        let target = Double(bitmap.width * bitmap.height) / 1_000_000
        if isDecoded { megapixels += Self.work.decoding * source }
        if bitmap.width < picture.width {
            megapixels += Self.work.scaling * source + Self.work.compressing * target
        }
        guard megapixels <= limit else {
            throw .tooMuchWork(megapixels: megapixels, limit: limit)
        }
    }
}
