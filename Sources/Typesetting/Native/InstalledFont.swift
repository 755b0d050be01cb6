import CPango
import Motion

/// One font as fontconfig lists it.
struct InstalledFont {
    /// The family's names; the first is the one to show.
    var families: [String]
    var isMonospace: Bool
    /// Several for a variable font: the hundreds that it covers.
    var weights: [Int]
    /// Name and version, without the path, which differs between machines.
    var identity: String

    /// - Throws: `LibraryFault.memory`.
    static func all(
        in configuration: FontConfiguration
    ) throws(LibraryFault) -> [InstalledFont] {
        guard let pattern = FcPatternCreate(), let properties = FcObjectSetCreate() else {
            throw .memory
        }
        defer {
            FcPatternDestroy(pattern)
            FcObjectSetDestroy(properties)
        }
        for name in [FC_FAMILY, FC_STYLE, FC_WEIGHT, FC_SPACING, FC_FONTVERSION, FC_INDEX] {
            FcObjectSetAdd(properties, name)
        }
        guard let list = FcFontList(configuration.pointer, pattern, properties) else {
            throw .memory
        }
        defer { FcFontSetDestroy(list) }
        let fonts = UnsafeBufferPointer(start: list.pointee.fonts, count: Int(list.pointee.nfont))
        return fonts.compactMap { $0.map(InstalledFont.init) }
    }

    private init(_ pointer: OpaquePointer) {
        let pattern = FontPattern(pointer)
        families = pattern.strings(FC_FAMILY)
        isMonospace = pattern.integer(FC_SPACING).map { $0 >= FC_MONO } ?? false
        weights = Self.weights(of: pointer)
        let styles = pattern.strings(FC_STYLE)
        let version = pattern.integer(FC_FONTVERSION) ?? 0
        let index = pattern.integer(FC_INDEX) ?? 0
        identity = ((families + styles) + ["\(version)", "\(index)"]).joined(separator: "\u{1F}")
    }

    private static func weights(of pattern: OpaquePointer) -> [Int] {
        var weight = 0.0
        if FcPatternGetDouble(pattern, FC_WEIGHT, 0, &weight) == FcResultMatch {
            return [Int(FcWeightToOpenTypeDouble(weight).rounded())]
        }
        var range: OpaquePointer?
        var (low, high) = (0.0, 0.0)
        guard FcPatternGetRange(pattern, FC_WEIGHT, 0, &range) == FcResultMatch,
            FcRangeGetDouble(range, &low, &high) != 0
        else { return [] }
        let covered =
            FcWeightToOpenTypeDouble(
                low)...max(
                FcWeightToOpenTypeDouble(low), FcWeightToOpenTypeDouble(high))
        return stride(from: 100, through: 1000, by: 100).filter { covered.contains(Double($0)) }
    }
}

/// Properties of a font as fontconfig describes it.
struct FontPattern {
    /// Belongs to whoever made the pattern.
    private let pointer: OpaquePointer?

    init(_ pointer: OpaquePointer) {
        self.pointer = pointer
    }

    /// The pattern that Pango chose a font by.
    init(_ font: UnsafeMutablePointer<PangoFont>) {
        pointer = pango_fc_font_get_pattern(
            UnsafeMutableRawPointer(font).assumingMemoryBound(to: PangoFcFont.self))
    }

    func string(_ name: String) -> String? { strings(name).first }

    func strings(_ name: String) -> [String] {
        var result: [String] = []
        var text: UnsafeMutablePointer<FcChar8>?
        while FcPatternGetString(pointer, name, Int32(result.count), &text) == FcResultMatch,
            let text
        {
            result.append(String(cString: text))
        }
        return result
    }

    func integer(_ name: String) -> Int? {
        var value: Int32 = 0
        return FcPatternGetInteger(pointer, name, 0, &value) == FcResultMatch ? Int(value) : nil
    }
}
