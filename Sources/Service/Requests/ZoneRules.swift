import Bytes
import CGLib

/// The offsets of a time zone, by the system's copy of the IANA's database.
struct ZoneRules: ~Copyable {
    private static let longestName = 64
    private static let day: Int64 = 86_400

    private let zone: OpaquePointer

    /// Opens a zone; nil if there is none of this name.
    ///
    /// - Parameter name: Its name in the database, such as `Europe/Berlin`.
    init?(_ name: String) {
        let bytes = name.utf8
        // No names of files elsewhere, and none of zones that count leap seconds.
        guard (1...Self.longestName).contains(bytes.count),
            bytes.allSatisfy({ byte in
                byte.isASCIILetter || byte.isASCIIDigit || "+-_/".utf8.contains(byte)
            }), bytes.first != UInt8(ascii: "/"), !name.begins(with: "right/"),
            let zone = g_time_zone_new_identifier(name)
        else { return nil }
        self.zone = zone
    }

    deinit { g_time_zone_unref(zone) }

    /// Returns how far the clocks of the zone are ahead of UTC.
    ///
    /// - Parameter instant: Seconds since 1970, UTC.
    /// - Returns: Seconds.
    private func offset(at instant: Int64) -> Int64 {
        let interval = g_time_zone_find_interval(zone, G_TIME_TYPE_UNIVERSAL, gint64(instant))
        return Int64(g_time_zone_get_offset(zone, interval))
    }

    /// Returns the instant at which the clocks of the zone show a time.
    ///
    /// The first of two instants counts where clocks are put back. A time that is left out is read
    /// by the clocks before they are put forward.
    ///
    /// - Parameter local: The time as seconds since 1970, as if it were of UTC.
    /// - Returns: Seconds since 1970, UTC.
    func instant(ofLocalTime local: Int64) -> Int64 {
        let before = local - offset(at: local - Self.day)
        let after = local - offset(at: local + Self.day)
        let isAfter =
            local - before != offset(at: before) && local - after == offset(at: after)
        return isAfter ? after : before
    }
}

/// A date and a time of a day, in no particular zone.
struct LocalTime {
    /// Seconds since 1970, as if it were of UTC.
    let seconds: Int64

    /// Reads `2026-12-31T23:59:59`; without seconds, and without a time, they are 0. Nil for another text,
    /// and for a date that no calendar has.
    init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard [10, 16, 19].contains(bytes.count) else { return nil }
        /// The digits of a form, in which other characters stand for themselves.
        let form = Array("0000-00-00T00:00:00".utf8).prefix(bytes.count)
        for (byte, expected) in zip(bytes, form) {
            let isRight = expected == UInt8(ascii: "0") ? byte.isASCIIDigit : byte == expected
            guard isRight else { return nil }
        }
        func number(_ range: Range<Int>) -> Int64 {
            guard range.upperBound <= bytes.count else { return 0 }
            return bytes[range].reduce(0) { 10 * $0 + Int64($1 - UInt8(ascii: "0")) }
        }
        let (year, month, day) = (number(0..<4), number(5..<7), number(8..<10))
        let (hour, minute, second) = (number(11..<13), number(14..<16), number(17..<19))
        guard year >= 1970, (1...12).contains(month), day >= 1,
            day <= Self.days(inMonth: month, of: year), hour < 24, minute < 60, second < 60
        else { return nil }
        seconds =
            86_400 * Self.daysSince1970(year, month, day) + 3600 * hour + 60 * minute + second
    }

    private static func isLeap(_ year: Int64) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    private static func days(inMonth month: Int64, of year: Int64) -> Int64 {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Counts the days of the Gregorian calendar.
    private static func daysSince1970(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let past = year - 1
        // The days of all years before, less the days before 1970.
        var days = 365 * past + past / 4 - past / 100 + past / 400 - 719_162
        for earlier in 1..<13 where earlier < month {
            days += Self.days(inMonth: Int64(earlier), of: year)
        }
        return days + day - 1
    }
}
