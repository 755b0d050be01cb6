/// Strings, and the code within them.
extension CodeLexer {
    struct OpenString {
        let form: StringForm
        /// The `#` that a backslash and the closing quote have behind them.
        let hashes: Int
        let closing: [UInt8]
        let start: Int
    }

    /// Code within a string.
    struct OpenCode {
        let opening: UInt8
        let closing: UInt8
        /// True if it cannot go on behind a line break.
        let isOneLine: Bool
        /// The brackets that are open within it.
        var depth = 0
    }

    /// The `#` around a string, of which Rust allows so many.
    private static let maximumHashes = 255

    /// Begins a string if one begins at the offset.
    mutating func readString() -> Bool {
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
    mutating func read(_ string: OpenString) {
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

    mutating func openCode(
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
}
