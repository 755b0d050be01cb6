package import Bytes

/// A word of a text, with the time in which it is said: a member of the parameter `times`.
package struct WordTime: Hashable, Sendable {
    /// The characters of the word, as they stand in the text.
    package var text: ByteString
    /// Its start in seconds.
    package var at: Double
    /// Its end in seconds; nil for the start of the next word, or the end of the text.
    package var until: Double?

    package init(_ text: ByteString, at: Double, until: Double?) {
        self.text = text
        self.at = at
        self.until = until
    }
}
