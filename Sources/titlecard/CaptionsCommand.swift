import ArgumentParser
import Bytes
import Encoders
import Motion
import Raster
import Rendering
import Typesetting

/// `titlecard captions`: a file of captions to a video of any length, or to another file.
struct Captions: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Turn a file of captions into a video, of any length.",
        discussion: "titlecard captions --help lists the options: those of render, and a few more.")

    @Argument(parsing: .captureForPassthrough, help: "A file of captions, and options.")
    var arguments: [String] = []

    func run() throws {
        do {
            let decoded = try ArgumentDecoder(
                CommandArguments.after(Self._commandName), schema: .installed,
                // Standard input is the file, which may be in any encoding.
                standardInput: { "-" })
            var run = try CaptionsRun(decoded)
            try run.run()
        } catch let failure as CommandFailure {
            throw StandardStreams.report(failure)
        }
    }
}

/// A run of `titlecard captions`.
private struct CaptionsRun {
    private var decoded: ArgumentDecoder
    private let catalogs: CatalogOptions
    private let schema: RequestSchema
    /// The directory of clips; nil where one file is written.
    private var split: String?

    /// The parameter that prints the request of the pages, and its only value.
    private static let pages = (name: ByteString("pages"), value: "json")
    /// The look of captions for which nothing gives another.
    private static let usualPreset = "captions"
    /// The bytes of a file: the words of some days.
    private static let mostBytes = 64 << 20
    /// The CSS pixels of a video whose size nothing gives.
    private static let usualSize = (width: 1920.0, height: 1080.0)

    init(_ decoded: ArgumentDecoder) throws {
        self.decoded = decoded
        catalogs = try Render.catalogs(decoded)
        schema = try catalogs.schema()
    }

    mutating func run() throws {
        if decoded.wantsHelp {
            let help = RenderHelp(schema)
            return try StandardStreams.print(help.captionsText(isWhole: decoded.wantsWholeHelp))
        }
        Environment.forgetLanguage()
        let interruption = Interruption(removing: ProgressBar(isQuiet: decoded.isQuiet))
        let printsPages = try takePages()
        split = try takeSplit(besidePages: printsPages)
        try checkOptions()
        do {
            var raw = try request(of: try file())
            if split != nil, raw.values["format"] == nil, raw.values["for"] == nil {
                raw.values["format"] = .string(MOVFormat.name)
            }
            raw.pathFormat = decoded.output.flatMap { schema.formats.entry(ofFile: $0) }?.name
            let (request, format) = try checked(raw, printsPages: printsPages)
            if decoded.batch.isCheck {
                let mended = request.captionsWarning.map { request.captionMendings + [$0.message] }
                let lines = (mended ?? ["nothing is to be mended"]).map(LineText.escaped)
                return try StandardStreams.print(lines.joined(separator: "\n"))
            }
            let worker = try worker()
            let paged = try RenderPipeline(limits: FilmRenderer.limits, schema: schema)
                .paged(request, on: worker)
            // They have all that they need, and no names of an operator's presets.
            if printsPages { return try StandardStreams.print(try paged.pages) }
            let writer = CaptionsWriter(schema: schema, worker: worker, interruption: interruption)
            try write(paged, as: format, with: writer)
            if let warning = request.captionsWarning { warn([warning], interruption.bar) }
        } catch let error as RenderingError {
            let failure = CommandFailure(error, hasTexts: true, files: decoded.files)
            guard decoded.batch.isCheck else { throw failure }
            throw CommandFailure(.general, messages: failure.messages)
        } catch let fault as ParameterFault {
            throw CommandFailure(.invalid([fault]), hasTexts: false)
        }
    }

    // MARK: Input

    /// Returns true if the request of the pages is to be printed, and takes the option for that.
    private mutating func takePages() throws(CommandFailure) -> Bool {
        guard let value = decoded.raw.values.removeValue(forKey: Self.pages.name) else {
            return false
        }
        guard value.characters?.isSame(as: Self.pages.value) == true else {
            throw CommandFailure(
                .usage, parameter: Self.pages.name.text,
                message: "must be \(Self.pages.value); got \(value.description)")
        }
        return true
    }

    /// Takes the option for clips, and returns their directory; nil where it is not given.
    private mutating func takeSplit(
        besidePages printsPages: Bool
    ) throws(CommandFailure) -> String? {
        let option = CaptionsSplit.option
        guard let value = decoded.raw.values.removeValue(forKey: ByteString(option)) else {
            return nil
        }
        func failure(_ message: String) -> CommandFailure {
            CommandFailure(.usage, parameter: option, message: message)
        }
        guard let path = value.characters, !path.isEmpty else { throw failure("must not be empty") }
        let others = [
            ("-o", decoded.output != nil), ("--pages", printsPages),
            ("--check", decoded.batch.isCheck),
        ]
        if let other = others.first(where: { $0.1 }) {
            throw failure("cannot be used with \(other.0)")
        }
        return path
    }

