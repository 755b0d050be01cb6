import Highlighting

/// Source code: its tokens cover every byte once, and none of valid text begins within a character.
///
/// The first byte chooses the language.
enum FuzzCode: FuzzTarget {
    static func take(_ input: [UInt8]) {
        guard let first = input.first else { return }
        let languages = CodeLanguage.allCases
        let language = languages[Int(first) % languages.count]
        let source = Array(input.dropFirst())
        let isText = String(validating: source, as: UTF8.self) != nil
        var start = 0
        for token in language.tokens(of: source) {
            check(token.end > start, "an empty token in \(language)")
            check(!isText || source[start] & 0xC0 != 0x80, "a token within a character")
            start = token.end
        }
        check(start == source.count, "\(source.count - start) bytes of \(language) have no token")
    }
}
