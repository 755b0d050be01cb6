import Bytes

/// A terminal whose cursor stays on the last line, for the text that output leaves behind.
///
/// Each line is written once it has ended, because nothing can change it any more.
struct TerminalText {
    struct Fault: Error, Equatable {
        /// A phrase that follows the name of the place.
        let phrase: String
        /// The number of bytes before the fault.
        let offset: Int
    }

    /// The most lines, blank ones at the end too.
    static let mostLines = 1000

    /// The content of a column.
    private struct Cell {
        /// A grapheme cluster; empty for the second column of a wide one.
        var text: String
        var style: TerminalStyle

        static let blank = Cell(text: " ", style: .plain)

        var isInvisible: Bool {
            text.utf8.first == UInt8(ascii: " ") && text.utf8.count == 1 && !style.showsBlanks
        }
    }

    private var scanner: TextScanner
    private let columns: Int
    private var style = TerminalStyle.plain
    /// The column of the cursor; the one past the last after a character in the last.
    private var column = 0
    /// The last line, as far as something was written to it.
    private var cells: [Cell] = []
    /// No cell before it has a visible character.
    private var firstVisible = 0
    private var lineCount = 1
    private var written = TextWriter()

    /// Returns the text that output leaves behind: its lines, and sequences for styles.
    ///
    /// - Parameters:
    ///   - output: UTF-8. A sequence that it breaks off at its end changes nothing.
    ///   - columns: The width of the terminal, at which a line goes on below.
    /// - Returns: The text, without blanks at the end of lines and blank lines at its end.
    /// - Throws: The first sequence or control character that is not followed, or a line too many.
    static func text(of output: [UInt8], columns: Int) throws(Fault) -> String {
        var terminal = TerminalText(scanner: TextScanner(output), columns: columns)
        while let byte = terminal.scanner.next {
            switch byte {
            case 0x1B: try terminal.readEscape()
            case 0..<0x20, 0x7F: try terminal.readControl(byte)
            default: try terminal.readCharacters()
            }
        }
        terminal.writeLine()
        return terminal.written.text
    }

    private init(scanner: TextScanner, columns: Int) {
        self.scanner = scanner
        self.columns = columns
    }

    // MARK: Control characters

    private mutating func readControl(_ byte: UInt8) throws(Fault) {
        switch byte {
        case 0x00, 0x07, 0x0F, 0x7F: break  // NUL, BEL, SI, DEL
        case 0x08: column = max(min(column, columns - 1) - 1, 0)
        case 0x09: column = max(min(column / 8 * 8 + 8, columns - 1), column)
        case 0x0A: try startLine(at: scanner.offset)
        case 0x0D: column = 0
        default: throw controlFault(Unicode.Scalar(byte), at: scanner.offset)
        }
        scanner.offset += 1
    }

    private func controlFault(_ scalar: Unicode.Scalar, at offset: Int) -> Fault {
        let code = String(scalar.value, radix: 16, uppercase: true)
        return Fault(
            phrase: "has the control character U+\(NumberText.padded(code, to: 4))", offset: offset)
    }

    private mutating func startLine(at offset: Int) throws(Fault) {
        lineCount += 1
        guard lineCount <= Self.mostLines else {
            throw Fault(phrase: "writes more than \(Self.mostLines) lines", offset: offset)
        }
        writeLine()
        written.endLine()
        (cells, column, firstVisible) = ([], 0, 0)
    }

    private mutating func writeLine() {
        for cell in cells {
            if cell.isInvisible {
                written.addBlank()
            } else {
                written.add(cell.text, cell.style)
            }
        }
    }

    // MARK: Characters

    private mutating func readCharacters() throws(Fault) {
        let range = scanner.consume { $0 >= 0x20 && $0 != 0x7F }
        var offset = range.lowerBound
        for character in scanner.text(range) {
            // Control characters are in no cluster with others.
            if let scalar = character.unicodeScalars.first, (0x80..<0xA0).contains(scalar.value) {
                throw controlFault(scalar, at: offset)
            }
            let width = min(Self.width(of: character), columns)
            if width == 0 {
                joinToCharacterBefore(character)
            } else {
                if column + width > columns { try startLine(at: offset) }
                write(character, width: width)
            }
            offset += character.utf8.count
        }
    }

