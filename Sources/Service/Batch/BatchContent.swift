import Dispatch
import Encoders
import HTTP
import Lists
import Motion
import Rendering
import Synchronization

/// The archive of the files of a list, which is made while it is sent.
///
/// A few lines are under way beyond what the client has taken, so that render threads need not wait
/// for it, nor for each other.
final class BatchContent: BodySource {
    private struct State {
        var archive = BatchArchive()
        /// The lines that readers are about to read.
        var beginning = 0
        /// True once all lines were read.
        var isRead = false
        /// True once the directory was delivered.
        var isWhole = false
        /// Takes the next piece; nil while the client has no room.
        var deliver: (@Sendable (BodyPiece) -> Void)?
        /// The place among the lists under way; nil once it is left to others.
        var place: BatchPlace?
    }

    private enum Step {
        case wait
        case deliver([UInt8], @Sendable (BodyPiece) -> Void)
        case end(@Sendable (BodyPiece) -> Void)
    }

    fileprivate let sender: BatchSender
    fileprivate let resources: RouteResources
    private let windowLength: Int
    /// The bytes of the list, for which memory is reserved.
    private let listBytes: Int
    /// The rest of the list, which only readers read; locked before the state.
    private let list: Mutex<FileList>
    private let state: Mutex<State>
    private let isCancelled = Atomic(false)

    /// - Parameters:
    ///   - list: The bytes of the list, for which memory is reserved.
    ///   - sender: The client, and its request.
    ///   - place: The place among the lists under way.
    ///   - resources: The parts of the service.
    init(
        _ list: [UInt8], from sender: BatchSender, _ place: BatchPlace,
        _ resources: RouteResources
    ) {
        (self.sender, self.resources) = (sender, resources)
        windowLength = min(resources.settings.rendering.workers, 7) + 1
        listBytes = list.count
        self.list = Mutex(
            FileList(
                list, longestLine: resources.settings.http.bodyBytes,
                reserving: [BatchArchive.errorsName]))
        state = Mutex(State(place: place))
    }

    deinit {
        let waiting = state.withLock { $0.archive.waitingBytes }
        resources.renderer.budget.release(listBytes + waiting, for: .renderings)
    }

    // MARK: Body

    func nextPiece(_ deliver: @escaping @Sendable (BodyPiece) -> Void) {
        state.withLock { $0.deliver = deliver }
        advance()
    }

    func cancel() {
        isCancelled.store(true, ordering: .releasing)
        state.withLock { state in
            state.deliver = nil
            state.place = nil
        }
    }

    /// True if nobody wants the rest.
    var isAbandoned: Bool { isCancelled.load(ordering: .acquiring) }

    /// Begins lines for which there is room, and delivers finished files.
    private func advance() {
        var (begun, step) = state.withLock { state in (begin(&state), next(&state)) }
        switch step {
        case .wait: break
        case .deliver(let bytes, let deliver): deliver(.bytes(bytes))
        case .end(let deliver): deliver(.end)
        }
        // Finished lines leave room for others.
        if case .wait = step { begun += state.withLock { begin(&$0) } }
        for _ in 0..<begun { readLine() }
    }

    /// Returns the number of lines that are to be read.
    private func begin(_ state: inout State) -> Int {
        let known = state.beginning
        while !state.isRead, state.archive.lineCount + state.beginning < windowLength,
            state.archive.hasRoom(besides: state.beginning)
        {
            state.beginning += 1
        }
        return state.beginning - known
    }

    /// Takes the next piece.
    private func next(_ state: inout State) -> Step {
        guard let deliver = state.deliver else { return .wait }
        let waiting = state.archive.waitingBytes
        var bytes = state.archive.takeFiles()
        resources.renderer.budget.release(
            waiting - state.archive.waitingBytes, for: .renderings)
        if bytes.isEmpty {
            guard state.isRead, state.archive.lineCount == 0 else { return .wait }
            guard !state.isWhole else {
                state.deliver = nil
                return .end(deliver)
            }
            state.isWhole = true
            // Before the client has the end, after which it may send another list.
            state.place = nil
            bytes = state.archive.end()
        }
        state.deliver = nil
        return .deliver(bytes, deliver)
    }

    // MARK: Lines

    /// Has the next line read and carried out on another thread.
    private func readLine() {
        guard !isAbandoned else { return }
        resources.readers.submit(
            SharedThreads.Job(
                for: sender.client, isNeeded: { [self] in !isAbandoned },
                refuse: { [self] in later { [self] in readLine() } },
                run: { [self] in carryOutNextLine() }))
    }

    private func carryOutNextLine() {
        guard !isAbandoned else { return }
        let start = now
        let entry = list.withLock { list in
            let entry = list.next { [] }
            state.withLock { state in
                state.beginning -= 1
                if let entry { state.archive.begin(entry.number) } else { state.isRead = true }
            }
            return entry
        }
        guard let entry else { return advance() }
        do throws(Problem) {
            let line = try Problem.catching(entry.line.get)
            let (request, format) = try line.request(resources.settings, by: sender.permission)
            let resolved = try Problem.catching { () throws(RenderingError) in
                try ResolvedRequest(request, as: format, fonts: resources.fonts)
            }
            render(
                BatchFile(number: entry.number, path: line.path, request: resolved), since: start)
        } catch {
            end(entry.number, entry.path, with: error, since: start)
        }
    }

