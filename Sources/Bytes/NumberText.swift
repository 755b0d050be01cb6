/// The spelling of numbers in messages and in canonical requests.
package enum NumberText {
    /// Returns the shortest text that reads back as the same number; whole ones without a point.
    package static func of(_ number: Double) -> String {
        if number == number.rounded(), abs(number) <= 0x1p53 { return "\(Int(number))" }
        return "\(number)"
    }
}
