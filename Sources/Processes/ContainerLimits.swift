import Glibc

/// The limits of the control groups that this process is in, as of a container or a service of systemd.
package struct ContainerLimits: Equatable, Sendable {
    /// The bytes of memory; nil for no limit.
    package let memoryBytes: Int?
    /// The cores; nil for no limit.
    package let cores: Double?

    /// A number that means no limit in version 1, which has no word for it.
    private static let endless = 1 << 60

    /// Reads the limits of version 2, or else of version 1; the smallest of a group and of those around
    /// it counts.
    ///
    /// - Parameters:
    ///   - membership: The file that names the control groups of this process.
    ///   - root: The directory of all control groups.
    package init(membership: String = "/proc/self/cgroup", root: String = "/sys/fs/cgroup") {
        var (memory, cores): (Int?, Double?) = (nil, nil)
        for line in (SystemFile.text(at: membership) ?? "").split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3 else { continue }
            for controller in parts[1].split(separator: ",", omittingEmptySubsequences: false) {
                let directory = controller.isEmpty ? root : "\(root)/\(controller)"
                for group in Self.groups(parts[2]) {
                    let files = Files(directory + group, isFirstVersion: !controller.isEmpty)
                    if let bytes = files.memoryBytes, bytes < Self.endless {
                        memory = min(memory ?? bytes, bytes)
                    }
                    if let count = files.cores { cores = min(cores ?? count, count) }
                }
            }
        }
        (memoryBytes, self.cores) = (memory, cores)
    }

    /// Returns the paths of a group and of those around it. The outermost has none; in a container
    /// without a namespace of its own it is the container's.
    private static func groups(_ path: Substring) -> [String] {
        var names = path.split(separator: "/").prefix(32)
        var groups: [String] = []
        while !names.isEmpty {
            groups.append("/" + names.joined(separator: "/"))
            names.removeLast()
        }
        return groups + [""]
    }

    /// The files of one group.
    private struct Files {
        let directory: String
        let isFirstVersion: Bool

        init(_ directory: String, isFirstVersion: Bool) {
            (self.directory, self.isFirstVersion) = (directory, isFirstVersion)
        }

        var memoryBytes: Int? {
            numbers(isFirstVersion ? "memory.limit_in_bytes" : "memory.max").first
        }

        var cores: Double? {
            let times =
                isFirstVersion
                ? numbers("cpu.cfs_quota_us") + numbers("cpu.cfs_period_us") : numbers("cpu.max")
            guard times.count == 2, times[0] > 0, times[1] > 0 else { return nil }
            return Double(times[0]) / Double(times[1])
        }

        /// Returns the numbers in a file, none where it has a word.
        private func numbers(_ name: String) -> [Int] {
            let words = (SystemFile.text(at: "\(directory)/\(name)") ?? "").split {
                $0 == " " || $0 == "\n"
            }
            let numbers = words.compactMap { Int($0) }
            return numbers.count == words.count ? numbers : []
        }
    }
}

/// Files that the kernel writes.
package enum SystemFile {
    /// Returns the first 4 KiB of a file; nil if it cannot be read, or is empty.
    package static func text(at path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(descriptor, &bytes, bytes.count)
        guard count > 0 else { return nil }
        return String(decoding: bytes[..<count], as: UTF8.self)
    }
}
