/// UTF-8 text that is compared, sorted and hashed by its bytes.
///
/// `String` compares by canonical equivalence: U+FA19 equals U+795E, the Kelvin sign equals K, and
/// a letter with a mark equals the one letter for both, although fonts draw them differently. Text
/// is compared as this type wherever it decides about clients' input.
package struct ByteString: Sendable {
    /// The text, for people and for libraries.
    package let text: String

    @inlinable
    package init(_ text: String) {
        self.text = text
    }

    @inlinable
    package init(_ text: Substring) {
        self.text = String(text)
    }

    /// The bytes.
    @inlinable package var utf8: String.UTF8View { text.utf8 }

    @inlinable package var isEmpty: Bool { text.isEmpty }
}

extension ByteString: Hashable, Comparable {
    @inlinable
    package static func == (one: ByteString, other: ByteString) -> Bool {
        one.text.isSame(as: other.text)
    }

    @inlinable
    package func hash(into hasher: inout Hasher) {
        text.utf8.span.withUnsafeBytes { hasher.combine(bytes: $0) }
        // No UTF-8 has this byte, so that texts that follow each other cannot run together.
        hasher.combine(0xFF as UInt8)
    }

    package static func < (one: ByteString, other: ByteString) -> Bool {
        one.text.utf8.lexicographicallyPrecedes(other.text.utf8)
    }
}

extension ByteString: ExpressibleByStringLiteral, CustomStringConvertible {
    @inlinable
    package init(stringLiteral text: String) {
        self.init(text)
    }

    package var description: String { text }
}
