import Bytes
import Encoders
import Glibc
import Logging
import Raster
import Rendering
import Service
import Supervision
import Typesetting

/// Where the configuration of a service comes from.
struct ConfigurationSource: Sendable {
    private let places: OperatorFiles.Places
    private let ownKeys: [URLSigner.Key]
    private let presets: AllowedPresets?
    let formats: FormatCatalog

    init(_ values: ServeValues, formats: FormatCatalog) {
        places = values.places
        ownKeys = values.ownKeys
        presets = values.presetsAllowed
        self.formats = formats
    }

    /// A configuration with the files that it was made of.
    struct Configured: Sendable {
        let configuration: ServiceConfiguration
        let files: OperatorFiles
        /// True if the fonts are the fonts that the files were first used with.
        let hasSameFonts: Bool
    }

    /// Reads the files as they are now.
    ///
    /// - Throws: `CommandFailure` or `LibraryFault`.
    func read() throws -> Configured {
        try configured(by: OperatorFiles(at: places))
    }

    /// Makes the configuration of files that were read before.
    ///
    /// - Throws: `CommandFailure` or `LibraryFault`.
    func configured(by files: OperatorFiles) throws -> Configured {
        let configuration = try files.configuration(
            formats: formats, ownKeys: ownKeys, presets: presets)
        let fingerprint = configuration.fonts.fingerprint
        var read = files
        read.fontFingerprint = fingerprint
        return Configured(
            configuration: configuration, files: read,
            hasSameFonts: files.fontFingerprint.map { $0 == fingerprint } ?? true)
    }
}

extension WorkerLink {
    /// Returns the files that the supervisor handed over; nil if it handed over none. To be called once.
    func operatorFiles() throws(CommandFailure) -> OperatorFiles? {
        guard role.hasFiles else { return nil }
        guard let files = OperatorFiles(files) else { throw OperatorFiles.incomplete }
        return files
    }
}

/// The presets of `--presets-allowed`.
struct AllowedPresets: Sendable {
    /// How they were given, for messages.
    let place: String
    let names: [String]

    static let option = "presets-allowed"

    /// Returns these presets.
    ///
    /// - Throws: The names that are no presets.
    func catalog(of schema: RequestSchema) throws(CommandFailure) -> PresetCatalog {
        let unknown = names.filter { schema.presets[ByteString($0)] == nil }
        guard unknown.isEmpty else {
            let known = schema.presets.entries.map { $0.name }
            throw CommandFailure(
                .usage,
                messages: unknown.map { name in
                    let hint = Suggestion.nearest(to: name, among: known)
                    return "\(place) names no preset: \"\(name)\""
                        + (hint.map { "; did you mean \($0)?" } ?? "")
                })
        }
        return PresetCatalog(schema.presets.entries.filter { names.contains($0.name) })
    }
}

extension OperatorFiles {
    static let incomplete = CommandFailure(
        .system, messages: ["the operator's files from the supervisor are incomplete"])
}

/// The replacement of a service's configuration while it runs.
///
/// Without a supervisor, SIGHUP reads the operator's files. With one, a single worker reads them, tries
/// them, and hands them to the supervisor, which passes them on to all others.
final class Reloading: Sendable {
    private let application: Application
    private let source: ConfigurationSource
    private let link: WorkerLink?
    private let logger: Logger

    init(
        _ application: Application, _ source: ConfigurationSource, _ link: WorkerLink?,
        _ logger: Logger
    ) {
        self.application = application
        self.source = source
        self.link = link
        self.logger = logger
    }

    /// Sends the supervisor the files that this worker serves by, if it is the first, and otherwise
    /// logs which files have changed since they were read.
    func begin(
        _ configured: ConfigurationSource.Configured, isFirst: Bool, _ link: WorkerLink
    ) {
        if isFirst { return handOver(configured.files, link) }
        for path in configured.files.changedPaths {
            logger.notice("\(path) has changed since it was read; SIGHUP reloads it")
        }
        guard !configured.hasSameFonts else { return }
        // The old ones are no longer to be had, and all workers have to draw with the same.
        logger.notice("the fonts have changed since they were read; all workers reload them")
        link.socket.send(Packet(.reloadWanted))
    }

    /// Reads the files, and serves by them if all can be read.
    func readAnew() {
        do {
            let configured = try source.read()
            try application.use(configured.configuration)
            logger.info("fonts, signing keys, effects, presets and pictures were reloaded")
            if let link { handOver(configured.files, link) }
        } catch {
            let reasons = CommandFailure(start: error).messages.joined(separator: "; ")
            logger.error(
                "fonts, signing keys, effects, presets and pictures stay as they were: \(reasons)")
            link?.socket.send(Packet(.reloadFailed))
        }
    }

    /// Serves by files that another worker has read.
    func use(_ packets: [Packet]) {
        do {
            guard let files = OperatorFiles(packets) else { throw OperatorFiles.incomplete }
            try application.use(source.configured(by: files).configuration)
        } catch {
            // Its place is taken by a worker that begins with these files.
            let failure = CommandFailure(start: error)
            logger.error("cannot serve with the files of the other workers: \(failure.messages)")
            LogLines.standardError.finish()
            _exit(failure.kind.rawValue)
        }
    }

    private func handOver(_ files: OperatorFiles, _ link: WorkerLink) {
        guard let packets = files.packets() else {
            // Workers that start later could not serve the same.
            logger.error("no memory for the operator's files: \(StandardStreams.lastError)")
            LogLines.standardError.finish()
            _exit(CommandFailure.Kind.system.rawValue)
        }
        for packet in packets { link.socket.send(packet) }
        if let memory = packets.first?.descriptors.first { close(memory) }
    }
}
