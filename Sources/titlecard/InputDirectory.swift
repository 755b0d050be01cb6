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
    ///   - kind: The kind of the files.
    ///   - endings: The endings of names; other files are passed over.
    ///   - limit: The bytes that a file may have.
    /// - Returns: The files.
    /// - Throws: The reasons why some are not read.
    func files(
        _ kind: OperatorFile.Kind, endingIn endings: [String], limit: Int
    ) throws(CommandFailure) -> [OperatorFile] {
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
        return try files.collected { file throws(CommandFailure) in
            try InputFile(parameter: file, name: "the file", limit: limit)
                .operatorFile(kind, at: "\(path)/\(file)")
        }
    }
}

extension Sequence {
    /// Returns the content that is made of each element.
    ///
    /// - Throws: The failures of all elements as one.
    func collected<Content>(
        _ make: (Element) throws(CommandFailure) -> Content
    ) throws(CommandFailure) -> [Content] {
        var contents: [Content] = []
        var messages: [String] = []
        var kind = CommandFailure.Kind.data
        for element in self {
            do throws(CommandFailure) {
                contents.append(try make(element))
            } catch {
                if kind == .data { kind = error.kind }
                messages += error.messages
            }
        }
        guard messages.isEmpty else { throw CommandFailure(kind, messages: messages) }
        return contents
    }
}
