import Encoders
import Glibc
import Motion
import Raster
import Rendering
import Service
import Supervision
import Typesetting

/// A file of an operator's own, as it was when it was read.
struct OperatorFile: Sendable {
    enum Kind: UInt8, Sendable {
        case effect = 1
        case presets, picture, signingKeys, font
        /// Options of `serve`, which are read once.
        case options
    }

    let kind: Kind
    let path: String
    let version: FileVersion
    /// The content; empty for a font, which is read by its descriptor.
    let bytes: [UInt8]
    /// The open file of a font.
    var descriptor: OpenFontFile?

    /// The name without its directory.
    var name: String {
        path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
    }
}

/// All files of an operator's own, read at one time: effects, presets, pictures, signing keys, and fonts.
///
/// A service is made of one set of them. Its supervisor keeps the set as packets, from which
/// workers that start later make the same service, even if the files have changed.
struct OperatorFiles: Sendable {
    private(set) var files: [OperatorFile] = []
    /// The fingerprint of the fonts, installed ones included; nil before they are read.
    var fontFingerprint: UInt64?

    /// The places of an operator's files.
    struct Places: Sendable {
        var catalogs = CatalogOptions()
        /// The path of the file of signing keys.
        var signingKeys: String?
        /// The file of options, as it was at the start.
        var options: OperatorFile?
    }

    /// Reads all files.
    ///
    /// - Throws: `CommandFailure` or `LibraryFault`, the reason why some are not read.
    init(at places: Places) throws {
        let catalogs = places.catalogs
        files = try catalogs.files()
        if let path = places.signingKeys { files.append(try SigningKeys.file(at: path)) }
        if let options = places.options { files.append(options) }
        for path in try FontCatalog.files(in: catalogs.fonts) {
            files.append(try Self.font(at: path))
        }
    }

    private static func font(at path: String) throws(LibraryFault) -> OperatorFile {
        guard let descriptor = OpenFontFile(at: path) else {
            let reason = StandardStreams.lastError
            throw .fontFiles(["\(path) cannot be read: \(reason)"], areUnreadable: true)
        }
        return OperatorFile(
            kind: .font, path: path, version: FileVersion(descriptor.number), bytes: [],
            descriptor: descriptor)
    }

    func files(of kind: OperatorFile.Kind) -> [OperatorFile] { files.filter { $0.kind == kind } }

    /// The paths at which there is another file or another content by now, which can be read again.
    var changedPaths: [String] {
        files.filter { file in
            guard file.kind != .options else { return false }
            return file.version != FileVersion(file.path)
                || file.descriptor.map { FileVersion($0.number) != file.version } ?? false
        }.map(\.path)
    }

    /// Makes the configuration of a service of these files.
    ///
    /// - Parameters:
    ///   - formats: The formats.
    ///   - ownKeys: Signing keys that are in no file.
    ///   - presets: The presets that requests without a signature may name; nil for all.
    /// - Returns: The configuration.
    /// - Throws: `CommandFailure` or `LibraryFault`, the faults of the files.
    func configuration(
        formats: FormatCatalog, ownKeys: [URLSigner.Key], presets: AllowedPresets?
    ) throws -> ServiceConfiguration {
        try SigningKeys.check(ownKeys)
        let keys = try files(of: .signingKeys).flatMap(SigningKeys.keys) + ownKeys
        let schema = try CatalogOptions.schema(of: files, formats: formats)
        return ServiceConfiguration(
            schema: schema, openPresets: try presets?.catalog(of: schema),
            signer: keys.isEmpty ? nil : URLSigner(keys),
            fonts: try FontCatalog(
                files: files(of: .font).map {
                    OwnFontFile(path: $0.path, descriptor: $0.descriptor)
                }))
    }
}

/// The numbers that tell one state of a file from another.
struct FileVersion: Equatable, Sendable {
    /// The file's number, its bytes, and the time of its last change in seconds and nanoseconds.
    private(set) var numbers: [UInt64] = [0, 0, 0, 0]

    static let numberCount = 4

    init(numbers: [UInt64]) {
        self.numbers = numbers
    }

    /// The state of the file at a path; the state of no file if there is none.
    init(_ path: String) {
        var status = stat()
        if stat(path, &status) == 0 { note(status) }
    }

    /// The state of an open file.
    init(_ descriptor: Int32) {
        var status = stat()
        if fstat(descriptor, &status) == 0 { note(status) }
    }

    private mutating func note(_ status: stat) {
        numbers = [
            UInt64(status.st_ino), UInt64(bitPattern: Int64(status.st_size)),
            UInt64(bitPattern: Int64(status.st_mtim.tv_sec)),
            UInt64(bitPattern: Int64(status.st_mtim.tv_nsec)),
        ]
    }
}

// MARK: - Packets

extension OperatorFiles {
    /// The packets by which a supervisor hands the set on: sealed memory with all but the fonts, and the
    /// fonts' descriptors, in their order.
    ///
    /// - Returns: Nil where the system has no memory for it. The memory's descriptor belongs to the caller:
    ///   it is the first of the first packet.
    func packets() -> [Packet]? {
        var bytes: [UInt8] = []
        func append(_ number: UInt64) {
            for shift in stride(from: 0, to: 64, by: 8) {
                bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
            }
        }
        func append(_ content: [UInt8]) {
            append(UInt64(content.count))
            bytes += content
        }
        append(fontFingerprint ?? 0)
        append(UInt64(files.count))
        for file in files {
            append(UInt64(file.kind.rawValue))
            for number in file.version.numbers { append(number) }
            append(Array(file.path.utf8))
            append(file.bytes)
        }
        guard let memory = SealedMemory.make(of: bytes) else { return nil }
        return Packet.split(
            .files, descriptors: [memory] + files.compactMap { $0.descriptor?.number })
    }

    /// Reads a set from its packets, whose descriptors belong to it from now on.
    ///
    /// - Returns: Nil if it is not whole.
    init?(_ packets: [Packet]) {
        let descriptors = packets.flatMap { $0.descriptors }
        guard let memory = descriptors.first else { return nil }
        defer { close(memory) }
        var fonts = descriptors.dropFirst().map { OpenFontFile($0) }[...]
        guard let bytes = SealedMemory.bytes(of: memory) else { return nil }
        var rest = bytes[...]
        func number() -> UInt64? {
            guard rest.count >= 8 else { return nil }
            defer { rest = rest.dropFirst(8) }
            return rest.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
        func content() -> [UInt8]? {
            guard let count = number(), count <= UInt64(rest.count) else { return nil }
            defer { rest = rest.dropFirst(Int(count)) }
            return Array(rest.prefix(Int(count)))
        }
        guard let fingerprint = number(), let count = number() else { return nil }
        fontFingerprint = fingerprint
        for _ in 0..<count {
            var version: [UInt64] = []
            guard let kind = number().flatMap({ OperatorFile.Kind(rawValue: UInt8(clamping: $0)) })
            else { return nil }
            while version.count < FileVersion.numberCount, let next = number() {
                version.append(next)
            }
            guard version.count == FileVersion.numberCount, let path = content(),
                let bytes = content()
            else { return nil }
            files.append(
                OperatorFile(
                    kind: kind, path: String(decoding: path, as: UTF8.self),
                    version: FileVersion(numbers: version), bytes: bytes,
                    descriptor: kind == .font ? fonts.popFirst() : nil))
            if kind == .font, files.last?.descriptor == nil { return nil }
        }
    }
}
