import Testing

@testable import titlecard

@Suite struct WordCompletionTests {
    private func words(_ words: String...) -> [Substring] {
        WordCompletion(words).lines.compactMap {
            $0.split(separator: "\t", omittingEmptySubsequences: false).first
        }
    }

    @Test("a word is completed by what stands before it")
    func places() {
        #expect(words("rend") == ["render"])
        #expect(words("list", "pal") == ["palettes"])
        #expect(words("render", "--effect", "typew") == ["typewriter"])
        #expect(words("render", "Hi", "--effect=typew") == ["--effect=typewriter"])
        #expect(words("render", "--preset", "terminal,drac") == ["terminal,dracula"])
        #expect(words("render", "-o", "") == [":files"])
        #expect(words("serve", "--public", "") == [":files"])
        #expect(words("render", "text").isEmpty)
        #expect(words("render", "--", "--eff").isEmpty)
        #expect(words().isEmpty)
    }

    @Test("a flag takes the next word as a text, unless its value follows a sign")
    func flags() {
        #expect(words("render", "--italic", "").isEmpty)
        #expect(words("render", "--italic=f") == ["--italic=false"])
    }

    @Test("options that the help of commands breaks over two lines have their sentences")
    func longOptions() {
        let lines = WordCompletion(["serve", "--render-q"]).lines
        #expect(lines.count == 1 && lines[0].hasPrefix("--render-queue\tRenderings that may wait"))
        for line in WordCompletion(["serve", "--"]).lines {
            #expect(line.split(separator: "\t").count == 2, "\(line)")
            #expect(!line.contains("<"), "\(line)")
        }
    }
}
