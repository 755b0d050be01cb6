import Motion

extension CoveragePixel {
    /// The alpha, 0…255.
    @inline(__always)
    var byte: UInt8 {
        let alpha = UInt32(alpha) &+ 128
        return UInt8(truncatingIfNeeded: (alpha &- alpha >> 8) >> 8)
    }
}

extension ColorPixel {
    /// So much (0…65,535) of a colour.
    init(_ color: Color, alpha: UInt16) {
        func part(_ value: UInt8) -> UInt16 {
            UInt16(CoveragePixel.product(257 * UInt32(value), UInt32(alpha)))
        }
        self.init(
            red: part(color.red), green: part(color.green), blue: part(color.blue), alpha: alpha)
    }

    /// The ink's own colour, opaque.
    var ink: Color {
        let alpha = max(UInt32(alpha), 1)
        func part(_ value: UInt16) -> UInt8 {
            UInt8(min((UInt32(value) * 255 + alpha / 2) / alpha, 255))
        }
        return Color(red: part(red), green: part(green), blue: part(blue))
    }

    /// What shows where the ink lies over an opaque background.
    func color(over background: Color) -> Color {
        let rest = 65_535 - UInt32(alpha)
        func part(_ value: UInt16, _ below: UInt8) -> UInt8 {
            let sum = UInt32(value) + CoveragePixel.product(257 * UInt32(below), rest)
            return CoveragePixel(alpha: UInt16(min(sum, 65_535))).byte
        }
        return Color(
            red: part(red, background.red), green: part(green, background.green),
            blue: part(blue, background.blue))
    }

    /// What shows over a background that may be transparent, with straight alpha.
    func straight(over background: Color) -> Color {
        if background.isOpaque { return color(over: background) }
        let rest = 65_535 - UInt32(alpha)
        let behind = CoveragePixel.product(257 * UInt32(background.alpha), rest)
        let whole = UInt32(alpha) + behind
        guard whole > 0 else { return .transparent }
        func part(_ value: UInt16, _ below: UInt8) -> UInt8 {
            let sum = UInt32(value) + CoveragePixel.product(257 * UInt32(below), behind)
            return UInt8(min((sum * 255 + whole / 2) / whole, 255))
        }
        let alpha = CoveragePixel(alpha: UInt16(min(whole, 65_535))).byte
        guard alpha > 0 else { return .transparent }
        return Color(
            red: part(red, background.red), green: part(green, background.green),
            blue: part(blue, background.blue), alpha: alpha)
    }
}
