import Bytes
import Motion
import Rendering

/// The reader of `--pictures`: a directory with an operator's own pictures, one file each, which
/// has the name of the picture.
enum PictureDirectory {
    static let option = "pictures"

    private static let mostFiles = 256
    private static let mostBytes = 262_144

    private static let kinds: [(ending: String, kind: PictureFile.Kind)] = [
        (".png", .png), (".svg", .svg),
    ]

    /// Reads the files of a directory; files that end in neither `.png` nor `.svg` are passed over.
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
            let name = file.name.dropLast(4)
            if let other = fileOfName.updateValue(file.name, forKey: name) {
                let message = "\(file.name): must have another name than \(other)"
                throw CommandFailure(.data, messages: [message])
            }
            let kind = kinds.first { file.name.hasSuffix($0.ending) }?.kind ?? .png
            do throws(RenderingError) {
                return try PictureFile.picture(in: file.bytes, as: kind, named: String(name))
            } catch {
                throw CommandFailure(.data, messages: error.messages(about: file.name))
            }
        }
    }
}
