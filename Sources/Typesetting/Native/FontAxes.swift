import CPango
import Motion

/// A font that Pango chose, which belongs to others.
struct ChosenFont: Equatable {
    let pointer: UnsafeMutablePointer<PangoFont>
}

/// The axes of a font that Pango chose.
struct FontAxes {
    /// In the font's own order, each with its coordinate in the text; empty for a font without axes.
    let all: [FontAxis]
    private let face: OpaquePointer?

    init(_ font: ChosenFont) {
        let shaper = pango_font_get_hb_font(font.pointer)
        face = hb_font_get_face(shaper)
        var count = hb_ot_var_get_axis_count(face)
        var axes = [hb_ot_var_axis_info_t](repeating: hb_ot_var_axis_info_t(), count: Int(count))
        hb_ot_var_get_axis_infos(face, 0, &count, &axes)
        var known: UInt32 = 0
        let coordinates = hb_font_get_var_coords_design(shaper, &known)
        let own = UnsafeBufferPointer(start: coordinates, count: Int(known))
        all = axes.prefix(Int(count)).enumerated().map { index, axis in
            FontAxis(
                AxisTag(code: axis.tag), minimum: Double(axis.min_value),
                rest: Double(index < own.count ? own[index] : axis.default_value),
                maximum: Double(axis.max_value))
        }
    }

    /// Returns coordinates as HarfBuzz normalises them, the text's coordinates for the axes that
    /// have no other value.
    func normalized(_ values: [AxisTag: Double]) -> [Int32] {
        let coordinates = all.map { Float(values[$0.tag] ?? $0.rest) }
        var normalized = [Int32](repeating: 0, count: all.count)
        hb_ot_var_normalize_coords(face, UInt32(all.count), coordinates, &normalized)
        return normalized
    }
}
