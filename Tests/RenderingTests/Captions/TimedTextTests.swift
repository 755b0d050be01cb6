import Rendering
import Testing

@Suite struct TimedTextTests {
    private static func lyrics(_ body: String, root: String = #"itunes:timing="Word""#) -> String {
        #"<?xml version="1.0" encoding="UTF-8"?><tt xmlns="http://www.w3.org/ns/ttml" "#
            + #"xmlns:ttm="http://www.w3.org/ns/ttml#metadata" \#(root)><head><metadata>"#
            + #"<ttm:agent type="person" xml:id="v1"/></metadata></head>"#
            + #"<body dur="00:15.500"><div begin="00:01.000" end="00:15.000">\#(body)</div></body></tt>"#
    }

    @Test(
        "words of lyrics are joined where there is no space",
        arguments: [
            // Spaces between spans, inside of them, and in spans of their own (Steve-xmh/amll-ttml-db, 4.1.1;
            // TypesettingTools/Aegisub #699). Times in a paragraph are those of the song.
            (
                #"""
                <p begin="00:01.000" end="3.500" ttm:agent="v1"><span begin="1.000" end="1.200">Ma</span><span begin="1.200" end="1.500">gic </span><span begin="1.6" end="2">is</span> <span begin="2" end="2.5">here</span><span begin="0" end="0"> </span><span begin="2.5" end="3">now</span></p>
                """#,
                [
                    "1000-3500 Magic is here now Ma@1000-1200 gic@1200-1500 is@1600-2000 here@2000-2500 now@2500-3000"
                ]
            ),
            // Indented files have spaces between words, but not between those of Japanese. Translations and
            // romanisations are no text; a second voice has its own.
            (
                #"""
                <p begin="00:05.100" end="00:12.500" ttm:agent="v1">
                    <span begin="5.1" end="5.8">君</span>
                    <span begin="5.9" end="6.1">の</span>
                    <span begin="6.3" end="7">one</span>
                    <span begin="7" end="8">two</span>
                    <span ttm:role="x-translation" xml:lang="en">The Story</span>
                    <span ttm:role="x-roman" xml:lang="ja-Latn">kimi no</span>
                    <span ttm:role="x-bg" begin="10.5" end="12.5"><span begin="10.5" end="11.5">(秘密</span>
                        <span begin="11.6" end="12.5">だよ)</span><span ttm:role="x-translation">A secret</span></span>
                </p>
                """#,
                [
                    "5100-12500 君の one two 君@5100-5800 の@5900-6100 one@6300-7000 two@7000-8000 /",
                    "10500-12500 (秘密だよ) (秘密@10500-11500 だよ)@11600-12500",
                ]
            ),
            // A line that is sung again.
            (
                #"<p begin="1" end="2">La</p><p begin="2" end="3">La</p>"#,
                ["1000-2000 La", "2000-3000 La"]
            ),
            // Lines without times of words.
            (
                #"<p begin="00:01.000" end="00:03.500">A line &amp; more</p><p begin="4">Another</p>"#,
                ["1000-3500 A line & more", "4000-15000 Another"]
            ),
        ])
    func lyrics(body: String, lines: [String]) throws {
        #expect(try CaptionSummary.of(Self.lyrics(body)) == lines)
    }

    @Test("times that end before they begin count from the start of the song")
    func unmarkedLyrics() throws {
        let body =
            #"<p begin="5" end="7"><span begin="5" end="6">A</span> <span begin="6" end="7">b</span></p>"#
        #expect(
            try CaptionSummary.of(Self.lyrics(body, root: "")) == [
                "5000-7000 A b A@5000-6000 b@6000-7000"
            ])
    }

    @Test(
        "texts of films have their times and places",
        arguments: [
            // MediaArea/MediaInfoLib #1493: frames of 24 · 1000/1001 in a second; their number has colons, too.
            (
                #"""
                <tt xmlns="http://www.w3.org/ns/ttml" ttp:frameRate="24" ttp:frameRateMultiplier="1000 1001"><body><div>
                <p begin="24f" end="48f">Hello</p><p begin="00:00:03:12" dur="1s">Frames</p></div></body></tt>
                """#,
                ["1001-2002 Hello", "3500.5-4500.5 Frames"]
            ),
            // asticode/go-astisub #26: ticks, and readings above words, by styles.
            (
                #"""
                <?xml version="1.0"?>
                <!-- Netflix -->
                <tt xmlns="http://www.w3.org/ns/ttml" ttp:tickRate="10000000" xml:lang="ja"><head><styling>
                <style xml:id="s2" tts:ruby="container"/><style xml:id="s3" tts:ruby="base"/><style xml:id="s4" tts:ruby="text"/>
                </styling><layout><region xml:id="r0" tts:displayAlign="after"/></layout></head><body xml:space="preserve"><div>
                <p begin="18637368750t" end="18676157500t" region="r0"><span>テソプ<span style="s2"><span style="s3">の所だ</span><span style="s4">カン食ン</span></span>食おう<br/>刺身</span></p>
                </div></body></tt>
                """#,
                ["1863736.9-1867615.8 テソプの所だ食おう|刺身 bottom"]
            ),
            // A prefix for all names, times that count from those around them, and styles in a region.
            (
                #"""
                <tt:tt xmlns:tt="http://www.w3.org/ns/ttml"><tt:head><tt:styling><tt:style xml:id="c" tts:textAlign="center"/></tt:styling>
                <tt:layout><tt:region xml:id="top" tts:origin="10% 5%" tts:extent="80% 20%"><tt:style tts:displayAlign="before"/></tt:region>
                <tt:region xml:id="low" tts:origin="10% 80%" tts:extent="80% 15%"/></tt:layout></tt:head>
                <tt:body begin="10s"><tt:div begin="1m" region="low"><tt:p begin="500ms" end="2s" style="c">One
                  line</tt:p><tt:p region="top" begin="3s" end="00:00:04.5">&#x5e9;&#x5dc;<tt:br/><tt:metadata>no</tt:metadata> two </tt:p></tt:div></tt:body></tt:tt>
                """#,
                ["70500-72000 One line bottom center", "73000-74500 של|two top"]
            ),
            // Times in spans alone.
            (
                #"<tt><body><div><p><span begin="1s" end="2s">One two</span><br/><span begin="2s" end="3s">three</span></p></div></body></tt>"#,
                ["1000- One two|three One@1000-1500 two@1500-2000 three@2000-3000"]
            ),
            // No times at all: the text stands from the start.
            ("<tt><body><div><p>Always</p></div></body></tt>", ["0- Always"]),
        ])
    func film(text: String, lines: [String]) throws {
        #expect(try CaptionSummary.of(text) == lines)
    }

    @Test(
        "hostile and other XML is refused",
        arguments: [
            (
                #"<!DOCTYPE tt [<!ENTITY a "b">]><tt/>"#,
                "captions must be whole TTML without declarations in its DOCTYPE"
            ),
            ("<?xml version=\"1.0\"?><svg/>", "captions must be TTML, which is <tt>; got <svg>"),
            (
                "<tt><p>&a;</p></tt>",
                "captions must be TTML: &a; at character 8 is not known; one of &amp; &lt; &gt; &quot; &apos;, "
                    + "or a number"
            ),
            (
                "<tt>" + String(repeating: "<div>", count: 64)
                    + String(repeating: "</div>", count: 64)
                    + "</tt>", "captions must nest elements at most 64 deep"
            ),
            (
                #"<tt><p begin="1s">A</p><p begin="noon">B</p></tt>"#,
                "captions cue 2 must have times such as 00:00:01.500, 1.5s, or 36f; got begin=\"noon\""
            ),
            ("<tt><body/></tt>", "captions has no cues: line 1 is \"<tt><body/></tt>\""),
        ])
    func fault(text: String, message: String) {
        #expect(CaptionSummary.fault(text) == message)
    }

    @Test("a voice behind ends with the paragraph, and the direction of a line stays")
    func backgrounds() throws {
        let file =
            "<tt><body><p begin='1s' end='9s'>\u{202B}Main<span ttm:role='x-bg'>(bg)</span></p></body></tt>"
        #expect(try CaptionSummary.of(file) == ["1000-9000 \u{200F}Main /", "1000-9000 (bg)"])
    }
}