    /// Renders as soon as the limit on the client's address allows it.
    private func render(_ file: BatchFile, since start: Int64) {
        func fail(_ problem: Problem) { end(file.number, file.path, with: problem, since: start) }
        guard !resources.drain.isDraining else { return fail(.draining) }
        let wait = sender.address.flatMap { resources.limiter?.take(for: $0) }
        guard let wait else { return BatchRendering(of: file, for: self).begin() }
        guard wait <= Self.longestWait else { return fail(.tooManyRequests(retryAfter: wait)) }
        // A second at most may be far less; a drain is noticed within one.
        later(wait > 1 ? .seconds(1) : Self.pause) { [self] in render(file, since: start) }
    }

    /// Ends a line with its file.
    ///
    /// - Returns: False if there is no memory in which the file could wait for the client; the file
    ///   that the client takes next always gets memory.
    fileprivate func end(
        _ file: BatchFile, with content: ZipArchive.Content, isCached: Bool?, since start: Int64
    ) -> Bool {
        let entry = ZipArchive.File(file.path.text, content)
        let bytes = entry.bytes.count
        let isReserved = state.withLock { state in
            resources.renderer.budget.reserve(
                bytes, for: .renderings, isFirst: state.archive.nextLine == file.number)
        }
        guard isReserved else { return false }
        let labels = RenderingLabels(format: file.request.formatType.name, isCached: isCached)
        sender.context.countPart(nil, rendering: labels, bytes: bytes, since: start)
        end(file.number, .file(file.path, entry))
        return true
    }

    /// Ends a line without a file.
    fileprivate func end(
        _ number: Int, _ path: OutputPath?, with problem: Problem, since start: Int64
    ) {
        sender.context.countPart(problem, rendering: .none, bytes: 0, since: start)
        end(number, .failure(path, problem))
    }

    private func end(_ number: Int, _ outcome: BatchArchive.Outcome) {
        state.withLock { $0.archive.end(number, outcome) }
        advance()
    }

    // MARK: Time

    private static let timer = DispatchQueue(label: "titlecard.batch")
    /// The pause before a line for which there was no room is tried again.
    private static let pause = DispatchTimeInterval.milliseconds(100)
    /// The seconds that a line waits for the limit on its address.
    private static let longestWait = 60

    /// The instant, in nanoseconds of the clock.
    fileprivate var now: Int64 { resources.settings.clock.monotonic() }

    /// Does work a little later, if the archive is still wanted then.
    fileprivate func later(
        _ pause: DispatchTimeInterval = pause, _ work: @escaping @Sendable () -> Void
    ) {
        Self.timer.asyncAfter(deadline: .now() + pause) { [self] in
            if !isAbandoned { work() }
        }
    }
}

/// A file of a list that is to be rendered.
private struct BatchFile: Sendable {
    /// The number of its line.
    let number: Int
    let path: OutputPath
    let request: ResolvedRequest
}

/// The rendering of one file.
private final class BatchRendering: RenderingReceiver {
    private let file: BatchFile
    private let content: BatchContent
    /// The instant from which it may begin.
    private let start: Int64

    /// The most bytes of a file that is made in pieces.
    private static let mostBytes = 16 << 20

    init(of file: BatchFile, for content: BatchContent) {
        (self.file, self.content, start) = (file, content, content.now)
    }

    var isAbandoned: Bool { content.isAbandoned }
    var client: ClientID { content.sender.client }

    func begin() {
        content.resources.renderer.render(
            file.request, wantsGzip: file.request.formatType.isText, for: self)
    }

    func receive(_ result: Result<RenderedOutput, RenderingError>) {
        switch result {
        case .success(let output):
            switch output.content {
            case .plain(let bytes): end(with: .stored(bytes), output)
            case .gzip(let bytes): end(with: .gzip(bytes), output)
            case .stream(let stream): collect(stream, output)
            case .omitted: fail(with: Problem(.stopped))
            }
        case .failure(let error):
            let isBusy = [.queueFull, .queueShare, .memoryFull, .streamMemoryFull].contains(error)
            if isBusy { tryAgain(after: Problem(error)) } else { fail(with: Problem(error)) }
        }
    }

    /// Renders again a little later, as long as there is time; otherwise fails.
    private func tryAgain(after problem: Problem) {
        let elapsed = Duration.nanoseconds(content.now - start)
        guard elapsed < content.resources.settings.rendering.deadline,
            !content.resources.drain.isDraining
        else { return fail(with: problem) }
        content.later { [self] in begin() }
    }

    /// Reads a file that is made while it is read.
    private func collect(_ stream: RenderedStream, _ output: RenderedOutput) {
        let collector = FileCollector(
            stream, limit: Self.mostBytes, budget: content.resources.renderer.budget,
            isAbandoned: { [self] in isAbandoned }
        ) { [self] outcome in
            switch outcome {
            case .whole(let bytes): end(with: .stored(bytes), output)
            case .tooLong: fail(with: .fileTooLarge(Self.mostBytes))
            case .memoryFull: tryAgain(after: Problem(.memoryFull))
            // If a rendering is not kept, each of its readers goes on by itself, for which memory
            // may be short.
            case .failed(let problem): if !isAbandoned { tryAgain(after: problem) }
            }
        }
        collector.collect()
    }

    private func end(with bytes: ZipArchive.Content, _ output: RenderedOutput) {
        guard !content.end(file, with: bytes, isCached: output.isCached, since: start) else {
            return
        }
        tryAgain(after: Problem(.memoryFull))
    }

    private func fail(with problem: Problem) {
        content.end(file.number, file.path, with: problem, since: start)
    }
}

extension Problem {
    fileprivate static func fileTooLarge(_ limit: Int) -> Problem {
        Problem(
            .contentTooLarge, "The file has more than \(limit) bytes; ask for it by itself")
    }
}
