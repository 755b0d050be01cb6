import Bytes

/// Takes source code apart by a grammar, byte by byte and once.
struct CodeLexer {
    let bytes: ArraySlice<UInt8>
    let grammar: Grammar
    var offset: Int
    var list = TokenList()

    /// The strings and the code that the offset lies in, from the outside.
    var frames: [Frame] = []
    /// The kind of the next name, after a word that tells it.
    var expected: TokenKind?
    /// True if a value has just ended, so that a slash divides.
    var isBehindValue = false
    /// True if a dot stands before the offset.
    var isBehindDot = false
    /// True if nothing but white space stands before the offset on its line.
    var isAtLineStart = true
    /// The here-documents that begin with the next line.
    var hereDocuments: [HereDocument] = []

    /// The most strings and pieces of code that may lie within each other; deeper code is string.
    static let maximumDepth = 32
    /// The bytes of a word that closes a string or a here-document.
    static let maximumDelimiter = 64

    enum Frame {
        case string(OpenString)
        case code(OpenCode)
    }

    /// - Parameters:
    ///   - bytes: The source; tokens begin at its start.
    ///   - grammar: The language's.
    init(_ bytes: ArraySlice<UInt8>, _ grammar: Grammar) {
        self.bytes = bytes
        self.grammar = grammar
        offset = bytes.startIndex
    }

    mutating func run() {
        while offset < bytes.endIndex {
            if case .string(let string) = frames.last {
                read(string)
            } else {
                readCode()
            }
        }
    }

    // MARK: Looking ahead

    /// The byte so far behind the offset; 0 behind the end.
    func peek(_ distance: Int = 0) -> UInt8 {
        let index = offset + distance
        return index < bytes.endIndex ? bytes[index] : 0
    }

    func has(_ text: String, after distance: Int = 0) -> Bool {
        bytes[min(offset + distance, bytes.endIndex)...].starts(with: text.utf8)
    }

    private func isNamePart(_ byte: UInt8) -> Bool {
        byte.isNameByte || byte >= 0x80 || grammar.nameParts.utf8.contains(byte)
    }

    private func isNameStart(_ byte: UInt8) -> Bool {
        byte >= 0x80 || (byte.isNameByte && !byte.isDigit)
            || grammar.nameStarts.utf8.contains(byte)
    }

    func text(from start: Int) -> String {
        String(decoding: bytes[start..<offset], as: UTF8.self)
    }

    // MARK: Consuming

    mutating func emit(_ kind: TokenKind) { list.add(kind, to: offset) }

    /// Consumes bytes while they are wanted.
    mutating func skip(while isWanted: (UInt8) -> Bool) {
        while offset < bytes.endIndex, isWanted(bytes[offset]) { offset += 1 }
    }

    mutating func skip(_ count: Int) { offset = min(offset + count, bytes.endIndex) }

    /// Consumes one character.
    mutating func skipCharacter() {
        skip(1)
        skip { $0 & 0xC0 == 0x80 }
    }

    /// Consumes a token, behind which a value has ended or not.
    mutating func finish(_ kind: TokenKind, isValue: Bool) {
        emit(kind)
        isBehindValue = isValue
        isBehindDot = false
        expected = nil
    }

    // MARK: Code

    private mutating func readCode() {
        let byte = bytes[offset]
        if byte.isLineBreak { return readLineBreak() }
        if byte.isBlank {
            skip(while: \.isBlank)
            return emit(.plain)
        }
        let isFirst = isAtLineStart
        isAtLineStart = false
        if closesFrame(byte) || readComment() || readString() { return }
        if isFirst, byte == UInt8(ascii: "#"), grammar.traits.contains(.directives) {
            return readDirective()
        }
        if readNumber() || readSign(byte) { return }
        if grammar.traits.contains(.shell) ? readShellWord(byte) : readName(byte) { return }
        readSymbol(byte)
    }

    private mutating func readLineBreak() {
        if case .code(let code) = frames.last, code.isOneLine {
            frames.removeLast()
            return
        }
        skip(1)
        emit(.plain)
        isAtLineStart = true
        readHereDocuments()
    }

