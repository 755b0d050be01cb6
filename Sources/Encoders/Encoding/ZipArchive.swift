/// A ZIP archive (PKWARE's APPNOTE 6.3, without ZIP64) that is written from start to end.
///
/// Files are whole before they are written, so that their lengths precede them and readers need not
/// seek. Their date is 1 January 1980: the same files make the same archive.
package struct ZipArchive {
    /// The content of a file.
    package enum Content: Sendable {
        case stored([UInt8])
        /// The gzip format; the archive takes its compressed part and its checksum.
        case gzip([UInt8])
    }

    /// A file as it stands in an archive.
    package struct File: Sendable {
        /// Its fields and its content.
        package let bytes: [UInt8]
        fileprivate let name: [UInt8]
        /// The fields that stand before it and in the directory.
        fileprivate let fields: [UInt8]

        /// Bytes of gzip's fields without the optional ones.
        private static let (gzipHead, gzipTail) = (10, 8)

        package init(_ name: String, _ content: Content) {
            self.name = Array(name.utf8)
            let stored: ArraySlice<UInt8>
            var fields = LittleEndianBytes()
            // Version 2.0, names in UTF-8.
            fields.append(20 as UInt16, 0x0800)
            switch content {
            case .stored(let bytes):
                stored = bytes[...]
                fields.append(ZipArchive.storing, ZipArchive.midnight, ZipArchive.firstDay)
                fields.append(CRC32.of("", bytes), UInt32(clamping: bytes.count))
                fields.append(UInt32(clamping: bytes.count))
            case .gzip(let bytes):
                stored = bytes.dropFirst(Self.gzipHead).dropLast(Self.gzipTail)
                // The checksum and the length of the plain bytes, in the same order.
                let tail = bytes.suffix(Self.gzipTail)
                fields.append(ZipArchive.deflating, ZipArchive.midnight, ZipArchive.firstDay)
                fields.append(contentsOf: tail.prefix(4))
                fields.append(UInt32(clamping: stored.count))
                fields.append(contentsOf: tail.suffix(4))
            }
            fields.append(UInt16(clamping: self.name.count), 0)
            self.fields = fields.bytes
            var file = LittleEndianBytes()
            file.append(0x0403_4b50 as UInt32)
            file.append(contentsOf: fields.bytes)
            file.append(contentsOf: self.name)
            file.append(contentsOf: stored)
            bytes = file.bytes
        }
    }

    private static let (storing, deflating): (UInt16, UInt16) = (0, 8)
    /// The time and the date of 1 January 1980.
    private static let (midnight, firstDay): (UInt16, UInt16) = (0, 0x0021)
    /// The number of bytes of an archive, and of files in it, from which ZIP64 would be needed.
    private static let mostBytes = Int(UInt32.max)
    private static let mostFiles = Int(UInt16.max)
    /// The bytes of a file's fields in the directory, and of the end.
    private static let (directoryBytes, endBytes) = (46, 22)

    private var directory = LittleEndianBytes()
    private var fileCount = 0
    private var byteCount = 0

    package init() {}

    /// Returns true if there is room for a file, and for another one of `reserve` bytes after it.
    package func hasRoom(for file: File, reserve: Int) -> Bool {
        let added = file.bytes.count + 2 * (Self.directoryBytes + file.name.count)
        let total = byteCount + directory.bytes.count + added + Self.endBytes + reserve
        return fileCount + 1 < Self.mostFiles && total < Self.mostBytes
    }

    /// Adds a file to the directory. There must be room for it, and its bytes are written next.
    package mutating func add(_ file: File) {
        // Made by version 2.0 for Unix, where it is a regular file that others may read.
        directory.append(0x0201_4b50 as UInt32)
        directory.append(0x0314 as UInt16)
        directory.append(contentsOf: file.fields)
        directory.append(0 as UInt16, 0, 0)
        directory.append(0o100644 << 16 as UInt32, UInt32(clamping: byteCount))
        directory.append(contentsOf: file.name)
        fileCount += 1
        byteCount += file.bytes.count
    }

    /// Returns the directory, which ends the archive.
    package func end() -> [UInt8] {
        let count = UInt16(clamping: fileCount)
        var end = directory
        end.append(0x0605_4b50 as UInt32)
        end.append(0 as UInt16, 0, count, count)
        end.append(UInt32(clamping: directory.bytes.count), UInt32(clamping: byteCount))
        end.append(0 as UInt16)
        return end.bytes
    }
}

/// Bytes with numbers among them, the lowest byte of each first.
private struct LittleEndianBytes {
    private(set) var bytes: [UInt8] = []

    mutating func append<Number: FixedWidthInteger>(_ numbers: Number...) {
        for number in numbers {
            withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
        }
    }

    mutating func append(contentsOf other: some Sequence<UInt8>) { bytes += other }
}
