import Bytes

/// Takes source code apart by a grammar, byte by byte and once.
struct CodeLexer {
    private let bytes: ArraySlice<UInt8>
    private let grammar: Grammar
    private var offset: Int
    private(set) var list = TokenList()

    /// The strings and the code that the offset lies in, from the outside.
    private var frames: [Frame] = []
    /// The kind of the next name, after a word that tells it.
    private var expected: TokenKind?
    /// True if a value has just ended, so that a slash divides.
    private var isBehindValue = false
    /// True if a dot stands before the offset.
    private var isBehindDot = false
    /// True if nothing but white space stands before the offset on its line.
    private var isAtLineStart = true
    /// The here-documents that begin with the next line.
    private var hereDocuments: [HereDocument] = []

    /// The most strings and pieces of code that may lie within each other; deeper code is string.
    private static let maximumDepth = 32
    /// The bytes of a word that closes a string or a here-document.
    private static let maximumDelimiter = 64
    /// The `#` around a string, of which Rust allows so many.
    private static let maximumHashes = 255

    private enum Frame {
        case string(OpenString)
        case code(OpenCode)
    }

    private struct OpenString {
        let form: StringForm
        /// The `#` that a backslash and the closing quote have behind them.
        let hashes: Int
        let closing: [UInt8]
        let start: Int
    }

    /// Code within a string.
    private struct OpenCode {
        let opening: UInt8
        let closing: UInt8
        /// True if it cannot go on behind a line break.
        let isOneLine: Bool
        /// The brackets that are open within it.
        var depth = 0
    }

    private struct HereDocument {
        let word: [UInt8]
        let isIndented: Bool
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
    private func peek(_ distance: Int = 0) -> UInt8 {
        let index = offset + distance
        return index < bytes.endIndex ? bytes[index] : 0
    }

    private func has(_ text: String, after distance: Int = 0) -> Bool {
        bytes[min(offset + distance, bytes.endIndex)...].starts(with: text.utf8)
    }

    private func isNamePart(_ byte: UInt8) -> Bool {
        byte.isNameByte || byte >= 0x80 || grammar.nameParts.utf8.contains(byte)
    }

    private func isNameStart(_ byte: UInt8) -> Bool {
        byte >= 0x80 || (byte.isNameByte && !byte.isDigit)
            || grammar.nameStarts.utf8.contains(byte)
    }

    private func text(from start: Int) -> String {
        String(decoding: bytes[start..<offset], as: UTF8.self)
    }

    // MARK: Consuming

    private mutating func emit(_ kind: TokenKind) { list.add(kind, to: offset) }

    /// Consumes bytes while they are wanted.
    private mutating func skip(while isWanted: (UInt8) -> Bool) {
        while offset < bytes.endIndex, isWanted(bytes[offset]) { offset += 1 }
    }

    private mutating func skip(_ count: Int) { offset = min(offset + count, bytes.endIndex) }

    /// Consumes one character.
    private mutating func skipCharacter() {
        skip(1)
        skip { $0 & 0xC0 == 0x80 }
    }

