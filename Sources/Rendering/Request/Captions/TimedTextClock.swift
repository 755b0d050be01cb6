import Bytes

/// The units of the times of a document (TTML2, 7.2 and 12.3).
struct TimedTextClock {
    /// Frames in a second, parts of a frame, and ticks of the document in a second.
    private var frameRate = 30.0
    private var subFrameRate = 1.0
    private var tickRate = 1.0

    init(_ root: XMLElement) {
        let rate = root["frameRate"].flatMap(Self.positive)
        frameRate = rate ?? frameRate
        subFrameRate = root["subFrameRate"].flatMap(Self.positive) ?? subFrameRate
        tickRate =
            root["tickRate"].flatMap(Self.positive) ?? (rate == nil ? 1 : frameRate * subFrameRate)
        // `1000 1001`; older files have a colon.
        let ratio = (root["frameRateMultiplier"] ?? "").utf8
            .split { $0 == 0x20 || $0 == UInt8(ascii: ":") }
            .map { Self.positive(String(Substring($0))) }
        if ratio.count == 2, let numerator = ratio[0], let denominator = ratio[1] {
            frameRate *= numerator / denominator
        }
    }

    /// Returns the ticks of an instant of a time: `00:00:01.500`, `00:00:01:12` with frames, a number with a unit, as
    /// in `12.5s`, and, as Apple has them, `1:02.500` and `12.5`; nil for another text.
    func ticks(_ text: String) -> Int? {
        let parts = text.trimmingSpaces.pieces(separatedBy: ":")
        guard parts.count > 1 else {
            let digits = text.trimmingSpaces.trimming(\.isASCIILetter)
            let unit = String(text.trimmingSpaces.dropping(first: digits.utf8.count))
            guard let number = Self.number(digits), let seconds = seconds(in: unit) else {
                return nil
            }
            return Self.ticks(number * seconds)
        }
        let numbers = parts.compactMap { Self.number($0) }
        guard numbers.count == parts.count, numbers.count <= 4 else { return nil }
        let seconds = numbers.prefix(3).reduce(0) { $0 * 60 + $1 }
        guard numbers.count == 4 else { return Self.ticks(seconds) }
        // Frames may have parts, `12.1`.
        let frames = parts[3].pieces(separatedBy: ".").compactMap { Self.number($0) }
        guard let whole = frames.first, frames.count <= 2 else { return nil }
        let part = frames.count == 2 ? frames[1] / subFrameRate : 0
        return Self.ticks(seconds + (whole + part) / frameRate)
    }

    /// Returns the seconds of a unit; nil for a name of none.
    private func seconds(in unit: String) -> Double? {
        switch ByteString(unit) {
        case "h": 3600
        case "m": 60
        case "s", "": 1
        case "ms": 0.001
        case "f": 1 / frameRate
        case "t": 1 / tickRate
        default: nil
        }
    }

    private static func ticks(_ seconds: Double) -> Int {
        // Far beyond what cues may have.
        Int(min(seconds * 10_000, 1e15).rounded())
    }

    private static func positive(_ text: String) -> Double? {
        number(text.trimmingSpaces).flatMap { $0 > 0 ? $0 : nil }
    }

    /// Returns the number of digits, which may have a point.
    private static func number(_ text: Substring) -> Double? {
        guard text.utf8.count <= 20, text.utf8.first?.isASCIIDigit == true,
            text.utf8.allSatisfy({ $0.isASCIIDigit || $0 == UInt8(ascii: ".") })
        else { return nil }
        return Double(text)
    }
}
