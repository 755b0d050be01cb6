import Bytes
import Rendering

/// The options of `titlecard render` for a list of files.
struct BatchOptions {
    static let listOption = "batch"
    static let directoryOption = "out"
    static let checkOption = "check"
    static let shardOption = "shard"
    static let workersOption = "workers"
    static let watchOption = "watch"

    /// The path of the list; `-` for standard input, nil where one file is rendered.
    var list: String?
    /// The directory of the files.
    var directory: String?
    /// True if nothing is to be written.
    var isCheck = false
    var shard = Shard.whole
    /// The number of threads.
    var workers: Int?
    /// True if changed lines are rendered again, without end.
    var isWatching = false

    /// All options.
    static let names = [
        listOption, directoryOption, checkOption, shardOption, workersOption, watchOption,
    ]
    /// The options that need no value.
    static let flags = [checkOption, watchOption]
    private static let mostWorkers = 1024

    /// Takes an option.
    ///
    /// - Returns: False for an option of another kind.
    mutating func take(_ name: String, _ value: String) throws(CommandFailure) -> Bool {
        switch name {
        case Self.listOption: list = value
        case Self.directoryOption: directory = value
        case Self.checkOption: isCheck = try Self.flag(value, of: name)
        case Self.watchOption: isWatching = try Self.flag(value, of: name)
        case Self.shardOption:
            guard let shard = Shard(value) else {
                throw CommandFailure(
                    .usage, parameter: name,
                    message: "must be INDEX/COUNT, the index from 0 and less than the count, "
                        + "such as 3/16; got \"\(value)\"")
            }
            self.shard = shard
        case Self.workersOption:
            guard let number = Int(value), (1...Self.mostWorkers).contains(number) else {
                throw CommandFailure(
                    .usage, parameter: name,
                    message: "must be a number from 1 to \(Self.mostWorkers); got \"\(value)\"")
            }
            workers = number
        default: return false
        }
        guard !value.isEmpty else {
            throw CommandFailure(.usage, parameter: name, message: "must not be empty")
        }
        return true
    }

    static func flag(_ value: String, of name: String) throws(CommandFailure) -> Bool {
        switch value {
        case "true": return true
        case "false": return false
        default:
            throw CommandFailure(
                .usage, parameter: name, message: "must be true or false; got \"\(value)\"")
        }
    }

    /// Returns the list and the directory; nil where one file is rendered.
    ///
    /// - Throws: A fault of options that do not go together.
    func checked(beside raw: RawRequest, output: String?) throws(CommandFailure) -> Paths? {
        guard let list else {
            let isUnused = directory == nil && !isCheck && shard == .whole && workers == nil
            guard isUnused else {
                throw CommandFailure(
                    .usage, parameter: Self.listOption,
                    message: "is required for --out, --check, --shard and --workers")
            }
            return nil
        }
        guard let directory else {
            throw CommandFailure(
                .usage, parameter: Self.directoryOption, message: "is required for --batch")
        }
        guard raw.texts.isEmpty, raw.values.isEmpty, output == nil else {
            throw CommandFailure(
                .usage, parameter: Self.listOption,
                message: "takes texts, parameters, and outputs only from the list")
        }
        guard !isWatching || list != "-" && !isCheck else {
            throw CommandFailure(
                .usage, parameter: Self.watchOption,
                message: "needs a list in a file, and cannot be used with --check")
        }
        return Paths(list: list, directory: directory)
    }

    struct Paths {
        let list: String
        let directory: String
    }
}

/// The part of a list that one of several processes renders: the lines whose number, from 1, leaves
/// a remainder.
struct Shard: Equatable, Sendable {
    static let whole = Shard(index: 0, count: 1)

    private let index: Int
    private let count: Int

    private init(index: Int, count: Int) {
        (self.index, self.count) = (index, count)
    }

    /// Reads `INDEX/COUNT`; nil if it is none.
    init?(_ text: String) {
        let parts = text.pieces(separatedBy: "/").map { part in
            part.utf8.allSatisfy(\.isASCIIDigit) ? Int(part) : nil
        }
        guard parts.count == 2, let index = parts[0], let count = parts[1], index < count else {
            return nil
        }
        (self.index, self.count) = (index, count)
    }

    func contains(line number: Int) -> Bool { number % count == index }
}