    /// Consumes a token, behind which a value has ended or not.
    private mutating func finish(_ kind: TokenKind, isValue: Bool) {
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

    // MARK: Strings

    /// Begins a string if one begins at the offset.
    private mutating func readString() -> Bool {
        for form in grammar.strings {
            for prefix in form.prefixes where has(prefix) {
                let length = prefix.utf8.count
                guard let (hashes, closing, opening) = quotes(of: form, after: length) else {
                    continue
                }
                if grammar.traits.contains(.lifetimes), closing == [UInt8(ascii: "'")],
                    !isCharacter(after: length)
                {
                    continue
                }
                let start = offset
                skip(length + opening)
                emit(form.kind)
                frames.append(
                    .string(
                        OpenString(form: form, hashes: hashes, closing: closing, start: start)))
                return true
            }
        }
        return false
    }

    /// Returns the quotes of a form where a string begins so far behind the offset.
    private func quotes(
        of form: StringForm, after length: Int
    ) -> (hashes: Int, closing: [UInt8], opening: Int)? {
        switch form.guardian {
        case .none:
            guard has(form.open, after: length) else { return nil }
            return (0, Array(form.close.utf8), form.open.utf8.count)
        case .hashes(let least):
            let first = min(offset + length, bytes.endIndex)
            let hashes = bytes[first...].prefix(Self.maximumHashes)
                .prefix { $0 == UInt8(ascii: "#") }.count
            guard hashes >= least, has(form.open, after: length + hashes) else { return nil }
            let mark = [UInt8](repeating: UInt8(ascii: "#"), count: hashes)
            return (hashes, form.close.utf8 + mark, hashes + form.open.utf8.count)
        case .word:
            guard has(form.open, after: length) else { return nil }
            let first = offset + length + form.open.utf8.count
            let word = bytes[first...].prefix(Self.maximumDelimiter).prefix { $0.isNameByte }
            guard first + word.count < bytes.endIndex,
                bytes[first + word.count] == UInt8(ascii: "(")
            else { return nil }
            return (
                0, [UInt8(ascii: ")")] + word + form.close.utf8,
                form.open.utf8.count + word.count + 1
            )
        }
    }

    /// Returns true if a quote so far behind the offset begins a character, and not a lifetime.
    private func isCharacter(after length: Int) -> Bool {
        guard peek(length + 1) != UInt8(ascii: "\\") else { return true }
        var end = length + 2
        while end < length + 5, peek(end) & 0xC0 == 0x80 { end += 1 }
        return peek(end) == UInt8(ascii: "'")
    }

    /// Reads a string from the offset up to its end, or to code within it.
    private mutating func read(_ string: OpenString) {
        let form = string.form
        while offset < bytes.endIndex {
            let byte = bytes[offset]
            if byte == string.closing[0], bytes[offset...].starts(with: string.closing) {
                skip(string.closing.count)
                if form.escape == .doubled, bytes[offset...].starts(with: string.closing) {
                    skip(string.closing.count)
                    continue
                }
                return close(string)
            }
            if byte.isLineBreak, !form.isMultiline {
                emit(form.kind)
                frames.removeLast()
                return
            }
            if byte == UInt8(ascii: "\\"), form.escape == .backslash,
                (0..<string.hashes).allSatisfy({ peek($0 + 1) == UInt8(ascii: "#") })
            {
                let length = 1 + string.hashes
                if begin(of: string, isEscaped: true, after: length) { return }
                emit(form.kind)
                skip(length)
                skipCharacter()
                emit(.escape)
            } else if begin(of: string, isEscaped: false, after: 0) {
                return
            } else if byte == UInt8(ascii: "$"), grammar.traits.contains(.shell),
                !form.interpolations.isEmpty
            {
                emit(form.kind)
                readShellVariable()
            } else {
                skip(1)
            }
        }
        emit(form.kind)
    }

    private mutating func close(_ string: OpenString) {
        frames.removeLast()
        emit(string.form.kind)
        if grammar.hasKeys {
            let rest = bytes[offset...].drop { $0.isBlank }
            if rest.first == UInt8(ascii: ":") { list.merge(from: string.start, as: .attribute) }
        }
        isBehindValue = true
        isBehindDot = false
        expected = nil
    }

    /// Begins code within a string if it begins so far behind the offset; a sign that stands there
    /// twice for itself is consumed.
    ///
    /// - Returns: True if the offset has moved.
    private mutating func begin(
        of string: OpenString, isEscaped: Bool, after length: Int
    ) -> Bool {
        guard
            let interpolation = string.form.interpolations.first(where: {
                $0.isEscaped == isEscaped && has($0.open, after: length)
            })
        else { return false }
        let open = interpolation.open
        if interpolation.isDoubledCharacter, has(open, after: length + open.utf8.count) {
            skip(length + 2 * open.utf8.count)
            emit(string.form.kind)
            return true
        }
        guard frames.count < Self.maximumDepth else { return false }
        emit(string.form.kind)
        skip(length + open.utf8.count)
        openCode(interpolation.brackets, isOneLine: !string.form.isMultiline)
        return true
    }

    private mutating func openCode(
        _ brackets: (open: Unicode.Scalar, close: Unicode.Scalar), isOneLine: Bool
    ) {
        finish(.interpolation, isValue: false)
        isAtLineStart = false
        frames.append(
            .code(
                OpenCode(
                    opening: UInt8(ascii: brackets.open), closing: UInt8(ascii: brackets.close),
                    isOneLine: isOneLine)))
    }

    // MARK: Shells

    /// True in `${…}`, where `#` begins no comment and words are names.
    private var isInShellParameter: Bool {
        guard grammar.traits.contains(.shell), case .code(let code) = frames.last else {
            return false
        }
        return code.opening == UInt8(ascii: "{")
    }

    private mutating func readShellNumber() -> Bool {
        let digits = bytes[offset...].prefix { $0.isDigit }
        guard digits.endIndex == bytes.endIndex || !bytes[digits.endIndex].isShellWordByte else {
            return false
        }
        offset = digits.endIndex
        finish(.number, isValue: true)
        return true
    }

    private mutating func readShellWord(_ byte: UInt8) -> Bool {
        if byte == UInt8(ascii: "$") {
            readShellVariable()
            return true
        }
        if byte == UInt8(ascii: "\\") {
            skip(1)
            // A line that goes on is no new one.
            skipCharacter()
            emit(.escape)
            return true
        }
        if has("<<"), readHereDocumentWord() { return true }
        if isInShellParameter {
            let isName = byte.isNameByte || byte >= 0x80
            if isName { skip { $0.isNameByte || $0 >= 0x80 } } else { skip(1) }
            finish(isName ? .variable : .operator, isValue: true)
            return true
        }
        guard byte.isShellWordByte else { return false }
        let start = offset
        skip(while: \.isShellWordByte)
        let word = text(from: start)
        if peek() == UInt8(ascii: "="), word.utf8.allSatisfy(\.isNameByte) {
            finish(.variable, isValue: true)
        } else {
            finish(grammar.words[ByteString(word)] ?? .plain, isValue: true)
        }
        return true
    }

    /// Reads `$name`, `$1`, or the beginning of `$(…)` and `${…}`.
    private mutating func readShellVariable() {
        let next = peek(1)
        if next == UInt8(ascii: "(") || next == UInt8(ascii: "{") {
            guard frames.count < Self.maximumDepth else {
                skip(1)
                return emit(.plain)
            }
            skip(2)
            return openCode(next == UInt8(ascii: "(") ? ("(", ")") : ("{", "}"), isOneLine: false)
        }
        skip(1)
        if next.isDigit || "@*#?$!-".utf8.contains(next) {
            skip(1)
        } else {
            skip(while: \.isNameByte)
        }
        finish(.variable, isValue: true)
    }

    /// Reads the operator of a here-document with the word that ends it.
    private mutating func readHereDocumentWord() -> Bool {
        let isIndented = peek(2) == UInt8(ascii: "-")
        var start = offset + (isIndented ? 3 : 2)
        while start < bytes.endIndex, bytes[start].isBlank, start < offset + 16 { start += 1 }
        let quote = start < bytes.endIndex ? bytes[start] : 0
        let isQuoted = "'\"\\".utf8.contains(quote)
        if isQuoted { start += 1 }
        let word = bytes[min(start, bytes.endIndex)...].prefix(Self.maximumDelimiter)
            .prefix { $0.isNameByte }
        guard let first = word.first, !first.isDigit, hereDocuments.count < 8 else { return false }
        skip(isIndented ? 3 : 2)
        emit(.operator)
        offset = word.endIndex
        if isQuoted, peek() == quote { skip(1) }
        finish(.string, isValue: true)
        hereDocuments.append(HereDocument(word: Array(word), isIndented: isIndented))
        return true
    }

    /// Reads the here-documents that begin with the line at the offset.
    private mutating func readHereDocuments() {
        for document in hereDocuments {
            var isOver = false
            while !isOver, offset < bytes.endIndex {
                if document.isIndented { skip(while: \.isBlank) }
                let start = offset
                skip { !$0.isLineBreak }
                isOver = bytes[start..<offset].elementsEqual(document.word)
                if !isOver { skip(1) }
            }
            emit(.string)
        }
        hereDocuments = []
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
