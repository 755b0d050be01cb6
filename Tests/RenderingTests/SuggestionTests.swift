import Bytes
import Testing

@testable import Rendering

@Suite struct SuggestionTests {
    private static let effects = [
        "typewriter", "fade", "slide", "flap", "flip", "scramble", "none",
    ]

    @Test(
        "a value may mean one by its letters, a synonym, a small difference, or its beginning",
        arguments: [
            ("Fade", "fade"), ("fade-in", "fade"), ("slideUp", "slide"), ("fadde", "fade"),
            ("typing", "typewriter"), ("matrix", "scramble"), ("typewriters", "typewriter"),
        ])
    func values(value: String, meant: String) {
        #expect(
            Suggestion.question(for: value, among: Self.effects) == "; did you mean \"\(meant)\"?")
    }

    @Test("several values that begin with one are all named, at most three")
    func several() {
        let places = ["discord-emoji", "discord-sticker", "slack-emoji"]
        #expect(
            Suggestion.question(for: "discord", among: places)
                == "; did you mean \"discord-emoji\" or \"discord-sticker\"?")
        let many = (1...9).map { "name\($0)" }
        #expect(
            Suggestion.question(for: "nam", among: many).split(separator: "\"").count == 7)
    }

    @Test("a synonym counts only where its value is", arguments: ["center", "middle"])
    func synonyms(value: String) {
        #expect(Suggestion.question(for: value, among: ["top", "bottom"]).isEmpty)
    }

    @Test(
        "what is like nothing means nothing",
        arguments: ["", "-", "é", "quux", String(repeating: "fade", count: 20)])
    func nothing(value: String) {
        #expect(Suggestion.question(for: value, among: Self.effects).isEmpty)
    }

    @Test("an unknown name without a suggestion says what there is instead")
    func otherwise() {
        #expect(
            Suggestion.unknown("quux", among: ["size"], otherwise: "there is size")
                == "unknown; there is size")
        #expect(
            Suggestion.unknown("sise", among: ["size"], otherwise: "there is size")
                == "unknown; did you mean \"size\"?")
        #expect(Suggestion.unknown("quux", among: ["size"]) == "unknown")
    }

    @Test("names are compared without their separators, but not calls")
    func plainNames() {
        #expect(Suggestion.plainName("ease_In-out") == "easeinout")
        for call in ["linear()", "linear(0, 1)", "ease!", "é"] {
            #expect(Suggestion.plainName(call) == nil)
        }
    }
}
