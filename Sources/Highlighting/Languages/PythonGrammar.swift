import Bytes

extension Grammar {
    static let python = Grammar(
        words: words([
            .keyword: "and as assert async await break case class continue def del elif else "
                + "except finally for from global if import in is lambda match nonlocal not "
                + "or pass raise return try type while with yield",
            .constant: "True False None Ellipsis NotImplemented self cls",
            .type: "bool bytearray bytes complex dict float frozenset int list memoryview "
                + "object set str tuple",
        ]),
        softWords: set("match case type"),
        introducers: ["class": .type, "def": .function],
        capitals: .constants, lineComments: ["#"],
        strings: pythonStrings, traits: [.annotations])

    private static let pythonStrings: [StringForm] = {
        let plain = spellings(of: ["", "r", "u", "b", "br", "rb"])
        let formatted = spellings(of: ["f", "fr", "rf", "t", "tr", "rt"])
        let code = StringForm.Interpolation(
            open: "{", brackets: ("{", "}"), isDoubledCharacter: true)
        return ["\"\"\"", "'''", "\"", "'"].flatMap { quote in
            let isMultiline = quote.utf8.count == 3
            return [
                StringForm.quoted(quote, prefixes: plain, isMultiline: isMultiline),
                .quoted(quote, prefixes: formatted, isMultiline: isMultiline, [code]),
            ]
        }
    }()

    /// Returns words with each of their letters small or capital.
    private static func spellings(of words: [String]) -> [String] {
        words.flatMap { word in
            word.unicodeScalars.reduce([""]) { starts, letter in
                let capital = letter.properties.uppercaseMapping
                return starts.flatMap { [$0 + String(letter), $0 + capital] }
            }
        }
    }
}
