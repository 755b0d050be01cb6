import Bytes
import Motion
import Raster
import Typesetting

/// The pages of captions, which need fonts.
extension RenderPipeline {
    /// The factor between the sizes that `fit=shrink` tries for all pages.
    private static let shrinking = 0.9

    /// Returns the request that the captions of a request become, page by page: its texts with their
    /// times. A request without captions stays as it is.
    ///
    /// Its canonical form is that of a request without captions, which has the same rendering.
    package func paged(
        _ request: RenderRequest, on worker: RenderWorker
    ) throws(RenderingError) -> RenderRequest {
        guard let captions = request.captions else { return request }
        let pager = try RenderingError.catching { () throws(LibraryFault) in
            try CaptionPages(captions.track, captions.parameters)
        }
        var raw = RawRequest(
            values: try RawValue.object(json: Array(request.canonical.utf8), named: "captions"))
        for name in CaptionParameters.names { raw.values[name] = nil }
        raw.values["sequence"] = .string(Choreography.Sequence.timed.rawValue)
        let shrinks = request.canvas.fit.mode == .shrink
        if shrinks { raw.values["fit"] = nil }
        var sample = request
        var found = try pager.pages(room(like: sample, worker))
        while shrinks, !found.tooLong.isEmpty, let size = smallerSize(than: sample) {
            raw.values["size"] = .number(size)
            raw.values["blocks"] = [
                ["text": "A", "times": [["text": "A", "at": 0]]]
            ]
            sample = try read(raw)
            // All is divided anew once what had no room has it, or never will.
            let fits = room(like: sample, worker)
            let fitsNow = try haveRoom(found.tooLong, fits)
            guard fitsNow || smallerSize(than: sample) == nil else { continue }
            found = try pager.pages(fits)
        }
        guard found.pages.count <= limits.timedTexts else {
            throw .overLimit(
                "captions", "has \(found.pages.count) pages; the limit is \(limits.timedTexts)")
        }
        raw.values["blocks"] = .array(found.pages.map(\.block))
        var paged = try read(raw)
        (paged.format, paged.target, paged.path) = (request.format, request.target, request.path)
        (paged.isLasting, paged.hasEndlessCycle) = (request.isLasting, request.hasEndlessCycle)
        return paged
    }

    private func read(_ raw: RawRequest) throws(RenderingError) -> RenderRequest {
        try RequestReader.read(raw, schema: schema, limits: limits)
    }

    /// Returns true if all of some texts have room.
    private func haveRoom(
        _ texts: [String], _ fits: (String) throws(RenderingError) -> Bool
    ) throws(RenderingError) -> Bool {
        for text in texts where try !fits(text) { return false }
        return true
    }

    /// Returns the next smaller size of the texts of a request; nil below the least one.
    private func smallerSize(than request: RenderRequest) -> Double? {
        guard let size = request.texts.first?.text.base.size else { return nil }
        let smaller = (size * Self.shrinking * 100).rounded(.down) / 100
        return smaller >= request.canvas.fit.minimumSize ? smaller : nil
    }

    /// Returns a function that says whether a text has room on the canvas of a request, in the style of
    /// its first text.
    private func room(
        like request: RenderRequest, _ worker: RenderWorker
    ) -> (String) throws(RenderingError) -> Bool {
        { text throws(RenderingError) in
            guard let first = request.texts.first else { return true }
            return try RenderingError.catching({ RenderingError($0, parameter: "captions") }) {
                () throws(TypesettingError) in
                var block = BlockText(try StyledText(plain: text, style: first.text.base))
                (block.words, block.margins) = (first.words, first.margins)
                return try worker.fits(block, on: request.canvas)
            }
        }
    }
}

extension RenderRequest {
    /// The canonical JSON of pages, in which a single one is in `blocks` as well.
    package var pages: String {
        get throws(RenderingError) {
            var values = try RawValue.object(json: Array(canonical.utf8), named: "captions")
            guard values["blocks"] == nil else { return canonical }
            var page: [ByteString: RawValue] = [:]
            for name in ["text", "at", "until", "times"] as [ByteString] {
                page[name] = values.removeValue(forKey: name)
            }
            values["blocks"] = .array([.object(page)])
            return JSONNode(.object(values)).text
        }
    }
}

extension CaptionPage {
    /// The page as a text of a request.
    fileprivate var block: RawValue {
        var members: [ByteString: RawValue] = [
            "text": .string(text), "at": .number(at.seconds),
            "times": .array(
                words.map { word in
                    .object([
                        "text": .string(word.text.shortened(toBytes: WordTimesGrammar.most)),
                        "at": .number(word.at.seconds), "until": .number(word.until.seconds),
                    ])
                }),
        ]
        if let until { members["until"] = .number(until.seconds) }
        if let alignment { members["align"] = .string(alignment.rawValue) }
        if let verticalAlignment { members["valign"] = .string(verticalAlignment.rawValue) }
        return .object(members)
    }
}

extension String {
    /// Returns its first characters, in as many bytes as it may have.
    fileprivate func shortened(toBytes most: Int) -> String {
        var text = ""
        var bytes = 0
        for scalar in unicodeScalars {
            bytes += UTF8.width(scalar)
            guard bytes <= most else { break }
            text.unicodeScalars.append(scalar)
        }
        return text
    }
}
