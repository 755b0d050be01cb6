import Rendering
import Testing

/// Excerpts in the shapes of services and of tools for videos, as their documentation and issues show them.
@Suite struct SpeechServiceTests {
    @Test(
        "each service's words have their times",
        arguments: [
            // YouTube's automatic captions: windows without words, line breaks of their own, and events that stay while
            // the next one is said (the captures in docs of pb3 readers; `tStartMs` may be a text).
            (
                #"""
                {"wireMagic": "pb3", "pens": [{}], "events": [{"tStartMs": 0, "dDurationMs": 9000, "id": 1, "wpWinPosId": 1},
                 {"tStartMs": 120, "dDurationMs": 3559, "wWinId": 1, "segs": [{"utf8": "I'm", "acAsrConf": 0},
                  {"utf8": " about", "tOffsetMs": 160}, {"utf8": " to", "tOffsetMs": 320}]},
                 {"tStartMs": 2310, "dDurationMs": 1369, "wWinId": 1, "aAppend": 1, "segs": [{"utf8": "\n"}]},
                 {"tStartMs": "2320", "dDurationMs": 1000, "wWinId": 1, "segs": [{"utf8": "leave"}]}]}
                """#,
                ["120-2320 I'm about to I'm@120-280 about@280-440 to@440-2320", "2320-3320 leave"]
            ),
            // Captions that people wrote have no times of words; two may be on screen together.
            (
                #"""
                {"events": [{"tStartMs": 4040, "dDurationMs": 5090, "segs": [{"utf8": "Good news\nand bad "}, {"utf8": "news."}]},
                 {"tStartMs": 8130, "dDurationMs": 1679, "segs": [{"utf8": "Oh."}]}]}
                """#,
                ["4040-9130 Good news|and bad news.", "8130-9809 Oh."]
            ),
            // Captions that roll repeat the line before.
            (
                #"""
                {"wireMagic": "pb3", "events": [
                 {"tStartMs": 0, "dDurationMs": 2000, "wWinId": 1, "segs": [{"utf8": "one"}, {"utf8": " two", "tOffsetMs": 500}]},
                 {"tStartMs": 1500, "dDurationMs": 2000, "wWinId": 1, "segs": [{"utf8": "one two\n"}, {"utf8": "three", "tOffsetMs": 200}]}]}
                """#,
                ["0-1500 one two one@0-500 two@500-1500", "1500-3500 three three@1700-3500"]
            ),
            // ElevenLabs Scribe: spaces are items, those of imitations have no times, and sounds are left out.
            (
                #"""
                {"language_code": "eng", "text": "Hello, (laughter) world. Bye", "words": [
                 {"text": "Hello,", "start": 0.2, "end": 0.5, "type": "word", "speaker_id": "speaker_0"},
                 {"text": " ", "start": 0.5, "end": 0.52, "type": "spacing", "speaker_id": "speaker_0"},
                 {"text": "(laughter)", "start": 1, "end": 1.5, "type": "audio_event", "speaker_id": null},
                 {"text": " ", "start": null, "end": null, "type": "spacing"},
                 {"text": "world.", "start": 1.6, "end": 2, "type": "word", "speaker_id": "speaker_0"}, {"text": " ", "type": "spacing"},
                 {"text": "Bye", "start": 2.5, "end": 3, "type": "word", "speaker_id": "speaker_1"}]}
                """#,
                [
                    "200-2000 Hello, world. Hello,@200-500 world.@1600-2000 /",
                    "2500-3000 Bye Bye@2500-3000",
                ]
            ),
            // Amazon Transcribe: times are texts, and punctuation has none.
            (
                #"""
                {"jobName": "x", "results": {"transcripts": [{"transcript": "Well, hello. Bye"}], "items": [
                 {"type": "pronunciation", "start_time": "0.04", "end_time": "0.35", "alternatives": [{"confidence": "0.99", "content": "Well"}], "speaker_label": "spk_0"},
                 {"type": "punctuation", "alternatives": [{"confidence": "0.0", "content": ","}]},
                 {"type": "pronunciation", "start_time": "0.4", "end_time": "0.9", "alternatives": [{"content": "hello"}], "speaker_label": "spk_0"},
                 {"type": "punctuation", "alternatives": [{"content": "."}]},
                 {"type": "pronunciation", "start_time": "1.2", "end_time": "1.5", "alternatives": [{"content": "Bye"}], "speaker_label": "spk_1"}]}}
                """#,
                [
                    "40-900 Well, hello. Well,@40-350 hello.@400-900 /",
                    "1200-1500 Bye Bye@1200-1500",
                ]
            ),
            // Chinese of Amazon has no spaces in the transcript.
            (
                #"""
                {"results": {"transcripts": [{"transcript": "你好。"}], "items": [
                 {"type": "pronunciation", "start_time": "0.0", "end_time": "0.3", "alternatives": [{"content": "你"}]},
                 {"type": "pronunciation", "start_time": "0.3", "end_time": "0.5", "alternatives": [{"content": "好"}]},
                 {"type": "punctuation", "alternatives": [{"content": "。"}]}]}}
                """#,
                ["0-500 你好。 你@0-300 好。@300-500"]
            ),
            // Google Speech v1, in an operation; its libraries write seconds and nanoseconds.
            (
                #"""
                {"name": "1", "done": true, "response": {"results": [{"alternatives": [{"transcript": "how old is", "words": [
                 {"startTime": "0s", "endTime": "0.300s", "word": "how"},
                 {"startTime": {"seconds": "0", "nanos": 300000000}, "endTime": {"nanos": 600000000}, "word": "old"},
                 {"startTime": "0.600s", "endTime": "1.300s", "word": "is"}]}, {"transcript": "who old is"}]},
                 {"alternatives": [{"transcript": " it", "words": [{"startTime": "2s", "endTime": "2.100s", "word": "it"}]}]}, {"alternatives": [{}]}]}}
                """#,
                [
                    "0-1300 how old is how@0-300 old@300-600 is@600-1300",
                    "2000-2100 it it@2000-2100",
                ]
            ),
            // Google Speech v2: a start of 0 is left out; Japanese words have their readings.
            (
                #"""
                {"results": [{"alternatives": [{"transcript": "今日は", "words": [
                 {"endOffset": "0.400s", "word": "今日|キョウ"}, {"startOffset": "0.400s", "endOffset": "0.900s", "word": "は|ワ"}]}]}]}
                """#,
                ["0-900 今日は 今日@0-400 は@400-900"]
            ),
            // googleapis/google-cloud-java #3903, python-docs-samples #1586: with speakers, the last result has all
            // words again, but only the last transcript.
            (
                #"""
                {"results": [{"alternatives": [{"transcript": "hi you", "words": [
                 {"startTime": "0s", "endTime": "0.5s", "word": "hi"}, {"startTime": "0.5s", "endTime": "1s", "word": "you"}]}]},
                 {"alternatives": [{"transcript": "yes", "words": [{"startTime": "0s", "endTime": "0.5s", "word": "hi", "speakerTag": 1},
                 {"startTime": "0.5s", "endTime": "1s", "word": "you", "speakerTag": 1},
                 {"startTime": "2s", "endTime": "2.5s", "word": "yes", "speakerTag": 2}]}]}]}
                """#,
                ["0-1000 hi you hi@0-500 you@500-1000 /", "2000-2500 yes yes@2000-2500"]
            ),
            // Gladia: words have their spaces, or have none.
            (
                #"""
                {"id": "x", "status": "done", "result": {"transcription": {"full_transcript": "Split infinity. No", "utterances": [
                 {"text": "Split infinity.", "start": 0.2, "end": 1.5, "speaker": 0, "words": [
                  {"word": "Split", "start": 0.2, "end": 0.7, "confidence": 1}, {"word": " infinity.", "start": 0.7, "end": 1.5}]},
                 {"text": "No", "start": 2, "end": 2.5, "speaker": 1, "words": [{"word": "No", "start": 2, "end": 2.5}]}]}}}
                """#,
                [
                    "200-1500 Split infinity. Split@200-700 infinity.@700-1500 /",
                    "2000-2500 No No@2000-2500",
                ]
            ),
            // HyperFrames: an array of words, which may have ids.
            (
                #"""
                [{"id": "w0", "text": "Hello", "start": 0, "end": 0.5}, {"id": "w1", "text": "there.", "start": 0.6, "end": 1.2},
                 {"id": "w2", "text": "Bye", "start": 1.4, "end": 1.9}]
                """#,
                ["0-1200 Hello there. Hello@0-500 there.@600-1200", "1400-1900 Bye Bye@1400-1900"]
            ),
            // An array of texts has the same members.
            (
                #"[{"text": "Hello there.", "start": 0, "end": 0.5}, {"text": "Bye", "start": 1.25, "end": 2}]"#,
                ["0-500 Hello there.", "1250-2000 Bye"]
            ),
            // Editframe: words beside the segments, with `text` where WhisperX has `word`.
            (
                #"""
                {"segments": [{"start": 0, "end": 1.2, "text": " Hello there."}], "word_segments": [
                 {"text": " Hello", "start": 0, "end": 0.5}, {"text": " there.", "start": 0.6, "end": 1.2}]}
                """#,
                ["0-1200 Hello there. Hello@0-500 there.@600-1200"]
            ),
        ])
    func file(text: String, lines: [String]) throws {
        #expect(try CaptionSummary.of(text) == lines)
    }

    @Test("doubts are for the client to end")
    func doubts() throws {
        let unit =
            #"[{"text": "a", "start": 0, "end": 450}, {"text": "b", "start": 450, "end": 900}]"#
        #expect(CaptionSummary.fault(unit)?.hasPrefix("captionUnit must be given") == true)
        #expect(try CaptionSummary.of(unit, unit: .milliseconds) == ["0-900 a b a@0-450 b@450-900"])
        let both =
            #"{"utterances": [{"text": "A", "start": 0, "end": 1, "words": [{"word": "A", "start": 0, "end": 1}]}], "words": [{"word": "B", "start": 0, "end": 1}]}"#
        #expect(
            CaptionSummary.fault(both)
                == "captionFormat must be given: captions may be openai or gladia")
        #expect(try CaptionSummary.of(both, as: .gladia) == ["0-1000 A A@0-1000"])
    }
}
