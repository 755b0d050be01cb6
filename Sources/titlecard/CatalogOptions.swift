import Encoders
import Motion
import Rendering

/// The paths of an operator's own effects, presets, pictures and fonts, as `serve` and `render` take them.
struct CatalogOptions {
    static let presetsOption = "presets"
    static let fontsOption = "fonts"

    /// The directory with effects.
    var effects: String?
    /// The file with presets.
    var presets: String?
    /// The directory with pictures.
    var pictures: String?
    /// The directories with fonts.
    var fonts: [String] = []

    private static let mostBytes = 1 << 20

    /// Reads the files of effects, pictures and presets.
    ///
    /// - Throws: The reasons why some are not read.
    func files() throws(CommandFailure) -> [OperatorFile] {
        var files: [OperatorFile] = []
        if let effects { files += try EffectDirectory.files(at: effects) }
        if let pictures { files += try PictureDirectory.files(at: pictures) }
        if let presets {
            let file = InputFile(
                parameter: Self.presetsOption, name: presets, limit: Self.mostBytes)
            files.append(try file.operatorFile(.presets, at: presets))
        }
        return files
    }

    /// Returns Titlecard's own schema with the operator's effects, pictures and presets, which are read
    /// now.
    ///
    /// - Throws: As `schema(of:formats:)` does, or the reason why a file is not read.
    func schema() throws(CommandFailure) -> RequestSchema {
        let files = try files()
        // Making the schema takes a while.
        if files.isEmpty { return .installed }
        return try Self.schema(of: files, formats: RequestSchema.installed.formats)
    }

    /// Returns Titlecard's own schema with the effects, pictures and presets of files.
    ///
    /// - Throws: All faults of the effects, or else of the pictures, or else of the presets, which may use
    ///   those effects.
    static func schema(
        of files: [OperatorFile], formats: FormatCatalog
    ) throws(CommandFailure) -> RequestSchema {
        let schema = RequestSchema.standard(
            with: try EffectDirectory.definitions(in: files.filter { $0.kind == .effect }),
            pictures: try PictureDirectory.pictures(in: files.filter { $0.kind == .picture }),
            formats: formats)
        guard let presets = files.first(where: { $0.kind == .presets }) else { return schema }
        do throws(RenderingError) {
            return try PresetFile.schema(adding: presets.bytes, to: schema)
        } catch {
            throw CommandFailure(.data, messages: error.messages(about: presets.path))
        }
    }
}

extension RequestSchema {
    /// Titlecard's own schema, with the formats of videos where ffmpeg is found; whether it works shows
    /// when it is used.
    static let installed = standard(
        with: [],
        formats: .expected(processes: 1))
}

extension FormatCatalog {
    fileprivate static var withoutFFmpeg: FormatCatalog {
        .standard(withoutVideosFor: EncodingError.absenceOfVideoEncoder)
    }

    /// Finds ffmpeg.
    ///
    /// - Parameter processes: The processes of ffmpeg that there may be; 0 for no videos.
    /// - Returns: All formats, with those of videos unless it is plain that nothing encodes them.
    static func expected(processes: Int) -> FormatCatalog {
        guard processes > 0 else {
            return .standard(withoutVideosFor: "--video-processes is 0")
        }
        return FFmpeg().map { .standard(withVideosOf: $0, encoders: nil) } ?? .withoutFFmpeg
    }

    /// Tries which videos ffmpeg can encode, which takes a while.
    ///
    /// - Returns: The formats, with the formats of these videos only.
    func examined() -> FormatCatalog {
        guard var program = videoEncoder as? FFmpeg else { return self }
        do throws(EncodingError) {
            let encoders = try program.examine()
            return .standard(withVideosOf: program, encoders: encoders)
        } catch .videoEncoder(let event) {
            return .standard(withoutVideosFor: event)
        } catch {
            return .standard(withoutVideosFor: "\(error)")
        }
    }
}

extension RenderingError {
    /// Returns the faults of a file, each with its place.
    func messages(about file: String) -> [String] {
        faults.map { fault in
            let place = fault.parameter.isEmpty ? "" : "\(fault.parameter) "
            return "\(file): \(place)\(fault.message)"
        }
    }
}
