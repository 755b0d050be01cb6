import Bytes

/// Words, variables, and here-documents of shells.
extension CodeLexer {
    struct HereDocument {
        let word: [UInt8]
        let isIndented: Bool
    }

    /// True in `${…}`, where `#` begins no comment and words are names.
    var isInShellParameter: Bool {
        guard grammar.traits.contains(.shell), case .code(let code) = frames.last else {
            return false
        }
        return code.opening == UInt8(ascii: "{")
    }

    mutating func readShellNumber() -> Bool {
        let digits = bytes[offset...].prefix { $0.isDigit }
        guard digits.endIndex == bytes.endIndex || !bytes[digits.endIndex].isShellWordByte else {
            return false
        }
        offset = digits.endIndex
        finish(.number, isValue: true)
        return true
    }

    mutating func readShellWord(_ byte: UInt8) -> Bool {
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
    mutating func readShellVariable() {
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
    mutating func readHereDocuments() {
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
