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

    /// Returns Titlecard's own schema with the operator's effects, pictures and presets.
    ///
    /// - Parameter formats: The formats; nil for those that are installed.
    /// - Returns: The schema.
    /// - Throws: All faults of the effects, or else of the pictures, or else of the presets, which may use
    ///   those effects.
    func schema(
        formats: FormatCatalog? = nil
    ) throws(CommandFailure) -> RequestSchema {
        let schema: RequestSchema
        if effects == nil, pictures == nil, formats == nil {
            schema = .installed
        } else {
            schema = .standard(
                with: try effects.map(EffectDirectory.definitions(at:)) ?? [],
                pictures: try pictures.map(PictureDirectory.pictures(at:)) ?? [],
                formats: formats ?? RequestSchema.installed.formats)
        }
        guard let presets else { return schema }
        let file = InputFile(
            parameter: Self.presetsOption, name: presets, limit: Self.mostBytes)
        let bytes = try file.bytes(ofRegularFile: presets)
        do throws(RenderingError) {
            return try PresetFile.schema(adding: bytes, to: schema)
        } catch {
            throw CommandFailure(.data, messages: error.messages(about: presets))
        }
    }
}

extension RequestSchema {
    /// Titlecard's own schema, with the formats of videos where ffmpeg is found; whether it works shows
    /// when it is used.
    static let installed = standard(
        with: [],
        formats: FFmpeg().map { .standard(withVideosOf: $0, encoders: nil) }
            ?? .standard(withoutVideosFor: FFmpeg.absence))
}

extension FormatCatalog {
    /// Tries which videos ffmpeg can encode.
    ///
    /// - Parameter processes: The processes of ffmpeg that there may be; 0 for no videos.
    /// - Returns: All formats with those of these videos.
    static func examined(processes: Int) -> FormatCatalog {
        guard processes > 0 else {
            return .standard(withoutVideosFor: "--video-processes is 0")
        }
        guard var program = FFmpeg() else { return .standard(withoutVideosFor: FFmpeg.absence) }
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
