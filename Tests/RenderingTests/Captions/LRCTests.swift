import Rendering
import Testing

@Suite struct LRCTests {
    @Test(
        "lines and words of lyrics have their times",
        arguments: [
            // Lines end where the next one begins, or a line without a text; tags of other kinds are passed over.
            (
                "[ar:X]\n[length: 05:25]\n[00:01.50]One\n[00:03.25]Two\n[00:05.00]\n[00:20.00]Three\n[00:50.00]Four",
                ["1500-3250 One", "3250-5000 Two", "20000-30000 Three", "50000- Four"]
            ),
            // magic-akari/lrc-maker #52: spaces around the times of words; the last word lasts three seconds at most.
            (
                "[00:00.00] <00:00.04> When <00:00.16> the <00:00.82> truth \n[00:06.47] <00:07.67> And",
                [
                    "0-3820 When the truth When@40-160 the@160-820 truth@820-3820",
                    "6470- And And@7670-10670",
                ]
            ),
            // MadLord80/KFN_Viewer #5: the first word has no time of its own.
            (
                "[00:12.00]Line <00:12.50>one<00:13.25>",
                ["12000-13250 Line one Line@12000-12500 one@12500-13250"]
            ),
            // sonorahq/sonora #708: a time at the end is the line's end.
            ("[00:12.00]lyric[00:15.00]", ["12000-15000 lyric lyric@12000-15000"]),
            // Syllables.
            (
                "[00:01.00]<00:01.00>Ka<00:01.20>ra<00:01.40>o <00:01.60>ke<00:02.00>",
                ["1000-2000 Karao ke Ka@1000-1200 ra@1200-1400 o@1400-1600 ke@1600-2000"]
            ),
            // A line that is sung twice; its words have the times of the first.
            (
                "[00:01.00][01:01.00]<00:01.00>La <00:01.50>la<00:02.00>\n[00:30.00]Solo<00:31.00>",
                [
                    "1000-2000 La la La@1000-1500 la@1500-2000",
                    "30000-31000 Solo Solo@30000-31000",
                    "61000-62000 La la La@61000-61500 la@61500-62000",
                ]
            ),
            // jacquesh/foo_openlyrics #257: a space before the number; positive ones are sung earlier.
            ("[offset: -3000]\n[00:05.64]A[00:06]", ["8640-9000 A A@8640-9000"]),
            (
                "[Offset:+500]\n[00:05.64]A<00:06.50>b<00:07>",
                ["5140-6500 Ab A@5140-6000 b@6000-6500"]
            ),
            // jacquesh/foo_openlyrics #378: a colon before the hundredths.
            ("[00:12:50]A[01:02:03.50]", ["12500-3723500 A A@12500-3723500"]),
            // SubtitleEdit #9301: one digit of minutes, three of milliseconds.
            (
                "[1:07.899]Slow heart[1:10.779]",
                ["67899-70779 Slow heart Slow@67899-69179 heart@69179-70779"]
            ),
            // chenmozhijin/LDDC #29: brackets around a text.
            ("[00:30.88][some str]\n[00:32]", ["30880-32000 [some str]"]),
            // A line that begins with the one before it, or is the same, is sung again.
            (
                "[00:01]Hello\n[00:02]Hello\n[00:03]Hello again\n[00:04]",
                ["1000-2000 Hello", "2000-3000 Hello", "3000-4000 Hello again"]
            ),
            // A translation has the same time.
            ("[00:01.00]你好\n[00:01.00]Hello\n[00:03.00]", ["1000-3000 你好", "1000-3000 Hello"]),
        ])
    func file(text: String, lines: [String]) throws {
        #expect(try CaptionSummary.of(text) == lines)
    }

    @Test("what is none is refused")
    func faults() {
        #expect(
            CaptionSummary.fault("[ar:X]\nOne", as: .lrc)
                == "captions has no cues: line 1 is \"[ar:X]\"")
        #expect(
            CaptionSummary.fault(String(repeating: "[00:01]", count: 101) + "a")
                == "captions line 1 has more than 100 times")
    }

    @Test("what is sung again is not much longer than the file")
    func repeats() throws {
        let times = (0..<90).map { "[\($0):01.00]" }.joined()
        let words = (0..<2000).map { "<0:\($0 % 60)>a" }.joined()
        #expect(
            throws: RenderingError.invalid(
                "captions",
                "line 1 is sung too often: what is sung again is more than 8 times the file")
        ) { try CaptionSummary.of(times + words) }
    }
}
