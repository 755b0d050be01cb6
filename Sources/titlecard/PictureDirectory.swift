import Bytes
import Motion
import Rendering

/// The reader of `--pictures`: a directory with an operator's own pictures, one file each, whose name is
/// that of the picture.
enum PictureDirectory {
    static let option = "pictures"

    private static let mostFiles = 256
    private static let mostBytes = 262_144

    /// Returns the pictures of a directory.
    ///
    /// Files that do not end in `.png` are passed over; the others are read in the order of their
    /// names.
    ///
    /// - Throws: All faults of all files.
    static func pictures(at path: String) throws(CommandFailure) -> [TextPicture] {
        let directory = InputDirectory(parameter: option, path: path, mostFiles: mostFiles)
        return try directory.read(endingIn: [".png"]) { file throws(CommandFailure) in
            let input = InputFile(parameter: file, name: "the file", limit: mostBytes)
            let bytes = try input.bytes(ofRegularFile: "\(path)/\(file)")
            do throws(RenderingError) {
                return try PictureFile.picture(in: bytes, named: String(file.dropLast(4)))
            } catch {
                throw CommandFailure(.data, messages: error.messages(about: file))
            }
        }
    }
}
