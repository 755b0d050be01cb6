import CPango
import Motion

/// What fontconfig asks to be done to a face that lacks a weight or a slope.
struct Synthesis {
    var isEmboldened = false
    /// Horizontal shift for each unit of height.
    var slant = 0.0

    init(_ font: UnsafeMutablePointer<PangoFont>) {
        let fcFont = UnsafeMutableRawPointer(font).assumingMemoryBound(to: PangoFcFont.self)
        guard let pattern = pango_fc_font_get_pattern(fcFont) else { return }
        var embolden: FcBool = 0
        if FcPatternGetBool(pattern, FC_EMBOLDEN, 0, &embolden) == FcResultMatch {
            isEmboldened = embolden != 0
        }
        var matrix: UnsafeMutablePointer<FcMatrix>?
        if FcPatternGetMatrix(pattern, FC_MATRIX, 0, &matrix) == FcResultMatch, let matrix {
            slant = matrix.pointee.xy
        }
    }
}

/// Outlines as cairo draws them where a face is emboldened or slanted by the rasteriser; HarfBuzz
/// knows neither.
final class GlyphSynthesizer {
    private let font: OpaquePointer

    /// Nil where the font is drawn as it is in its file.
    ///
    /// - Throws: `LibraryFault.font` when the font's file could not be opened.
    init?(
        _ font: UnsafeMutablePointer<PangoFont>, family: String?
    ) throws(LibraryFault) {
        let synthesis = Synthesis(font)
        guard synthesis.isEmboldened || synthesis.slant != 0 else { return nil }
        guard let scaled = pango_cairo_font_get_scaled_font(OpaquePointer(font)),
            cairo_scaled_font_status(scaled) == CAIRO_STATUS_SUCCESS
        else { throw .font(family) }
        var matrix = cairo_matrix_t()
        // A thousand units an em: cairo's fixed point is fine enough there.
        cairo_matrix_init_scale(&matrix, 1000, 1000)
        matrix.xy = -1000 * synthesis.slant
        var identity = cairo_matrix_t()
        cairo_matrix_init_identity(&identity)
        let options = cairo_font_options_create()
        defer { cairo_font_options_destroy(options) }
        cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
        cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
        self.font = cairo_scaled_font_create(
            cairo_scaled_font_get_font_face(scaled), &matrix, &identity, options)
        guard cairo_scaled_font_status(self.font) == CAIRO_STATUS_SUCCESS else {
            throw .font(family)
        }
    }

    deinit { cairo_scaled_font_destroy(font) }

    func outline(of glyph: UInt32, unitsPerEm: Double) throws(LibraryFault) -> Outline {
        let surface = try ImageSurface(width: 1, height: 1)
        let context = try CairoContext(surface)
        cairo_set_scaled_font(context.pointer, font)
        var place = cairo_glyph_t(index: UInt(glyph), x: 0, y: 0)
        cairo_glyph_path(context.pointer, &place, 1)
        try context.check()
        try ImageSurface.check(cairo_scaled_font_status(font))
        guard let path = cairo_copy_path(context.pointer) else { throw .memory }
        defer { cairo_path_destroy(path) }
        try ImageSurface.check(path.pointee.status)
        return Self.outline(
            UnsafeBufferPointer(start: path.pointee.data, count: Int(path.pointee.num_data)),
            scale: unitsPerEm / 1000, unitsPerEm: unitsPerEm)
    }

    private static func outline(
        _ steps: UnsafeBufferPointer<cairo_path_data_t>, scale: Double, unitsPerEm: Double
    ) -> Outline {
        var commands: [Outline.Command] = []
        var coordinates: [Float] = []
        var index = 0
        while index < steps.count {
            let header = steps[index].header
            switch header.type {
            case CAIRO_PATH_MOVE_TO: commands.append(.move)
            case CAIRO_PATH_LINE_TO: commands.append(.line)
            case CAIRO_PATH_CURVE_TO: commands.append(.cubic)
            default: commands.append(.close)
            }
            for place in index + 1..<index + Int(header.length) {
                coordinates.append(Float(steps[place].point.x * scale))
                coordinates.append(Float(steps[place].point.y * scale))
            }
            index += max(Int(header.length), 1)
        }
        // cairo closes a contour with a move to its start, which draws nothing.
        if commands.last == .move {
            commands.removeLast()
            coordinates.removeLast(2)
        }
        return Outline(commands: commands, coordinates: coordinates, unitsPerEm: unitsPerEm)
    }
}
