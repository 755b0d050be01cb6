import Bytes
import Testing

@Suite struct TextScannerTests {
    @Test("what is consumed is a prefix, and the rest is what follows it")
    func prefixes() {
        var scanner = TextScanner("-12px")
        let isNegative = scanner.consumeSign()
        let digits = scanner.consume(while: \.isASCIIDigit)
        #expect(isNegative && scanner.text(digits) == "12" && scanner.rest == "px")
        let byte = scanner.take()
        #expect(byte == UInt8(ascii: "p") && scanner.next == UInt8(ascii: "x"))
        #expect(!scanner.isAtEnd)
    }

    @Test("what is not next is not consumed")
    func otherwise() {
        var scanner = TextScanner("<a")
        var skips = [scanner.skip("a"), scanner.skip(text: "<ab")]
        let digits = scanner.consume(while: \.isASCIIDigit)
        #expect(skips == [false, false] && digits.isEmpty && scanner.offset == 0)
        skips = [scanner.skip("<"), scanner.skip(text: "a")]
        #expect(skips == [true, true] && scanner.isAtEnd)
    }

    @Test("at the end nothing is next")
    func end() {
        var scanner = TextScanner("")
        let (byte, skips) = (scanner.take(), [scanner.skip("a"), scanner.skip(text: "a")])
        #expect(byte == nil && scanner.next == nil && skips == [false, false])
        #expect(scanner.isAtEnd && scanner.rest.isEmpty)
    }

    @Test("letters and digits are those of ASCII", arguments: 0...UInt8.max)
    func kinds(byte: UInt8) {
        let properties = Unicode.Scalar(byte).properties
        let isASCII = byte < 0x80
        #expect(byte.isASCIILetter == (isASCII && properties.isAlphabetic))
        #expect(byte.isASCIISmallLetter == (isASCII && properties.isLowercase))
        #expect(byte.isASCIIDigit == (isASCII && properties.numericType != nil))
        #expect(byte.isASCIILetterOrDigit == (byte.isASCIILetter || byte.isASCIIDigit))
        #expect((byte.hexadecimalValue != nil) == properties.isASCIIHexDigit)
        let digit = String(Unicode.Scalar(byte))
        #expect(byte.hexadecimalValue == (isASCII ? UInt8(digit, radix: 16) : nil))
    }
}
