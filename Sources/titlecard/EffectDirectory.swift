import Bytes
import Motion
import Rendering

/// The reader of `--effects`: a directory with an operator's own effects, one JSON file each.
enum EffectDirectory {
    static let option = "effects"

    private static let mostFiles = 64
    private static let mostBytes = 16_384

    /// Reads the files of a directory; files that do not end in `.json` are passed over.
    static func files(at path: String) throws(CommandFailure) -> [OperatorFile] {
        try InputDirectory(parameter: option, path: path, mostFiles: mostFiles)
            .files(.effect, endingIn: [".json"], limit: mostBytes)
    }

    /// Returns the effects in files.
    ///
    /// - Throws: All faults of all files.
    static func definitions(
        in files: [OperatorFile]
    ) throws(CommandFailure) -> [KeyframeEffect.Definition] {
        var fileOfName: [String: String] = [:]
        return try files.collected { file throws(CommandFailure) in
            let definition: KeyframeEffect.Definition
            do throws(RenderingError) {
                definition = try EffectFile.definition(in: file.bytes)
            } catch {
                throw CommandFailure(.data, messages: error.messages(about: file.name))
            }
            if let other = fileOfName.updateValue(file.name, forKey: definition.name) {
                throw CommandFailure(
                    .data,
                    messages: [
                        "\(file.name): name must differ from that in \(other); "
                            + "got \"\(definition.name)\""
                    ])
            }
            return definition
        }
    }
}
