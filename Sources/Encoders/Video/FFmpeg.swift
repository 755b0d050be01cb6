import Bytes
import CDeflate
import Glibc

/// The program `ffmpeg`, which encodes videos as a child process.
package struct FFmpeg: Sendable {
    /// The path of the program.
    package let path: String
    /// A text that changes with the program, and with the libraries that decide the bytes of
    /// videos; empty until the program is examined.
    package private(set) var fingerprint = ""
    /// The state of its file when it was found.
    private let state: FileState

    /// The beginnings of the names of the libraries that decide the bytes of videos.
    private static let libraries = [
        "libaom.", "libavcodec.", "libavformat.", "libavutil.", "libvpx.", "libx264.",
    ]
    /// The limits of a run that examines the program.
    private static let limits = ChildLimits(
        addressBytes: 2 << 30, processorSeconds: 10, fileBytes: 1 << 20)
    /// The seconds that such a run may take.
    private static let patience: Int = 20

    /// The reason for the lack of videos where the program is not found.
    package static let absence = "ffmpeg is not installed"

    /// Finds the program in the directories of `PATH`.
    ///
    /// - Returns: Nil where none of them has it.
    package init?() {
        guard let directories = getenv("PATH").map({ String(cString: $0) }) else { return nil }
        for directory in directories.split(separator: ":") {
            let path = "\(directory)/ffmpeg"
            guard access(path, X_OK) == 0, let state = FileState(path) else { continue }
            (self.path, self.state) = (path, state)
            return
        }
        return nil
    }

    /// True if its file is the one that was found.
    var isUnchanged: Bool { FileState(path) == state }

    /// Runs the program to learn its encoders and its fingerprint.
    ///
    /// - Returns: The names of its encoders.
    /// - Throws: `EncodingError.videoEncoder` where it cannot be used.
    package mutating func examine() throws(EncodingError) -> Set<String> {
        let encoders = try output(of: ["-hide_banner", "-encoders"])
        // The loader lists the libraries instead of starting the program.
        let loaded = try output(of: ["-version"], variables: ["LD_TRACE_LOADED_OBJECTS=1"])
        var files = [path]
        for word in loaded.split(whereSeparator: \.isWhitespace) where word.utf8.first == 0x2F {
            let name = String(word.split(separator: "/").last ?? "")
            if Self.libraries.contains(where: name.begins) { files.append(String(word)) }
        }
        fingerprint = files.map(Self.checksum).joined(separator: " ")
        // " V....D libx264   libx264 H.264 / AVC"
        return Set(
            encoders.split(separator: "\n").compactMap { line in
                let words = line.split(separator: " ")
                return words.count > 1 ? String(words[1]) : nil
            })
    }

    private func output(
        of arguments: [String], variables: [String] = []
    ) throws(EncodingError) -> String {
        let process = try EncoderProcess(
            self, arguments, variables: variables, Self.limits, writesOutput: true)
        let end = time(nil) + Self.patience
        let bytes = try process.finish { () throws(EncodingError) in
            if time(nil) > end {
                throw .videoEncoder("ffmpeg did not describe itself within \(Self.patience) s")
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the length and a checksum of a file's content.
    private static func checksum(of path: String) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        var (sum, length) = (UInt32(0), 0)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return "\(length):\(sum)" }
            sum = libdeflate_crc32(sum, buffer, count)
            length += count
        }
    }
}

/// The properties of a file that change where it is replaced or written.
private struct FileState: Equatable {
    private let numbers: [Int]

    /// - Returns: Nil where there is no file.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        numbers = [
            Int(status.st_dev), Int(status.st_ino), Int(status.st_size),
            Int(status.st_mtim.tv_sec), Int(status.st_mtim.tv_nsec),
        ]
    }
}
