import Bytes
import Motion

extension ParameterReader {
    /// The parameter `timecode`; nil where a video has none.
    ///
    /// - Throws: The fault of one that no frame has at a rate.
    mutating func timecode(at rate: FrameRate) throws(ParameterFault) -> Timecode? {
        let timecode = optionalText(
            "timecode", .timecode,
            "MOV: the timecode of the first frame, HH:MM:SS:FF; with ; before FF it is drop-frame, "
                + "at 29.97 and 59.94 frames a second."
        ).flatMap { Timecode($0) }
        if let message = timecode?.fault(at: rate) {
            throw ParameterFault(parameter: "timecode", message: message)
        }
        return timecode
    }
}

/// The number of a video's first frame as editors count frames: hours, minutes, seconds, and frames
/// (SMPTE ST 12-1).
package struct Timecode: Equatable, Sendable {
    private let hours: Int
    private let minutes: Int
    private let seconds: Int
    private let frames: Int
    /// True if it skips numbers of frames, so that it keeps to the clock at television's rates.
    let dropsFrames: Bool

    /// Reads `HH:MM:SS:FF`, or `HH:MM:SS;FF` for a count that skips numbers.
    ///
    /// - Returns: Nil for any other text, and for more than 23 hours, 59 minutes, 59 seconds, or 59
    ///   frames.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        let (colon, semicolon) = (UInt8(ascii: ":"), UInt8(ascii: ";"))
        guard bytes.count == 11, bytes[2] == colon, bytes[5] == colon,
            bytes[8] == colon || bytes[8] == semicolon
        else { return nil }
        var numbers: [Int] = []
        for (start, limit) in [(0, 24), (3, 60), (6, 60), (9, 60)] {
            let digits = bytes[start..<start + 2].map { Int($0) - 0x30 }
            guard digits.allSatisfy((0...9).contains) else { return nil }
            let number = 10 * digits[0] + digits[1]
            guard number < limit else { return nil }
            numbers.append(number)
        }
        (hours, minutes, seconds, frames) = (numbers[0], numbers[1], numbers[2], numbers[3])
        dropsFrames = bytes[8] == semicolon
    }

    /// Numbers a frame; after 24 hours the numbers begin anew.
    ///
    /// - Parameters:
    ///   - number: The number of the frame, from 0 at midnight on.
    ///   - rate: The frames of a second.
    ///   - dropsFrames: True for a count that skips numbers, at 29.97 and 59.94 frames a second.
    init(ofFrame number: Int, at rate: FrameRate, dropsFrames: Bool) {
        let count = rate.countedFrames
        var number = number
        if dropsFrames {
            let skipped = rate.skippedFrames
            let (firstMinute, minute) = (60 * count, 60 * count - skipped)
            let (tens, rest) = number.quotientAndRemainder(dividingBy: firstMinute + 9 * minute)
            number += 9 * skipped * tens
            if rest >= firstMinute { number += skipped * (1 + (rest - firstMinute) / minute) }
        }
        let second = number / count
        (hours, minutes, seconds) = (second / 3600 % 24, second / 60 % 60, second % 60)
        frames = number % count
        self.dropsFrames = dropsFrames
    }

    /// Returns the number of the frame that has this timecode.
    func frame(at rate: FrameRate) -> Int {
        let minute = 60 * hours + minutes
        let number = (60 * minute + seconds) * rate.countedFrames + frames
        return dropsFrames ? number - rate.skippedFrames * (minute - minute / 10) : number
    }

    /// The timecode as requests and ffmpeg write it.
    var text: String {
        "\(padded(hours)):\(padded(minutes)):\(padded(seconds))"
            + "\(dropsFrames ? ";" : ":")\(padded(frames))"
    }

    /// Returns the reason, in words that follow the parameter's name, for which no frame has this
    /// number at a rate; nil if one has it.
    func fault(at rate: FrameRate) -> String? {
        let count = rate.countedFrames
        guard frames < count else {
            return "must have a frame below \(count) at this fps; got \(frames)"
        }
        guard dropsFrames else { return nil }
        guard rate == FrameRate(29.97) || rate == FrameRate(59.94) else {
            return "must have : before the frame unless fps is 29.97 or 59.94; got \(text)"
        }
        let skipped = rate.skippedFrames
        guard frames < skipped, seconds == 0, !minutes.isMultiple(of: 10) else { return nil }
        return "must not be \(text): each minute but each tenth begins with ;\(padded(skipped))"
    }

    private func padded(_ number: Int) -> String { NumberText.padded("\(number)", to: 2) }
}

extension FrameRate {
    /// The numbers that timecodes have for the frames of a second: a second of 29.97 frames is counted as
    /// one of 30.
    fileprivate var countedFrames: Int { (numerator + denominator / 2) / denominator }

    /// The numbers that drop-frame timecodes skip each minute but each tenth: two of thirty.
    fileprivate var skippedFrames: Int { countedFrames / 15 }
}
