/// The `Date` field of responses, formatted once a second.
struct DateField {
    /// The whole line, `Date: Sun, 06 Nov 1994 08:49:37 GMT CR LF`.
    private(set) var line: [UInt8] = []
    private var second: Int64?

    /// Brings the line up to date.
    ///
    /// - Parameter seconds: since 1970, UTC; years 1970…9999.
    mutating func update(seconds: Int64) {
        guard seconds != second else { return }
        second = seconds
        line = Array("Date: \(Self.format(seconds: seconds))\r\n".utf8)
    }

    /// An IMF-fixdate (RFC 9110, 5.6.7).
    static func format(seconds: Int64) -> String {
        let seconds = min(max(seconds, 0), 253_402_300_799)
        let (days, time) = seconds.quotientAndRemainder(dividingBy: 86_400)
        let (year, month, day) = civilDate(days: days)
        let names = (weekday: weekdays[Int((days + 4) % 7)], month: months[Int(month - 1)])
        let date = "\(names.weekday), \(twoDigits(day)) \(names.month) \(year)"
        let clock = [time / 3600, time / 60 % 60, time % 60].map(twoDigits)
        return "\(date) \(clock.joined(separator: ":")) GMT"
    }

    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func twoDigits(_ number: Int64) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }

    /// The Gregorian date of a day counted from 1970-01-01 (Howard Hinnant, "chrono-Compatible
    /// Low-Level Date Algorithms", civil_from_days).
    private static func civilDate(days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        // Years begin in March there, so that the leap day is a year's last.
        let shifted = days + 719_468
        let (era, dayOfEra) = shifted.quotientAndRemainder(dividingBy: 146_097)
        let leapDays = dayOfEra / 1460 - dayOfEra / 36_524 + dayOfEra / 146_096
        let yearOfEra = (dayOfEra - leapDays) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }
}
