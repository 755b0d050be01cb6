import Bytes

/// Decodes files of captions.
package enum CaptionEncoding {
    /// Returns the text of a file: UTF-8, or UTF-16 with a byte order mark or a first character of ASCII.
    ///
    /// whisper.cpp writes tokens that are parts of a character. In JSON such parts are joined, and other bytes
    /// that are not UTF-8 become U+FFFD.
    ///
    /// - Throws: `RenderingError.invalid` of `captions` for other encodings.
    package static func text(of file: [UInt8]) throws(RenderingError) -> String {
        if file.starts(with: [0xFF, 0xFE]) {
            return utf16(file.dropFirst(2), isBigEndian: false)
        }
        if file.starts(with: [0xFE, 0xFF]) { return utf16(file.dropFirst(2), isBigEndian: true) }
        if file.count > 1, file[0] == 0 || file[1] == 0 {
            return utf16(file[...], isBigEndian: file[0] == 0)
        }
        if let text = String(utf8: file[...]) { return text }
        let start = file.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        if CaptionReader.isJSON(file[start...]) {
            return String(decoding: joiningParts(of: file), as: UTF8.self)
        }
        let line = file.split(separator: 0x0A, omittingEmptySubsequences: false)
            .firstIndex { String(utf8: $0) == nil }
        throw .invalid(
            "captions", "is neither UTF-8 nor UTF-16: line \((line ?? 0) + 1) is not UTF-8")
    }

    private static func utf16(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) -> String {
        var units: [UInt16] = []
        units.reserveCapacity(bytes.count / 2)
        var index = bytes.startIndex
        while index + 1 < bytes.endIndex {
            let (one, other) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            units.append(isBigEndian ? one << 8 | other : other << 8 | one)
            index += 2
        }
        return String(decoding: units, as: UTF16.self)
    }

    /// Moves the continuation bytes of a character to its first byte, over the ASCII between them.
    private static func joiningParts(of file: [UInt8]) -> [UInt8] {
        var joined: [UInt8] = []
        joined.reserveCapacity(file.count)
        // The ASCII between the parts of the last character, and how many bytes the character lacks.
        var between: [UInt8] = []
        var lacking = 0
        for byte in file {
            switch byte {
            case 0..<0x80 where lacking > 0: between.append(byte)
            case 0x80..<0xC0 where lacking > 0:
                joined.append(byte)
                lacking -= 1
            default:
                joined += between
                between = []
                lacking = min(max((~byte).leadingZeroBitCount - 1, 0), 3)
                joined.append(byte)
            }
        }
        return joined + between
    }
}
