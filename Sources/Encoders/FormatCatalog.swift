package import Bytes
package import Motion

/// The formats that requests can name, the preferred first.
package struct FormatCatalog: Sendable {
    /// A format with the parameters that it reads.
    package struct Entry: Sendable {
        package let type: any OutputFormat.Type
        package let parameters: [Parameter]
        /// A text that differs for another encoding program, which would make other bytes; empty
        /// where no such program encodes it.
        package let fingerprint: String

        package var name: String { type.name }
        package var title: String { type.title }
        /// All extensions by which requests may name it, its own first.
        package var fileExtensions: [String] { [type.fileExtension] + type.otherExtensions }
    }

    /// The one list of Titlecard's formats; the first is the default.
    package static let standard = FormatCatalog([
        SVGFormat.self,
        JSONFormat.self,
        GIFFormat.self,
        APNGFormat.self,
        WebPFormat.self,
        PNGFormat.self,
        LottieFormat.self,
        DotLottieFormat.self,
        TGSFormat.self,
        ZIPFormat.self,
        VTTFormat.self,
        SRTFormat.self,
        ASSFormat.self,
    ])

    /// The formats of videos, each with the encoder of ffmpeg that it needs.
    private static let videos: [(type: any OutputFormat.Type, encoder: String)] = [
        (WebMFormat.self, "libvpx-vp9"), (MP4Format.self, "libx264"), (MOVFormat.self, "prores_ks"),
        (AVIFFormat.self, "libaom-av1"),
    ]

    /// A format that a catalogue does not have.
    package struct Missing: Sendable {
        package let type: any OutputFormat.Type
        /// The reason for its absence, as a phrase: "ffmpeg is not installed".
        package let reason: String
    }

    package let entries: [Entry]
    /// The program that encodes videos; nil where there are none.
    package let videoEncoder: (any VideoEncoder)?
    /// The formats that the catalogue would have elsewhere.
    package let missing: [Missing]

    /// - Parameter types: At least one; their names and extensions differ.
    package init(_ types: [any OutputFormat.Type]) {
        self.init(types, videoEncoder: nil, missing: [])
    }

    private init(
        _ types: [any OutputFormat.Type], videoEncoder: (any VideoEncoder)?, missing: [Missing]
    ) {
        precondition(!types.isEmpty, "a catalogue has a default")
        entries = types.map { type in
            Entry(
                type: type, parameters: type.parameters,
                fingerprint: type.isVideo ? videoEncoder?.fingerprint ?? "" : "")
        }
        (self.videoEncoder, self.missing) = (videoEncoder, missing)
    }

    /// Returns Titlecard's formats, videos included.
    ///
    /// - Parameters:
    ///   - program: The program that encodes videos.
    ///   - encoders: The names of its encoders; nil where they are not known, and taken to be all.
    /// - Returns: The catalogue, which lists formats without an encoder as missing.
    package static func standard(
        withVideosOf program: any VideoEncoder, encoders: Set<String>?
    ) -> FormatCatalog {
        let isThere = { (encoder: String) in encoders?.contains(encoder) ?? true }
        return FormatCatalog(
            standard.entries.map { $0.type }
                + videos.filter { isThere($0.encoder) }.map { $0.type },
            videoEncoder: program,
            missing: videos.filter { !isThere($0.encoder) }.map {
                Missing(type: $0.type, reason: "ffmpeg has no encoder \($0.encoder)")
            })
    }

    /// Returns Titlecard's formats without videos, which are missing for a reason.
    package static func standard(withoutVideosFor reason: String) -> FormatCatalog {
        FormatCatalog(
            standard.entries.map { $0.type }, videoEncoder: nil,
            missing: videos.map { Missing(type: $0.type, reason: reason) })
    }

    /// The format of requests that ask for none.
    package var defaultEntry: Entry { entries[0] }

    /// The format of stills: the first of images that show one frame.
    package var still: Entry? {
        entries.first { !$0.type.isAnimated && $0.type.mediaType.begins(with: "image/") }
    }

    package subscript(name: ByteString) -> Entry? {
        entries.first { $0.name.isSame(as: name.text) }
    }

    package subscript(fileExtension fileExtension: ByteString) -> Entry? {
        entries.first { $0.fileExtensions.includes(fileExtension.text) }
    }

    /// Returns the format of a file's name, by the longest known extension at its end; nil if there
    /// is none.
    package func entry(ofFile name: String) -> Entry? {
        let name = name.lowercasedASCII
        var (found, length) = (Entry?.none, 0)
        for entry in entries {
            for own in entry.fileExtensions
            where own.utf8.count > length && name.ends(with: "." + own) {
                (found, length) = (entry, own.utf8.count)
            }
        }
        return found
    }

    /// The extensions of the formats, for messages.
    package var extensionList: String {
        entries.map { "." + $0.type.fileExtension }.joined(separator: ", ")
    }

    /// The parameters of all formats, each name once, in the order of the formats.
    ///
    /// A name means the same in every format that reads it.
    package var parameters: [Parameter] {
        var parameters: [Parameter] = []
        for parameter in entries.flatMap(\.parameters)
        where !parameters.contains(where: { $0.name == parameter.name }) {
            parameters.append(parameter)
        }
        return parameters
    }

    /// Returns the formats that read a parameter.
    package func entries(reading parameter: String) -> [Entry] {
        entries.filter { $0.parameters.contains { $0.name == parameter } }
    }
}
