import Glibc

/// How many descriptors the process may have open.
package enum DescriptorLimit {
    /// Raises the soft limit to the hard one, for servers of many connections.
    package static func raise() {
        var limit = current
        guard limit.rlim_cur < limit.rlim_max else { return }
        limit.rlim_cur = limit.rlim_max
        _ = setrlimit(resource, &limit)
    }

    /// The descriptors that are left for connections, where `reserve` are to be left for everything else
    /// that is opened from now on.
    package static func room(reserve: Int) -> Int {
        Int(clamping: current.rlim_cur) - open - reserve
    }

    private static var resource: __rlimit_resource_t {
        __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    }

    private static var current: rlimit {
        var limit = rlimit()
        // It fails for no resource that exists.
        _ = getrlimit(resource, &limit)
        return limit
    }

    /// Descriptors that are open now; those up to a thousand are looked at.
    private static var open: Int {
        let highest = Int32(clamping: min(current.rlim_cur, 1024))
        return (0..<highest).count { fcntl($0, F_GETFD) != -1 }
    }
}
