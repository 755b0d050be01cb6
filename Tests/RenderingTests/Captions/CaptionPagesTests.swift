import Motion
import Raster
import Testing
import Typesetting

@testable import Rendering

/// Pages of captions, on which so many characters have room.
@Suite struct CaptionPagesTests {
    private func parameters(
        _ change: (inout CaptionParameters) -> Void = { _ in }
    ) -> CaptionParameters {
        var reader = ParameterReader([:])
        var parameters = CaptionParameters(&reader)
        change(&parameters)
        return parameters
    }

    private func cue(_ at: Double, _ until: Double?, _ text: String) -> CaptionCue {
        CaptionCue(
            at: Instant(seconds: at), until: until.map { Instant(seconds: $0) }, text: text)
    }

    /// A cue with times for the words that spaces divide, from some seconds to others.
    private func spoken(_ text: String, _ times: [(Double, Double)]) throws -> CaptionCue {
        let first = try #require(times.first), last = try #require(times.last)
        var cue = cue(first.0, last.1, text)
        var offset = 0
        for (word, time) in zip(text.split(separator: " "), times) {
            cue.words.append(
                CaptionWord(
                    range: offset..<offset + word.utf8.count, at: Instant(seconds: time.0),
                    until: Instant(seconds: time.1)))
            offset += word.utf8.count + 1
        }
        return cue
    }

    private func pages(
        _ cues: [CaptionCue], room: Int = 40, _ parameters: CaptionParameters? = nil
    ) throws -> [CaptionPage] {
        try CaptionPages(CaptionTrack(cues: cues), parameters ?? self.parameters())
            .pages { (text) throws(LibraryFault) in text.count <= room }.pages
    }

    private func texts(
        _ cues: [CaptionCue], room: Int = 40, _ parameters: CaptionParameters? = nil
    ) throws -> [String] {
        try pages(cues, room: room, parameters).map(\.text)
    }

