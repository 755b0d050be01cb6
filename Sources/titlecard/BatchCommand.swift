import ArgumentParser
import Bytes
import CProcess
import Dispatch
import Glibc
import Lists
import Motion
import Raster
import Rendering
import Service
import Synchronization
import Typesetting

/// `titlecard render --batch`: the files of a list.
struct Batch: Sendable {
    fileprivate let paths: BatchOptions.Paths
    fileprivate let options: BatchOptions
    fileprivate let interruption: Interruption
    /// True if there are no warnings.
    fileprivate let isQuiet: Bool
    /// The lines that were carried out; nil if there is only one run.
    fileprivate let finished: FinishedLines?

    init(
        _ paths: BatchOptions.Paths, _ options: BatchOptions, _ interruption: Interruption,
        isQuiet: Bool
    ) {
        (self.paths, self.options, self.interruption) = (paths, options, interruption)
        self.isQuiet = isQuiet
        finished = options.isWatching ? FinishedLines() : nil
    }

    /// Renders the files of all lines that were not carried out before.
    ///
    /// - Throws: The reason why it ends early, or else the status: 65 if lines are at fault, or 1 if
    ///   files would change.
    func run(_ schema: RequestSchema, fonts: [String]) throws {
        let isStandard = paths.list == "-"
        let descriptor = isStandard ? 0 : open(paths.list, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw CommandFailure(
                .noInput, parameter: BatchOptions.listOption,
                message: "cannot read \(paths.list): \(StandardStreams.lastError)")
        }
        defer { if !isStandard { close(descriptor) } }
        let directory = try OutputDirectory(paths.directory, isCheck: options.isCheck)
        let catalog: FontCatalog
        do throws(LibraryFault) {
            catalog = try FontCatalog(directories: fonts)
        } catch {
            throw CommandFailure(RenderingError.library(error), hasTexts: false)
        }
        var settings = ServiceSettings()
        settings.rendering.schema = schema
        settings.rendering.limits = OneShotRenderer.limits
        let file = ListFile(descriptor, name: isStandard ? "standard input" : paths.list)
        let run = BatchRun(of: self, file, to: directory, settings, catalog)
        try run.work(on: options.workers ?? Processors.count)
    }

    /// Makes the next run carry out all lines.
    func forgetLines() { finished?.removeAll() }
}

/// The line that was carried out last for each output, which need not be carried out again.
private final class FinishedLines: Sendable {
    private let lineOfOutput = Mutex<[Digest: Digest]>([:])

    func insert(_ line: ListLine) {
        lineOfOutput.withLock { $0[Digest([line.path.text])] = line.digest }
    }

    func contains(_ line: ListLine) -> Bool {
        lineOfOutput.withLock { $0[Digest([line.path.text])] == line.digest }
    }

    func removeAll() { lineOfOutput.withLock { $0 = [:] } }
}

/// The processors that this process may use.
private enum Processors {
    static var count: Int {
        var mask = [UInt64](repeating: 0, count: 128)
        guard sched_getaffinity(0, mask.count * 8, &mask) >= 0 else { return 1 }
        return max(mask.reduce(0) { $0 + $1.nonzeroBitCount }, 1)
    }
}

/// The file, pipe, or device of a list.
private struct ListFile {
    private let descriptor: Int32
    private let name: String
    /// The bytes that were read.
    private var byteCount = 0
    /// The bytes of the file; nil for a pipe.
    private let fileBytes: Int?

    /// - Parameters:
    ///   - descriptor: An open file, pipe or device, which stays open.
    ///   - name: The name in failures.
    init(_ descriptor: Int32, name: String) {
        (self.descriptor, self.name) = (descriptor, name)
        var status = stat()
        let isFile = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        fileBytes = isFile ? Int(status.st_size) : nil
    }

    /// How much of the list is read, 0…1; nil where its length is unknown.
    var progress: Double? { fileBytes.map { Double(byteCount) / Double(max($0, 1)) } }

