import Bytes
import Motion
import Rendering

/// The reader of `--effects`: a directory with an operator's own effects, one JSON file each.
enum EffectDirectory {
    static let option = "effects"

    private static let mostFiles = 64
    private static let mostBytes = 16_384

    /// Returns the effects of a directory.
    ///
    /// Files that do not end in `.json` are passed over; the others are read in the order of their
    /// names.
    ///
    /// - Throws: All faults of all files.
    static func definitions(
        at path: String
    ) throws(CommandFailure) -> [KeyframeEffect.Definition] {
        let directory = InputDirectory(parameter: option, path: path, mostFiles: mostFiles)
        var fileOfName: [String: String] = [:]
        return try directory.read(endingIn: [".json"]) { file throws(CommandFailure) in
            let input = InputFile(parameter: file, name: "the file", limit: mostBytes)
            let bytes = try input.bytes(ofRegularFile: "\(path)/\(file)")
            let definition: KeyframeEffect.Definition
            do throws(RenderingError) {
                definition = try EffectFile.definition(in: bytes)
            } catch {
                throw CommandFailure(.data, messages: error.messages(about: file))
            }
            if let other = fileOfName.updateValue(file, forKey: definition.name) {
                throw CommandFailure(
                    .data,
                    messages: [
                        "\(file): name must differ from that in \(other); "
                            + "got \"\(definition.name)\""
                    ])
            }
            return definition
        }
    }
}
