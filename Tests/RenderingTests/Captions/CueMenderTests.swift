import Rendering
import Testing

@Suite struct CueMenderTests {
    private static func file(_ cues: (String, String)...) -> String {
        cues.map { "\($0)\n\($1)\n\n" }.joined()
    }

    private static func mendings(_ file: String) throws -> [String] {
        let track = try CaptionReader.track(of: file, as: .srt, unit: .auto)
        #expect(track.mendedCount == track.mendings.count)
        return track.mendings.map { "\($0.cue) \($0.phrase)" }
    }

    /// SubtitleEdit #2909, #3839; spion/subsync #7; cdown/srt #44.
    @Test("times that cannot be are mended, and counted")
    func times() throws {
        let file = Self.file(
            ("00:05 --> 00:04", "reversed"), ("00:06 --> 00:06", "none"),
            ("-00:01 --> 00:01", "negative"),
            ("00:20 --> 00:10", "last"))
        #expect(
            try CaptionSummary.of(file) == [
                "0-1000 negative", "5000-6000 reversed", "6000-9000 none", "20000-23000 last",
            ])
        #expect(
            try Self.mendings(file) == [
                "3 starts before 0", "3 starts before the one before it", "1 ends before it begins",
                "2 ends where it begins", "4 ends before it begins",
            ])
    }

    @Test("what is in order stays, with what is on screen together")
    func overlaps() throws {
        let file = Self.file(
            ("00:01 --> 00:04", "A"), ("00:02 --> 00:03", "B"), ("00:02 --> 00:03", "C"))
        #expect(try CaptionSummary.of(file) == ["1000-4000 A", "2000-3000 B", "2000-3000 C"])
        #expect(try Self.mendings(file) == [])
    }

    @Test("what repeats shows what is new")
    func repeats() throws {
        // ytdlnis #433, CCExtractor #1044: lines that roll up, two or three at a time.
        let file = Self.file(
            ("00:00 --> 00:03", "first line"), ("00:03 --> 00:06", "first line\nsecond line"),
            ("00:06 --> 00:09", "first line\nsecond line\nthird"),
            ("00:09 --> 00:10", "second line\nthird\nfourth"),
            ("00:10 --> 00:11", "fourth and more"))
        #expect(
            try CaptionSummary.of(file) == [
                "0-3000 first line", "3000-6000 second line", "6000-9000 third",
                "9000-10000 fourth",
                "10000-11000 fourth and more",
            ])
        // Words that are added one after another; a text that is said again later is no repeat.
        let words = Self.file(
            ("00:00 --> 00:01", "one"), ("00:01 --> 00:02", "one two"),
            ("00:05 --> 00:06", "one two"))
        #expect(
            try CaptionSummary.of(words) == ["0-1000 one", "1000-2000 two", "5000-6000 one two"])
        #expect(try Self.mendings(words) == ["2 repeats the one before it"])
    }

    /// Words of no length, in the wrong order, and outside of their cue.
    @Test("words are in order, and within their cue")
    func words() throws {
        let file = #"""
            {"segments": [{"start": 1, "end": 3, "text": "a b c d", "words": [
             {"word": " a", "start": 0.5, "end": 1.5}, {"word": " b", "start": 1.5, "end": 1.5},
             {"word": " c", "start": 1.2, "end": 2.5}, {"word": " d", "start": 2.5, "end": 4}]}]}
            """#
        #expect(
            try CaptionSummary.of(file)
                == ["1000-3000 a b c d a@1000-1500 b@1500-2500 c@1500-2500 d@2500-3000"])
    }

    @Test("times of words far beyond a day share no more than a day")
    func farWords() throws {
        let many = String(repeating: "a ", count: 20_000)
        let files: [(String, CaptionFormat)] = [
            (
                "1\n0:0:1 --> 0:0:2\n<0:0:1>\(many)<999999999:999999999:999999999>c", .srt
            ), ("[0:1]<0:1>\(many)<999999999:999999999:0.0>c", .lrc),
            (
                "<tt><p begin='0s' end='9s'>\(many)<span begin='999999999h'>c</span></p></tt>",
                .ttml
            ),
            (
                #"{"segments":[{"start":0,"end":1,"text":"\#(many)c","words":[{"word":" c","start":1e18}]}]}"#,
                .whisper
            ),
        ]
        for (file, format) in files {
            let track = try CaptionReader.track(of: file, as: format, unit: .seconds)
            #expect(track.cues.count == 1)
        }
    }
}
