/// Listening sockets that a process is started with, by systemd's protocol (sd_listen_fds(3)).
///
/// To take them, read what the environment says, and pass it on to nobody.
package enum HandedSockets {
    /// The variables that are for this process alone and to be removed from its environment.
    package static let variables = ["LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES", "LISTEN_PIDFDID"]

    /// The first descriptor that is handed over; the others follow without a gap.
    private static let first: Int32 = 3
    /// More than anybody hands over is a mistake.
    private static let most: Int32 = 1024

    /// The descriptors that were handed to a process.
    ///
    /// - Parameters:
    ///   - process: this process' id.
    ///   - value: the value of a variable.
    /// - Returns: none where the variables are missing or meant for another process.
    /// - Throws: `ServerError.badVariable`.
    package static func descriptors(
        of process: Int32, _ value: (_ variable: String) -> String?
    ) throws(ServerError) -> [Int32] {
        guard let owner = value("LISTEN_PID"), let count = value("LISTEN_FDS") else { return [] }
        guard let owner = Int32(decimal: owner) else {
            throw .badVariable("LISTEN_PID", value: owner)
        }
        guard owner == process else { return [] }
        guard let number = Int32(decimal: count), number <= most else {
            throw .badVariable("LISTEN_FDS", value: count)
        }
        return Array(first..<(first + number))
    }
}

extension Int32 {
    /// Reads digits without a sign.
    fileprivate init?(decimal text: String) {
        guard text.utf8.allSatisfy(ASCII.isDigit) else { return nil }
        self.init(text)
    }
}
