import Glibc

/// The part of the command line about supervision; the worker reads all else.
struct Arguments {
    /// The command that does not end by itself.
    private static let command = "serve"

    /// True if the command is `serve`, and is not to run without a supervisor.
    let needSupervisor: Bool

    init() {
        let words = (1..<max(Int(CommandLine.argc), 1)).compactMap { index in
            CommandLine.unsafeArgv[index].map { String(cString: $0) }
        }
        let isShort = words.contains { ["--help", "-h", "--version"].contains($0) }
        let isAlone =
            words.contains("--no-supervisor")
            || getenv("TITLECARD_NO_SUPERVISOR").map { String(cString: $0) } == "true"
        needSupervisor = words.first == Self.command && !isShort && !isAlone
    }
}

/// The program that does the work.
enum WorkerProgram {
    static let name = "titlecard-worker"

    /// Returns the directory of this program; nil where the system does not tell it, with the reason in
    /// `errno`.
    static func ownDirectory() -> String? {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        guard count > 0 else { return nil }
        let path = buffer.prefix(count).map { UInt8(bitPattern: $0) }
        guard let slash = path.lastIndex(of: UInt8(ascii: "/")) else { return nil }
        return String(decoding: path[..<slash], as: UTF8.self)
    }

    /// Returns its path: in the directory of this program, or else in `../libexec/titlecard`.
    static func path(from directory: String) -> String? {
        ["\(directory)/\(name)", "\(directory)/../libexec/titlecard/\(name)"]
            .first { access($0, X_OK) == 0 }
    }
}
