import Bytes

/// The lines of a file of captions.
struct CaptionLines {
    /// UTF-8 without control characters.
    let bytes: [UInt8]
    let lines: [ArraySlice<UInt8>]

    /// Takes a file apart: lines end with LF, CR, or both.
    init(_ file: String) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(file.utf8.count)
        var previous: UInt8 = 0
        for byte in file.begins(with: "\u{FEFF}") ? file.utf8.dropFirst(3) : file.utf8[...] {
            switch byte {
            case 0x0A where previous == 0x0D: break
            case 0x0D, 0x0A: bytes.append(0x0A)
            case 0x09: bytes.append(0x20)
            case 0..<0x20, 0x7F: break
            default: bytes.append(byte)
            }
            previous = byte
        }
        self.bytes = bytes
        lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    }

    /// The first line that is not blank, with its number; nil if all are.
    var first: (number: Int, line: ArraySlice<UInt8>)? {
        lines.firstIndex { !$0.isBlank }.map { ($0 + 1, lines[$0]) }
    }
}

extension ArraySlice<UInt8> {
    var isBlank: Bool { allSatisfy { $0 == 0x20 } }

    var withoutOuterSpaces: ArraySlice<UInt8> {
        guard let last = lastIndex(where: { $0 != 0x20 }) else { return [] }
        return self[...last].drop { $0 == 0x20 }
    }

    /// The text in quotes for a message.
    var quoted: String {
        "\"" + String(decoding: prefix(200), as: UTF8.self).shortened(to: 40) + "\""
    }

    func begins(with text: StaticString) -> Bool {
        let text = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        return starts(with: text)
    }

    /// True for a line that begins as a time does, and has an arrow.
    var isTiming: Bool {
        guard let first = first(where: { $0 != 0x20 }),
            first.isASCIIDigit || first == UInt8(ascii: "-")
        else { return false }
        var dashes = 0
        for byte in self {
            if byte == UInt8(ascii: ">"), dashes >= 2 { return true }
            dashes = byte == UInt8(ascii: "-") ? dashes + 1 : 0
        }
        return false
    }
}

extension TextScanner {
    /// Reads a time as SubRip, WebVTT, and Advanced SubStation Alpha write it, and as people do: hours may
    /// be left out, numbers have any digits, a point or a comma stands before the fraction, if there is one.
    ///
    /// - Returns: Ticks of an instant; nil if there is none.
    mutating func captionTime() -> Int? {
        consume { $0 == 0x20 }
        let isNegative = skip("-")
        var seconds = 0
        var count = 0
        repeat {
            let digits = consume(while: \.isASCIIDigit)
            // 9 digits are a century of hours, and no overflow.
            guard !digits.isEmpty, digits.count <= 9 else { return nil }
            seconds = seconds * 60 + bytes[digits].reduce(0) { $0 * 10 + Int($1 - 0x30) }
            count += 1
        } while count < 3 && skip(":")
        guard count > 1 else { return nil }
        var ticks = seconds * 10_000
        if skip(".") || skip(",") {
            var unit = 10_000
            for byte in bytes[consume(while: \.isASCIIDigit)].prefix(5) {
                // The fifth digit rounds.
                let digit = Int(byte - 0x30)
                ticks += unit >= 10 ? digit * (unit / 10) : (digit + 5) / 10
                unit /= 10
            }
        }
        return isNegative ? -ticks : ticks
    }
}
