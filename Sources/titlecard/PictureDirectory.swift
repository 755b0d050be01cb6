import Bytes
import Motion
import Rendering

/// The reader of `--pictures`: a directory with an operator's own pictures, one file each, which
/// has the name of the picture.
enum PictureDirectory {
    static let option = "pictures"

    private static let mostFiles = 256
    private static let mostBytes = 4_194_304

    private static let kinds: [(ending: String, kind: PictureFile.Kind)] = [
        (".png", .pixels), (".webp", .pixels), (".svg", .svg),
    ]

    /// Reads the files of a directory; files that end otherwise than `kinds` are passed over.
    static func files(at path: String) throws(CommandFailure) -> [OperatorFile] {
        try InputDirectory(parameter: option, path: path, mostFiles: mostFiles)
            .files(.picture, endingIn: kinds.map(\.ending), limit: mostBytes)
    }

    /// Returns the pictures in files.
    ///
    /// - Throws: All faults of all files.
    static func pictures(in files: [OperatorFile]) throws(CommandFailure) -> [TextPicture] {
        var fileOfName: [Substring: String] = [:]
        return try files.collected { file throws(CommandFailure) in
            let (ending, kind) = kinds.first { file.name.hasSuffix($0.ending) } ?? kinds[0]
            let name = file.name.dropLast(ending.utf8.count)
            if let other = fileOfName.updateValue(file.name, forKey: name) {
                let message = "\(file.name): must have another name than \(other)"
                throw CommandFailure(.data, messages: [message])
            }
            do throws(RenderingError) {
                return try PictureFile.picture(in: file.bytes, as: kind, named: String(name))
            } catch {
                throw CommandFailure(.data, messages: error.messages(about: file.name))
            }
        }
    }
}
