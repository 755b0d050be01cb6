import CPango

/// One font as fontconfig lists it.
struct InstalledFont {
    /// The family's names; the first is the one to show.
    var families: [String]
    var isMonospace: Bool
    /// Several for a variable font: the hundreds that it covers.
    var weights: [Int]
    /// Name and version, without the path, which differs between machines.
    var identity: String

    static func all() -> [InstalledFont] {
        guard let pattern = FcPatternCreate(), let properties = FcObjectSetCreate() else {
            return []
        }
        defer {
            FcPatternDestroy(pattern)
            FcObjectSetDestroy(properties)
        }
        for name in [FC_FAMILY, FC_STYLE, FC_WEIGHT, FC_SPACING, FC_FONTVERSION, FC_INDEX] {
            FcObjectSetAdd(properties, name)
        }
        guard let list = FcFontList(nil, pattern, properties) else { return [] }
        defer { FcFontSetDestroy(list) }
        let fonts = UnsafeBufferPointer(start: list.pointee.fonts, count: Int(list.pointee.nfont))
        return fonts.compactMap { $0.map(InstalledFont.init) }
    }

    private init(_ pattern: OpaquePointer) {
        families = Self.strings(pattern, FC_FAMILY)
        isMonospace = Self.integer(pattern, FC_SPACING).map { $0 >= FC_MONO } ?? false
        weights = Self.weights(of: pattern)
        let styles = Self.strings(pattern, FC_STYLE)
        let version = Self.integer(pattern, FC_FONTVERSION) ?? 0
        let index = Self.integer(pattern, FC_INDEX) ?? 0
        identity = ((families + styles) + ["\(version)", "\(index)"]).joined(separator: "\u{1F}")
    }

    private static func strings(_ pattern: OpaquePointer, _ name: String) -> [String] {
        var result: [String] = []
        var text: UnsafeMutablePointer<FcChar8>?
        while FcPatternGetString(pattern, name, Int32(result.count), &text) == FcResultMatch,
            let text
        {
            result.append(String(cString: text))
        }
        return result
    }

    private static func integer(_ pattern: OpaquePointer, _ name: String) -> Int? {
        var value: Int32 = 0
        return FcPatternGetInteger(pattern, name, 0, &value) == FcResultMatch ? Int(value) : nil
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