    /// Writes a character at the cursor.
    private mutating func write(_ character: Character, width: Int) {
        addBlanks(before: column)
        separateColumns(before: column)
        separateColumns(before: column + width)
        for index in 0..<width {
            let cell = Cell(text: index == 0 ? String(character) : "", style: style)
            if column < cells.count {
                cells[column] = cell
            } else {
                cells.append(cell)
            }
            firstVisible = min(firstVisible, column)
            column += 1
        }
    }

    /// Adds a character without a width to the one before the cursor, if there is one.
    private mutating func joinToCharacterBefore(_ character: Character) {
        guard column > 0 else { return }
        addBlanks(before: column)
        let index = cells[column - 1].text.isEmpty ? column - 2 : column - 1
        cells[index].text += String(character)
        firstVisible = min(firstVisible, index)
    }

    /// Makes every column before one a cell.
    private mutating func addBlanks(before column: Int) {
        while cells.count < column { cells.append(.blank) }
    }

    /// Replaces a wide character that stands in the columns on both sides of a boundary by blanks.
    private mutating func separateColumns(before column: Int) {
        guard column > 0, column < cells.count, cells[column].text.isEmpty else { return }
        (cells[column - 1], cells[column]) = (.blank, .blank)
    }

    /// The number of columns that a character takes: 0, 1, or 2.
    private static func width(of character: Character) -> Int {
        guard !character.isASCII else { return 1 }
        let scalars = character.unicodeScalars
        guard !scalars.allSatisfy(isJoined) else { return 0 }
        return scalars.contains(where: isWide) ? 2 : 1
    }

