/// The spelling of numbers in messages and in canonical requests.
package enum NumberText {
    /// Returns the shortest text that reads back as the same number; whole ones without a point.
    package static func of(_ number: Double) -> String {
        if number == number.rounded(), abs(number) <= 0x1p53 { return "\(Int(number))" }
        return "\(number)"
    }

    /// Returns digits with zeros before them, so many of both at least.
    package static func padded(_ digits: String, to count: Int) -> String {
        String(repeating: "0", count: max(count - digits.utf8.count, 0)) + digits
    }
}
