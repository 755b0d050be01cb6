import Bytes

/// A directory with files of an operator's own.
struct InputDirectory {
    /// The argument that names it.
    let parameter: String
    let path: String
    let mostFiles: Int

    /// Reads the files with certain endings, in the order of their names; they may be links.
    ///
    /// - Parameters:
    ///   - endings: The endings of names; other files are passed over.
    ///   - read: Reads the file of a name.
    /// - Returns: What is read.
    /// - Throws: The faults of all files.
    func read<Content>(
        endingIn endings: [String],
        _ read: (_ file: String) throws(CommandFailure) -> Content
    ) throws(CommandFailure) -> [Content] {
        guard let names = DirectoryNames.sorted(in: path) else {
            throw CommandFailure(
                .noInput, parameter: parameter,
                message: "cannot read the directory \(path): \(StandardStreams.lastError)")
        }
        let files = names.filter { name in endings.contains { name.hasSuffix($0) } }
        guard files.count <= mostFiles else {
            throw CommandFailure(
                .data, parameter: parameter,
                message: "\(path) has \(files.count) files; the limit is \(mostFiles)")
        }
        var contents: [Content] = []
        var messages: [String] = []
        var kind = CommandFailure.Kind.data
        for file in files {
            do throws(CommandFailure) {
                contents.append(try read(file))
            } catch {
                if kind == .data { kind = error.kind }
                messages += error.messages
            }
        }
        guard messages.isEmpty else { throw CommandFailure(kind, messages: messages) }
        return contents
    }
}