    @Test("a page ends where a sentence does, across cues and lines")
    func sentences() throws {
        let cues = [
            cue(0, 2, "We went to the\nmarket. There were"),
            cue(2, 4, "apples, \"red ones.\" And pears!"),
        ]
        #expect(
            try texts(cues) == [
                "We went to the market.", "There were apples, \"red ones.\"", "And pears!",
            ])
    }

    @Test(
        "a point ends no sentence behind a title or a letter, nor before a small letter",
        arguments: [
            "I saw Dr. Smith today.", "It is J. Smith again.", "They say e.g. Paris is one.",
            "Yahoo! is a name.", "Wait... then go.", "It costs 3.50 today.",
        ])
    func points(_ text: String) throws {
        #expect(try texts([cue(0, 2, text)]) == [text])
    }

    @Test("a pause longer than pagePause starts a page, and a shorter one does not")
    func pauses() throws {
        let cue = try spoken("one two three four", [(0, 1), (1.5, 2), (2.7, 3), (3, 4)])
        #expect(try texts([cue]) == ["one two", "three four"])
        #expect(
            try texts([cue], parameters { $0.pagePause = 0.4 }) == ["one", "two", "three four"])
        #expect(try texts([cue], parameters { $0.pagePause = 2 }) == ["one two three four"])
    }

    @Test("with pageBreak=cue pages are cues with their lines, and with pause no sentence ends one")
    func pageBreaks() throws {
        let cues = [cue(0, 2, "One. Two\nthree."), cue(2, 4, "Four five. Six")]
        #expect(
            try texts(cues, parameters { $0.pageBreak = .cue }) == [
                "One. Two\nthree.", "Four five. Six",
            ])
        #expect(
            try texts(cues, parameters { $0.pageBreak = .pause }) == [
                "One. Two three. Four five. Six"
            ])
    }

    @Test("a sentence without room is divided at punctuation, into even parts, and by no lost word")
    func cuts() throws {
        #expect(
            try texts([cue(0, 4, "It was cold, and all of us wanted to go home")], room: 32) == [
                "It was cold,", "and all of us wanted to go home",
            ])
        #expect(
            try texts([cue(0, 4, "aaaa bbbb cccc dddd eeee ffff gggg")], room: 29) == [
                "aaaa bbbb cccc", "dddd eeee ffff gggg",
            ])
        #expect(
            try texts([cue(0, 4, "The whole world was watching it")], room: 28) == [
                "The whole world", "was watching it",
            ])
    }

    @Test("a sentence of one short word joins its neighbour, but not across a pause")
    func lostWords() throws {
        #expect(
            try texts([cue(0, 3, "Did you see it? No. I was away.")]) == [
                "Did you see it? No.", "I was away.",
            ])
        let cues = [cue(0, 1, "Did you see it?"), cue(2, 3, "No."), cue(4, 5, "I was away.")]
        #expect(try texts(cues) == ["Did you see it?", "No.", "I was away."])
    }

    @Test("pages have at most pageWords words and pageSeconds seconds")
    func limits() throws {
        let text = "a bb ccc dddd eeeee ffffff"
        #expect(
            try texts([cue(0, 6, text)], parameters { $0.pageWords = 1 })
                == text.split(separator: " ").map(String.init))
        for page in try pages([cue(0, 6, text)], parameters { $0.pageSeconds = 2 }) {
            let (first, last) = (page.words[0], page.words[page.words.count - 1])
            #expect(page.words.count == 1 || last.until.seconds - first.at.seconds <= 2)
        }
    }

    @Test("words without times share the time of their cue by their graphemes")
    func sharedTimes() throws {
        let words = try pages([cue(1, 3, "ab c, d")])[0].words
        #expect(words.map(\.text) == ["ab", "c,", "d"])
        #expect(words.map(\.at.seconds) == [1, 1.8, 2.6])
        #expect(words.map(\.until.seconds) == [1.8, 2.6, 3])
    }

    @Test("punctuation goes with its word, and opening punctuation with the one behind")
    func punctuation() throws {
        let words = try pages([cue(0, 2, "« Bonjour » ? – Oui ( bien )")])[0].words
        #expect(words.map(\.text) == ["« Bonjour » ? –", "Oui", "( bien )"])
        for page in try texts([cue(0, 2, "« Bonjour » ? – Oui ( bien )")], room: 5) {
            #expect(!"»?–)".contains(page.first ?? " "), "\(page)")
        }
    }

    @Test(
        "a straight quotation mark opens behind a space, and in turns where there are none",
        arguments: [
            ("\"a b\" c", [0]), ("say \"a\" or 'b c'", [4, 11]), ("5\" of \"a\"", [6]),
            ("don't 'stop' dogs' rock 'n' roll", [6, 24]), ("a \" b \" c", [2]),
            ("説\"好\"と'hi'", [3, 11]), ("no mark", []),
        ])
    func straightQuotes(_ text: String, _ offsets: [Int]) {
        #expect(StraightQuotes.opening(in: text).sorted() == offsets)
    }

    @Test("no page ends with a straight quotation mark that opens")
    func quotesAtEnds() throws {
        guard UnicodeWords.version != nil else { return }
        let texts = [
            "他说\"你好吗\"然后她回答\"我很好\"就走了,今天天气\"不错\"", "彼は'はい'と言って'さようなら'と書いた",
            "เขาพูดว่า\"สวัสดีครับ\"แล้วก็\"ลาก่อน\"ไป",
        ]
        for text in texts {
            let quotes = StraightQuotes.opening(in: text)
            for room in 3...14 {
                let pages = try self.texts([cue(0, 6, text)], room: room)
                #expect(pages.joined() == text)
                var end = 0
                for page in pages.dropLast() {
                    end += page.utf8.count
                    #expect(!quotes.contains(end - 1), "\(page)")
                    let next = text.utf8[text.utf8.index(text.startIndex, offsetBy: end)]
                    #expect(![0x22, 0x27].contains(next) || quotes.contains(end), "\(page)")
                }
            }
        }
        let said = Array("他说\"好\"了".utf8)
        let words = CaptionLetter.attached([0..<3, 3..<6, 7..<10, 11..<14], in: said)
        #expect(words == [0..<3, 3..<6, 6..<11, 11..<14])
        let spaced = try pages([cue(0, 2, "I \" am \" so ( sorry )")])[0].words
        #expect(spaced.map(\.text) == ["I", "\" am \"", "so", "( sorry )"])
    }

    @Test("no space is put between Han or kana, and one beside Latin only if the file has it")
    func spaces() throws {
        let cues = [
            cue(0, 1, "今日は、"), cue(1, 2, "東京\nTokyo です"), cue(2, 3, "hello"), cue(3, 4, "you"),
        ]
        #expect(
            try texts(cues, parameters { $0.pageBreak = .pause }) == [
                "今日は、東京Tokyo ですhello you"
            ])
        // Where cues have no marks, their ends are those of sentences.
        #expect(try texts(cues) == ["今日は、東京Tokyo です", "hello you"])
    }

    @Test("Chinese and Japanese are divided between words, at no mark that closes")
    func ideographs() throws {
        guard UnicodeWords.version != nil else { return }
        let text = "「散歩に行きましょう」と彼女は言った、それから私たちは公園へ行った"
        let pages = try texts([cue(0, 4, text)], room: 9)
        #expect(pages.joined() == text)
        #expect(pages.allSatisfy { !"」、。".contains($0.first ?? " ") && $0.last != "「" })
        #expect(!pages.contains { $0.hasSuffix("散") || $0.hasSuffix("公") || $0.hasSuffix("彼") })
    }

    @Test("cues that overlap are voices with pages of their own")
    func voices() throws {
        let cues = [cue(0, 4, "I say this"), cue(2, 5, "while you say that"), cue(4, 6, "and on")]
        let pages = try pages(cues)
        #expect(pages.map(\.text) == ["I say this and on", "while you say that"])
        #expect(pages.map(\.at.seconds) == [0, 2])
    }

    @Test("a page stays until the next one where that is near, and never longer")
    func ends() throws {
        let cues = [
            cue(0, 1, "One thing."), cue(1.4, 2, "Two things."), cue(3, nil, "Three things."),
        ]
        let pages = try pages(cues)
        #expect(pages.map(\.until?.seconds) == [1.4, 2, nil])
        let overlapping = try self.pages([cue(0, 1.2, "One thing."), cue(1, 2, "Two things.")])
        #expect(overlapping.map(\.until?.seconds) == [1, 2])
    }

    @Test("another place, and the end of a page in the file, end a page")
    func places() throws {
        var cues = [
            cue(0, 1, "up here"), cue(1, 2, "down here"), cue(2, 3, "and on"), cue(3, 4, "end"),
        ]
        cues[0].verticalAlignment = .top
        cues[2].endsPage = true
        let pages = try pages(cues)
        #expect(pages.map(\.text) == ["up here", "down here and on", "end"])
        #expect(pages.map(\.verticalAlignment) == [.top, nil, nil])
    }

    @Test("an hour of words takes about two questions a word")
    func price() throws {
        let words = (0..<9000).map { "word\($0 % 97)" }.joined(separator: " ")
        var questions = 0
        let found = try CaptionPages(CaptionTrack(cues: [cue(0, 3600, words)]), parameters())
            .pages { (text) throws(LibraryFault) in
                questions += 1
                return text.count <= 40
            }
        #expect(found.tooLong.isEmpty && found.pages.count > 1000)
        #expect(questions < 3 * 9000)
    }
}