    /// Ends code within a string at its closing bracket; counts the brackets before.
    private mutating func closesFrame(_ byte: UInt8) -> Bool {
        guard case .code(var code) = frames.last else { return false }
        if byte == code.opening {
            code.depth += 1
        } else if byte == code.closing {
            if code.depth == 0 {
                skip(1)
                frames.removeLast()
                finish(.interpolation, isValue: true)
                return true
            }
            code.depth -= 1
        } else {
            return false
        }
        frames[frames.count - 1] = .code(code)
        return false
    }

    private mutating func readComment() -> Bool {
        if grammar.lineComments.contains(where: { has($0) }), !isInShellParameter {
            skip { !$0.isLineBreak }
            emit(.comment)
            return true
        }
        guard let comment = grammar.blockComment, has(comment.open) else { return false }
        var depth = 0
        repeat {
            if has(comment.close) {
                skip(comment.close.utf8.count)
                depth -= 1
            } else if has(comment.open), depth == 0 || comment.isNested {
                skip(comment.open.utf8.count)
                depth += 1
            } else {
                skip(1)
            }
        } while depth > 0 && offset < bytes.endIndex
        emit(.comment)
        return true
    }

    /// Reads a line for the preprocessor, with its continuation lines, up to a comment.
    private mutating func readDirective() {
        while offset < bytes.endIndex, !peek().isLineBreak {
            if has("//") || has("/*") { break }
            skip(peek() == UInt8(ascii: "\\") ? 2 : 1)
        }
        finish(.directive, isValue: false)
    }

    private mutating func readSymbol(_ byte: UInt8) {
        if grammar.punctuation.utf8.contains(byte) {
            let isRange = offset > bytes.startIndex && bytes[offset - 1] == byte
            let isDot = byte == UInt8(ascii: ".") && !isRange
            skip(1)
            finish(.punctuation, isValue: ")]}".utf8.contains(byte))
            isBehindDot = isDot
        } else if grammar.operators.utf8.contains(byte) {
            skip(1)
            finish(.operator, isValue: false)
        } else {
            skipCharacter()
            finish(.plain, isValue: false)
        }
    }

    // MARK: Numbers

    private mutating func readNumber() -> Bool {
        let isSigned = grammar.hasKeys && peek() == UInt8(ascii: "-")
        let first = isSigned ? 1 : 0
        let hasDot = peek(first) == UInt8(ascii: ".") && !isBehindValue
        guard peek(hasDot ? first + 1 : first).isDigit, !isInShellParameter else { return false }
        if grammar.traits.contains(.shell) { return readShellNumber() }
        let isHexadecimal = peek(first) == UInt8(ascii: "0") && peek(first + 1) | 0x20 == 0x78
        let exponent = UInt8(ascii: isHexadecimal ? "p" : "e")
        let separator = UInt8(ascii: grammar.digitSeparator)
        skip(first + 1)
        var isWhole = !hasDot && !isBehindDot
        while offset < bytes.endIndex {
            let (byte, next) = (peek(), peek(1))
            if byte | 0x20 == exponent, next == UInt8(ascii: "+") || next == UInt8(ascii: "-") {
                skip(2)
            } else if byte.isNameByte || (byte == separator && next.isNameByte) {
                skip(1)
            } else if byte == UInt8(ascii: "."), isWhole, next != byte, !isNameStart(next) {
                isWhole = false
                skip(1)
            } else {
                break
            }
        }
        if grammar.traits.contains(.style) { skip { $0 == UInt8(ascii: "%") } }
        finish(.number, isValue: true)
        return true
    }

    // MARK: Names

    private mutating func readName(_ byte: UInt8) -> Bool {
        guard isNameStart(byte) else { return false }
        let start = offset
        skip(1)
        skip(while: isNamePart)
        let word = text(from: start)
        let key = ByteString(grammar.ignoresCase ? word.lowercasedASCII : word)
        let isMember = isBehindDot && grammar.hasMembers
        if !isMember, let kind = grammar.words[key],
            !grammar.softWords.contains(key) || isBeforeOperand
        {
            if kind == .directive {
                readDirective()
                return true
            }
            finish(kind, isValue: kind != .keyword && kind != .operator)
            expected = grammar.introducers[key]
            return true
        }
        let isMacro =
            grammar.traits.contains(.macros) && peek() == UInt8(ascii: "!")
            && peek(1) != UInt8(ascii: "=")
        if isMacro { skip(1) }
        finish(isMacro ? .function : kind(ofName: word), isValue: true)
        return true
    }

