import Foundation
import Rendering
import Testing

@Suite struct CaptionReaderTests {
    private static let file = "1\n00:00:01,000 --> 00:00:02,000\nNaïve 😀\n"

    @Test("encodings are told by their marks")
    func encodings() throws {
        let expected = ["1000-2000 Naïve 😀"]
        let little = Self.file.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        let big = Self.file.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        for bytes in [
            [0xEF, 0xBB, 0xBF] + Array(Self.file.utf8), [0xFF, 0xFE] + little, [0xFE, 0xFF] + big,
            little, big,
        ] {
            #expect(try CaptionSummary.of(bytes) == expected)
        }
        // Only parts of JSON are joined.
        for head in ["[Script Info]\n", "[00:01.00]"] {
            #expect(throws: RenderingError.self) {
                try CaptionSummary.of(Array(head.utf8) + [0x43, 0x61, 0x66, 0xE9])
            }
        }
        let latin: [UInt8] = Array("1\n00:00:01,000 --> 00:00:02,000\nNa".utf8) + [0xEF, 0x76]
        #expect(
            throws: RenderingError.invalid(
                "captions", "is neither UTF-8 nor UTF-16: line 3 is not UTF-8")
        ) { try CaptionSummary.of(latin) }
    }

    @Test(
        "a file of no format says what was looked for, and its first line",
        arguments: [
            (
                "\n\nOnce upon a time",
                "captions has no times of SubRip or WebVTT (00:00:01.000 --> 00:00:02.500), SBV "
                    + "(0:00:01.000,0:00:02.500), or LRC ([00:01.00]), no Dialogue: of ASS, and is neither "
                    + "TTML nor JSON: line 3 is \"Once upon a time\""
            ),
            (" \n", "captions is empty"),
            ("WEBVTT\n\nx", "captions has no cues: line 1 is \"WEBVTT\""),
            ("WEBVTT\n\n00:01.000 --> 00:02.000\n<b></b>", "captions has no text"),
            (
                "{\"a\": 1,}",
                "captions is not valid JSON: the comma before } is one too many, at column 8"
            ),
            (
                "{\"a\": 1}",
                "captions is JSON without the members of whisper, whisper.cpp, WhisperX, OpenAI, "
                    + "Deepgram, AssemblyAI, ElevenLabs, Amazon, Google, Gladia, YouTube, Remotion, HyperFrames, "
                    + "or Editframe, and no array of objects with at and text"
            ),
            (
                "1\n00:01 --> 00:02\nA\nDialogue: x",
                "captionFormat must be given: captions may be srt or ass"
            ),
            (
                "[00:01]A\n0:00:01.0,0:00:02.0\nB",
                "captionFormat must be given: captions may be sbv or lrc"
            ),
            (
                "00:00 --> 00:01\nA\n\n99:00:00 --> 99:00:01\nB",
                "captions cue 2 starts after 24 hours"
            ),
        ])
    func fault(text: String, message: String) {
        #expect(CaptionSummary.fault(text) == message)
    }

    @Test("a format that is given is taken")
    func format() throws {
        let file = "WEBVTT\n\n1\n00:01 --> 00:02\nA &amp; b"
        #expect(try CaptionSummary.of(file, as: .srt) == ["1000-2000 A &amp; b"])
        #expect(try CaptionSummary.of(file, as: .vtt) == ["1000-2000 A & b"])
    }

    @Test("an array has its own times, and each fault its place")
    func array() throws {
        let file = #"""
            [{"at": 2, "text": "b", "valign": "top", "pageBreakAfter": true},
             {"at": 0.5, "until": 1.5, "text": "Hi, hi", "align": "end",
              "times": [{"text": "Hi", "at": 0.5, "until": 1}, {"text": "hi", "at": 1, "until": 1.5}]}]
            """#
        #expect(
            try CaptionSummary.of(file)
                == ["500-1500 Hi, hi Hi@500-1000 hi@1000-1500 end", "2000- b top /"])
        let faults = [
            (#"[{"at": 1}]"#, "captions[0].text must be a text; got none"),
            (
                #"[{"text": "a", "at": "x"}]"#,
                "captions[0].at must be a number from 0 to 86400 seconds"
            ),
            (
                #"[{"text": "a", "at": 1, "until": 1}]"#,
                "captions[0].until must be after at, 1; got 1"
            ),
            (#"[{"text": "a", "at": 1}, {"text": "b", "at": 1, "x": 1}]"#, "captions[1].x "),
            (
                #"[{"text": "a", "at": 1, "times": [{"text": "b", "at": 1, "until": 2}]}]"#,
                "captions[0].times[0].text must be in the text, behind the word before; got \"b\""
            ),
        ]
        for (file, message) in faults {
            #expect(CaptionSummary.fault(file)?.hasPrefix(message) == true, "\(file)")
        }
    }

    /// Files that took other readers the square of their length, or their lives.
    @Test("the price of hostile files is linear")
    func price() {
        let pieces = [
            "<", "{", "<a", "{\\", "<b>", "<c", "&", "&#", "\n", "a\n", "-->", "0:0-->\n",
            "1\n0:0-->0:1\na\n", "1\n0:0-->0:9\na\nb\nc\n", "<0:1>", "<0:1>a ", "[", "{\"a\":",
            "a ",
            "\u{202B}", "1\n0:0-->0:1\n<b>a</b> a a\n", "[0:0]", "[0:0]a<0:1>b\n", "[0:0][0:1]a\n",
            "[00",
            "0:0:0,0:0:1\na\n", "[br]",
            "<p>", "<p></p>", "<p begin='1s'>a</p>", "<span begin='1s'>a </span>", "<br/>", "<!--",
            " x='1'",
            "<div begin='1s'>", "<style xml:id='a' style='a'/>",
        ]
        let heads = [
            "", "WEBVTT\n\n0:0-->0:1\n", "Dialogue: 0,0:0:0,0:0:1,,,,,,,", "1\n0:0-->0:1\n",
            "[0:0]a\n",
            "0:0:0,0:0:1\n", "<tt><p>", "<tt ", "<tt><head><layout>",
        ]
        for piece in pieces {
            for head in heads {
                let seconds = [16_384, 65_536].map { length in
                    let text = head + String(repeating: piece, count: length / piece.utf8.count)
                    let clock = ContinuousClock()
                    return clock.measure { _ = CaptionSummary.fault(text) } / .seconds(1)
                }
                // Four times as much takes at most eight times as long, beyond what a busy machine adds.
                #expect(seconds[1] < max(2, seconds[0] * 8), "\(piece) after \(head)")
            }
        }
    }

    @Test("mutated files are read or refused")
    func mutations() throws {
        let corpus = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Fuzzing/Corpus/captions")
        let files = try FileManager.default.contentsOfDirectory(
            at: corpus, includingPropertiesForKeys: nil
        ).sorted { $0.path < $1.path }.map { [UInt8](try Data(contentsOf: $0)) }
        var state: UInt64 = 1
        func random(_ count: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % max(1, count)
        }
        for index in 0..<4000 {
            var file = files[index % files.count]
            for _ in 0...random(4) where !file.isEmpty {
                let offset = random(file.count)
                switch random(4) {
                case 0: file[offset] = UInt8(random(256))
                case 1: file.removeSubrange(offset..<min(file.count, offset + random(20)))
                case 2:
                    file.insert(contentsOf: file[offset..<min(file.count, offset + 30)], at: offset)
                default: file.insert(UInt8(random(128)), at: offset)
                }
            }
            CaptionRules.check(file)
        }
    }
}
