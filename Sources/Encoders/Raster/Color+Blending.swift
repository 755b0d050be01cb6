import Motion

extension Color {
    /// The opaque colour that shows where this one lies over an opaque one.
    func over(_ below: Color) -> Color {
        below.blended(with: self, share: Double(alpha) / 255)
    }

    /// The opaque colour that is `share` (0…1) of the way from this one to another.
    func blended(with other: Color, share: Double) -> Color {
        func part(_ from: UInt8, _ to: UInt8) -> UInt8 {
            UInt8((Double(from) + (Double(to) - Double(from)) * share).rounded())
        }
        return Color(
            red: part(red, other.red), green: part(green, other.green),
            blue: part(blue, other.blue))
    }
}
