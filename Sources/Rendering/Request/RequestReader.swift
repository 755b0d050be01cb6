import Bytes
import Encoders
import Highlighting
import Motion
import Typesetting

/// Reads a raw request into a checked one, and collects all of its faults.
package struct RequestReader {
    var top: RequestTop
    let texts: [RawValue]
    private let schema: RequestSchema
    let limits: RenderLimits
    /// The most texts that a request may have outside of `blocks`.
    private let mostTexts: Int
    /// Checked values of effects' parameters at the top, by effect and parameter; nil for values
    /// that are wrong.
    private var topValues: [ByteString: ParameterValue?] = [:]
    /// The names of the parameters of all effects that are used.
    private var usedEffectNames: Set<ByteString> = []
    /// The limit that captions exceed, which counts if nothing is invalid.
    var excess: RenderingError?
    /// The pictures that texts may have, by name; the request's own take precedence.
    private var pictures: [ByteString: TextPicture] = [:]

    private init(
        _ raw: RawRequest, schema: RequestSchema, limits: RenderLimits, mostTexts: Int
    ) {
        top = RequestTop(raw, schema)
        texts = raw.texts
        self.schema = schema
        self.limits = limits
        self.mostTexts = mostTexts
    }

    /// - Throws: All faults; `overLimit` only if no value is invalid.
    package static func read(
        _ raw: RawRequest, schema: RequestSchema, limits: RenderLimits,
        mostTexts: Int = RequestSchema.mostTexts
    ) throws(RenderingError) -> RenderRequest {
        var reader = RequestReader(raw, schema: schema, limits: limits, mostTexts: mostTexts)
        return try reader.read()
    }

    private mutating func read() throws(RenderingError) -> RenderRequest {
        let format = top.format()
        var reader = ParameterReader(top.values)
        var scene = SceneParameters(&reader, schema.effects)
        pictures = schema.pictures.byName
        for picture in scene.pictures { pictures[picture.name] = picture }
        readBackdrop(of: &scene)
        let captions = readCaptions(scene)
        let blocks = top.given["captions"] == nil ? readBlocks() : readCues(of: captions)
        if scene.leavesLinesOpen, blocks.allSatisfy(\.wraps) { scene.wrapUsually() }
        for name in top.effectValues.keys.sorted()
        where !usedEffectNames.contains(name) && top.presetOfName[name] == nil {
            let effects = schema.effects.entries.filter { $0.keys.contains(name) }
            let names = effects.map(\.name).joined(separator: ", ")
            let used = Set(blocks.map { ByteString($0.canonical.effect.name) })
            let own = used.count == 1 ? blocks.first?.canonical.effect : nil
            fault(
                name.text,
                "belongs to no effect of this request; it is a parameter of \(names)"
                    + (own.map { "; \"\($0.name)\" \($0.takes)" } ?? ""))
        }
        check(scene)
        checkTimes(scene, blocks)
        let needsICU = blocks.contains { $0.parameters.words == .unicode }
        if needsICU, UnicodeWords.version == nil {
            fault("words", "must not be \"unicode\" on this server, which has no ICU 72")
        }
        if top.given["speed"] != nil, top.given["cycle"] != nil {
            fault("cycle", "must not be given together with speed")
        }
        let titleBar = readTitleBar(scene, beside: blocks.first?.parameters)
        try top.faults.check()
        if let excess { throw excess }
        try captions?.check(limits, offset: scene.offset)
        let request = ReadRequest(
            schema: schema, values: top.values, target: top.target, scene: scene, blocks: blocks,
            titleBar: titleBar, format: format, captions: captions
        ).renderRequest(maximumSide: limits.canvasSide)
        let name = ["captions", "blocks"].first { top.given[ByteString($0)] != nil }
        try request.checkSize(limits, named: name ?? "text")
        return request
    }

    mutating func fault(_ parameter: String, _ message: String) {
        top.fault(parameter, message)
    }

    private mutating func value(
        _ raw: RawValue, _ parameter: Parameter, at path: String = ""
    ) -> ParameterValue? {
        top.value(raw, parameter, at: path)
    }

    // MARK: The scene

    /// Finds the picture behind everything, or notes that there is none of its name.
    private mutating func readBackdrop(of scene: inout SceneParameters) {
        guard let name = scene.backdrop?.name else { return }
        if let picture = pictures[name] { return scene.setBackdrop(to: picture) }
        // Without the faulty pictures it is unknown which ones there are.
        if top.given["pictures"] != nil, top.values["pictures"] == nil { return }
        let known = pictures.keys.sorted().map(\.text).joined(separator: ", ")
        fault(
            "backdrop",
            "must be the name of a picture, "
                + (known.isEmpty ? "of which there are none" : "one of \(known)")
                + "; got \"\(name.text)\"")
    }

    /// Notes values that are each in range but do not go together.
    private mutating func check(_ scene: SceneParameters) {
        let canvas = scene.canvas
        checkWidth(of: canvas)
        if scene.cardMotion?.effect == .draw, scene.card.border == nil {
            fault("cardEffect", "must not be \"draw\" without a border; give borderWidth")
        }
        checkCycle(scene.timing)
        if canvas.fit.mode == .fill,
            canvas.width == nil, canvas.height == nil, canvas.maximumWidth == nil
        {
            fault("fit", "must not be \"fill\" without width, height or maxWidth")
        }
    }

    /// Notes what takes all the room for text from a canvas.
    private mutating func checkWidth(of canvas: CanvasRequest) {
        guard let width = canvas.width ?? canvas.maximumWidth else { return }
        let clear = canvas.width.map { $0 * canvas.safeArea.across } ?? 0
        let rest = width - 2 * canvas.padding
        if rest < 1 {
            fault(
                "padding",
                "must leave at least 1 px of the width, \(NumberText.of(width)) px; "
                    + "got \(NumberText.of(canvas.padding))")
        } else if rest - clear < 1 {
            fault(
                "safeArea",
                "must leave, with padding, at least 1 px of the width, \(NumberText.of(width)) px")
        } else if let bar = canvas.sideBar, bar.isUpright, rest - clear - bar.room < 1 {
            fault(
                "barWidth",
                "must leave, with barGap and padding, at least 1 px of the width, "
                    + "\(NumberText.of(width)) px; got \(NumberText.of(bar.width))")
        }
    }

    /// Notes a length of the cycle that is not permitted.
    private mutating func checkCycle(_ timing: Choreography.Timing) {
        let length = timing.cycle
        guard length.isPossible else {
            fault("maxCycle", "must leave a length that minCycle and cycleStep permit")
            return
        }
        guard case .cycle(let cycle) = timing.pace else { return }
        let got = "; got \(NumberText.of(cycle))"
        if let most = length.most, cycle > most {
            fault("cycle", "must be at most maxCycle, \(NumberText.of(most))" + got)
        } else if let least = length.least, cycle < least {
            fault("cycle", "must be at least minCycle, \(NumberText.of(least))" + got)
        } else if let step = length.step, abs(length.seconds(for: cycle) - cycle) > 1e-6 {
            fault("cycle", "must be a multiple of cycleStep, \(NumberText.of(step))" + got)
        }
    }

    /// Returns the bar above the text, whose title has the font of the first block.
    private mutating func readTitleBar(
        _ scene: SceneParameters, beside block: BlockParameters?
    ) -> TitleBar? {
        guard scene.hasTitleBar, let block else { return nil }
        guard let title = scene.windowTitle else { return TitleBar(title: nil) }
        var style = TypeStyle(
            families: block.style.families, size: 14, weight: 500, paint: block.style.paint)
        style.lineHeight = 1.2
        style.language = block.style.language
        do {
            let line = try TextNormalizer.normalized(title).pieces(separatedBy: "\n")
                .joined(separator: " ")
            let part = TextPart(end: line.utf8.count, color: block.code.muted)
            return TitleBar(
                title: try StyledText(normalized: line, style: style, parts: [part]))
        } catch {
            for found in RenderingError(error, parameter: "windowTitle").faults {
                fault(found.parameter, found.message)
            }
            return nil
        }
    }

    // MARK: Blocks

    private mutating func readBlocks() -> [ReadBlock] {
        if let blocks = top.given["blocks"] {
            if case .text = blocks {
                fault("blocks", "can be given in a JSON body only")
                return []
            }
            guard texts.isEmpty else {
                fault("blocks", "must not be given together with text")
                return []
            }
            let isTimed = top.values["sequence"] == .string("timed")
            let most = isTimed ? limits.timedTexts : RequestSchema.mostTexts
            guard case .array(let elements) = blocks, (1...most).contains(elements.count) else {
                let got =
                    if case .array(let elements) = blocks { "\(elements.count)" } else {
                        blocks.description
                    }
                fault("blocks", "must be an array of 1 to \(most) objects; got \(got)")
                return []
            }
            return elements.enumerated().compactMap { index, element in
                guard case .object(let own) = element else {
                    fault("blocks[\(index)]", "must be an object; got \(element.description)")
                    return nil
                }
                return readBlock(own, text: own["text"], at: "blocks[\(index)].")
            }
        }
        guard !texts.isEmpty else {
            fault("text", "is required")
            return []
        }
        guard texts.count <= mostTexts else {
            fault("text", "must be given at most \(mostTexts) times; got \(texts.count)")
            return []
        }
        return texts.enumerated().compactMap { index, text in
            readBlock(index == 0 ? [:] : subtitle(index - 1), text: text, at: "")
        }
    }

    /// Returns the values of its own that a text after the first has in the look of the request: it
    /// stands beneath the first one as a subtitle.
    private func subtitle(_ number: Int) -> [ByteString: RawValue] {
        let subtitles = top.subtitles
        guard top.values["sequence"] != .string("replace"),
            let subtitle = number < subtitles.count ? subtitles[number] : subtitles.last
        else { return [:] }
        var reader = ParameterReader(top.values)
        let size = BlockParameters(&reader).style.size * subtitle.size
        var values = subtitle.values
        // With another effect than the look's, its parameters are not the look's either.
        if values["effect"] == nil {
            for name in schema.effectNames { values[name] = nil }
        }
        values["size"] = .number(max((size * 4).rounded() / 4, 4))
        return values
    }

    mutating func readBlock(
        _ own: [ByteString: RawValue], text: RawValue?, at path: String
    ) -> ReadBlock? {
        var ownValues: [ByteString: ParameterValue] = [:]
        for (name, raw) in own.sorted(by: { $0.key < $1.key })
        where schema.blockNames.contains(name) && name != "text" {
            guard let parameter = schema.byName[name] else { continue }
            ownValues[name] = value(raw, parameter, at: path)
        }
        ownValues = top.inScheme(ownValues)
        let values = top.values.merging(ownValues) { $1 }
        // An unknown effect is a fault already, and its parameters are unknown.
        let effectGiven = own["effect"] ?? top.given["effect"]
        guard effectGiven == nil || values["effect"] != nil else { return nil }
        let entry = effect(of: values)
        let effectValues = readEffect(entry, own, at: path)
        noteUnknownNames(own, entry, at: path)
        var reader = ParameterReader(UsualInk.resolved(values))
        var parameters = BlockParameters(&reader)
        parameters.style.isSpacingAskedFor =
            ownValues["letterSpacing"] != nil || top.presetOfName["letterSpacing"] == nil
        let prompt = effectValues["prompt"]
        guard let text = readText(text, parameters, prompt: prompt, at: path) else { return nil }
        do {
            let effect = try entry.effect(effectValues)
            checkGradients(parameters.paint, effect, own, at: path)
            checkPath(parameters, text.styled, at: path)
            checkOwnTimes(own, parameters, at: path)
            let offsets = readWords(parameters.times, in: text.styled, at: path)
            let canonical = CanonicalRequest.Block(
                text: text.source, values: ownValues, effect: entry, effectValues: effectValues)
            return ReadBlock(
                text.styled, effect, parameters, wordOffsets: offsets, canonical: canonical)
        } catch {
            // An invalid value is a fault already; it counts as not given.
            let key = ByteString(error.parameter)
            if own[key] ?? top.effectValues[key] == nil
                || effectValues[key] != nil
            {
                fault(path + error.parameter, error.message)
            }
            return nil
        }
    }

    /// Notes the values that do not go with a text on a path.
    private mutating func checkPath(
        _ parameters: BlockParameters, _ text: StyledText, at path: String
    ) {
        guard parameters.path != nil else { return }
        let others = [
            ("a text of several lines", text.text.utf8.contains(UInt8(ascii: "\n"))),
            ("lineNumbers=true", parameters.code.hasLineNumbers),
            ("marks", !text.marks.isEmpty),
        ]
        for (other, isGiven) in others where isGiven {
            fault(path + "path", "must not be given together with \(other)")
        }
    }

    /// Notes a gradient whose colours the block's effect would change by more than one opaque colour, or
    /// the exit or the emphasis at all.
    private mutating func checkGradients(
        _ paint: TextPaint, _ effect: any Effect, _ own: [ByteString: RawValue], at path: String
    ) {
        let gradients: [(ByteString, Paint?)] = [
            ("color", paint.fill), ("darkColor", paint.darkFill),
        ]
        guard let (name, fill) = gradients.first(where: { $0.1?.gradient != nil }) else { return }
        let others: [(ByteString, Phase.Kind)] = [("exit", .exit), ("emphasis", .entrance)]
        for (parameter, kind) in others {
            guard case .string(let other)? = top.values[parameter],
                let change = (try? schema.effects[other]?.effect())?.colorChange(in: kind),
                change != .none
            else { continue }
            fault(
                parameter.text,
                "must not be \"\(other)\", which changes colours: \(name.text) is a gradient")
        }
        guard effect.colorChange(in: .entrance) == .other else { return }
        if own["keyframes"] != nil || top.effectValues["keyframes"] != nil {
            let place = own["keyframes"] == nil ? "" : path
            fault(
                place + "keyframes",
                "must set one opaque color at most, for \(name.text) is a gradient")
        } else {
            fault(
                (own[name] == nil ? "" : path) + name.text,
                "must be one colour, for the effect changes it, not to one opaque colour; got "
                    + (fill?.text ?? ""))
        }
    }

    private func effect(of values: [ByteString: ParameterValue]) -> EffectCatalog.Entry {
        guard case .string(let name) = values["effect"] else { return schema.effects.defaultEntry }
        return schema.effects[name] ?? schema.effects.defaultEntry
    }

    /// Returns the values of an effect's parameters; the block's own take precedence over the
    /// values at the top.
    private mutating func readEffect(
        _ effect: EffectCatalog.Entry, _ own: [ByteString: RawValue], at path: String
    ) -> [ByteString: ParameterValue] {
        var values: [ByteString: ParameterValue] = [:]
        for (key, parameter) in zip(effect.keys, effect.parameters) {
            if let raw = own[key] {
                if top.effectValues[key] != nil { usedEffectNames.insert(key) }
                values[key] = value(raw, parameter, at: path)
            } else if let raw = top.effectValues[key] {
                usedEffectNames.insert(key)
                values[key] = topValue(raw, parameter, of: effect)
            } else if top.hasEarlierDefaults {
                values[key] = parameter.earlierDefault
            }
        }
        return values
    }

    /// Returns the value at the top of an effect's parameter, which is checked once for all blocks.
    ///
    /// A preset's that is meant for another effect and does not suit this one is left out.
    private mutating func topValue(
        _ raw: RawValue, _ parameter: Parameter, of effect: EffectCatalog.Entry
    ) -> ParameterValue? {
        let key = ByteString(effect.name + "." + parameter.name)
        if let known = topValues[key] { return known }
        let value =
            top.presetOfName[parameter.key] == nil
            ? value(raw, parameter) : try? parameter.value(of: raw)
        topValues[key] = .some(value)
        return value
    }

    private mutating func noteUnknownNames(
        _ own: [ByteString: RawValue], _ effect: EffectCatalog.Entry, at path: String
    ) {
        let unknown = own.keys.filter { name in
            !schema.blockNames.contains(name) && !effect.keys.contains(name)
        }
        for name in unknown.sorted() {
            if schema.effectNames.contains(name) {
                fault(
                    path + name.text,
                    "is not a parameter of the effect \"\(effect.name)\", which \(effect.takes)")
            } else if schema.topNames.contains(name) {
                fault(path + name.text, "cannot be set for one block; set it at the top")
            } else {
                top.faultUnknown(
                    name.text, at: path, among: schema.blockNames.sorted().map(\.text), of: effect)
            }
        }
    }

    /// Returns a text in the colours of its language.
    private func code(
        _ text: String, in language: CodeLanguage, _ parameters: BlockParameters,
        prompt: ParameterValue?
    ) throws(TypesettingError) -> (styled: StyledText, source: String) {
        func styled(
            _ plain: String, prompt: String? = nil,
            styles: [(end: Int, style: TerminalStyle)] = []
        ) throws(TypesettingError) -> StyledText {
            try StyledText(
                normalized: plain, style: parameters.style,
                parts: parameters.code.parts(
                    of: plain, in: language, prompt: prompt, styles: styles))
        }
        guard language == .console else {
            let source = try TextNormalizer.normalized(text)
            return (try styled(source), source)
        }
        let session = try StyledSession(text)
        var ownPrompt: String?
        if case .string(let prompt)? = prompt { ownPrompt = prompt.text }
        return (
            try styled(session.text, prompt: ownPrompt, styles: session.styles), session.source
        )
    }

    private mutating func readText(
        _ raw: RawValue?, _ parameters: BlockParameters, prompt: ParameterValue?, at path: String
    ) -> (styled: StyledText, source: String)? {
        guard let raw else {
            fault(path + "text", "is required")
            return nil
        }
        guard let text = raw.characters else {
            let hint = if case .object = raw { "; blocks takes objects" } else { "" }
            fault(path + "text", "must be a string; got \(raw.description)" + hint)
            return nil
        }
        do {
            func marked(_ styled: StyledText) -> StyledText {
                parameters.mark.map { styled.marked($0) } ?? styled
            }
            if let language = parameters.code.language {
                guard !parameters.isMarkup else {
                    fault(path + "codeLanguage", "must not be given together with markup=true")
                    return nil
                }
                let (styled, source) = try code(text, in: language, parameters, prompt: prompt)
                return (marked(styled), source)
            }
            guard parameters.isMarkup else {
                let styled = try StyledText(plain: text, style: parameters.style)
                return (marked(styled), styled.text)
            }
            let source = try TextNormalizer.normalized(text)
            let styled = try MarkupReader.read(
                source, style: parameters.style, mark: parameters.markStyle, pictures: pictures)
            return (marked(styled), source)
        } catch {
            // Without the faulty pictures it is unknown which ones markup lacks.
            if parameters.isMarkup, top.given["pictures"] != nil, top.values["pictures"] == nil {
                return nil
            }
            for found in RenderingError(error, parameter: path + "text").faults {
                fault(found.parameter, found.message)
            }
            return nil
        }
    }
}
