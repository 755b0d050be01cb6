import CPango
import CWebP
import Raster

/// Decodes WebP files by libwebp.
enum WebPPicture {
    /// Returns true for a file with the header of WebP (RFC 9649, 2.4).
    static func isWebP(_ file: [UInt8]) -> Bool {
        file.count >= 12 && file.starts(with: Array("RIFF".utf8))
            && file[8..<12].elementsEqual("WEBP".utf8)
    }

    /// Returns the size in a file's header, in pixels.
    ///
    /// - Throws: `LibraryFault.drawing` if the header is damaged.
    static func size(of file: [UInt8]) throws(LibraryFault) -> PixelSize {
        var (width, height): (Int32, Int32) = (0, 0)
        guard WebPGetInfo(file, file.count, &width, &height) != 0 else { throw damaged }
        return PixelSize(width: Int(width), height: Int(height))
    }

    /// Decodes a file into premultiplied pixels: blue, green, red, alpha.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - pixels: The pixels, of the size in its header.
    ///   - stride: Bytes from one row to the next.
    ///   - size: The number of bytes.
    /// - Throws: `LibraryFault.memory`, or `.drawing` if the file is damaged.
    static func decode(
        _ file: [UInt8], into pixels: UnsafeMutablePointer<UInt8>, stride: Int, size: Int
    ) throws(LibraryFault) {
        var config = WebPDecoderConfig()
        guard WebPInitDecoderConfig(&config) != 0 else { throw damaged }
        config.output.colorspace = MODE_bgrA
        config.output.is_external_memory = 1
        config.output.u.RGBA.rgba = pixels
        config.output.u.RGBA.stride = Int32(clamping: stride)
        config.output.u.RGBA.size = size
        switch WebPDecode(file, file.count, &config) {
        case VP8_STATUS_OK: return
        case VP8_STATUS_OUT_OF_MEMORY: throw .memory
        default: throw damaged
        }
    }

    private static let damaged = LibraryFault.drawing("a WebP file is damaged")
}

extension ImageSurface {
    /// Returns the picture of a PNG or WebP file.
    static func picture(in file: [UInt8]) throws(LibraryFault) -> ImageSurface {
        guard WebPPicture.isWebP(file) else { return try ImageSurface(png: file) }
        let size = try WebPPicture.size(of: file)
        let surface = try ImageSurface(width: size.width, height: size.height)
        guard let start = cairo_image_surface_get_data(surface.pointer) else { return surface }
        let stride = surface.stride
        try WebPPicture.decode(file, into: start, stride: stride, size: stride * size.height)
        cairo_surface_mark_dirty(surface.pointer)
        return surface
    }
}
