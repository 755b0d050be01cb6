import Bytes
import Motion
import Rendering

/// The reader of `--pictures`: a directory with an operator's own pictures, one file each, whose name is
/// that of the picture.
enum PictureDirectory {
    static let option = "pictures"

    private static let mostFiles = 256
    private static let mostBytes = 262_144

    private static let kinds: [(ending: String, kind: PictureFile.Kind)] = [
        (".png", .png), (".svg", .svg),
    ]

    /// Returns the pictures of a directory.
    ///
    /// Files that end in neither `.png` nor `.svg` are passed over; the others are read in the order of
    /// their names.
    ///
    /// - Throws: All faults of all files.
    static func pictures(at path: String) throws(CommandFailure) -> [TextPicture] {
        let directory = InputDirectory(parameter: option, path: path, mostFiles: mostFiles)
        var fileOfName: [Substring: String] = [:]
        return try directory.read(endingIn: kinds.map(\.ending)) { file throws(CommandFailure) in
            let name = file.dropLast(4)
            if let other = fileOfName.updateValue(file, forKey: name) {
                let message = "\(file): must have another name than \(other)"
                throw CommandFailure(.data, messages: [message])
            }
            let input = InputFile(parameter: file, name: "the file", limit: mostBytes)
            let bytes = try input.bytes(ofRegularFile: "\(path)/\(file)")
            let kind = kinds.first { file.hasSuffix($0.ending) }?.kind ?? .png
            do throws(RenderingError) {
                return try PictureFile.picture(in: bytes, as: kind, named: String(name))
            } catch {
                throw CommandFailure(.data, messages: error.messages(about: file))
            }
        }
    }
}
