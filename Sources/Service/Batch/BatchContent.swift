import Bytes
import Dispatch
import Encoders
import HTTP
import Motion
import Rendering
import Synchronization

/// The archive of the files of a list, which is made while it is sent.
///
/// Files stand in the order of their lines. A few lines are under way beyond what the client has
/// taken, so that render threads need not wait for it, nor for each other. The last file tells which
/// lines failed.
final class BatchContent: BodySource {
    private struct State {
        var list: BatchList
        var archive = ZipArchive()
        var errors = BatchErrors()
        /// The lines that are under way, in their order.
        var window: [Slot] = []
        var outputs = OutputTable(reserving: [errorsName])
        /// Takes the next piece; nil while the client has no room.
        var deliver: (@Sendable (BodyPiece) -> Void)?
        /// The place among the lists under way; nil once it is left to others.
        var place: BatchPlace?
        /// The bytes that are reserved: the bytes of the list, and of files that wait for the
        /// client.
        var reserved = 0
        /// The bytes of the largest file so far; nil before the first.
        var largestFile: Int?
        /// True once the directory was delivered.
        var isWhole = false
    }

    private struct Slot {
        let number: Int
        var outcome: Outcome?
    }

    private enum Outcome: Sendable {
        /// A comment, or a blank line.
        case nothing
        case file(OutputPath, ZipArchive.File)
        case failure(OutputPath?, Problem)

        var path: OutputPath? {
            switch self {
            case .nothing: nil
            case .file(let path, _): path
            case .failure(let path, _): path
            }
        }
    }

    private enum Step {
        case wait
        case deliver([UInt8], @Sendable (BodyPiece) -> Void)
        case end(@Sendable (BodyPiece) -> Void)
    }

    let client: ClientID
    private let context: RequestContext
    private let permission: Permission
    private let resources: RouteResources
    private let takeToken: @Sendable () -> Int?
    private let windowLength: Int
    private let state: Mutex<State>
    private let isCancelled = Atomic(false)

    /// The bytes of files that wait for the client, from which no further line is begun.
    private static let mostWaiting = 16 << 20
    /// The bytes of small files that are sent together.
    private static let pieceBytes = 65_536
    /// The name of the last file.
    static let errorsName = "errors.jsonl"

    /// - Parameters:
    ///   - list: The lines, for whose bytes memory is reserved.
    ///   - context: The request.
    ///   - permission: The permission of lines.
    ///   - client: The client whose share the renderings take.
    ///   - place: The place among the lists under way.
    ///   - resources: The parts of the service.
    ///   - takeToken: Counts a rendering against the limit on the client's address; returns the
    ///     seconds until there may be another one.
    init(
        _ list: BatchList, _ context: RequestContext, _ permission: Permission, client: ClientID,
        _ place: BatchPlace, _ resources: RouteResources,
        takeToken: @escaping @Sendable () -> Int?
    ) {
        self.client = client
        self.context = context
        self.permission = permission
        self.resources = resources
        self.takeToken = takeToken
        windowLength = min(resources.settings.rendering.workers, 7) + 1
        var state = State(list: list, place: place)
        state.reserved = list.byteCount
        self.state = Mutex(state)
    }

    deinit {
        resources.renderer.budget.release(state.withLock { $0.reserved }, for: .renderings)
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
        var (started, step) = state.withLock { state in (begin(&state), next(&state)) }
        switch step {
        case .wait: break
        case .deliver(let bytes, let deliver): deliver(.bytes(bytes))
        case .end(let deliver): deliver(.end)
        }
        // Finished lines leave room for others.
        if case .wait = step { started += state.withLock { begin(&$0) } }
        for line in started { start(line) }
    }

    /// Puts lines under way.
    private func begin(_ state: inout State) -> [BatchList.Line] {
        var started: [BatchList.Line] = []
        while state.window.count < windowLength, hasRoom(state), let line = state.list.next() {
            state.window.append(Slot(number: line.number))
            started.append(line)
        }
        return started
    }

    /// True if another file may wait. A file under way counts as the largest file before it, and
    /// the first file as all the room.
    private func hasRoom(_ state: borrowing State) -> Bool {
        let waiting = state.reserved - state.list.byteCount
        let underWay = state.window.count { $0.outcome == nil }
        return waiting + underWay * (state.largestFile ?? Self.mostWaiting)
            < Self.mostWaiting
    }

