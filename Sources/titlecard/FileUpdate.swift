import Bytes
import Glibc
import Lists
import Motion

/// A file that gets new content, piece by piece, and is only written if the new content differs.
///
/// As long as the content is the same, it is read. At the first difference an `UnfinishedFile` is
/// begun in the same directory. A killed process leaves it, and the next process removes it.
struct FileUpdate: ~Copyable {
    private let path: OutputPath
    private let isCheck: Bool
    private let interruption: Interruption
    /// The present file; nil if there is none.
    private let present: OpenFile?
    /// The bytes that are the same so far.
    private var matched = 0
    /// True once the content differs.
    private(set) var isDifferent: Bool
    private var replacement: UnfinishedFile?

    private static let blockBytes = 65_536

    /// Opens the present file; `isCheck` is true if nothing is to be written.
    ///
    /// - Throws: The reason why it cannot be read or replaced: for example, it is a link.
    init(
        _ path: OutputPath, in directory: borrowing OutputDirectory, isCheck: Bool,
        _ interruption: Interruption
    ) throws(CommandFailure) {
        (self.path, self.isCheck, self.interruption) = (path, isCheck, interruption)
        present = try Self.present(path, in: directory)
        isDifferent = present == nil
    }

    private static func present(
        _ path: OutputPath, in directory: borrowing OutputDirectory
    ) throws(CommandFailure) -> OpenFile? {
        guard let folder = try directory.directory(of: path, makes: false) else { return nil }
        var status = stat()
        guard fstatat(folder.descriptor, path.name.text, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            if errno == ENOENT { return nil }
            throw path.failure("cannot read")
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw path.fault("is not a regular file")
        }
        let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        let descriptor = openat(folder.descriptor, path.name.text, flags)
        guard descriptor >= 0 else { throw path.failure("cannot read") }
        return OpenFile(descriptor)
    }

    /// Takes the next piece of the content.
    mutating func append(
        _ bytes: [UInt8], in directory: borrowing OutputDirectory
    ) throws(CommandFailure) {
        if !isDifferent {
            if try matches(bytes) {
                matched += bytes.count
                return
            }
            isDifferent = true
        }
        if !isCheck { try write(bytes, in: directory) }
    }

    /// Gives the file its new content, if that differs.
    mutating func finish(in directory: borrowing OutputDirectory) throws(CommandFailure) {
        if !isDifferent { isDifferent = try !matchesEnd() }
        guard isDifferent, !isCheck else { return }
        if replacement == nil { try begin(in: directory) }
        try replacement?.finish()
    }

    // MARK: Comparison

    private func matches(_ bytes: [UInt8]) throws(CommandFailure) -> Bool {
        try present?.bytes(at: matched, count: bytes.count, path) == bytes
    }

    private func matchesEnd() throws(CommandFailure) -> Bool {
        try present?.bytes(at: matched, count: 1, path).isEmpty ?? false
    }

    // MARK: Writing

    private mutating func write(
        _ bytes: [UInt8], in directory: borrowing OutputDirectory
    ) throws(CommandFailure) {
        if replacement == nil { try begin(in: directory) }
        try replacement?.append(bytes)
    }

    /// Begins the other file with the bytes that are the same.
    private mutating func begin(in directory: borrowing OutputDirectory) throws(CommandFailure) {
        guard let folder = try directory.directory(of: path, makes: true) else {
            throw path.failure("cannot open the directory of")
        }
        let name = ".titlecard-\(Digest([path.text]).text)"
        // The file that was left may be a link to elsewhere.
        unlinkat(folder.descriptor, name, 0)
        replacement = try UnfinishedFile(
            path.name.text, until: [name], in: folder, mode: present?.mode() ?? nil, interruption
        ) { [path] in
            path.failure($0 == .create ? "cannot create" : "cannot write")
        }
        var offset = 0
        while offset < matched {
            let count = min(matched - offset, Self.blockBytes)
            guard let block = try present?.bytes(at: offset, count: count, path) else { return }
            try replacement?.append(block)
            offset += count
        }
    }
}

/// A file that is open for reading.
struct OpenFile: ~Copyable {
    private let descriptor: Int32

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Returns the rights of the file; nil if the system does not tell.
    func mode() -> mode_t? {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? status.st_mode & 0o777 : nil
    }

    /// Returns the bytes from an offset; fewer where the file ends.
    func bytes(
        at offset: Int, count: Int, _ path: OutputPath
    ) throws(CommandFailure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let read = bytes.withUnsafeMutableBytes { buffer in
                pread(
                    descriptor, buffer.baseAddress?.advanced(by: filled), count - filled,
                    off_t(offset + filled))
            }
            if read < 0, errno == EINTR { continue }
            guard read >= 0 else { throw path.failure("cannot read") }
            guard read > 0 else { break }
            filled += read
        }
        return filled == count ? bytes : Array(bytes.prefix(filled))
    }
}
