import Bytes
import Encoders
import HTTP
import Lists
import Rendering

/// The archive of the files of a list, as far as they are made.
///
/// Files stand in the order of their lines. The last file tells which lines failed.
struct BatchArchive: Sendable {
    enum Outcome: Sendable {
        case file(OutputPath, ZipArchive.File)
        case failure(OutputPath?, Problem)
    }

    private struct Slot: Sendable {
        let number: Int
        var outcome: Outcome?
    }

    private var archive = ZipArchive()
    private var errors = BatchErrors()
    /// The lines that are under way, in their order.
    private var window: [Slot] = []
    /// The bytes of files that wait for the client.
    private(set) var waitingBytes = 0
    /// The bytes of the largest file so far; nil before the first.
    private var largestFile: Int?

    /// The name of the last file.
    static let errorsName = "errors.jsonl"
    /// The bytes of files that wait for the client, from which no further line is begun.
    private static let mostWaiting = 16 << 20
    /// The bytes of small files that are sent together.
    private static let pieceBytes = 65_536

    /// The number of lines under way.
    var lineCount: Int { window.count }

    /// The number of the line whose file the client gets next.
    var nextLine: Int? { window.first?.number }

    /// True if the file of another line may wait besides those of the window and of so many lines
    /// that are about to begin.
    ///
    /// A file under way counts as the largest file before it, and the first file as all the room.
    func hasRoom(besides beginning: Int) -> Bool {
        let underWay = window.count { $0.outcome == nil } + beginning
        return waitingBytes + underWay * (largestFile ?? Self.mostWaiting) < Self.mostWaiting
    }

    /// Puts a line under way, behind all others.
    mutating func begin(_ number: Int) { window.append(Slot(number: number)) }

    /// Ends a line.
    mutating func end(_ number: Int, _ outcome: Outcome) {
        guard let index = window.firstIndex(where: { $0.number == number }) else { return }
        window[index].outcome = outcome
        guard case .file(_, let file) = outcome else { return }
        waitingBytes += file.bytes.count
        largestFile = max(largestFile ?? 0, file.bytes.count)
    }

    /// Takes the files of finished lines, in their order; none if the next one is not finished.
    mutating func takeFiles() -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < Self.pieceBytes, let slot = window.first, let outcome = slot.outcome {
            window.removeFirst()
            switch outcome {
            case .failure(let path, let problem): errors.add(problem, path, slot.number)
            case .file(let path, let file):
                waitingBytes -= file.bytes.count
                guard archive.hasRoom(for: file, reserve: BatchErrors.mostBytes) else {
                    errors.add(.archiveFull, path, slot.number)
                    continue
                }
                archive.add(file)
                if bytes.isEmpty { bytes = file.bytes } else { bytes += file.bytes }
            }
        }
        return bytes
    }

    /// Returns the last file, and the directory.
    mutating func end() -> [UInt8] {
        let file = ZipArchive.File(Self.errorsName, .stored(errors.bytes))
        archive.add(file)
        return file.bytes + archive.end()
    }
}

extension Problem {
    fileprivate static let archiveFull = Problem(
        .contentTooLarge, "The archive would have more than 4 GiB; ask for this file by itself")
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
        let node: JSONNode = [
            "line": .number(Double(number)), "output": path.map { .string($0.text) } ?? .null,
            "title": .string(problem.title), "status": .number(Double(problem.status.code)),
            "errors": problem.errors,
        ]
        bytes += node.line
        bytes.append(UInt8(ascii: "\n"))
    }
}
