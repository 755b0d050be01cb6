import Bytes
import CDeflate
import Encoders
import Glibc
import Processes
import Raster

/// The program `ffmpeg`, which encodes videos as a child process.
struct FFmpeg: VideoEncoder {
    /// The path of the program.
    private let path: String
    /// A text that changes with the program, and with the libraries that decide the bytes of
    /// videos; empty until the program is examined.
    private(set) var fingerprint = ""
    /// The state of its file when it was found.
    private let version: FileVersion
    /// The file that it writes, of any length and in any time; nil for one in memory, within limits.
    private var file: ProgramFile?

    /// The beginnings of the names of the libraries that decide the bytes of videos.
    private static let libraries = [
        "libaom.", "libavcodec.", "libavformat.", "libavutil.", "libvpx.", "libx264.",
    ]
    /// The bytes of its libraries' addresses.
    private static let libraryBytes = 1 << 30
    /// The processor seconds after which it is ended; the deadline of the rendering comes first.
    private static let processorSeconds = 3600
    /// More processor seconds than any machine lives; more would overflow in the kernel.
    private static let endlessSeconds = 1 << 32
    /// The limits of a run that examines the program.
    private static let limits = ProgramLimits(
        addressBytes: 2 << 30, processorSeconds: 10, fileBytes: 1 << 20)
    /// The seconds that all such runs may take.
    private static let patience: Int = 5

    /// Finds the program in the directories of `PATH`.
    ///
    /// - Returns: Nil where none of them has it.
    init?() {
        guard let directories = getenv("PATH").map({ String(cString: $0) }) else { return nil }
        let paths = directories.split(separator: ":").map { "\($0)/ffmpeg" }
        guard let path = paths.first(where: { access($0, X_OK) == 0 }) else { return nil }
        (self.path, version) = (path, FileVersion(path))
    }

    /// Returns the program with a file of this process to write, which nothing limits.
    func writing(to file: ProgramFile) -> FFmpeg {
        var program = self
        program.file = file
        return program
    }

    func start(
        _ arguments: [String], memory: Int, fileLimit: Int
    ) throws(EncodingError) -> any EncoderProcess {
        let limits = ProgramLimits(
            addressBytes: Self.libraryBytes + 2 * memory,
            processorSeconds: file == nil ? Self.processorSeconds : Self.endlessSeconds,
            fileBytes: file == nil ? fileLimit : .max)
        // It seeks in the file, which therefore is not its standard output.
        let path = "file:/proc/self/fd/\(LimitedProgram.fileDescriptor)"
        return try process(arguments + ["-y", path], limits: limits, to: file)
    }

    private func process(
        _ arguments: [String], variables: [String] = [], limits: ProgramLimits,
        to file: ProgramFile? = nil, writesOutput: Bool = false
    ) throws(EncodingError) -> FFmpegProcess {
        guard FileVersion(path) == version else {
            throw .videoEncoder("\(path) has changed since the service started")
        }
        let program = LimitedProgram(path, arguments, variables: variables, limits)
        do throws(FilterProcess.StartFault) {
            return FFmpegProcess(
                process: try FilterProcess(program, to: file, writesOutput: writesOutput),
                fileLimit: limits.fileBytes, isInMemory: file == nil)
        } catch {
            switch error {
            case .memory: throw .library(.memory)
            case .system(let reason): throw .videoEncoder("ffmpeg cannot be started: \(reason)")
            }
        }
    }

    /// Runs the program to learn its encoders and its fingerprint.
    ///
    /// - Returns: The names of its encoders.
    /// - Throws: `EncodingError.videoEncoder` where it cannot be used.
    mutating func examine() throws(EncodingError) -> Set<String> {
        let end = time(nil) + Self.patience
        let encoders = try output(of: ["-hide_banner", "-encoders"], until: end)
        // The loader lists the libraries instead of starting the program.
        let loaded = try output(
            of: ["-version"], variables: ["LD_TRACE_LOADED_OBJECTS=1"], until: end)
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
        of arguments: [String], variables: [String] = [], until end: time_t
    ) throws(EncodingError) -> String {
        let process = try process(
            arguments, variables: variables, limits: Self.limits, writesOutput: true)
        let bytes = try process.finish { () throws(EncodingError) in
            if time(nil) >= end {
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

/// A run of ffmpeg.
private struct FFmpegProcess: EncoderProcess {
    let process: FilterProcess
    /// The most bytes of its file.
    let fileLimit: Int
    let isInMemory: Bool

    func write(
        _ bytes: [UInt8], check: () throws(EncodingError) -> Void
    ) throws(EncodingError) {
        guard try !process.write(bytes, check: check) else { return }
        // It gives the reason when it ends.
        _ = try ending(check: check)
        throw fault("did not read all frames")
    }

    func finish(check: () throws(EncodingError) -> Void) throws(EncodingError) -> [UInt8] {
        process.closeInput()
        switch try ending(check: check) {
        case .exit(0): break
        case .exit(let status): throw fault("ended with status \(status)")
        case .signal(let number): throw fault("was ended by signal \(number)")
        }
        guard isInMemory else { return [] }
        guard let bytes = process.file.takeBytes() else { throw .library(.memory) }
        guard !bytes.isEmpty else { throw fault("wrote nothing") }
        return bytes
    }

    private func ending(
        check: () throws(EncodingError) -> Void
    ) throws(EncodingError) -> Ending {
        guard let ending = try process.end(check: check) else {
            throw .videoEncoder("ffmpeg ended with an unknown status")
        }
        return ending
    }

    /// Returns the error for an event, with the last line of the process.
    private func fault(_ event: String) -> EncodingError {
        guard let byteCount = process.file.byteCount else { return .library(.memory) }
        guard byteCount < fileLimit else { return .videoTooLong(limit: fileLimit) }
        return .videoEncoder("ffmpeg \(event)\(process.lastMessage.map { ": " + $0 } ?? "")")
    }
}
