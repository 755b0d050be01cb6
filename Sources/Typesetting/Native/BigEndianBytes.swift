/// Bytes of a font's table, whose numbers begin with their most significant byte.
///
/// A number that lies beyond the end is nil.
struct BigEndianBytes<Bytes: RandomAccessCollection<UInt8>> where Bytes.Index == Int {
    let bytes: Bytes

    func uint16(at offset: Int) -> Int? { number(at: offset, size: 2) }

    func uint32(at offset: Int) -> Int? { number(at: offset, size: 4) }

    /// Returns a signed number with 16 bits before and 16 after the binary point.
    func fixed(at offset: Int) -> Double? {
        uint32(at: offset).map { Double(Int32(truncatingIfNeeded: $0)) / 65_536 }
    }

    /// Returns a tag of four printable ASCII characters.
    func tag(at offset: Int) -> String? {
        guard offset >= 0, offset <= bytes.count - 4 else { return nil }
        let start = bytes.startIndex + offset
        let characters = bytes[start..<start + 4]
        guard characters.allSatisfy({ (0x20..<0x7F).contains($0) }) else { return nil }
        return String(decoding: characters, as: UTF8.self)
    }

    private func number(at offset: Int, size: Int) -> Int? {
        guard offset >= 0, offset <= bytes.count - size else { return nil }
        let start = bytes.startIndex + offset
        return bytes[start..<start + size].reduce(0) { $0 << 8 | Int($1) }
    }
}