    /// Returns the next bytes; none at the end.
    ///
    /// - Throws: The reason why they cannot be read.
    mutating func read() throws(CommandFailure) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var count = Glibc.read(descriptor, &buffer, buffer.count)
        while count < 0, errno == EINTR { count = Glibc.read(descriptor, &buffer, buffer.count) }
        guard count >= 0 else {
            throw CommandFailure(
                .inputOutput, parameter: BatchOptions.listOption,
                message: "cannot read \(name): \(StandardStreams.lastError)")
        }
        byteCount += count
        return Array(buffer.prefix(count))
    }
}

/// The work on a list, which several threads share.
private final class BatchRun: Sendable {
    private struct State {
        var file: ListFile
        var list = FileList(longestLine: longestLine)
        let bar: ProgressBar
        var warnings = WarningGroups()
        /// The files that are different.
        var changed = 0
        /// The most serious kind of failure so far.
        var kind: CommandFailure.Kind?
        /// True once no more is to be done.
        var isEnding = false

        /// Returns the next line with a file; nil after the last.
        ///
        /// - Throws: The reason why no more can be read.
        mutating func next() throws(CommandFailure) -> FileList.Entry? {
            let entry = try list.next(upTo: mostLines + 1) { () throws(CommandFailure) in
                try file.read()
            }
            guard list.number <= mostLines else {
                throw CommandFailure(
                    .data, parameter: BatchOptions.listOption,
                    message: "the list has more than \(mostLines) lines")
            }
            bar.update(file.progress, note: "line \(list.number)")
            return entry
        }
    }

    /// The most lines of a list: a digest of each takes memory.
    private static let mostLines = 1_000_000
    /// The bytes that a line may have.
    private static let longestLine = 1 << 20

    private let state: Mutex<State>
    private let batch: Batch
    private let directory: OutputDirectory
    private let settings: ServiceSettings
    private let catalog: FontCatalog
    private let cache = SharedGlyphCache(capacity: RenderingSettings().glyphCacheBytes)

    init(
        of batch: Batch, _ file: sending ListFile, to directory: consuming OutputDirectory,
        _ settings: ServiceSettings, _ catalog: FontCatalog
    ) {
        batch.interruption.bar.begin()
        state = Mutex(State(file: file, bar: batch.interruption.bar))
        self.batch = batch
        self.directory = directory
        (self.settings, self.catalog) = (settings, catalog)
    }

    /// The list as messages name it.
    private var name: String { batch.paths.list }
    private var isCheck: Bool { batch.options.isCheck }

    /// Carries out the list.
    ///
    /// - Throws: The exit status, unless it is 0.
    func work(on threads: Int) throws {
        let running = DispatchGroup()
        for _ in 0..<threads {
            running.enter()
            do throws(LibraryFault) {
                try ThreadStarter.startThread { [self] in
                    defer { running.leave() }
                    work()
                }
            } catch {
                running.leave()
                end(with: CommandFailure(batch: error))
            }
        }
        running.wait()
        let (kind, changed, warnings) = state.withLock { state in
            state.bar.clear()
            return (state.kind, state.changed, state.warnings)
        }
        if !batch.isQuiet {
            for message in warnings.messages(about: name) { StandardStreams.writeError(message) }
        }
        if let kind { throw kind.exitCode }
        if isCheck, changed > 0 { throw ExitCode(1) }
    }

    /// Carries out one line after another.
    private func work() {
        do {
            let worker = try RenderWorker(catalog: catalog, cache: cache)
            while let (number, line) = next() { try carryOut(line, number, on: worker) }
        } catch {
            end(with: CommandFailure(batch: error))
        }
    }

