package import Glibc

/// A limit that the system sets for this process, and for the programs that it becomes
/// (setrlimit(2)).
package struct ResourceLimit: Sendable {
    package static let addresses = ResourceLimit(RLIMIT_AS)
    package static let coreDump = ResourceLimit(RLIMIT_CORE)
    /// Memory that only the process writes to (Linux 4.7).
    package static let memory = ResourceLimit(RLIMIT_DATA)
    package static let openFiles = ResourceLimit(RLIMIT_NOFILE)
    static let fileSize = ResourceLimit(RLIMIT_FSIZE)
    static let processorSeconds = ResourceLimit(RLIMIT_CPU)

    private let resource: __rlimit_resource_t

    private init(_ resource: __rlimit_resource) {
        self.resource = __rlimit_resource_t(resource.rawValue)
    }

    /// The soft and the hard limit.
    package var value: rlimit {
        var limit = rlimit()
        // It fails for no resource that exists.
        _ = getrlimit(resource, &limit)
        return limit
    }

    /// Sets the soft limit, up to the hard one.
    @discardableResult
    package func setSoft(_ value: rlim_t) -> Bool {
        var limit = self.value
        limit.rlim_cur = min(value, limit.rlim_max)
        return setrlimit(resource, &limit) == 0
    }

    /// Raises the soft limit to the hard one.
    @discardableResult
    package func raise() -> Bool { setSoft(.max) }

    /// Sets both limits; the hard one can never be raised again.
    @discardableResult
    package func set(_ value: Int) -> Bool {
        let value = rlim_t(max(value, 0))
        var limit = rlimit(rlim_cur: value, rlim_max: value)
        return setrlimit(resource, &limit) == 0
    }
}
