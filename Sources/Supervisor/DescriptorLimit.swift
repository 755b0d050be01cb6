import Glibc
import Processes

/// The limit of descriptors that this process may have open.
enum DescriptorLimit {
    /// Returns how many more descriptors can be opened, up to the number asked for.
    static func room(upTo most: Int) -> Int {
        let limit = Int32(clamping: ResourceLimit.openFiles.value.rlim_cur)
        var (count, descriptor) = (0, Int32(0))
        while count < most, descriptor < limit {
            if fcntl(descriptor, F_GETFD) == -1 { count += 1 }
            descriptor += 1
        }
        return count
    }
}