    /// Takes the files of finished lines, in their order.
    private func next(_ state: inout State) -> Step {
        guard let deliver = state.deliver else { return .wait }
        var bytes: [UInt8] = []
        while bytes.count < Self.pieceBytes, let slot = state.window.first,
            let outcome = slot.outcome
        {
            state.window.removeFirst()
            guard let file = file(of: outcome, slot.number, &state) else { continue }
            if bytes.isEmpty { bytes = file.bytes } else { bytes += file.bytes }
        }
        if bytes.isEmpty {
            guard state.window.isEmpty, state.list.isAtEnd else { return .wait }
            guard !state.isWhole else {
                state.deliver = nil
                return .end(deliver)
            }
            state.isWhole = true
            // Before the client has the end, after which it may send another list.
            state.place = nil
            let errors = ZipArchive.File(Self.errorsName, .stored(state.errors.bytes))
            state.archive.add(errors)
            bytes = errors.bytes + state.archive.end()
        }
        state.deliver = nil
        return .deliver(bytes, deliver)
    }

    /// Returns the file of a line that is done; notes its failure if it has none.
    private func file(
        of outcome: Outcome, _ number: Int, _ state: inout State
    ) -> ZipArchive.File? {
        if case .file(_, let file) = outcome {
            state.reserved -= file.bytes.count
            resources.renderer.budget.release(file.bytes.count, for: .renderings)
        }
        if let path = outcome.path {
            do throws(Problem) {
                try state.outputs.add(path, of: number)
            } catch {
                state.errors.add(error, path, number)
                return nil
            }
        }
        switch outcome {
        case .nothing: break
        case .failure(let path, let problem): state.errors.add(problem, path, number)
        case .file(let path, let file):
            if state.archive.hasRoom(for: file, reserve: BatchErrors.mostBytes) {
                state.archive.add(file)
                return file
            }
            state.errors.add(.archiveFull, path, number)
        }
        return nil
    }

    // MARK: Lines

    private func start(_ line: BatchList.Line) {
        guard !isAbandoned else { return }
        resources.readers.submit(
            SharedThreads.Job(
                for: client, isNeeded: { [self] in !isAbandoned },
                refuse: { [self] in later { [self] in start(line) } },
                run: { [self] in carryOut(line) }))
    }

    private func carryOut(_ line: BatchList.Line) {
        guard !isAbandoned else { return }
        let start = resources.settings.clock.monotonic()
        var path: OutputPath?
        do throws(Problem) {
            guard let bytes = line.bytes else {
                throw Problem(line: "has more than \(resources.settings.http.bodyBytes) bytes")
            }
            guard let parsed = try BatchLine(bytes) else { return finish(line.number, .nothing) }
            path = parsed.path
            let request = try parsed.request(resources.settings, by: permission)
            let resolved = try Problem.catching { () throws(RenderingError) in
                try ResolvedRequest(request.request, as: request.format, fonts: resources.fonts)
            }
            render(resolved, for: line.number, parsed.path, since: start)
        } catch {
            fail(line.number, path, with: error, since: start)
        }
    }

    /// Renders as soon as the limit on the client's address allows it.
    private func render(
        _ request: ResolvedRequest, for number: Int, _ path: OutputPath, since start: Int64
    ) {
        guard !resources.drain.isDraining else {
            return fail(number, path, with: .draining, since: start)
        }
        guard let seconds = takeToken() else {
            let receiver = BatchRendering(
                self, number, path, request, start: resources.settings.clock.monotonic())
            return render(request, for: receiver)
        }
        guard seconds <= Self.longestWait else {
            let problem = Problem.tooManyRequests(retryAfter: seconds)
            return fail(number, path, with: problem, since: start)
        }
        // A second at most may be far less; a drain is noticed within one.
        later(seconds > 1 ? .seconds(1) : Self.pause) { [self] in
            render(request, for: number, path, since: start)
        }
    }

    /// Ends a line with its file.
    ///
    /// - Returns: False if there is no memory in which the file could wait for the client; the file
    ///   that the client takes next always gets memory.
    fileprivate func finish(
        _ number: Int, _ path: OutputPath, _ content: ZipArchive.Content,
        _ rendering: RenderingLabels, since start: Int64
    ) -> Bool {
        let file = ZipArchive.File(path.text, content)
        let bytes = file.bytes.count
        let isReserved = state.withLock { state in
            let isNext = state.window.first?.number == number
            guard resources.renderer.budget.reserve(bytes, for: .renderings, isFirst: isNext) else {
                return false
            }
            state.reserved += bytes
            state.largestFile = max(state.largestFile ?? 0, bytes)
            return true
        }
        guard isReserved else { return false }
        context.countPart(nil, rendering: rendering, bytes: bytes, since: start)
        finish(number, .file(path, file))
        return true
    }

    /// Ends a line without a file.
    fileprivate func fail(
        _ number: Int, _ path: OutputPath?, with problem: Problem, since start: Int64
    ) {
        context.countPart(problem, rendering: .none, bytes: 0, since: start)
        finish(number, .failure(path, problem))
    }

    private func finish(_ number: Int, _ outcome: Outcome) {
        state.withLock { state in
            guard let index = state.window.firstIndex(where: { $0.number == number }) else {
                return
            }
            state.window[index].outcome = outcome
        }
        advance()
    }

    // MARK: Renderings

