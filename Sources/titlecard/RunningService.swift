import Bytes
import Glibc

/// The service that runs beside this process, as in a container.
enum RunningService {
    /// The programs that listen for the service.
    private static let programs: Set<String> = ["titlecard", "titlecard-worker"]

    /// Returns the address at which the one service that this user can see listens.
    ///
    /// - Returns: Nil if there is none, or several listen on different ports. A port at which there is
    ///   no such path as `/health` does not count: metrics have it.
    static func address() -> (host: String, port: UInt16)? {
        let sockets = entries(of: "/proc").filter { Int($0) != nil }.reduce(into: Set<String>()) {
            sockets, process in
            guard let program = link(at: "/proc/\(process)/exe"),
                let name = program.split(separator: "/").last.map(String.init),
                programs.contains(name)
            else { return }
            for descriptor in entries(of: "/proc/\(process)/fd") {
                guard let target = link(at: "/proc/\(process)/fd/\(descriptor)"),
                    target.hasPrefix("socket:[")
                else { continue }
                sockets.insert(String(target.dropFirst(8).dropLast()))
            }
        }
        guard !sockets.isEmpty else { return nil }
        var listeners = ["/proc/net/tcp", "/proc/net/tcp6"].flatMap { table in
            lines(of: table).compactMap { Listener($0) }
        }.filter { sockets.contains($0.socket) }
        if Set(listeners.map { $0.port }).count > 1 {
            listeners.removeAll { HealthProbe.status(of: $0.host, port: $0.port) == 404 }
        }
        guard let first = listeners.first, listeners.allSatisfy({ $0.port == first.port }) else {
            return nil
        }
        return (first.host, first.port)
    }

    /// A listening socket in the kernel's tables (proc(5)).
    private struct Listener {
        let host: String
        let port: UInt16
        /// The number of its inode.
        let socket: String

        private static let listening = "0A"

        init?(_ line: Substring) {
            let words = line.split(separator: " ")
            guard words.count > 9, words[3] == Self.listening else { return nil }
            let parts = words[1].split(separator: ":")
            guard parts.count == 2, let port = UInt16(parts[1], radix: 16),
                let host = Self.host(parts[0])
            else { return nil }
            self.host = host
            self.port = port
            socket = String(words[9])
        }

        /// Reads an address of words of 32 bits, each in this machine's order of bytes.
        private static func host(_ digits: Substring) -> String? {
            var words: [UInt32] = []
            var rest = digits
            while !rest.isEmpty {
                guard let word = UInt32(rest.prefix(8), radix: 16) else { return nil }
                words.append(word)
                rest = rest.dropFirst(8)
            }
            guard words.count == 1 || words.count == 4 else { return nil }
            var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
            let family = words.count == 1 ? AF_INET : AF_INET6
            guard inet_ntop(family, words, &text, socklen_t(text.count)) != nil else { return nil }
            return String(
                decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }

    /// Returns where a link leads; nil if it cannot be read.
    static func link(at path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink(path, &buffer, buffer.count)
        guard count > 0 else { return nil }
        return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func entries(of path: String) -> [String] {
        DirectoryNames.sorted(in: path) ?? []
    }

    private static func lines(of path: String) -> [Substring] {
        let file = InputFile(parameter: "host", name: path, limit: .max)
        let bytes = (try? file.bytes(at: path)) ?? []
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").dropFirst().map { $0 }
    }
}
