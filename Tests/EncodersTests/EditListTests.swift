import Bytes
import Motion
import Testing

@testable import Encoders

@Suite struct EditListTests {
    private func list(
        fps: Double, timecode: String? = nil, of format: any OutputFormat.Type = MOVFormat.self
    ) throws -> EditList {
        var values: [ByteString: ParameterValue] = ["fps": .number(fps), "scale": .number(2)]
        if let timecode { values["timecode"] = .string(ByteString(timecode)) }
        return try EditList(titled: "a & b", of: format, values, width: 320, height: 180)
    }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test("a clip is named by the timecode of its first frame, and by a number where others begin")
    func names() throws {
        var list = try list(fps: 25)
        // Timecodes begin anew after a day.
        let names = [
            0..<3, 10..<20, 10..<15, 10..<11, 89_999..<90_000, 2_160_000..<2_160_001,
        ].map { list.add("", at: $0).name }
        #expect(
            names == [
                "00-00-00-00.mov", "00-00-00-10.mov", "00-00-00-10_2.mov", "00-00-00-10_3.mov",
                "00-59-59-24.mov", "00-00-00-00_2.mov",
            ])
        #expect(list.trackCount == 3)
    }

    @Test("a decision has the times of its clip and those of the timeline")
    func decisions() throws {
        var list = try list(fps: 25, timecode: "01:00:00:00", of: WebMFormat.self)
        _ = list.add("One", at: 5..<30)
        _ = list.add("Two", at: 29..<31)
        #expect(
            text(list.decisions(ofTrack: 0)) == """
                TITLE: a & b
                FCM: NON-DROP FRAME

                001  AX       V     C        00:00:00:00 00:00:01:00 01:00:00:05 01:00:01:05
                * FROM CLIP NAME: 01-00-00-05.webm

                """)
        #expect(text(list.decisions(ofTrack: 1)).contains("01:00:01:04 01:00:01:06"))
    }

    @Test("times are whole frames of the exact rate, and texts are XML")
    func finalCut() throws {
        var list = try list(fps: 29.97, timecode: "00:00:59;29")
        _ = list.add("<One>", at: 1..<3)
        let xml = text(list.finalCutXML)
        #expect(
            xml.contains(#"frameDuration="1001/30000s" width="640" height="360""#)
                && xml.contains(#"name="a &amp; b""#) && xml.contains("<note>&lt;One&gt;</note>")
                && xml.contains(#"offset="1001/30000s" duration="2002/30000s""#)
                && xml.contains(#"tcStart="1800799/30000s" tcFormat="DF""#)
                && xml.contains(#"start="1801800/30000s""#) && xml.contains("00-01-00-02.mov"))
    }

    @Test("the timeline has the pixels of its clips, whose sides are even in an MP4")
    func size() throws {
        let formats: [(any OutputFormat.Type, Int, Int)] = [
            (MOVFormat.self, 127, 63), (MP4Format.self, 128, 64),
        ]
        for (format, width, height) in formats {
            let list = try EditList(
                titled: "", of: format, ["scale": .number(1.25)], width: 101, height: 50)
            #expect(
                text(list.finalCutXML).contains(#"width="\#(width)" height="\#(height)""#))
        }
    }

    @Test("a timecode that no frame has is a fault")
    func fault() {
        #expect(throws: ParameterFault.self) { try list(fps: 25, timecode: "00:00:00:25") }
    }

    @Test(
        "timecodes number frames as they are read",
        arguments: [23.976, 25, 29.97, 50, 59.94, 12.5])
    func timecodes(fps: Double) throws {
        let rate = FrameRate(fps)
        for drops in [false, true] where !drops || [29.97, 59.94].contains(fps) {
            var before: String?
            for number in 0..<40_000 {
                let timecode = Timecode(ofFrame: number, at: rate, dropsFrames: drops)
                #expect(timecode.fault(at: rate) == nil && timecode.frame(at: rate) == number)
                #expect(before.map { $0 < timecode.text } ?? true)
                before = timecode.text
            }
        }
        // Drop-frame keeps to the clock.
        let hour = Timecode(ofFrame: 107_892, at: FrameRate(29.97), dropsFrames: true)
        #expect(hour.text == "01:00:00;00")
        let midnight = Timecode(ofFrame: 24 * 90_000, at: FrameRate(25), dropsFrames: false)
        #expect(midnight.text == "00:00:00:00")
    }
}
