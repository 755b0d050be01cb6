import Rendering
import Testing

@Suite struct SubViewerTests {
    @Test(
        "cues of YouTube's files have their times",
        arguments: [
            // support.google.com/youtube/answer/2734698: the sample of the format.
            (
                "0:00:00.599,0:00:04.160\n>> ALICE: Hi, my name is Alice\nMiller\n\n0:00:04.160,0:00:06.770\n>> JOHN: and we're\n",
                [
                    "599-4160 >> ALICE: Hi, my name is Alice|Miller /",
                    "4160-6770 >> JOHN: and we're",
                ]
            ),
            // `[br]` of SubViewer, CRLF, a header, a cue without a text.
            (
                "\r\n[INFORMATION]\r\n00:00:01.00,00:00:02.00\r\nOne[br]two\r\n\r\n00:00:03.00,00:00:04.00\r\n\r\n",
                ["1000-2000 One|two"]
            ),
        ])
    func file(text: String, lines: [String]) throws {
        #expect(try CaptionSummary.of(text) == lines)
    }
}
