import Bytes

/// Takes HTML apart; scripts and style sheets have their own grammars.
struct MarkupLexer {
    private let bytes: [UInt8]
    private var offset = 0
    private var list = TokenList()

    /// Returns the tokens of a document.
    static func tokens(of bytes: [UInt8]) -> [CodeToken] {
        var lexer = MarkupLexer(bytes: bytes)
        lexer.run()
        return lexer.list.tokens
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    private mutating func run() {
        while offset < bytes.count {
            if has("<!--") {
                skip(behind: "-->")
                emit(.comment)
            } else if has("<!") || has("<?") {
                skip(behind: ">")
                emit(.directive)
            } else if peek() == UInt8(ascii: "<"), peek(1).isLetter || peek(1) == UInt8(ascii: "/")
            {
                readTag()
            } else if peek() == UInt8(ascii: "&"), peek(1).isLetter || peek(1) == UInt8(ascii: "#")
            {
                offset += 2
                skip(while: \.isNameByte)
                if peek() == UInt8(ascii: ";") { offset += 1 }
                emit(.constant)
            } else {
                offset += 1
                skip { $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: "&") }
                emit(.plain)
            }
        }
    }

    private func peek(_ distance: Int = 0) -> UInt8 {
        offset + distance < bytes.count ? bytes[offset + distance] : 0
    }

    private func has(_ text: String) -> Bool { bytes[offset...].starts(with: text.utf8) }

    private mutating func emit(_ kind: TokenKind) { list.add(kind, to: offset) }

    private mutating func skip(while isWanted: (UInt8) -> Bool) {
        while offset < bytes.count, isWanted(bytes[offset]) { offset += 1 }
    }

    /// Consumes all up to a text and that text; all that is left where there is none.
    private mutating func skip(behind text: String) {
        while offset < bytes.count, !has(text) { offset += 1 }
        offset = min(offset + text.utf8.count, bytes.count)
    }

    private mutating func skipBlanks() {
        skip { $0.isBlank || $0.isLineBreak }
        emit(.plain)
    }

    private mutating func readTag() {
        let isEnd = peek(1) == UInt8(ascii: "/")
        offset += isEnd ? 2 : 1
        emit(.punctuation)
        let start = offset
        skip(while: isNamePart)
        let name = String(decoding: bytes[start..<offset], as: UTF8.self).lowercasedASCII
        emit(.tag)
        while offset < bytes.count, peek() != UInt8(ascii: ">"), peek() != UInt8(ascii: "<") {
            if peek().isBlank || peek().isLineBreak { skipBlanks() } else { readAttribute() }
        }
        if peek() == UInt8(ascii: ">") {
            offset += 1
            emit(.punctuation)
        }
        guard !isEnd else { return }
        if name.isSame(as: "script") { readRaw(until: "</script", .javascript) }
        if name.isSame(as: "style") { readRaw(until: "</style", .css) }
    }

    private func isNamePart(_ byte: UInt8) -> Bool {
        byte > 0x20 && !"<>/=\"'".utf8.contains(byte)
    }

    private mutating func readAttribute() {
        let byte = peek()
        if isNamePart(byte) {
            skip(while: isNamePart)
            emit(.attribute)
        } else if byte == UInt8(ascii: "=") {
            offset += 1
            emit(.operator)
            skipBlanks()
            readValue()
        } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
            readValue()
        } else {
            offset += 1
            emit(byte == UInt8(ascii: "/") ? .punctuation : .plain)
        }
    }

    private mutating func readValue() {
        let quote = peek()
        if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
            offset += 1
            skip { $0 != quote }
            offset = min(offset + 1, bytes.count)
        } else {
            skip { $0 > 0x20 && $0 != UInt8(ascii: ">") }
        }
        emit(.string)
    }

    /// Reads code up to the tag that ends it.
    private mutating func readRaw(until end: String, _ grammar: Grammar) {
        let start = offset
        while offset < bytes.count {
            if peek() == UInt8(ascii: "<"),
                bytes[offset...].prefix(end.utf8.count).map(\.lowercase).elementsEqual(end.utf8)
            {
                break
            }
            offset += 1
        }
        var lexer = CodeLexer(bytes[start..<offset], grammar)
        lexer.run()
        for token in lexer.list.tokens { list.add(token.kind, to: token.end) }
    }
}

extension UInt8 {
    /// The small letter of a capital; all else as it is.
    fileprivate var lowercase: UInt8 { isCapital ? self | 0x20 : self }
}
