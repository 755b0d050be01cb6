import Glibc
import Service

/// Where a rendering goes: standard output, or a file that appears whole or not at all.
struct OutputFile: ~Copyable {
    private let path: String?
    private let unfinished: String
    private let descriptor: Int32

    /// Opens nothing yet where the path is nil or `-`, which are standard output.
    ///
    /// - Throws: Why it cannot be written.
    init(_ path: String?) throws(Problem) {
        guard let path, path != "-" else {
            self.path = nil
            unfinished = ""
            descriptor = 1
            return
        }
        self.path = path
        unfinished = path + ".unfinished"
        descriptor = open(unfinished, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw failure }
    }

    func append(_ bytes: [UInt8]) throws(Problem) {
        guard StandardStreams.write(bytes, descriptor: descriptor) else { throw failure }
    }

    /// Gives the file its name.
    func finish() throws(Problem) {
        guard let path else { return }
        guard close(descriptor) == 0, rename(unfinished, path) == 0 else { throw failure }
    }

    /// Removes what there is of the file.
    func abandon() {
        if path != nil { unlink(unfinished) }
    }

    /// What the system says of its last error.
    private var failure: Problem {
        .unwritable(path ?? "-", String(cString: strerror(errno)))
    }
}