    private static let timer = DispatchQueue(label: "titlecard.batch")
    /// The pause before a line for which there was no room is tried again.
    private static let pause = DispatchTimeInterval.milliseconds(100)
    /// The seconds that a line waits for the limit on its address.
    private static let longestWait = 60

    /// Does work a little later, if the archive is still wanted then.
    fileprivate func later(
        _ pause: DispatchTimeInterval = pause, _ work: @escaping @Sendable () -> Void
    ) {
        Self.timer.asyncAfter(deadline: .now() + pause) { [self] in
            if !isAbandoned { work() }
        }
    }

    /// True if a rendering that began at an instant may be tried again.
    fileprivate func mayRepeat(since start: Int64) -> Bool {
        let elapsed = Duration.nanoseconds(resources.settings.clock.monotonic() - start)
        return elapsed < resources.settings.rendering.deadline && !resources.drain.isDraining
    }

    fileprivate func render(_ request: ResolvedRequest, for receiver: BatchRendering) {
        resources.renderer.render(request, wantsGzip: request.formatType.isText, for: receiver)
    }

    /// Reads a file that is made in pieces.
    fileprivate func collect(
        _ stream: RenderedStream, _ finish: @escaping @Sendable (FileCollector.Outcome) -> Void
    ) {
        let collector = FileCollector(
            stream, limit: BatchRendering.mostBytes, budget: resources.renderer.budget,
            isAbandoned: { [self] in isAbandoned }, finish: finish)
        collector.collect()
    }
}

/// The rendering of one line.
private final class BatchRendering: RenderingReceiver {
    private let content: BatchContent
    private let number: Int
    private let path: OutputPath
    private let request: ResolvedRequest
    /// The instant from which the rendering might begin.
    private let start: Int64

    /// The most bytes of a file that is made in pieces.
    static let mostBytes = 16 << 20

    init(
        _ content: BatchContent, _ number: Int, _ path: OutputPath, _ request: ResolvedRequest,
        start: Int64
    ) {
        self.content = content
        self.number = number
        self.path = path
        self.request = request
        self.start = start
    }

    var isAbandoned: Bool { content.isAbandoned }
    var client: ClientID { content.client }

    func receive(_ result: Result<RenderedOutput, RenderingError>) {
        switch result {
        case .success(let output):
            switch output.content {
            case .plain(let bytes): finish(.stored(bytes), output)
            case .gzip(let bytes): finish(.gzip(bytes), output)
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
        guard content.mayRepeat(since: start) else { return fail(with: problem) }
        content.later { [self] in content.render(request, for: self) }
    }

    /// Reads a file that is made while it is read.
    private func collect(_ stream: RenderedStream, _ output: RenderedOutput) {
        content.collect(stream) { [self] outcome in
            switch outcome {
            case .whole(let bytes): finish(.stored(bytes), output)
            case .tooLong: fail(with: .fileTooLarge(Self.mostBytes))
            case .memoryFull: tryAgain(after: Problem(.memoryFull))
            // If a rendering is not kept, each of its readers goes on by itself, for which memory
            // may be short.
            case .failed(let problem): if !isAbandoned { tryAgain(after: problem) }
            }
        }
    }

    private func finish(_ file: ZipArchive.Content, _ output: RenderedOutput) {
        let labels = RenderingLabels(
            format: request.formatType.name, isCached: output.isCached)
        if !content.finish(number, path, file, labels, since: start) {
            tryAgain(after: Problem(.memoryFull))
        }
    }

    private func fail(with problem: Problem) {
        content.fail(number, path, with: problem, since: start)
    }
}

extension Problem {
    fileprivate static let archiveFull = Problem(
        .contentTooLarge, "The archive would have more than 4 GiB; ask for this file by itself")

    fileprivate static func fileTooLarge(_ limit: Int) -> Problem {
        Problem(
            .contentTooLarge, "The file has more than \(limit) bytes; ask for it by itself")
    }
}

/// The content of `errors.jsonl`: a problem for each line that failed.
private struct BatchErrors {
    /// The bytes from which only line, output, status and title are noted.
    private static let detailedBytes = 1 << 20
    /// The bytes of the most lines that there may be, without details.
    static let mostBytes = 256 << 20

    private(set) var bytes: [UInt8] = []

    mutating func add(_ problem: Problem, _ path: OutputPath?, _ number: Int) {
        var problem = problem
        if bytes.count > Self.detailedBytes { problem.faults = [] }
        let errors = problem.faults.map { fault -> JSONNode in
            ["parameter": .string(fault.parameter), "message": .string(fault.message)]
        }
        let node: JSONNode = [
            "line": .number(Double(number)), "output": path.map { .string($0.text) } ?? .null,
            "title": .string(problem.title), "status": .number(Double(problem.status.code)),
            "errors": .array(errors),
        ]
        bytes += node.line
        bytes.append(UInt8(ascii: "\n"))
    }
}