    /// True if a blank and something else than a sign follow.
    private var isBeforeOperand: Bool {
        peek().isBlank && !"=.,:;)]}>+-*/<&|?!%".utf8.contains(peek(1))
    }

    /// Returns the kind of a name that ends at the offset.
    private func kind(ofName name: String) -> TokenKind {
        if let expected { return expected }
        if grammar.traits.contains(.typeSuffix), name.ends(with: "_t") { return .type }
        if grammar.traits.contains(.style), peek() == UInt8(ascii: ":") { return .attribute }
        if grammar.capitals != .plain, let first = name.utf8.first, first.isCapital {
            let isConstant =
                name.utf8.count > 1 && !name.utf8.contains { $0.isLetter && !$0.isCapital }
            if isConstant { return .constant }
            if grammar.capitals == .types { return .type }
        }
        return grammar.hasCalls && peek() == UInt8(ascii: "(") ? .function : .plain
    }

    /// Reads a token that begins with a sign in some languages.
    private mutating func readSign(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "@") where grammar.traits.contains(.annotations) && isNameStart(peek(1)):
            skip(1)
            skip(while: isNamePart)
            finish(.attribute, isValue: false)
        case UInt8(ascii: "#") where grammar.traits.contains(.bracketedAttributes):
            guard has("#[") || has("#![") else { return false }
            readBracketedAttribute()
        case UInt8(ascii: "#") where grammar.traits.contains(.style):
            guard frames.isEmpty, peek(1).isNameByte else { return false }
            skip(1)
            skip(while: \.isNameByte)
            finish(.number, isValue: true)
        case UInt8(ascii: "'") where grammar.traits.contains(.lifetimes) && isNameStart(peek(1)):
            skip(1)
            skip(while: isNamePart)
            finish(.attribute, isValue: false)
        case UInt8(ascii: "/") where grammar.hasRegularExpressions && !isBehindValue:
            readRegularExpression()
        default: return false
        }
        return true
    }

    private mutating func readBracketedAttribute() {
        var depth = 0
        skip { $0 != UInt8(ascii: "[") }
        repeat {
            let byte = peek()
            if byte == UInt8(ascii: "\"") {
                readAttributeString()
                continue
            }
            if byte == UInt8(ascii: "[") { depth += 1 }
            if byte == UInt8(ascii: "]") { depth -= 1 }
            skip(1)
        } while depth > 0 && offset < bytes.endIndex
        finish(.attribute, isValue: false)
    }

    private mutating func readAttributeString() {
        emit(.attribute)
        skip(1)
        while offset < bytes.endIndex, peek() != UInt8(ascii: "\"") {
            skip(peek() == UInt8(ascii: "\\") ? 2 : 1)
        }
        skip(1)
        emit(.string)
    }

    /// Reads a regular expression with its flags; an expression without an end ends with its line.
    private mutating func readRegularExpression() {
        var isInClass = false
        skip(1)
        while offset < bytes.endIndex, !peek().isLineBreak {
            let byte = peek()
            skip(byte == UInt8(ascii: "\\") && !peek(1).isLineBreak ? 2 : 1)
            if byte == UInt8(ascii: "[") { isInClass = true }
            if byte == UInt8(ascii: "]") { isInClass = false }
            if byte == UInt8(ascii: "/"), !isInClass { break }
        }
        skip(while: \.isNameByte)
        skip { $0 & 0xC0 == 0x80 }
        finish(.string, isValue: true)
    }
}

extension UInt8 {
    var isLineBreak: Bool { self == 0x0A }
    var isBlank: Bool { self == 0x20 || (0x09...0x0D).contains(self) && self != 0x0A }
    var isDigit: Bool { (0x30...0x39).contains(self) }
    var isCapital: Bool { (0x41...0x5A).contains(self) }
    var isLetter: Bool { (0x61...0x7A).contains(self | 0x20) }
    /// True for letters, digits, and `_`.
    var isNameByte: Bool { isLetter || isDigit || self == 0x5F }
    /// True for the bytes of a shell's words.
    var isShellWordByte: Bool {
        self > 0x20 && self != 0x7F && !"=[]{}()$\"'`\\<&|;>".utf8.contains(self)
    }
}
