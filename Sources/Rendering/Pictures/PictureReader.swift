import Bytes
import Motion

/// Reads PNG and WebP files without decoding their pixels, so a file with more pixels takes no longer.
enum PictureReader {
    /// The longest side, in pixels.
    private static let longestSide = 4096
    /// The most times that one side is as long as the other.
    private static let mostElongated = 16

    static let damaged = ValueFault("must be a whole PNG or WebP file; got a damaged one")

    /// Returns the picture in a file, with the parts that define its pixels.
    ///
    /// - Parameters:
    ///   - file: The bytes of the file.
    ///   - name: The name of the picture.
    /// - Returns: The picture, whose pixels may turn out to be damaged.
    /// - Throws: The fault of the file, in words that follow its name.
    static func picture(
        in file: [UInt8], named name: ByteString
    ) throws(ValueFault) -> TextPicture {
        if PNGReader.isPNG(file) { return try PNGReader.picture(in: file, named: name) }
        if WebPReader.isWebP(file) { return try WebPReader.picture(in: file, named: name) }
        throw ValueFault("must be a PNG or WebP file")
    }

    /// Checks the size in the header of a file.
    static func check(width: Int, height: Int) throws(ValueFault) {
        guard (1...longestSide).contains(width), (1...longestSide).contains(height) else {
            throw ValueFault(
                "must have sides from 1 to \(longestSide) px; got \(width) × \(height)")
        }
        guard max(width, height) <= mostElongated * min(width, height) else {
            throw ValueFault(
                "must not have a side \(mostElongated) times as long as the other, or longer; "
                    + "got \(width) × \(height)")
        }
    }
}