    /// Returns the next line of the shard that was not carried out before; nil after the last.
    ///
    /// All lines are read, so that every shard knows the same outputs.
    private func next() -> (number: Int, ListLine)? {
        state.withLock { state in
            do throws(CommandFailure) {
                while !state.isEnding, let entry = try state.next() {
                    guard batch.options.shard.contains(line: entry.number) else { continue }
                    switch entry.line {
                    case .success(let line):
                        guard batch.finished?.contains(line) == true else {
                            return (entry.number, line)
                        }
                    case .failure(let error):
                        report(CommandFailure(batch: error), of: entry.number, &state)
                    }
                }
            } catch {
                Self.end(with: error, &state)
            }
            return nil
        }
    }

    /// - Throws: The reason why no more lines can be carried out.
    private func carryOut(
        _ line: ListLine, _ number: Int, on worker: RenderWorker
    ) throws(CommandFailure) {
        do {
            let (warnings, isChanged) = try render(line, on: worker)
            note(warnings, of: line, number, isChanged: isChanged)
        } catch {
            let failure = CommandFailure(batch: error)
            state.withLock { report(failure, of: number, &$0) }
            if failure.kind == .inputOutput { throw CommandFailure(.inputOutput, messages: []) }
        }
    }

    /// Renders the file of a line.
    ///
    /// - Returns: The warnings of the rendering; true if the file is different.
    private func render(
        _ line: ListLine, on worker: RenderWorker
    ) throws -> ([Warning], isChanged: Bool) {
        var file = try FileUpdate(line.path, in: directory, isCheck: isCheck, batch.interruption)
        let (request, format) = try line.request(settings)
        var rendering = try OneShotRenderer(
            of: request, as: format, schema: settings.rendering.schema, on: worker)
        // The rest makes no difference.
        while !(isCheck && file.isDifferent), let piece = try rendering.next() {
            try file.append(piece, in: directory)
        }
        try file.finish(in: directory)
        batch.finished?.insert(line)
        return (rendering.warnings, file.isDifferent)
    }

    // MARK: Messages

    private func note(
        _ warnings: [Warning], of line: ListLine, _ number: Int, isChanged: Bool
    ) {
        guard isChanged || !warnings.isEmpty else { return }
        state.withLock { state in
            state.warnings.add(warnings, of: number)
            guard isChanged else { return }
            state.changed += 1
            guard isCheck else { return }
            state.bar.clear()
            list(line.path, &state)
        }
    }

    /// Writes the path of a file that would change to standard output.
    private func list(_ path: OutputPath, _ state: inout State) {
        let line = Array((path.text + "\n").utf8)
        guard !StandardStreams.write(line, descriptor: 1) else { return }
        Self.end(with: StandardStreams.writeFailure(of: BatchOptions.checkOption), &state)
    }

    /// Writes the faults of a line.
    private func report(_ failure: CommandFailure, of number: Int, _ state: inout State) {
        state.bar.clear()
        for message in failure.messages {
            StandardStreams.writeError("error: \(name):\(number): \(message)")
        }
        // Whatever is wrong with a line is wrong data of the list.
        let kind = failure.kind == .usage ? .data : failure.kind
        if state.kind == nil || state.kind == .data { state.kind = kind }
    }

    private func end(with failure: CommandFailure) {
        state.withLock { Self.end(with: failure, &$0) }
    }

    private static func end(with failure: CommandFailure, _ state: inout State) {
        guard !state.isEnding else { return }
        state.isEnding = true
        state.bar.clear()
        _ = StandardStreams.report(failure)
        if state.kind == nil || state.kind == .data { state.kind = failure.kind }
    }
}

extension CommandFailure {
    /// The failure of a list, or of one of its lines.
    fileprivate init(batch error: any Error) {
        switch error {
        case let failure as CommandFailure: self = failure
        case let problem as Problem: self.init(problem)
        case let error as RenderingError: self.init(error, hasTexts: true)
        case let fault as LibraryFault: self.init(.library(fault), hasTexts: false)
        default: self.init(.software, messages: ["\(error)"])
        }
    }
}
