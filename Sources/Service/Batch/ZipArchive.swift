import Encoders

/// Writes a ZIP archive from its start to its end (PKWARE's APPNOTE 6.3, without ZIP64).
///
/// All files are whole before they are written, so that their lengths stand before them, and readers
/// need not seek. They are of 1 January 1980: the same files make the same archive.
struct ZipArchive {
    /// The bytes of a file as the archive has them.
    enum Content: Sendable {
        case stored([UInt8])
        /// A file in the gzip format, of which the compressed part and the checksum are taken.
        case gzip([UInt8])

        var byteCount: Int {
            switch self {
            case .stored(let bytes), .gzip(let bytes): bytes.count
            }
        }
    }

    /// The fields that a file has both before it and in the directory.
    private struct Entry {
        let name: [UInt8]
        let method: UInt16
        let checksum: UInt32
        let storedBytes: Int
        let bytes: Int

        var fields: LittleEndianBytes {
            var fields = LittleEndianBytes()
            // Version 2.0, names in UTF-8.
            fields.append(20 as UInt16, 0x0800, method)
            // Midnight of 1 January 1980.
            fields.append(0 as UInt16, 0x0021)
            fields.append(checksum, UInt32(storedBytes), UInt32(bytes))
            fields.append(UInt16(name.count), 0)
            return fields
        }
    }

    /// The bytes of an archive, and the files in it, from which ZIP64 would be needed.
    private static let mostBytes = Int(UInt32.max)
    private static let mostFiles = Int(UInt16.max)
    /// The bytes of the fields of a file before it and in the directory, and of the end.
    private static let (headBytes, directoryBytes, endBytes) = (30, 46, 22)
    /// Those of gzip without optional fields.
    private static let (gzipHeadBytes, gzipTailBytes) = (10, 8)

    private var directory = LittleEndianBytes()
    private var fileCount = 0
    /// The bytes that were returned so far.
    private var byteCount = 0

    /// Returns true if a file can be added, and another one of `reserve` bytes after it.
    func hasRoom(for content: Content, named name: String, reserve: Int) -> Bool {
        let entryBytes = Self.headBytes + Self.directoryBytes + 2 * name.utf8.count
        let total = byteCount + directory.bytes.count + content.byteCount + entryBytes
        return fileCount + 1 < Self.mostFiles
            && total + 2 * entryBytes + reserve + Self.endBytes < Self.mostBytes
    }

    /// Returns the bytes of a file, for which there is room.
    mutating func file(_ name: String, _ content: Content) -> [UInt8] {
        let (entry, stored) = Self.entry(name, content)
        var file = LittleEndianBytes()
        file.append(0x0403_4b50 as UInt32)
        file.append(contentsOf: entry.fields.bytes)
        file.append(contentsOf: entry.name)
        file.append(contentsOf: stored)
        // Made by version 2.0 for Unix, where it is a regular file that others may read.
        directory.append(0x0201_4b50 as UInt32)
        directory.append(0x0314 as UInt16)
        directory.append(contentsOf: entry.fields.bytes)
        directory.append(0 as UInt16, 0, 0)
        directory.append(0o100644 << 16 as UInt32, UInt32(byteCount))
        directory.append(contentsOf: entry.name)
        fileCount += 1
        byteCount += file.bytes.count
        return file.bytes
    }

    /// Returns the directory, which ends the archive.
    func end() -> [UInt8] {
        var end = directory
        end.append(0x0605_4b50 as UInt32)
        end.append(0 as UInt16, 0, UInt16(fileCount), UInt16(fileCount))
        end.append(UInt32(directory.bytes.count), UInt32(byteCount))
        end.append(0 as UInt16)
        return end.bytes
    }

    private static func entry(
        _ name: String, _ content: Content
    ) -> (Entry, stored: ArraySlice<UInt8>) {
        switch content {
        case .stored(let bytes):
            let entry = Entry(
                name: Array(name.utf8), method: 0, checksum: CRC32.of("", bytes),
                storedBytes: bytes.count, bytes: bytes.count)
            return (entry, bytes[...])
        case .gzip(let bytes):
            let stored = bytes.dropFirst(gzipHeadBytes).dropLast(gzipTailBytes)
            let tail = bytes.suffix(gzipTailBytes)
            let entry = Entry(
                name: Array(name.utf8), method: 8, checksum: number(in: tail.prefix(4)),
                storedBytes: stored.count, bytes: Int(number(in: tail.suffix(4))))
            return (entry, stored)
        }
    }

    private static func number(in bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
}

/// Bytes with numbers among them, of which the lowest byte comes first.
private struct LittleEndianBytes {
    private(set) var bytes: [UInt8] = []

    mutating func append<Number: FixedWidthInteger>(_ numbers: Number...) {
        for number in numbers {
            withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
        }
    }

    mutating func append(contentsOf other: some Sequence<UInt8>) { bytes += other }
}
