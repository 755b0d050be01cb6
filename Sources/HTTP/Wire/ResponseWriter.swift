/// The form in which one response is sent, as the request and the connection decide it.
struct ResponseFraming: Equatable, Sendable {
    /// True if the request was HEAD: the length is told, the content left out.
    var isHead = false
    var version = Version.http11
    var keepsAlive = true
}

/// Writes responses; a streamed body follows its head later (RFC 9112, 4, 6 and 7.1).
enum ResponseWriter {
    /// Fields that only the server sets.
    private static let reserved: [FieldName] = [
        "Connection", "Content-Length", "Date", "Keep-Alive", "Transfer-Encoding",
    ]

    /// Appends a response, head and content; only the head if the content is streamed.
    ///
    /// - Parameters:
    ///   - response: The handler's response.
    ///   - framing: The form in which to send it.
    ///   - date: The `Date` line.
    ///   - output: Takes the bytes; must not be full.
    static func write(
        _ response: Response, _ framing: ResponseFraming, date: [UInt8],
        to output: inout OutputBuffer
    ) {
        writeStatusLine(response.status, to: &output)
        output.append(date)
        writeFields(response.fields, to: &output)
        if !framing.keepsAlive {
            output.append("Connection: close\r\n")
        } else if framing.version == .http10 {
            output.append("Connection: keep-alive\r\n")
        }
        if response.status.forbidsBody {
            output.append("\r\n")
            return
        }
        switch response.body {
        case .empty: writeContent([], framing, to: &output)
        case .bytes(let bytes): writeContent(bytes, framing, to: &output)
        // Not to HEAD: a length would be wrong there, and chunks are a matter of the connection.
        case .stream where framing.isHead: output.append("\r\n")
        case .stream where framing.version == .http10: output.append("\r\n")
        case .stream: output.append("Transfer-Encoding: chunked\r\n\r\n")
        }
    }

    private static func writeContent(
        _ content: [UInt8], _ framing: ResponseFraming, to output: inout OutputBuffer
    ) {
        output.append("Content-Length: ")
        writeDecimal(content.count, to: &output)
        output.append("\r\n\r\n")
        if !framing.isHead { output.append(body: content) }
    }

    /// Appends a piece of a streamed content, which without a chunk's framing ends with the
    /// connection.
    ///
    /// An empty chunk would be the last one, so an empty piece is nothing.
    static func write(piece: [UInt8], isChunked: Bool, to output: inout OutputBuffer) {
        guard !piece.isEmpty else { return }
        guard isChunked else {
            output.append(body: piece)
            return
        }
        output.append(String(piece.count, radix: 16).utf8)
        output.append("\r\n")
        output.append(chunk: piece)
    }

    /// Appends the last chunk.
    static func writeLastChunk(to output: inout OutputBuffer) {
        output.append("0\r\n\r\n")
    }

    private static func writeStatusLine(_ status: Status, to output: inout OutputBuffer) {
        guard status != .ok else {
            output.append("HTTP/1.1 200 OK\r\n")
            return
        }
        output.append("HTTP/1.1 ")
        writeDecimal(status.code, to: &output)
        output.append(" ")
        output.append(status.reason.utf8)
        output.append("\r\n")
    }

    private static func writeFields(_ fields: Fields, to output: inout OutputBuffer) {
        guard reserved.contains(where: { fields.contains($0) }) else {
            output.append(fields.wire)
            return
        }
        var sendable = fields
        for name in reserved { sendable.removeAll(name) }
        output.append(sendable.wire)
    }

    /// Writes digits without making a string.
    private static func writeDecimal(_ number: Int, to output: inout OutputBuffer) {
        var divisor = 1
        while number / divisor >= 10 { divisor *= 10 }
        while divisor > 0 {
            output.append(CollectionOfOne(ASCII.zero + UInt8(number / divisor % 10)))
            divisor /= 10
        }
    }
}

/// The `Date` field of responses, formatted once a second.
struct DateField {
    /// The whole line, `Date: Sun, 06 Nov 1994 08:49:37 GMT CR LF`.
    private(set) var line: [UInt8] = []
    private var second: Int64?

    /// Brings the line up to date.
    ///
    /// - Parameter seconds: The time since 1970, UTC; years 1970…9999.
    mutating func update(seconds: Int64) {
        guard seconds != second else { return }
        second = seconds
        line = Array("Date: \(Self.format(seconds: seconds))\r\n".utf8)
    }

    /// Formats an IMF-fixdate (RFC 9110, 5.6.7).
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

    /// Returns the Gregorian date of a day counted from 1970-01-01 (Howard Hinnant, "chrono-Compatible
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
