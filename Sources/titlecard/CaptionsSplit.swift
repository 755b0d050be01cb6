import Bytes
import Encoders
import Glibc
import Motion
import Rendering
import Typesetting

/// `titlecard captions --split`: a clip of each page in a directory, and edit lists that put them on a timeline.
struct CaptionsSplit {
    static let option = "split"
    /// The name of the timeline, and of the lists without their extensions.
    private static let name = "captions"

    private let directory: String
    private let writer: CaptionsWriter

    init(to directory: String, with writer: CaptionsWriter) {
        (self.directory, self.writer) = (directory, writer)
    }

    /// Writes the clips, and then the lists.
    ///
    /// Each file appears whole or not at all. A directory that holds none of them because the first one failed is
    /// removed, unless it was there before.
    ///
    /// - Parameters:
    ///   - request: A request of texts at times.
    ///   - format: The format of clips.
    /// - Returns: The warnings, the first one of each code, and the number of pages that have no clip, because they
    ///   are between two frames.
    /// - Throws: The reason why a file cannot be made or written.
    func write(
        _ request: RenderRequest, as format: FormatCatalog.Entry
    ) throws -> (warnings: [Warning], unseen: Int) {
        var reader = ParameterReader(request.values)
        guard reader.videoPart() == .all else {
            throw ParameterFault(parameter: "part", message: "must be all with \(Self.option)")
        }
        var list = try EditList(
            titled: Self.name, of: format.type, request.values, width: request.canvas.width ?? 0,
            height: request.canvas.height ?? 0)
        guard
            let clips = try FilmClips(
                of: request, at: list.rate, schema: writer.schema, on: writer.worker)
        else {
            throw ParameterFault(
                parameter: Self.option,
                message: "needs texts with times, and neither animate=false, fit, nor maxCycle")
        }
        let isNew = try OutputDirectory.make(directory, of: Self.option)
        // Nothing but an empty directory is removed.
        defer { if isNew { rmdir(directory) } }
        let warnings = try write(clips, as: format, &list)
        for track in 0..<max(list.trackCount, 1) {
            let number = track == 0 ? "" : "-\(track + 1)"
            try write(list.decisions(ofTrack: track), to: "\(Self.name)\(number).edl")
        }
        try write(list.finalCutXML, to: Self.name + ".fcpxml")
        return (warnings, clips.unseen)
    }

    /// Writes the clips, and adds them to a list.
    ///
    /// - Returns: The warnings, the first one of each code.
    /// - Throws: The reason why one cannot be made or written.
    private func write(
        _ clips: FilmClips, as format: FormatCatalog.Entry, _ list: inout EditList
    ) throws -> [Warning] {
        let bar = writer.interruption.bar
        let count = clips.clips.reduce(0) { $0 + $1.frames.count }
        var (done, warnings) = (0, [Warning]())
        for clip in clips.clips {
            let (name, timecode) = list.add(clip.title, at: clip.frames)
            var own = format.type.isVideo ? clips.film(of: clip) : clips.picture(of: clip)
            if list.numbersClips { own.values["timecode"] = .string(ByteString(timecode)) }
            let found = try writer.write(
                own, as: format, frames: clip.frames, to: "\(directory)/\(name)", of: Self.option
            ) { [done] (share: Double) in
                let frames = Double(done) + share * Double(clip.frames.count)
                bar.update(frames / Double(count), of: count)
            }
            done += clip.frames.count
            warnings.append(firstOfEachCode: found)
        }
        return warnings
    }

    private func write(_ bytes: [UInt8], to name: String) throws(CommandFailure) {
        var file = try OutputFile("\(directory)/\(name)", of: Self.option, writer.interruption)
        try file.append(bytes)
        try file.finish()
    }
}
