/// The straight quotation marks of a text, which look alike at both ends.
enum StraightQuotes {
    /// Returns the UTF-8 offsets of the marks that open: those behind white space, and of others each one
    /// that none before it has opened.
    static func opening(in text: String) -> Set<Int> {
        guard text.utf8.contains(where: { $0 == 0x22 || $0 == 0x27 }) else { return [] }
        let scalars = Array(text.unicodeScalars)
        var (opening, open) = (Set<Int>(), Set<Unicode.Scalar>())
        var offset = 0
        for (index, scalar) in scalars.enumerated() {
            defer { offset += UTF8.width(scalar) }
            guard scalar == "\"" || scalar == "'" else { continue }
            let before = index > 0 ? scalars[index - 1] : " "
            let behind = index + 1 < scalars.count ? scalars[index + 1] : " "
            guard scalar == "\"" || !isApostrophe(between: before, behind) else { continue }
            let isBehindSpace = before.properties.isWhitespace
            let isKnown = isBehindSpace != behind.properties.isWhitespace
            if isKnown ? isBehindSpace : !open.contains(scalar) {
                open.insert(scalar)
                opening.insert(offset)
            } else {
                open.remove(scalar)
            }
        }
        return opening
    }

    /// Returns true between two letters of a word.
    private static func isApostrophe(
        between before: Unicode.Scalar, _ behind: Unicode.Scalar
    ) -> Bool {
        [before, behind].allSatisfy {
            CaptionLetter.isLetter($0) && !CaptionLetter.isUnspaced($0)
        }
    }
}
