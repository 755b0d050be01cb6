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
        let files = try fileNames(at: path)
        guard files.count <= mostFiles else {
            throw CommandFailure(
                .data, parameter: option,
                message: "\(path) has \(files.count) files; the limit is \(mostFiles)")
        }
        var definitions: [KeyframeEffect.Definition] = []
        var fileOfName: [String: String] = [:]
        var messages: [String] = []
        var kind = CommandFailure.Kind.data
        for file in files {
            do throws(CommandFailure) {
                let input = InputFile(parameter: file, name: "the file", limit: mostBytes)
                let bytes = try input.bytes(ofRegularFile: "\(path)/\(file)")
                do throws(RenderingError) {
                    let definition = try EffectFile.definition(in: bytes)
                    if let other = fileOfName.updateValue(file, forKey: definition.name) {
                        messages.append(
                            "\(file): name must differ from that in \(other); "
                                + "got \"\(definition.name)\"")
                    }
                    definitions.append(definition)
                } catch {
                    messages += error.messages(about: file)
                }
            } catch {
                if kind == .data { kind = error.kind }
                messages += error.messages
            }
        }
        guard messages.isEmpty else { throw CommandFailure(kind, messages: messages) }
        return definitions
    }

    /// Returns the sorted names of the files that end in `.json`, which may be links.
    private static func fileNames(at path: String) throws(CommandFailure) -> [String] {
        guard let names = DirectoryNames.sorted(in: path) else {
            throw CommandFailure(
                .noInput, parameter: option,
                message: "cannot read the directory \(path): \(StandardStreams.lastError)")
        }
        return names.filter { $0.hasSuffix(".json") }
    }
}
