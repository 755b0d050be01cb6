import Glibc

/// What the system says of this process.
struct ProcessMetrics {
    /// Bytes in memory.
    let residentBytes: Double
    /// Seconds of all threads on processors.
    let cpuSeconds: Double
    let openDescriptors: Int

    init() {
        let pages = Self.firstLine(of: "/proc/self/statm").split(separator: " ")
        residentBytes =
            (pages.count > 1 ? Double(pages[1]) ?? 0 : 0) * Double(sysconf(Int32(_SC_PAGESIZE)))
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        cpuSeconds = Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        openDescriptors = Self.entries(of: "/proc/self/fd")
    }

    func write(to text: inout MetricsText) {
        text.single(
            "process_resident_memory_bytes", .gauge, "Resident memory.", residentBytes)
        text.single(
            "process_cpu_seconds_total", .counter, "User and system time.", cpuSeconds)
        text.single(
            "process_open_fds", .gauge, "Open descriptors.", Double(openDescriptors))
    }

    private static func firstLine(of path: String) -> Substring {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: 256)
        let count = read(descriptor, &buffer, buffer.count)
        return String(decoding: buffer.prefix(max(count, 0)), as: UTF8.self).prefix { $0 != "\n" }
    }

    private static func entries(of path: String) -> Int {
        guard let directory = opendir(path) else { return 0 }
        defer { closedir(directory) }
        var count = 0
        while readdir(directory) != nil { count += 1 }
        // The two that every directory has, and the one being read.
        return count - 3
    }
}
