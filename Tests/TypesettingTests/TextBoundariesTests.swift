import Raster
import Testing

@testable import Typesetting

@Suite struct TextBoundariesTests {
    private func boundaries(
        _ text: String, _ words: WordBoundaries = .auto, isWrapped: Bool = true
    ) throws(LibraryFault) -> TextBoundaries {
        try TextBoundaries(of: text, words, isWrapped: isWrapped)
    }

    @Test(
        "texts in scripts with spaces have nothing that UAX 14 does not know",
        arguments: ["Titlecard", "naïve façade", "Съешь же ещё", "שלום", "हिन्दी", "한국어", "…—“”👻"])
    func spaced(text: String) throws {
        let boundaries = try boundaries(text)
        #expect(boundaries.lineEnds.isEmpty && boundaries.wordStarts.isEmpty)
        #expect(!WordBoundaries.auto.needDictionary(for: text))
        #expect(WordBoundaries.unicode.needDictionary(for: text))
    }

    @Test("lines of Thai end between words, or between clusters of one that is too long")
    func thai() throws {
        let ends = try boundaries("ภาษาไทย").lineEnds
        // ภา-ษา, ไท-ย
        #expect(
            ends == [
                .standard, .withinCluster, .betweenClusters, .withinCluster, .betweenWords,
                .withinCluster, .betweenClusters,
            ])
    }

    @Test("a consonant without its vowel stays with the syllable before it")
    func killed() throws {
        // Shan has no dictionary: မ်း and ၼ် close their syllables.
        let ends = try boundaries("မၢမ်းပဵၼ်").lineEnds
        #expect(ends.indices.filter { ends[$0] == .betweenWords } == [5])
    }

    @Test("Chinese has words, within which lines may end by UAX 14")
    func chinese() throws {
        let boundaries = try boundaries("我爱北京")
        #expect(boundaries.lineEnds == [.standard, .standard, .standard, .withinWord])
        #expect(boundaries.wordStarts.indices.filter { boundaries.wordStarts[$0] } == [3, 6])
    }

    @Test("without lines and words nothing is looked up")
    func unneeded() throws {
        let boundaries = try boundaries("我爱北京", .spaces, isWrapped: false)
        #expect(boundaries.lineEnds.isEmpty && boundaries.wordStarts.isEmpty)
    }
}
