import Glibc

/// A font file of an operator's own.
package struct OwnFontFile: Sendable {
    /// The path at which it was found.
    package let path: String
    /// The open file, which is read even after another file has taken the path; nil to read the
    /// file at the path.
    package let descriptor: OpenFontFile?

    package init(path: String, descriptor: OpenFontFile? = nil) {
        self.path = path
        self.descriptor = descriptor
    }

    /// The path by which libraries open it.
    var location: String { descriptor.map { "/proc/self/fd/\($0.number)" } ?? path }
}

/// An open file, closed with its owner.
package final class OpenFontFile: Sendable {
    package let number: Int32

    /// - Parameter number: The descriptor, which is this object's own from now on.
    package init(_ number: Int32) {
        self.number = number
    }

    /// Opens a file to read it; nil where that fails, with the reason in `errno`.
    package init?(at path: String) {
        // Opening a pipe would wait for its writer.
        number = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        if number < 0 { return nil }
    }

    deinit { if number >= 0 { close(number) } }
}
