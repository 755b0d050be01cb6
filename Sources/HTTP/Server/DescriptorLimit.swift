import Glibc

/// How many descriptors the process may have open.
package enum DescriptorLimit {
    /// Raises the soft limit as far as the hard one allows, for servers of many connections.
    ///
    /// - Parameter wanted: descriptors in all.
    /// - Returns: the limit that holds now.
    package static func raise(to wanted: Int) -> Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 0 }
        let goal = min(rlim_t(clamping: wanted), limit.rlim_max)
        if limit.rlim_cur < goal {
            limit.rlim_cur = goal
            _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            _ = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        }
        return Int(clamping: limit.rlim_cur)
    }
}
