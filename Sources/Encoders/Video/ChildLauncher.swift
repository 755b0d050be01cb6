import CProcess
import Glibc

/// The limits of a program that runs as a child process.
struct ChildLimits {
    /// Bytes of addresses, its libraries included.
    let addressBytes: Int
    let processorSeconds: Int
    /// Bytes of each file that it writes.
    let fileBytes: Int
}

/// Runs other programs as child processes within limits.
///
/// Swift cannot call `fork` and set the limits after it. So this program runs itself, sets them,
/// and becomes the other program.
package enum ChildLauncher {
    /// The first argument of this program if it has to become another one.
    private static let command = "become"
    /// The niceness of other programs.
    private static let niceness: Int32 = 10
    /// The number of files that other programs may have open.
    private static let openFiles: rlim_t = 64
    /// The number of descriptors that they get: the standard ones, and a file's.
    private static let descriptorCount: Int32 = 4
    /// The descriptor of the file.
    static let fileDescriptor: Int32 = 3

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - path: The program.
    ///   - arguments: Its arguments.
    ///   - variables: Its environment, besides the variables by which the loader finds libraries.
    ///   - limits: Its limits.
    ///   - descriptors: Its standard input, output, and errors, and its file.
    /// - Returns: Its process; nil where the system refuses, with the reason in `errno`.
    static func start(
        _ path: String, _ arguments: [String], variables: [String], limits: ChildLimits,
        descriptors: [Int32]
    ) -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (number, descriptor) in descriptors.enumerated() {
            posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigdefault(&attributes, &all)
        // A group of its own: the signals of a terminal are this program's.
        posix_spawnattr_setflags(
            &attributes,
            Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
        let words =
            ["titlecard", command, "\(getpid())", "\(limits.addressBytes)"]
            + ["\(limits.processorSeconds)", "\(limits.fileBytes)", path] + arguments
        let kept = ["LD_LIBRARY_PATH", "PATH"].compactMap { (name: String) in
            getenv(name).map { "\(name)=\(String(cString: $0))" }
        }
        var id: pid_t = 0
        let status = withCStrings(words) { words in
            withCStrings(kept + variables) { (variables: [UnsafeMutablePointer<CChar>?]) in
                posix_spawn(&id, "/proc/self/exe", &actions, &attributes, words, variables)
            }
        }
        guard status == 0 else {
            errno = status
            return nil
        }
        return id
    }

    /// Becomes another program if this one runs for that; to be called before anything else.
    package static func becomeOtherProgram() {
        let count = Int(CommandLine.argc)
        let words = CommandLine.unsafeArgv
        guard count > 6, let first = words[1], strcmp(first, command) == 0 else { return }
        let numbers = (2...5).map { index in words[index].map { Int(atoll($0)) } ?? 0 }
        guard titlecard_end_with_parent(SIGKILL) == 0, titlecard_renounce_privileges() == 0,
            // The parent may have ended before it could matter.
            getppid() == pid_t(truncatingIfNeeded: numbers[0]),
            setLimit(RLIMIT_AS, numbers[1]), setLimit(RLIMIT_CPU, numbers[2]),
            setLimit(RLIMIT_FSIZE, numbers[3]), setLimit(RLIMIT_CORE, 0),
            setLimit(RLIMIT_NOFILE, Int(openFiles)), lift(RLIMIT_DATA)
        else { fail("cannot be limited") }
        setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, niceness)
        closefrom(descriptorCount)
        guard let path = words[6] else { return }
        execv(path, words + 6)
        fail("cannot be run")
    }

    private static func setLimit(_ resource: __rlimit_resource, _ value: Int) -> Bool {
        var limit = rlimit(rlim_cur: rlim_t(max(value, 0)), rlim_max: rlim_t(max(value, 0)))
        return setrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0
    }

    /// Removes a limit that this program has set for itself, as for a trial (`TrialRendering`).
    private static func lift(_ resource: __rlimit_resource) -> Bool {
        var limit = rlimit()
        let resource = __rlimit_resource_t(resource.rawValue)
        guard getrlimit(resource, &limit) == 0 else { return false }
        limit.rlim_cur = limit.rlim_max
        return setrlimit(resource, &limit) == 0
    }

    private static func fail(_ phrase: String) -> Never {
        let line = Array("\(phrase): \(String(cString: strerror(errno)))\n".utf8)
        _ = write(2, line, line.count)
        _exit(127)
    }

    /// Calls a function with texts in C's form, which ends with a null pointer.
    private static func withCStrings<Result>(
        _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let copies = texts.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return body(copies + [nil])
    }
}
