import Rendering
import Testing

@Suite struct SubStationAlphaTests {
    private static let head = """
        [Script Info]
        ScriptType: v4.00+

        [V4+ Styles]
        Format: Name, Fontname, Fontsize, Alignment
        Style: Default,Arial,20,2

        [Events]
        Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text

        """

    @Test(
        "what real files do",
        arguments: [
            // Commas in the text, line breaks, comments, wrong order.
            (
                "Dialogue: 0,0:00:05.00,0:00:06.25,Default,,0,0,0,,b, with {\\i1}commas{\\i0}\\Nand\\hlines\n"
                    + "Comment: 0,0:00:00.00,0:00:09.00,Default,,0,0,0,,never\n"
                    + "Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,{a note}a {not closed",
                ["1000-2000 a {not closed", "5000-6250 b, with commas|and lines"]
            ),
            // aegisub.org, karaoke: \k, \K, \kf, \ko are centiseconds; a syllable may be a pause.
            (
                "Dialogue: 0,0:00:01.00,0:00:03.50,Default,,0,0,0,fx,"
                    + "{\\an8\\k20}Ka{\\kf30}ra{\\ko50}o{\\k20} ke,{\\k10}{\\K40} now",
                [
                    "1000-3500 Karao ke, now Ka@1000-1200 ra@1200-1500 o@1500-2000 ke,@2000-2200 "
                        + "now@2300-2700 top center"
                ]
            ),
            // Drawings are no text; the first place counts.
            (
                "Dialogue: 0,0:00:01.00,0:00:02.00,D,,0,0,0,,{\\p1}m 0 0 l 100 0{\\p0}{\\an7}{\\an3}A",
                ["1000-2000 A top left"]
            ),
            // Who speaks.
            (
                "Dialogue: 0,0:00:01.00,0:00:02.00,D,Ann,0,0,0,,A\n"
                    + "Dialogue: 0,0:00:03.00,0:00:04.00,D,Bob,0,0,0,,B",
                ["1000-2000 A /", "3000-4000 B"]
            ),
            // Texts on screen together stay two.
            (
                "Dialogue: 0,0:00:01.00,0:00:03.00,D,,0,0,0,,A\n"
                    + "Dialogue: 1,0:00:02.00,0:00:04.00,D,,0,0,0,,B",
                ["1000-3000 A", "2000-4000 B"]
            ),
        ])
    func file(text: String, lines: [String]) throws {
        #expect(try CaptionSummary.of(Self.head + text) == lines)
    }

    @Test("the columns are those of the file")
    func columns() throws {
        let file = "[Events]\nFormat: Start, End, Text\nDialogue: 0:00:01.00,0:00:02.00,A, b"
        #expect(try CaptionSummary.of(file) == ["1000-2000 A, b"])
        #expect(
            CaptionSummary.fault("[Events]\nFormat: Text, Start")
                == "captions line 2 must have Start, End, and Text last; got \"Format: Text, Start\""
        )
        #expect(
            CaptionSummary.fault(Self.head + "Dialogue: 0,0:00:01.00,x,D,,0,0,0,,A")
                == "captions cue 1, line 10, must have 10 columns with times such as 0:00:01.50; "
                + "got \" 0,0:00:01.00,x,D,,0,0,0,,A\"")
    }
}
