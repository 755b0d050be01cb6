import Glibc
import Motion

/// A TrueType or OpenType file. Only the requested parts are read.
///
/// Source: OpenType 1.9, "OpenType Font File", "OpenType Layout Common Table Formats", "fvar".
struct FontFile: ~Copyable {
    /// The reason why a file cannot be used.
    enum Fault: Error {
        /// It cannot be opened or read, for the system's reason.
        case unreadable(errno: Int32)
        /// It is a directory, a pipe or a device.
        case notRegular
        case empty
        case notFont
        /// A table ends past the file's end.
        case cutShort(table: String)
    }

    private let descriptor: Int32
    private let size: Int
    /// The tables of each face of a collection, or of the only one, by their tags.
    private var faces: [[String: Range<Int>]] = []

    /// Opens a file, and reads where its tables are.
    init(at path: String) throws(Fault) {
        // Opening a pipe would wait for its writer.
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            size = 0
            throw .unreadable(errno: errno)
        }
        var status = stat()
        let isRegular = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        size = Int(status.st_size)
        guard isRegular else { throw .notRegular }
        guard size > 0 else { throw .empty }
        for offset in try faceOffsets() { faces.append(try tables(of: offset)) }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    // MARK: Contents

    /// Returns the tags of a face's features, of substitution and of positioning.
    func features(ofFace face: Int) throws(Fault) -> Set<String> {
        var tags: Set<String> = []
        for name in ["GSUB", "GPOS"] {
            guard let table = table(name, ofFace: face), let header = try bytes(table.prefix(10)),
                let list = header.uint16(at: 6), list > 0,
                let count = try bytes(table.dropFirst(list).prefix(2))?.uint16(at: 0),
                let records = try bytes(table.dropFirst(list + 2).prefix(6 * count))
            else { continue }
            tags.formUnion((0..<count).compactMap { records.tag(at: 6 * $0) })
        }
        return tags
    }

    /// Returns the axes of a face, in its own order; none if it is not variable.
    func axes(ofFace face: Int) throws(Fault) -> [FontCatalog.Axis] {
        guard let table = table("fvar", ofFace: face), let header = try bytes(table.prefix(16)),
            let start = header.uint16(at: 4), let count = header.uint16(at: 8),
            let size = header.uint16(at: 10),
            let records = try bytes(table.dropFirst(start).prefix(size * count))
        else { return [] }
        return (0..<count).compactMap { index in
            let record = index * size
            guard let tag = records.tag(at: record),
                let minimum = records.fixed(at: record + 4),
                let defaultValue = records.fixed(at: record + 8),
                let maximum = records.fixed(at: record + 12)
            else { return nil }
            return FontCatalog.Axis(
                tag: tag, minimum: minimum, defaultValue: defaultValue, maximum: maximum)
        }
    }

    /// Returns a digest of all bytes.
    func digest() throws(Fault) -> String {
        let piece = 1 << 20
        var digests: [String] = []
        for start in stride(from: 0, to: size, by: piece) {
            let bytes = try read(start..<min(start + piece, size))
            digests.append(Digest([bytes]).text)
        }
        return Digest(digests).text
    }

    // MARK: Tables

    private func faceOffsets() throws(Fault) -> [Int] {
        guard let header = try bytes(0..<min(size, 12)), header.tag(at: 0) == "ttcf" else {
            return [0]
        }
        guard let count = header.uint32(at: 8), count > 0,
            let offsets = try bytes(12..<12 + 4 * count)
        else { throw .notFont }
        return (0..<count).compactMap { offsets.uint32(at: 4 * $0) }
    }

    private func tables(of face: Int) throws(Fault) -> [String: Range<Int>] {
        guard let header = try bytes(face..<face + 12), let version = header.uint32(at: 0),
            // TrueType, and its old name on the Mac; outlines in CFF.
            version == 0x0001_0000 || ["true", "OTTO"].contains(header.tag(at: 0)),
            let count = header.uint16(at: 4), count > 0,
            let records = try bytes(face + 12..<face + 12 + 16 * count)
        else { throw .notFont }
        var tables: [String: Range<Int>] = [:]
        for index in 0..<count {
            guard let tag = records.tag(at: 16 * index),
                let start = records.uint32(at: 16 * index + 8),
                let length = records.uint32(at: 16 * index + 12)
            else { throw .notFont }
            guard start + length <= size else { throw .cutShort(table: tag) }
            tables[tag] = start..<start + length
        }
        return tables
    }

    private func table(_ tag: String, ofFace face: Int) -> Range<Int>? {
        faces.indices.contains(face) ? faces[face][tag] : nil
    }

    /// Returns bytes of the file; nil if there are not so many.
    private func bytes(_ range: Range<Int>) throws(Fault) -> BigEndianBytes<[UInt8]>? {
        range.upperBound <= size ? BigEndianBytes(bytes: try read(range)) : nil
    }

    private func read(_ range: Range<Int>) throws(Fault) -> [UInt8] {
        var errorNumber: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
            while count < buffer.count {
                let rest = UnsafeMutableBufferPointer(rebasing: buffer[count...])
                let got = pread(descriptor, rest.baseAddress, rest.count, range.lowerBound + count)
                if got < 0, errno == EINTR { continue }
                // A file that has become shorter is read no further.
                guard got > 0 else {
                    errorNumber = got < 0 ? errno : EIO
                    return
                }
                count += got
            }
        }
        guard errorNumber == 0 else { throw .unreadable(errno: errorNumber) }
        return bytes
    }
}

extension FontFile.Fault {
    /// The reason in words that follow the file's path.
    var message: String {
        switch self {
        case .unreadable(let errno): "cannot be read: \(String(cString: strerror(errno)))"
        case .notRegular: "is not a regular file"
        case .empty: "is empty"
        case .notFont: "is not a TrueType or OpenType font"
        case .cutShort(let table): "is cut short: its table \"\(table)\" ends beyond the file's end"
        }
    }

    /// True if the file exists and may be read, but not at this moment.
    var isTransient: Bool {
        if case .unreadable(let errno) = self { ![ENOENT, EACCES].contains(errno) } else { false }
    }

    /// True if the file may be good, and yet cannot be read.
    var isUnreadable: Bool {
        switch self {
        case .unreadable, .notRegular: true
        case .empty, .notFont, .cutShort: false
        }
    }
}
