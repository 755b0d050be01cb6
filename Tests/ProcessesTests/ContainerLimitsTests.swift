import Foundation
import Processes
import Testing

@Suite struct ContainerLimitsTests {
    /// Returns the limits by files, whose paths are in the directory of all control groups.
    private func limits(_ membership: String, _ files: [String: String]) throws -> ContainerLimits {
        let root = FileManager.default.temporaryDirectory
            .appendingPathComponent("container-limits-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        for (path, text) in files.merging(["membership": membership], uniquingKeysWith: { $1 }) {
            let file = root.appendingPathComponent(path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        return ContainerLimits(
            membership: root.appendingPathComponent("membership").path, root: root.path)
    }

    @Test func `a container of version 2 has its limits in the root`() throws {
        let limits = try limits(
            "0::/\n", ["memory.max": "536870912\n", "cpu.max": "150000 100000\n"])
        #expect(limits.memoryBytes == 512 << 20 && limits.cores == 1.5)
    }

    @Test func `the smallest limit of a service and of the slices around it counts`() throws {
        let limits = try limits(
            "0::/a.slice/b.service\n",
            [
                "a.slice/memory.max": "1000\n", "a.slice/b.service/memory.max": "2000\n",
                "a.slice/cpu.max": "max 100000\n", "a.slice/b.service/cpu.max": "50000 100000\n",
            ])
        #expect(limits.memoryBytes == 1000 && limits.cores == 0.5)
    }

    @Test func `version 1 has a directory for each controller`() throws {
        let membership = "4:cpu,cpuacct:/docker/x\n3:memory:/docker/x\n1:name=systemd:/docker/x\n"
        let inside = try limits(
            membership,
            [
                "memory/memory.limit_in_bytes": "268435456\n", "cpu/cpu.cfs_quota_us": "200000\n",
                "cpu/cpu.cfs_period_us": "100000\n",
            ])
        #expect(inside.memoryBytes == 256 << 20 && inside.cores == 2)
        let endless = try limits(
            membership,
            [
                "memory/docker/x/memory.limit_in_bytes": "9223372036854771712\n",
                "cpu/docker/x/cpu.cfs_quota_us": "-1\n",
                "cpu/docker/x/cpu.cfs_period_us": "100000\n",
            ])
        #expect(endless.memoryBytes == nil && endless.cores == nil)
    }

    @Test(
        "what has no limit, or makes no sense, limits nothing",
        arguments: ["", "0::/\n", "0::/other\n", "nonsense", "::", "x:memory:/a"])
    func none(membership: String) throws {
        let limits = try limits(membership, ["memory.max": "max\n", "cpu.max": "max 100000\n"])
        #expect(limits.memoryBytes == nil && limits.cores == nil)
    }
}
