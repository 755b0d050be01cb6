import Testing

@testable import Encoders

@Suite struct TimecodeTests {
    @Test(
        "a timecode is written as it is read",
        arguments: ["00:00:00:00", "23:59:59:59", "01:02:03;04"])
    func text(of text: String) {
        #expect(Timecode(text)?.text == text)
    }

    @Test(
        "other texts are no timecodes",
        arguments: [
            "", "24:00:00:00", "00:60:00:00", "00:00:60:00", "00:00:00:60", "00:00:00",
            "00;00:00:00",
            "00:00:00.00", "+1:00:00:00", "00:00:00:000", "é0:00:00:0",
        ])
    func others(_ text: String) {
        #expect(Timecode(text) == nil)
    }

    @Test(
        "frames are below the rate, rounded",
        arguments: [
            (24, "23", "24"), (23.976, "23", "24"), (23.98, "23", "24"), (12.5, "12", "13"),
            (10.4, "09", "10"),
        ])
    func frames(rate: Double, right: String, wrong: String) {
        #expect(Timecode("00:00:00:" + right)?.fault(at: FrameRate(rate)) == nil)
        #expect(Timecode("00:00:00:" + wrong)?.fault(at: FrameRate(rate)) != nil)
    }

    @Test("drop-frame skips as many numbers in an hour as there are frames less than the clock's")
    func skipped() {
        for (rate, count) in [(29.97, 30), (59.94, 60)] {
            var skipped = 0
            for minute in 0..<60 {
                for frame in 0..<count {
                    let digits = [minute, frame].map { ($0 < 10 ? "0" : "") + "\($0)" }
                    let timecode = Timecode("07:\(digits[0]):00;\(digits[1])")
                    if timecode?.fault(at: FrameRate(rate)) != nil { skipped += 1 }
                }
            }
            // An hour has 107,892 frames of 29.97 a second, not 108,000.
            #expect(skipped == 108 * count / 30)
        }
        #expect(Timecode("00:01:01;00")?.fault(at: FrameRate(29.97)) == nil)
        for rate in [24, 25, 30, 60, 23.976, 23.98] {
            #expect(Timecode("00:00:00;00")?.fault(at: FrameRate(rate)) != nil)
        }
    }
}
