import Rendering
import Testing

@Suite struct WebVTTTests {
    @Test(
        "what real files do",
        arguments: [
            // w3.org/TR/webvtt1: notes, styles, regions, identifiers, voices, references.
            (
                """
                WEBVTT - a title

                NOTE 00:01 is
                a comment

                STYLE
                ::cue { background: url(https://example.com/x) }

                REGION
                id:fred
                width:40%

                first
                00:01.000 --> 00:02.000 region:fred
                <v.loud Esme>It&rsquo;s &lt;b&gt; &amp; <i.x>so</i>&#x21;&nbsp;</v>

                00:00:02.000 --> 1000:00:03.000
                <v Mary><lang en>Hi</lang> <ruby>漢<rt>かん</rt></ruby>
                """,
                [
                    "1000-2000 It’s <b> & so!\u{A0} /",
                    "2000-86400000 Hi 漢",
                ]
            ),
            // A text ends with an empty line, not with a space.
            ("WEBVTT\n\n00:01.000 --> 00:02.000\n \nA\n \nB\n\nC", ["1000-2000 A|B"]),
            // ytdl-org/youtube-dl #21914, yt-dlp #1734: captions of YouTube, which roll.
            (
                """
                WEBVTT
                Kind: captions
                Language: en

                00:00:00.160 --> 00:00:03.429 align:start position:0%
                 
                Linus,<00:00:00.960><c> do</c><00:00:01.520><c> your</c>

                00:00:03.429 --> 00:00:03.439 align:start position:0%
                Linus, do your
                 

                00:00:03.439 --> 00:00:05.749 align:start position:0%
                Linus, do your
                cool<00:00:03.760><c> or</c><00:00:04.000><c> is</c>

                00:00:05.749 --> 00:00:05.759 align:start position:0%
                cool or is
                 

                00:00:05.759 --> 00:00:07.000 align:start position:0%
                cool or is
                dad's
                """,
                [
                    "160-3439 Linus, do your Linus,@160-960 do@960-1520 your@1520-3439",
                    "3439-5759 cool or is cool@3439-3760 or@3760-4000 is@4000-5759",
                    "5759-7000 dad's",
                ]
            ),
            // Stamps with several words, and with a pause.
            (
                "WEBVTT\n\n00:00.000 --> 00:04.000\n<00:00.000>abc de <00:01.000><00:02.000>(“fg”), - h!",
                [
                    "0-4000 abc de (“fg”), - h! abc@0-600 de@600-1000 (“fg”), -@2000-3636.3 h!@3636.3-4000"
                ]
            ),
        ])
    func file(text: String, lines: [String]) throws {
        #expect(try CaptionSummary.of(text) == lines)
    }

    @Test(
        "settings name places",
        arguments: [
            ("line:0", "top"), ("line:10%", "top"), ("line:-1", "bottom"),
            ("line:85%,end", "bottom"),
            ("line:50%", "middle"), ("align:left line:1", "top left"), ("align:middle", "center"),
            ("position:10%,line-left", "left"), ("position:90%", "right"), ("position:50%", ""),
            ("align:end position:10%", "end"), ("line:x align:y size:50% vertical:rl", ""),
        ])
    func settings(settings: String, place: String) throws {
        #expect(
            try CaptionSummary.of("WEBVTT\n\n00:01.000 --> 00:02.000 \(settings)\nA")
                == ["1000-2000 A" + (place.isEmpty ? "" : " " + place)])
    }

    /// RFC 8216, 3.5.
    @Test("X-TIMESTAMP-MAP moves all times")
    func timestampMap() throws {
        let cue = "\n\n00:01.000 --> 00:03.000\nA <00:02.000>b"
        #expect(
            try CaptionSummary.of("WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.500,MPEGTS:900000" + cue)
                == ["10500-12500 A b A@10500-11500 b@11500-12500"])
        #expect(
            try CaptionSummary.of("WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:0, LOCAL:00:00.000" + cue)
                == ["1000-3000 A b A@1000-2000 b@2000-3000"])
        #expect(
            CaptionSummary.fault("WEBVTT\nX-TIMESTAMP-MAP=LOCAL:1" + cue)
                == "captions line 2 must have LOCAL and MPEGTS; got \"X-TIMESTAMP-MAP=LOCAL:1\"")
    }
}
