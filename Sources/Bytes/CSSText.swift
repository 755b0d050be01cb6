/// The parts of values of CSS (CSS Syntax 3), in which a function stays whole.
extension StringProtocol where UTF8View.SubSequence == Substring.UTF8View {
    /// The text without white space around it.
    package var cssTrimmed: Substring { trimming(\.isCSSSpace) }

    /// The words between white space; empty if there is nothing else.
    package var cssWords: [Substring] {
        cssPieces(omittingEmpty: true, separatedWhere: \.isCSSSpace)
    }

    /// The pieces between commas, without white space around them; one empty text if there is
    /// nothing.
    package var cssList: [Substring] {
        cssPieces(omittingEmpty: false) { $0 == UInt8(ascii: ",") }.map(\.cssTrimmed)
    }

    /// Returns the pieces between separators outside of parentheses.
    private func cssPieces(
        omittingEmpty: Bool, separatedWhere isSeparator: (UInt8) -> Bool
    ) -> [Substring] {
        var depth = 0
        return utf8.split(omittingEmptySubsequences: omittingEmpty) { byte in
            if byte == UInt8(ascii: "(") { depth += 1 }
            if byte == UInt8(ascii: ")") { depth -= 1 }
            return depth == 0 && isSeparator(byte)
        }.map { Substring($0) }
    }
}

extension UInt8 {
    /// True for the white space of CSS (CSS Syntax 3, 4.2).
    package var isCSSSpace: Bool {
        self == UInt8(ascii: " ") || self >= 9 && self <= 13 && self != 11
    }
}
