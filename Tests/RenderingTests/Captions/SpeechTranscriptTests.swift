import Rendering
import Testing

/// Excerpts in the shapes of the programs, as their sources and issues show them.
@Suite struct SpeechTranscriptTests {
    @Test(
        "each program's words have their times",
        arguments: [
            // openai/whisper, `--word_timestamps True`: words have their spaces; parts join the word before.
            (
                #"""
                {"text": " Hi, open-minded.", "language": "en", "segments": [{"id": 0, "start": 0.0, "end": 2.5,
                 "text": " Hi, open-minded.", "words": [{"word": " Hi,", "start": 0.0, "end": 0.52},
                 {"word": " open", "start": 0.52, "end": 1.0}, {"word": "-minded.", "start": 1.0, "end": 2.0}]}]}
                """#,
                ["0-2500 Hi, open-minded. Hi,@0-520 open-minded.@520-2000"]
            ),
            // Without times of words.
            (
                #"{"text": "A b", "segments": [{"start": 0.5, "end": 1.25, "text": " A b"}]}"#,
                ["500-1250 A b"]
            ),
            // m-bain/whisperX #559: numbers have no times, and share the gap.
            (
                #"""
                {"segments": [{"start": 0, "end": 3, "text": "in 1984 £50 we", "words": [
                 {"word": "in", "start": 0.1, "end": 0.5}, {"word": "1984"}, {"word": "£50"},
                 {"word": "we", "start": 1.7, "end": 2}]}], "word_segments": [{"word": "in"}]}
                """#,
                ["0-3000 in 1984 £50 we in@100-500 1984@500-1185.7 £50@1185.7-1700 we@1700-2000"]
            ),
            // WhisperX divides Chinese into characters, and the text has no spaces.
            (
                #"""
                {"segments": [{"start": 0, "end": 1, "text": "你好 abc", "words": [{"word": "你", "start": 0,
                 "end": 0.2}, {"word": "好", "start": 0.2, "end": 0.4}, {"word": "abc", "start": 0.5, "end": 1}]}],
                 "word_segments": [{}]}
                """#,
                ["0-1000 你好 abc 你@0-200 好@200-400 abc@500-1000"]
            ),
            // OpenAI's verbose_json (remotion #5069, #5716): no punctuation, hyphens, the same word again.
            (
                #"""
                {"task": "transcribe", "duration": 4, "text": "The \"the\", open-minded (one)! No, no.",
                 "words": [{"word": "The", "start": 0, "end": 0.5}, {"word": "the", "start": 0.5, "end": 1},
                 {"word": "open", "start": 1, "end": 1.5}, {"word": "minded", "start": 1.5, "end": 2},
                 {"word": "one", "start": 2, "end": 2.5}, {"word": "No", "start": 3, "end": 3.5},
                 {"word": "no", "start": 3.5, "end": 4}]}
                """#,
                [
                    "0-2500 The \"the\", open-minded (one)! The@0-500 \"the\",@500-1000 open-@1000-1500 "
                        + "minded@1500-2000 (one)!@2000-2500",
                    "3000-4000 No, no. No,@3000-3500 no.@3500-4000",
                ]
            ),
            // whisper.cpp #2329: a token without offsets; marks are dropped; t_dtw counts for nothing.
            (
                #"""
                {"systeminfo": "", "transcription": [{"timestamps": {}, "offsets": {"from": 0, "to": 2000},
                 "text": " I love you, too.", "tokens": [{"text": "[_BEG_]", "offsets": {"from": 0, "to": 0}},
                 {"text": " I", "offsets": {"from": 0, "to": 100}, "t_dtw": 158},
                 {"text": " lo", "offsets": {"from": 100, "to": 300}},
                 {"text": "ve", "offsets": {"from": 300, "to": 500}}, {"text": " you", "t_dtw": -1},
                 {"text": ",", "offsets": {"from": 900, "to": 1000}},
                 {"text": " too", "offsets": {"from": 1000, "to": 1900}},
                 {"text": ".", "offsets": {"from": 1900, "to": 2000}}, {"text": "<|endoftext|>"},
                 {"text": "[_TT_100]", "offsets": {"from": 2000, "to": 2000}}]}]}
                """#,
                ["0-2000 I love you, too. I@0-100 love@100-500 you,@500-1000 too.@1000-1900"]
            ),
            // whisper.cpp with `-ml 1`: a text for each word.
            (
                #"""
                {"transcription": [{"offsets": {"from": 0, "to": 0}, "text": ""},
                 {"offsets": {"from": 0, "to": 300}, "text": " Hi"},
                 {"offsets": {"from": 300, "to": 900}, "text": " you."}]}
                """#,
                ["0-900 Hi you. Hi@0-300 you.@300-900"]
            ),
            // Deepgram: words with punctuation, and who speaks.
            (
                #"""
                {"results": {"channels": [{"alternatives": [{"transcript": "hello you yes", "words": [
                 {"word": "hello", "start": 0.1, "end": 0.5, "punctuated_word": "Hello", "speaker": 0},
                 {"word": "you", "start": 0.5, "end": 0.9, "punctuated_word": "you,", "speaker": 0},
                 {"word": "yes", "start": 1, "end": 1.2, "speaker": 1}]}]}]}}
                """#,
                ["100-900 Hello you, Hello@100-500 you,@500-900 /", "1000-1200 yes yes@1000-1200"]
            ),
            // AssemblyAI: milliseconds.
            (
                #"""
                {"language_code": "en", "text": "Hi there.", "utterances": null, "words": [
                 {"text": "Hi", "start": 250, "end": 650}, {"text": "there.", "start": 650, "end": 900}]}
                """#,
                ["250-900 Hi there. Hi@250-650 there.@650-900"]
            ),
            // A sentence that is said again.
            (
                #"""
                {"text": "No. No.", "words": [{"text": "No.", "start": 250, "end": 650},
                 {"text": "No.", "start": 650, "end": 900}]}
                """#,
                ["250-650 No. No.@250-650", "650-900 No. No.@650-900"]
            ),
            // Remotion #4555, #10476: white space separates; without any, items are words.
            (
                #"""
                [{"text": "Every", "startMs": 0, "endMs": 400, "timestampMs": null, "confidence": null},
                 {"text": "one", "startMs": 400, "endMs": 600}, {"text": " rides", "startMs": 600, "endMs": 900,
                 "pageBreakAfter": true}, {"text": " on", "startMs": 900, "endMs": 1200}]
                """#,
                ["0-900 Everyone rides Everyone@0-600 rides@600-900 /", "900-1200 on on@900-1200"]
            ),
            (
                #"""
                [{"text": "EVERY", "startMs": 0, "endMs": 400}, {"text": "RIDER", "startMs": 400, "endMs": 600},
                 {"text": "你", "startMs": 600, "endMs": 700}, {"text": "好", "startMs": 700, "endMs": 800},
                 {"text": "。", "startMs": 800, "endMs": 900}]
                """#,
                ["0-800 EVERY RIDER 你好。 EVERY@0-400 RIDER@400-600 你@600-700 好。@700-800"]
            ),
        ])
    func file(text: String, lines: [String]) throws {
        #expect(try CaptionSummary.of(text) == lines)
    }

    /// whisper.cpp #1798: two of three bytes are one token, the third another.
    @Test("tokens that are parts of a character share its time")
    func parts() throws {
        var file: [UInt8] = []
        for (text, from, to) in [([0xE4, 0xBD], 0, 200), ([0xA0], 200, 400)]
            as [([UInt8], Int, Int)]
        {
            file += Array(#"{"text": ""#.utf8) + text
            file += Array(#"", "offsets": {"from": \#(from), "to": \#(to)}}, "#.utf8)
        }
        let head =
            #"{"transcription": [{"offsets": {"from": 0, "to": 600}, "text": "你好", "tokens": ["#
        let end = #"{"text": "好", "offsets": {"from": 400, "to": 600}}]}]}"#
        #expect(
            try CaptionSummary.of(Array(head.utf8) + file + Array(end.utf8))
                == ["0-600 你好 你@0-400 好@400-600"])
        // With `-ml 1` no text has the whole character.
        let text = Array(#"{"transcription": ["#.utf8) + file.dropLast(2) + Array("]}".utf8)
        #expect(try CaptionSummary.of(text) == ["0-400 你 你@0-400"])
    }

    @Test("doubts are for the client to end")
    func doubts() throws {
        let seconds = #"{"segments": [{"start": 0, "end": 900, "text": "A"}], "text": "A"}"#
        #expect(
            CaptionSummary.fault(seconds)
                == "captionUnit must be given: times of captions are whole numbers, 900 long on average, "
                + "which may be s or ms")
        #expect(try CaptionSummary.of(seconds, unit: .milliseconds) == ["0-900 A"])
        #expect(try CaptionSummary.of(seconds, unit: .seconds) == ["0-900000 A"])
        let milliseconds = #"{"text": "A", "words": [{"text": "A", "start": 0.5, "end": 0.9}]}"#
        #expect(CaptionSummary.fault(milliseconds)?.hasPrefix("captionUnit must be given") == true)
        let both =
            #"{"text": "A", "words": [{"word": "A", "start": 0, "end": 1}], "segments": [{"start": 0, "end": 1, "text": "A", "words": [{"word": "A", "start": 0, "end": 1}]}]}"#
        #expect(
            CaptionSummary.fault(both)
                == "captionFormat must be given: captions may be whisper or openai")
        #expect(try CaptionSummary.of(both, as: .openai) == ["0-1000 A A@0-1000"])
    }
}