    /// Checks the options that are no parameters.
    private func checkOptions() throws(CommandFailure) {
        guard decoded.raw.texts.count == 1, !path.isEmpty else {
            throw CommandFailure(
                .usage, messages: ["captions takes one file, or - for standard input"])
        }
        guard !decoded.writesElement, !decoded.batch.isWatching else {
            let option =
                decoded.writesElement ? ArgumentDecoder.elementOption : BatchOptions.watchOption
            throw CommandFailure(
                .usage, parameter: option, message: "cannot be used with captions")
        }
        var batch = decoded.batch
        batch.isCheck = false
        guard try batch.checked(beside: decoded.raw, output: decoded.output) == nil else {
            throw CommandFailure(
                .usage, parameter: BatchOptions.listOption, message: "cannot be used with captions")
        }
    }

    private var path: String { decoded.raw.texts.first?.characters ?? "" }

    /// Returns the bytes of the file of captions.
    private func file() throws(CommandFailure) -> [UInt8] {
        let isStandard = path == "-"
        let file = InputFile(
            parameter: "captions", name: isStandard ? "standard input" : path,
            limit: Self.mostBytes)
        return isStandard ? try file.bytes(of: 0) : try file.bytes(at: path)
    }

    /// Returns the request that shows a file: captions, or pages as `--pages` prints them.
    private func request(of file: [UInt8]) throws(RenderingError) -> RawRequest {
        var raw = decoded.raw
        raw.texts = []
        // Options take precedence.
        if let pages = try? RawRequest(json: file), pages.values["blocks"] != nil {
            if let name = raw.captionParameter {
                throw .invalid(name, "must not be given together with pages")
            }
            raw.values.merge(pages.values) { own, _ in own }
            return raw
        }
        let captions = try RawRequest(captions: file)
        raw.values.merge(captions.values) { own, _ in own }
        if raw.values["preset"] == nil, raw.values["for"] == nil {
            raw.values["preset"] = .string(Self.usualPreset)
        }
        return raw
    }

    // MARK: Output

    /// Returns the checked request, in which videos and files of captions have a size, and its format.
    private func checked(
        _ raw: RawRequest, printsPages: Bool
    ) throws -> (RenderRequest, FormatCatalog.Entry) {
        let request = try RequestReader.read(raw, schema: schema, limits: FilmRenderer.limits)
        let format = try decoded.format(requested: request.format)
        // Clips and texts have places on a picture, and so does what edits them.
        let hasPlaces =
            format.type.isVideo || format.type.isTimedText || printsPages && decoded.output == nil
            || split != nil
        guard hasPlaces, request.canvas.width == nil || request.canvas.height == nil else {
            return (request, format)
        }
        var sized = raw
        if request.canvas.width == nil { sized.values["width"] = .number(Self.usualSize.width) }
        if request.canvas.height == nil { sized.values["height"] = .number(Self.usualSize.height) }
        return (
            try RequestReader.read(sized, schema: schema, limits: FilmRenderer.limits), format
        )
    }

    private func write(
        _ request: RenderRequest, as format: FormatCatalog.Entry, with writer: CaptionsWriter
    ) throws {
        let bar = writer.interruption.bar
        bar.begin()
        defer { bar.clear() }
        if let split {
            let clips = try CaptionsSplit(to: split, with: writer).write(request, as: format)
            warn(clips.warnings, bar)
            if clips.unseen > 0, !decoded.isQuiet {
                let pages = clips.unseen == 1 ? "1 page is" : "\(clips.unseen) pages are"
                StandardStreams.writeError(
                    "warning: \(pages) between two frames, and without a clip")
            }
            return
        }
        try decoded.checkTerminal(format)
        warn(try writer.write(request, as: format, to: decoded.output), bar)
    }

    private func worker() throws -> RenderWorker {
        do throws(LibraryFault) {
            return try RenderWorker(catalog: try FontCatalog(directories: catalogs.fonts))
        } catch {
            throw RenderingError.library(error)
        }
    }

    private func warn(_ warnings: [Warning], _ bar: ProgressBar) {
        bar.clear()
        if !decoded.isQuiet { StandardStreams.write(warnings) }
    }
}
