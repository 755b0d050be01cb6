import CPango
import Motion
import Raster
import Testing

@testable import Typesetting

/// Failures that libraries do not return to their callers.
@Suite struct LibraryFaultTests {
    private func warn(_ message: String, level: GLogLevelFlags = G_LOG_LEVEL_WARNING) {
        withVaList([]) { g_logv("Pango", level, message, $0) }
    }

    @Test("what Pango warns of while a text is set makes it fail, without a word of the text")
    func warnings() throws {
        let watch = try LibraryWatch()
        try watch.check()
        warn("shaping failure, expect ugly output. text='secret'")
        #expect(throws: LibraryFault.warning("Pango: shaping failure")) { try watch.check() }
        try watch.check()
        warn("by the way", level: G_LOG_LEVEL_DEBUG)
        try watch.check()
    }

    @Test("a face without glyphs is a font that could not be opened")
    func emptyFace() throws {
        let face = hb_face_create(hb_blob_get_empty(), 0)
        defer { hb_face_destroy(face) }
        #expect(throws: LibraryFault.font("Lost")) {
            _ = try OutlineReader(face, at: [], family: "Lost")
        }
    }

    @Test("a picture that cannot be read is an error, not a blank", arguments: [0, 7, 30, 60])
    func pictures(count: Int) throws {
        let whole = try ImageSurface(width: 20, height: 10).png()
        let bitmap = Bitmap(
            font: 1, glyph: 1, width: 10, height: 5, source: Array(whole.prefix(count)))
        let painter = TilePainter(cache: NoGlyphCache())
        #expect(throws: LibraryFault.self) { try painter.png(of: bitmap) }
        #expect(throws: LibraryFault.self) { try painter.pixels(of: bitmap) }
    }

    @Test("a colour glyph's picture is as large as it is wanted, never larger than its font's")
    func sizes() throws {
        let whole = try ImageSurface(width: 20, height: 10).png()
        let painter = TilePainter(cache: NoGlyphCache())
        for (wanted, width, height) in [(5.2, 6, 3), (20, 20, 10), (99, 20, 10), (0.1, 1, 1)] {
            let bitmap = try BitmapScaler.bitmap(font: 1, glyph: 1, file: whole, width: wanted)
            #expect(bitmap.width == width && bitmap.height == height)
            #expect(try painter.pixels(of: bitmap).count == 4 * width * height)
            #expect(try (painter.png(of: bitmap) == whole) == (width == 20))
        }
    }

    @Test("an emboldened outline is thicker by a 24th of an em, a slanted one leans")
    func synthesis() throws {
        let square = Outline(
            commands: [.move, .line, .line, .line, .close],
            coordinates: [0, 0, 240, 0, 240, -240, 0, -240], unitsPerEm: 240)
        var synthesis = Synthesis(isEmboldened: true, slant: 0)
        let bold = try synthesis.applied(to: square)
        #expect(bold.bounds.width == 250 && bold.bounds.height == 250)
        synthesis = Synthesis(isEmboldened: false, slant: 0.25)
        let slanted = try synthesis.applied(to: square)
        #expect(slanted.bounds.width == 300 && slanted.bounds.height == 240)
        #expect(try Synthesis(isEmboldened: false, slant: 0).applied(to: square) === square)
    }
}
