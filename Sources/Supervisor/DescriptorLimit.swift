import Glibc

/// The limit of descriptors that this process may have open.
enum DescriptorLimit {
    /// Raises the soft limit to the hard one: the sockets of many workers are kept here.
    static func raise() {
        var limit = current
        limit.rlim_cur = limit.rlim_max
        _ = setrlimit(resource, &limit)
    }

    /// Returns how many more descriptors can be opened, up to the number asked for.
    static func room(upTo most: Int) -> Int {
        let limit = Int32(clamping: current.rlim_cur)
        var (count, descriptor) = (0, Int32(0))
        while count < most, descriptor < limit {
            if fcntl(descriptor, F_GETFD) == -1 { count += 1 }
            descriptor += 1
        }
        return count
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
}
