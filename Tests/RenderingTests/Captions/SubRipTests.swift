import Rendering
import Testing

@Suite struct SubRipTests {
    @Test(
        "what real files do",
        arguments: [
            // Remotion #11357, refine #7605: blank lines and a header before the first cue, CRLF, points.
            (
                "\r\n\r\nTitle: x\r\n1\r\n00:00:00.000 --> 00:00:02.500\r\nHello\r\nworld\r\n",
                ["0-2500 Hello|world"]
            ),
            // cdown/srt #50: white space before the first number.
            ("\n\n1\n00:00:01,000 --> 00:00:02,000\nA", ["1000-2000 A"]),
            // Lone CR (Aegisub #250, saved for an old Macintosh), and no milliseconds.
            (
                "1\r00:04:40 --> 00:04:41\rGood evening professor.\r\r2\r00:04:42 --> 00:04:44\rMy darling.\r",
                ["280000-281000 Good evening professor.", "282000-284000 My darling."]
            ),
            // Memento #68: an hour of one digit, empty cues, several blank lines.
            (
                "26\n0:02:19,390 --> 0:02:26,990\n君がそうだったように\n\n27\n0:02:26,990 --> 0:03:03,370\n\n\n"
                    + "28\n0:03:03,370 --> 0:03:08,110\n僕がここに忘れたもの\n",
                ["139390-146990 君がそうだったように", "183370-188110 僕がここに忘れたもの"]
            ),
            // The issue's own: an index is missing, a text is a number.
            (
                "00:00:01,000 --> 00:00:02,000\n42\n\n0:00:53,860 --> 0:00:54,660\nB",
                ["1000-2000 42", "53860-54660 B"]
            ),
            // A number before the next time without a blank line is its index.
            (
                "1\n00:00:01,000 --> 00:00:02,000\nA\n2\n00:00:03,000 --> 00:00:04,000\nB",
                ["1000-2000 A", "3000-4000 B"]
            ),
            // Hours of any digits and none, one digit of a fraction, no spaces at the arrow, a hyphen in the text.
            (
                "1\n000:00:01,5-->00:02,25\nA --> B\n\n2\n100:00 --> 100:01.0625\n<3 you < me > {x}",
                ["1500-2250 A --> B", "6000000-6001062.5 <3 you < me > {x}"]
            ),
            // SubRip's coordinates; white space at the ends of lines; a blank line in a text.
            (
                "1\n00:00:01,000 --> 00:00:02,000  X1:40 X2:600 Y1:20 Y2:50\n  A \t\n\n B \n",
                ["1000-2000 A|B"]
            ),
            // Tags of all kinds, one of which names a place; nothing in them is drawn.
            (
                "1\n00:00:01,000 --> 00:00:02,000\n{\\an8}<font color=\"#ffff00\" face='x'><b>A</b></font>"
                    + " <script src=x>b</script>{\\pos(1,2)}",
                ["1000-2000 A b top center"]
            ),
            ("1\n00:00:01,000 --> 00:00:02,000\n{\\a10}A", ["1000-2000 A middle center"]),
            // Marks of right-to-left lines, as players without an algorithm for them need (SubtitleEdit).
            (
                "1\n00:00:01,000 --> 00:00:02,000\n\u{202B}שלום abc.\u{202C}\n\u{202B}x",
                ["1000-2000 \u{200F}שלום abc.|\u{200F}x"]
            ),
            // An end that is missing.
            ("1\n00:00:01,000 -->\nA", ["1000- A"]),
        ])
    func file(text: String, lines: [String]) throws {
        #expect(try CaptionSummary.of(text) == lines)
    }

    @Test("a text again for each word that tags pick out has times of words")
    func highlights() throws {
        // openai/whisper's `--highlight_words True`, with `<u>`; others have `<b>` or `<font>`.
        for (opening, closing) in [("<u>", "</u>"), ("<font color=red>", "</font>")] {
            let file = """
                1
                00:00:00,000 --> 00:00:00,500
                \(opening)Hello\(closing) my world

                2
                00:00:00,500 --> 00:00:00,700
                Hello my world

                3
                00:00:00,700 --> 00:00:01,000
                Hello \(opening)my\(closing) world

                4
                00:00:01,000 --> 00:00:01,500
                Hello my \(opening)world\(closing)

                5
                00:00:01,500 --> 00:00:02,500
                One <b>bold</b> word
                """
            #expect(
                try CaptionSummary.of(file) == [
                    "0-1500 Hello my world Hello@0-500 my@700-1000 world@1000-1500",
                    "1500-2500 One bold word",
                ])
        }
    }

    @Test("a time that cannot be read is named by its cue")
    func fault() {
        let file = "1\n00:00:01,000 --> 00:00:02,000\nA\n\n2\n00:00:x --> 00:00:04,000\nB"
        #expect(
            CaptionSummary.fault(file)
                == "captions cue 2, line 6, must have times such as 00:00:01.000 --> 00:00:02.500; "
                + "got \"00:00:x --> 00:00:04,000\"")
    }
}
