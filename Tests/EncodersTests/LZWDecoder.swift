/// A decoder of GIF's LZW (GIF89a, appendix F), to check the encoder.
enum LZWDecoder {
    /// The symbols of one image's data: code size, sub-blocks, terminator.
    static func symbols(in bytes: [UInt8]) -> [UInt8]? {
        guard let codeSize = bytes.first.map(Int.init), let data = joined(bytes.dropFirst()) else {
            return nil
        }
        let clear = 1 << codeSize
        var table: [[UInt8]] = []
        var (width, offset) = (codeSize + 1, 0)
        var symbols: [UInt8] = []
        var previous: [UInt8]?
        func reset() {
            table = (0..<clear).map { [UInt8($0)] } + [[], []]
            width = codeSize + 1
            previous = nil
        }
        reset()
        while offset + width <= 8 * data.count {
            var code = 0
            for bit in 0..<width where data[(offset + bit) / 8] >> ((offset + bit) % 8) & 1 == 1 {
                code |= 1 << bit
            }
            offset += width
            if code == clear {
                reset()
                continue
            }
            if code == clear + 1 { return symbols }
            if let before = previous, table.count < 4096 {
                guard code <= table.count else { return nil }
                let first = code < table.count ? table[code][0] : before[0]
                table.append(before + [first])
            }
            guard code < table.count else { return nil }
            symbols += table[code]
            previous = table[code]
            if table.count == 1 << width, width < 12 { width += 1 }
        }
        return nil
    }

    /// Returns the content of sub-blocks; nil unless an empty one ends them and the data.
    private static func joined(_ blocks: ArraySlice<UInt8>) -> [UInt8]? {
        var rest = blocks
        var data: [UInt8] = []
        while let length = rest.popFirst() {
            if length == 0 { return rest.isEmpty ? data : nil }
            guard rest.count >= Int(length) else { return nil }
            data += rest.prefix(Int(length))
            rest = rest.dropFirst(Int(length))
        }
        return nil
    }
}
