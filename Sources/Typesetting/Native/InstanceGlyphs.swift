import CPango
import Motion
import Raster

/// A part of a text as HarfBuzz shapes it with a font at an instance, in font units.
///
/// Pango would look for each instance in all fonts anew, which takes milliseconds. The buffer is set up as
/// Pango does it (`pango_hb_shape`, 1.50).
struct InstanceGlyphs {
    struct Glyph: Equatable {
        /// The glyph's number in its font.
        var number: UInt32
        /// UTF-8 offset into the text of the cluster that it belongs to.
        var cluster: Int
        var advance: Double
        /// From the pen to the glyph's origin; y grows downwards.
        var offset: Point
    }

    /// From left to right, without the glyphs of characters that draw nothing.
    let glyphs: [Glyph]

    /// The features that letter spacing turns off.
    private static let ligatures = ["liga", "clig", "dlig", "hlig"]
    private static let mostFeatures = 64

    /// Shapes a part of a text.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - bytes: The UTF-8 offsets of the part.
    ///   - analysis: Pango's analysis of it.
    ///   - isWithoutLigatures: True if letter spacing turns its ligatures off.
    ///   - instance: The font.
    ///   - keepsCharacters: True if each glyph has a cluster of its own, though their order in the text be
    ///     another; else they are as Pango has them.
    /// - Throws: `LibraryFault.memory`.
    init(
        of text: LogicalText, _ bytes: Range<Int>, _ analysis: PangoAnalysis,
        isWithoutLigatures: Bool, at instance: ShapeStore, keepsCharacters: Bool = false
    ) throws(LibraryFault) {
        let buffer: OpaquePointer = hb_buffer_create()
        defer { hb_buffer_destroy(buffer) }
        guard hb_buffer_allocation_successful(buffer) != 0 else { throw .memory }
        let isRightToLeft = analysis.level & 1 == 1
        hb_buffer_set_direction(buffer, isRightToLeft ? HB_DIRECTION_RTL : HB_DIRECTION_LTR)
        let script = g_unicode_script_to_iso15924(GUnicodeScript(Int32(analysis.script)))
        hb_buffer_set_script(buffer, hb_script_t(script))
        let language = pango_language_to_string(analysis.language)
        hb_buffer_set_language(buffer, hb_language_from_string(language, -1))
        hb_buffer_set_cluster_level(
            buffer,
            keepsCharacters
                ? HB_BUFFER_CLUSTER_LEVEL_CHARACTERS : HB_BUFFER_CLUSTER_LEVEL_MONOTONE_CHARACTERS)
        hb_buffer_set_flags(
            buffer, hb_buffer_flags_t(HB_BUFFER_FLAG_BOT.rawValue | HB_BUFFER_FLAG_EOT.rawValue))
        hb_buffer_set_invisible_glyph(buffer, ShapedLine.Glyph.emptySymbol)
        hb_buffer_add_utf8(
            buffer, text.start, Int32(text.length), UInt32(bytes.lowerBound), Int32(bytes.count))
        var features = Self.features(of: analysis)
        if isWithoutLigatures {
            features += Self.ligatures.compactMap { tag in
                var feature = hb_feature_t()
                return hb_feature_from_string("\(tag)=0", -1, &feature) == 0 ? nil : feature
            }
        }
        instance.shape(buffer, features)
        glyphs = try Self.glyphs(in: buffer)
    }

    private static func glyphs(in buffer: OpaquePointer) throws(LibraryFault) -> [Glyph] {
        var count: UInt32 = 0
        let infos = hb_buffer_get_glyph_infos(buffer, &count)
        let positions = hb_buffer_get_glyph_positions(buffer, &count)
        guard hb_buffer_allocation_successful(buffer) != 0, let infos, let positions else {
            throw .memory
        }
        return (0..<Int(count)).compactMap { index in
            let (info, position) = (infos[index], positions[index])
            guard info.codepoint != ShapedLine.Glyph.emptySymbol else { return nil }
            return Glyph(
                number: info.codepoint, cluster: Int(info.cluster),
                advance: Double(position.x_advance),
                offset: Point(x: Double(position.x_offset), y: Double(-position.y_offset)))
        }
    }

    /// Returns the font's own features, then the text's, of which later ones take precedence.
    private static func features(of analysis: PangoAnalysis) -> [hb_feature_t] {
        var features = [hb_feature_t](repeating: hb_feature_t(), count: mostFeatures)
        var count: UInt32 = 0
        if let font = analysis.font {
            pango_font_get_features(font, &features, UInt32(mostFeatures), &count)
        }
        features.removeLast(mostFeatures - Int(count))
        var next = analysis.extra_attrs
        while let node = next {
            next = node.pointee.next
            guard let attribute = node.pointee.data?.assumingMemoryBound(to: PangoAttribute.self),
                attribute.pointee.klass.pointee.type == PANGO_ATTR_FONT_FEATURES
            else { continue }
            let list = UnsafeRawPointer(attribute).load(as: PangoAttrFontFeatures.self).features
            for text in (list.map { String(cString: $0) } ?? "").split(separator: ",") {
                var feature = hb_feature_t()
                guard hb_feature_from_string(String(text), -1, &feature) != 0 else { continue }
                feature.start = attribute.pointee.start_index
                feature.end = attribute.pointee.end_index
                features.append(feature)
            }
        }
        return features
    }

    /// Returns the glyphs of clusters that begin within a part of the text.
    func glyphs(in bytes: Range<Int>) -> ArraySlice<Glyph> {
        guard let first = glyphs.firstIndex(where: { bytes.contains($0.cluster) }) else {
            return []
        }
        // The glyphs of neighbouring clusters are neighbours.
        return glyphs[first...].prefix { bytes.contains($0.cluster) }
    }

    /// The places in the text at which clusters begin.
    var clusters: Set<Int> { Set(glyphs.map(\.cluster)) }
}
