import CProcess
import Glibc

/// The limits of a program that runs as a child process.
package struct ProgramLimits {
    /// Bytes of addresses, its libraries included.
    let addressBytes: Int
    let processorSeconds: Int
    /// Bytes of each file that it writes.
    package let fileBytes: Int

    package init(addressBytes: Int, processorSeconds: Int, fileBytes: Int) {
        (self.addressBytes, self.processorSeconds) = (addressBytes, processorSeconds)
        self.fileBytes = fileBytes
    }
}

/// A program that runs as a child process within limits.
///
/// Swift cannot call `fork` and set the limits after it. So this program runs itself, sets them,
/// and becomes the other program.
package struct LimitedProgram {
    let path: String
    let arguments: [String]
    /// Its environment, besides the variables by which the loader finds libraries.
    let variables: [String]
    let limits: ProgramLimits

    /// The first argument of this program if it has to become another one.
    private static let command = "become"
    /// The niceness of other programs.
    private static let niceness: Int32 = 10
    /// The number of files that other programs may have open.
    private static let openFiles = 64
    /// The number of descriptors that they get: the standard ones, and a file's.
    private static let descriptorCount: Int32 = 4
    /// The descriptor of the file.
    package static let fileDescriptor: Int32 = 3

    package init(
        _ path: String, _ arguments: [String], variables: [String] = [], _ limits: ProgramLimits
    ) {
        (self.path, self.arguments) = (path, arguments)
        (self.variables, self.limits) = (variables, limits)
    }

    /// Starts the program.
    ///
    /// - Parameter descriptors: Its standard input, output, and errors, and its file.
    /// - Returns: Its process; nil where the system refuses, with the reason in `errno`.
    func start(_ descriptors: [Int32]) -> pid_t? {
        var start = ProgramStart()
        start.descriptors = descriptors.enumerated().map { ($1, Int32($0)) }
        (start.resetsSignals, start.hasOwnGroup) = (true, true)
        let words =
            ["titlecard", Self.command, "\(getpid())", "\(limits.addressBytes)"]
            + ["\(limits.processorSeconds)", "\(limits.fileBytes)", path] + arguments
        let kept = ["LD_LIBRARY_PATH", "PATH"].compactMap { (name: String) in
            getenv(name).map { "\(name)=\(String(cString: $0))" }
        }
        return Self.withCStrings(words) { words in
            Self.withCStrings(kept + variables) { start.start("/proc/self/exe", words, $0) }
        }
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
            ResourceLimit.addresses.set(numbers[1]),
            ResourceLimit.processorSeconds.set(numbers[2]), ResourceLimit.fileSize.set(numbers[3]),
            ResourceLimit.coreDump.set(0), ResourceLimit.openFiles.set(openFiles),
            // A trial has limited its own.
            ResourceLimit.memory.raise()
        else { fail("cannot be limited") }
        setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, niceness)
        closefrom(descriptorCount)
        guard let path = words[6] else { return }
        execv(path, words + 6)
        fail("cannot be run")
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
