/// The name of a field that the program knows, written as a literal; compared without case.
package struct FieldName: ExpressibleByStringLiteral, Sendable {
    private let text: StaticString

    /// Wraps a token; anything else is a programmer's error.
    package init(stringLiteral text: StaticString) {
        self.text = text
        assert(!bytes.isEmpty && bytes.allSatisfy(ASCII.isToken), "a field name is a token")
    }

    /// Its ASCII characters.
    var bytes: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    }
}
