import CPango
package import Motion
package import Raster

/// Scales the picture of a colour glyph, or one of a request, to the size wanted.
enum BitmapScaler {
    /// Returns the bitmap of a PNG or WebP file, as wide as wanted (in pixels, rounded up), but never wider than
    /// the file.
    static func bitmap(
        font: Int, glyph: UInt32, file: [UInt8], width: Double
    ) throws(LibraryFault) -> Bitmap {
        let own = try size(of: file)
        let factor = min(width.rounded(.up) / Double(own.width), 1)
        return Bitmap(
            font: font, glyph: glyph, width: max(Int((Double(own.width) * factor).rounded()), 1),
            height: max(Int((Double(own.height) * factor).rounded()), 1), source: file)
    }

    /// Returns true if a bitmap is smaller than its font's own picture.
    static func isScaled(_ bitmap: Bitmap) throws(LibraryFault) -> Bool {
        try size(of: bitmap.source) != PixelSize(width: bitmap.width, height: bitmap.height)
    }

    /// Returns the bitmap's pixels with alpha, whatever kind of pixels the file holds.
    static func surface(of bitmap: Bitmap) throws(LibraryFault) -> ImageSurface {
        try surface(of: bitmap, from: try ImageSurface.picture(in: bitmap.source))
    }

    /// Returns the bitmap's pixels from the pixels of its file.
    private static func surface(
        of bitmap: Bitmap, from own: borrowing ImageSurface
    ) throws(LibraryFault) -> ImageSurface {
        let target = try ImageSurface(width: bitmap.width, height: bitmap.height)
        let context = try CairoContext(target)
        cairo_scale(
            context.pointer, Double(target.width) / Double(own.width),
            Double(target.height) / Double(own.height))
        cairo_set_source_surface(context.pointer, own.pointer, 0, 0)
        cairo_pattern_set_filter(cairo_get_source(context.pointer), CAIRO_FILTER_GOOD)
        // The edge is the picture's own, not a fade to nothing.
        cairo_pattern_set_extend(cairo_get_source(context.pointer), CAIRO_EXTEND_PAD)
        cairo_paint(context.pointer)
        try context.check()
        return target
    }

    /// Returns a file of the bitmap's size, its own where that has it, or else a PNG file, from the
    /// pixels of its file.
    static func file(
        of bitmap: Bitmap, from own: borrowing ImageSurface
    ) throws(LibraryFault) -> [UInt8] {
        try isScaled(bitmap) ? surface(of: bitmap, from: own).png() : bitmap.source
    }

    /// Returns the size in the header of a WebP, or of a PNG (third edition, 11.2.1).
    private static func size(of file: [UInt8]) throws(LibraryFault) -> PixelSize {
        if WebPPicture.isWebP(file) { return try WebPPicture.size(of: file) }
        func number(at index: Int) -> Int {
            file[index..<index + 4].reduce(0) { $0 << 8 | Int($1) }
        }
        let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        guard file.count >= 24, file.starts(with: signature) else {
            throw .drawing("a picture is not a PNG file")
        }
        let size = PixelSize(width: number(at: 16), height: number(at: 20))
        guard 1...32_767 ~= size.width, 1...32_767 ~= size.height else {
            throw .drawing("a picture has an impossible size")
        }
        return size
    }
}

extension TextPicture {
    /// Returns false if the file is damaged.
    ///
    /// - Throws: `LibraryFault.memory`.
    package func isIntact() throws(LibraryFault) -> Bool {
        do {
            _ = try ImageSurface.picture(in: file)
            return true
        } catch {
            // cairo says the same of damage and of memory.
            try LibraryWatch.checkMemory()
            return false
        }
    }
}