    /// Returns true for wide and full-width characters (UAX 11), and for emoji.
    ///
    /// Not for characters that U+FE0F makes emoji: shells count one column for them.
    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x1100..<0x1160, 0x2329...0x232A, 0x2E80..<0x303F, 0x3041...0x3247, 0x3250...0x4DBF,
            0x4E00...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19,
            0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18D08, 0x1AFF0...0x1B2FB,
            0x1F200...0x1F265, 0x20000...0x3FFFD:
            !isJoined(scalar)
        default: scalar.properties.isEmojiPresentation
        }
    }

    /// Returns true for marks, for vowels and final consonants of Hangul, and for characters that draw
    /// nothing.
    private static func isJoined(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark: true
        default:
            (0x1160...0x11FF).contains(scalar.value)
                || scalar.properties.isDefaultIgnorableCodePoint
        }
    }

    // MARK: Sequences

    private mutating func readEscape() throws(Fault) {
        let start = scanner.offset
        scanner.offset += 1
        guard let kind = scanner.take() else { return }
        switch kind {
        case UInt8(ascii: "["): try readControlSequence(from: start)
        case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "k"):
            skipString(endsWithBell: kind == UInt8(ascii: "]"))
        case UInt8(ascii: "="), UInt8(ascii: ">"), UInt8(ascii: "\\"): break
        case UInt8(ascii: "("):
            guard let set = scanner.take(), set != UInt8(ascii: "B") else { return }
            throw fault("chooses another character set", start)
        // The sets that no character is drawn from.
        case UInt8(ascii: ")"), UInt8(ascii: "*"), UInt8(ascii: "+"): _ = scanner.take()
        case UInt8(ascii: "7"), UInt8(ascii: "8"), UInt8(ascii: "D"), UInt8(ascii: "E"),
            UInt8(ascii: "M"):
            throw movement(start)
        default: throw fault("has an unknown sequence", start)
        }
    }

    /// Skips the text of an operating system command, of a device control string, or of a title.
    private mutating func skipString(endsWithBell: Bool) {
        scanner.consume { $0 != 0x1B && !(endsWithBell && $0 == 0x07) }
        // Any other sequence ends the string too.
        if !scanner.skip("\u{7}") { _ = scanner.skip(text: "\u{1B}\\") }
    }

    /// Reads a control sequence (ECMA-48, 5.4) after its `[`.
    private mutating func readControlSequence(from start: Int) throws(Fault) {
        let range = scanner.consume { (0x30..<0x40).contains($0) }
        let middle = scanner.consume { (0x20..<0x30).contains($0) }
        guard let final = scanner.take() else { return }
        guard (0x40..<0x7F).contains(final) else { throw fault("breaks off a sequence", start) }
        let first = range.isEmpty ? nil : scanner.bytes[range.lowerBound]
        if let first, (0x3C..<0x40).contains(first) {
            return try followPrivate(final, range, start)
        }
        guard middle.isEmpty else { return try follow(middle, final, start) }
        guard let parameters = TerminalStyle.parameters(in: scanner.bytes[range]) else {
            throw fault("has an unknown sequence", start)
        }
        switch final {
        case UInt8(ascii: "m"): style.follow(parameters)
        case UInt8(ascii: "K"):
            guard erase(parameters[0][0]) else { throw fault("edits the screen", start) }
        case UInt8(ascii: "J"):
            // The cursor is on the last line, so there is nothing below.
            guard parameters[0][0] == 0, erase(0) else { throw fault("edits the screen", start) }
        // Queries, lights, windows, and modes that are turned off.
        case UInt8(ascii: "c"), UInt8(ascii: "n"), UInt8(ascii: "q"), UInt8(ascii: "t"),
            UInt8(ascii: "l"):
            break
        default:
            if "@LMPSTXb".utf8.contains(final) { throw fault("edits the screen", start) }
            if "ABCDEFGHIZ`adefrsu".utf8.contains(final) { throw movement(start) }
            throw fault("has an unknown sequence", start)
        }
    }

    /// Follows a sequence whose parameters begin with one of `<`, `=`, `>`, and `?`.
    private func followPrivate(
        _ final: UInt8, _ range: Range<Int>, _ start: Int
    ) throws(Fault) {
        switch final {
        case UInt8(ascii: "h"), UInt8(ascii: "l"):
            let parameters = TerminalStyle.parameters(in: scanner.bytes[range.dropFirst()])
            let modes = (parameters ?? []).compactMap(\.first)
            if modes.contains(where: [47, 1047, 1049].contains) {
                throw fault("shows a full-screen program", start)
            }
            // Coordinates from a margin, and the saved place of the cursor.
            if modes.contains(where: [6, 1048].contains) { throw movement(start) }
        case UInt8(ascii: "J"), UInt8(ascii: "K"): throw fault("edits the screen", start)
        default: break
        }
    }

    /// Follows a sequence with characters between its parameters and the last one.
    private mutating func follow(
        _ middle: Range<Int>, _ final: UInt8, _ start: Int
    ) throws(Fault) {
        switch ByteString(scanner.text(middle.lowerBound..<middle.upperBound + 1)) {
        // The form of the cursor, and a query.
        case " q", "$p": break
        case "!p": style = .plain
        default: throw fault("has an unknown sequence", start)
        }
    }

    /// Erases to the end of the line, to its start, or all of it; returns false for other numbers.
    private mutating func erase(_ part: Int) -> Bool {
        switch part {
        case 0:
            separateColumns(before: column)
            cells.removeLast(max(cells.count - column, 0))
        case 1:
            let end = min(column + 1, cells.count)
            separateColumns(before: end)
            for index in min(firstVisible, end)..<end { cells[index] = .blank }
            firstVisible = max(firstVisible, end)
        case 2: cells = []
        default: return false
        }
        return true
    }

    private func movement(_ start: Int) -> Fault {
        fault("moves the cursor", start)
    }

    /// Returns the fault of the sequence that was read last.
    private func fault(_ phrase: String, _ start: Int) -> Fault {
        let bytes = scanner.bytes[start..<scanner.offset].filter { (0x20..<0x7F).contains($0) }
        let sequence = String(decoding: bytes, as: UTF8.self).shortened(to: 30)
        return Fault(
            phrase: "\(phrase) (ESC\(sequence)); "
                + "only carriage returns, backspaces, tabs, colours, and ESC[K are followed",
            offset: start)
    }
}

/// Writes lines of styled text with as few sequences as are needed.
private struct TextWriter {
    private(set) var text = ""
    private var style = TerminalStyle.plain
    /// Line breaks, and then blanks, that are written only before a visible character.
    private var (breaks, blanks) = (0, 0)

    mutating func endLine() {
        (breaks, blanks) = (breaks + 1, 0)
    }

    mutating func addBlank() {
        blanks += 1
    }

    mutating func add(_ characters: String, _ next: TerminalStyle) {
        if style != .plain, next == .plain || style.showsBlanks && blanks > 0 { change(to: .plain) }
        if breaks + blanks > 0 {
            text += String(repeating: "\n", count: breaks) + String(repeating: " ", count: blanks)
            (breaks, blanks) = (0, 0)
        }
        if style != next { change(to: next) }
        text += characters
    }

    private mutating func change(to next: TerminalStyle) {
        text += style.change(to: next)
        style = next
    }
}
