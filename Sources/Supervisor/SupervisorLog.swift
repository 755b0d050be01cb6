import Glibc

/// The supervisor's lines on standard error, in the form of the workers' own.
struct SupervisorLog {
    enum Level: UInt8 {
        case debug, info, notice, warning, error
    }

    /// The least severe level that is logged; known once a worker serves.
    var least = Level.info

    func write(_ level: Level, _ message: String) {
        guard level.rawValue >= least.rawValue else { return }
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        let fraction = String(1000 + time.tv_nsec / 1_000_000).dropFirst()
        Self.say(
            "{\"time\":\(time.tv_sec).\(fraction),\"level\":\"\(level)\","
                + "\"message\":\"\(Self.escaped(message))\"}")
    }

    /// Writes a line in one call.
    static func say(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = bytes.withUnsafeBytes { Glibc.write(2, $0.baseAddress, $0.count) }
    }

    private static func escaped(_ message: String) -> String {
        var bytes: [UInt8] = []
        for byte in message.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case 0..<0x20, 0x7F: bytes.append(UInt8(ascii: " "))
            default: bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
