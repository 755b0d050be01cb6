import Glibc

/// The sockets that a service manager such as systemd has handed to this process (sd_listen_fds(3)).
enum InheritedSockets {
    /// Closes them, of which workers have sent copies, and forgets that there were any.
    static func close() {
        defer {
            for name in ["LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES", "LISTEN_PIDFDID"] {
                unsetenv(name)
            }
        }
        func number(_ name: String) -> Int32? {
            getenv(name).flatMap { Int32(String(cString: $0)) }
        }
        guard number("LISTEN_PID") == getpid(), let count = number("LISTEN_FDS") else { return }
        for descriptor in 3..<(3 + max(count, 0)) { Glibc.close(descriptor) }
    }
}
