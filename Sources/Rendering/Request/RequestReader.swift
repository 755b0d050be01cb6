import Bytes
import Encoders
import Highlighting
import Motion
import Typesetting

/// Reads a raw request into a checked one, and collects all of its faults.
package struct RequestReader {
    /// The request, with the values of its presets besides its own.
    private var raw: RawRequest
    private let schema: RequestSchema
    private let limits: RenderLimits
    /// The most texts that a request may have outside of `blocks`.
    private let mostTexts: Int
    private var faults = FaultList()
    /// Checked values of effects' parameters at the top, by effect and parameter; nil for values
    /// that are wrong.
    private var topValues: [ByteString: ParameterValue?] = [:]
    /// Checked values at the top, except for effects' parameters.
    private var top: [ByteString: ParameterValue] = [:]
    /// Raw values of effects' parameters at the top; each block's effect checks its own.
    private var topEffectValues: [ByteString: RawValue] = [:]
    /// The names of the parameters of all effects that are used.
    private var usedEffectNames: Set<ByteString> = []
    /// The presets of the values at the top that the request does not give itself, by parameter.
    private var presetOfName: [ByteString: String] = [:]
    /// The place that the file goes to.
    private var target: Target?
    /// The values of the presets, some of which only texts after the first or videos have.
    private var presetValues = PresetValues([])
    /// The pictures that texts may have, by name; the request's own take precedence.
    private var pictures: [ByteString: TextPicture] = [:]
    /// True if parameters that the request does not give have the defaults of version 0.3.
    private var hasEarlierDefaults = false
    /// The one scheme of the request's colours, with the values that blocks inherit for both; nil
    /// for `auto`.
    private var scheme: (colors: DarkColors, isDark: Bool, inherited: [ByteString: ParameterValue])?

    private init(
        _ raw: RawRequest, schema: RequestSchema, limits: RenderLimits, mostTexts: Int
    ) {
        self.raw = raw
        self.schema = schema
        self.limits = limits
        self.mostTexts = mostTexts
        faults = raw.faults
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
        readDefaults()
        addPresets()
        addTarget()
        addVideoValues()
        readTop()
        addEarlierDefaults()
        checkTarget()
        chooseScheme()
        let format = readFormat()
        var reader = ParameterReader(top)
        var scene = SceneParameters(&reader, schema.effects)
        pictures = schema.pictures.byName
        for picture in scene.pictures { pictures[picture.name] = picture }
        let blocks = readBlocks()
        if scene.leavesLinesOpen, blocks.allSatisfy(\.wraps) {
            scene.wrapUsually()
        }
        for name in topEffectValues.keys.sorted()
        where !usedEffectNames.contains(name) && presetOfName[name] == nil {
            let effects = schema.effects.entries.filter { effect in
                effect.keys.contains(name)
            }
            let names = effects.map(\.name).joined(separator: ", ")
            fault(name.text, "belongs to no effect of this request; it is a parameter of \(names)")
        }
        check(scene)
        if blocks.contains(where: { $0.parameters.words == .unicode }), UnicodeWords.version == nil {
            fault("words", "must not be \"unicode\" on this server, which has no ICU 72")
        }
        if raw.values["speed"] != nil, raw.values["cycle"] != nil {
            fault("cycle", "must not be given together with speed")
        }
        let titleBar = readTitleBar(scene, beside: blocks.first?.parameters)
        try faults.check()
        let request = makeRequest(blocks, scene: scene, titleBar, format: format)
        try request.checkSize(limits, named: raw.values["blocks"] == nil ? "text" : "blocks")
        return request
    }

    private mutating func fault(_ parameter: String, _ message: String) {
        let origin = presetOfName[ByteString(parameter)].map { ", which is the preset \"\($0)\"'s" }
        faults.add(parameter, message + (origin ?? ""))
    }

    /// Returns a value of a parameter, or notes a fault and returns nil.
    private mutating func value(
        _ raw: RawValue, _ parameter: Parameter, at path: String = ""
    ) -> ParameterValue? {
        do {
            return try parameter.value(of: raw)
        } catch {
            for part in error.parts { fault(path + parameter.name + part.place, part.message) }
            return nil
        }
    }

    // MARK: The top

    /// Adds the values of the presets that the request names.
    private mutating func addPresets() {
        guard let written = raw.values.removeValue(forKey: "preset"),
            case .string(let names) = value(written, schema.preset)
        else { return }
        presetValues = PresetValues(
            names.text.pieces(separatedBy: ",").compactMap { schema.presets[ByteString($0)] })
        presetValues.yield(to: raw.values)
        raw.values.merge(presetValues.values) { own, _ in own }
        presetOfName = presetValues.origins
    }

    /// Adds the values that presets have only in videos.
    private mutating func addVideoValues() {
        guard !presetValues.videoValues.isEmpty,
            let name = raw.values[schema.format.key]?.characters,
            schema.formats[ByteString(name)]?.type.isVideo == true
        else { return }
        raw.values.merge(presetValues.videoValues) { own, _ in own }
    }

    /// Learns whose defaults the request has.
    private mutating func readDefaults() {
        guard let written = raw.values.removeValue(forKey: "defaults") else { return }
        hasEarlierDefaults = value(written, schema.defaults) != nil
    }

    /// Adds the earlier defaults beneath the values of the request itself, of presets, and of the
    /// target.
    private mutating func addEarlierDefaults() {
        guard hasEarlierDefaults else { return }
        for (key, value) in schema.earlierDefaults where raw.values[key] == nil {
            top[key] = value
        }
    }

    /// The parameters that make a text legible on any ground.
    private static let groundsAndEdges: [ByteString] = [
        "background", "darkBackground", "outlineWidth", "outlineColor", "darkOutlineColor",
    ]
    /// The parameters that decide the colours of texts.
    private static let inks: [ByteString] = ["color", "darkColor", "codeLanguage"]
    /// The parameters that decide how lines break.
    private static let lines: [ByteString] = [
        "width", "maxWidth", "wrap", "fit", "path", "codeLanguage",
    ]

    /// Adds the values of the target that the request names, except for values that the request
    /// gives itself, and looks that its presets give.
    private mutating func addTarget() {
        guard let written = raw.values.removeValue(forKey: "for"),
            case .string(let name) = value(written, schema.target),
            let target = schema.targets.first(where: { name.text.isSame(as: $0.name) })
        else { return }
        self.target = target
        let takesEdge =
            presetOfName.isEmpty && !Self.groundsAndEdges.contains { raw.values[$0] != nil }
        let takesInk = takesEdge && !Self.inks.contains { raw.values[$0] != nil }
        let takesLines =
            !Self.lines.contains { raw.values[$0] != nil }
            && raw.values["effect"]?.characters?.isSame(as: Marquee.name) != true
        for own in target.values where !(own.isNew && hasEarlierDefaults) {
            switch own.rule {
            case .edge where !takesEdge, .ink where !takesInk, .lines where !takesLines: continue
            default: break
            }
            let key = ByteString(own.parameter)
            let yields = raw.values[key] != nil && (own.rule == .look || presetOfName[key] == nil)
            guard !yields, let value = own.value else { continue }
            raw.values[key] = value
            presetOfName[key] = nil
        }
        if raw.values[schema.format.key] == nil {
            raw.values[schema.format.key] = .string(target.format)
        }
    }

    /// Notes the request's own values that break a rule of its target.
    private mutating func checkTarget() {
        guard let target else { return }
        for own in target.values {
            let key = ByteString(own.parameter)
            guard let parameter = schema.byName[key], let given = top[key] else { continue }
            switch own.rule {
            case .look, .edge, .ink, .lines, .any: break
            case .only:
                guard let value = own.value, given != (try? parameter.value(of: value))
                else { break }
                fault(
                    own.parameter, "must be \(value.description) for the target \"\(target.name)\"")
            case .atMost(let most):
                // A word in place of a number, such as infinite, is more.
                if case .number(let number) = given, number <= most { break }
                fault(
                    own.parameter,
                    "must be at most \(NumberText.of(most)) for the target \"\(target.name)\"; got "
                        + given.node.plainText)
            }
        }
    }

    /// Replaces the checked colours for light mode by the colours for dark mode, or drops the
    /// latter.
    private mutating func chooseScheme() {
        guard let written = raw.values["scheme"],
            case .string(let name) = value(written, schema.scheme),
            let scheme = ColorScheme(rawValue: name.text), scheme != .auto
        else { return }
        let (colors, isDark) = (DarkColors(schema), scheme == .dark)
        self.scheme = (colors, isDark, top.filter { schema.blockNames.contains($0.key) })
        for (dark, light) in colors.pairs where isDark && top[dark] != nil {
            presetOfName[light] = presetOfName[dark]
        }
        top = colors.values(of: top, isDark: isDark)
    }

    private mutating func readTop() {
        for (name, raw) in raw.values.sorted(by: { $0.key < $1.key }) {
            if let parameter = schema.byName[name] {
                top[name] = value(raw, parameter)
            } else if schema.effectNames.contains(name) {
                topEffectValues[name] = raw
            } else if !RequestSchema.otherNames.contains(name) {
                faults.addUnknown(name.text, among: schema.allNames)
            }
        }
    }

    private mutating func readFormat() -> FormatCatalog.Entry? {
        guard let raw = raw.values["format"] else { return nil }
        guard case .string(let name) = value(raw, schema.format) else { return nil }
        return schema.formats[name]
    }

    /// Notes values that are each in range but do not go together.
    private mutating func check(_ scene: SceneParameters) {
        if let width = scene.width ?? scene.maximumWidth, width - 2 * scene.padding < 1 {
            fault(
                "padding",
                "must leave at least 1 px of the width, \(NumberText.of(width)) px; "
                    + "got \(NumberText.of(scene.padding))")
        } else if let width = scene.width ?? scene.maximumWidth, let bar = scene.sideBar,
            bar.isUpright, width - 2 * scene.padding - bar.room < 1
        {
            fault(
                "barWidth",
                "must leave, with barGap and padding, at least 1 px of the width, "
                    + "\(NumberText.of(width)) px; got \(NumberText.of(bar.width))")
        }
        if scene.cardMotion?.effect == .draw, scene.card.border == nil {
            fault("cardEffect", "must not be \"draw\" without a border; give borderWidth")
        }
        if case .cycle(let cycle) = scene.pace, let most = scene.mostSeconds, cycle > most {
            fault(
                "cycle",
                "must be at most maxCycle, \(NumberText.of(most)); got \(NumberText.of(cycle))")
        }
        if scene.fit.mode == .fill,
            scene.width == nil, scene.height == nil, scene.maximumWidth == nil
        {
            fault("fit", "must not be \"fill\" without width, height or maxWidth")
        }
    }

    /// Returns the bar above the text, whose title has the font of the first block.
    private mutating func readTitleBar(
        _ scene: SceneParameters, beside block: BlockParameters?
    ) -> TitleBar? {
        guard scene.hasTitleBar, let block else { return nil }
        guard let title = scene.windowTitle else { return TitleBar(title: nil) }
        var style = TypeStyle(
            families: block.style.families, size: 14, weight: 500, isItalic: false,
            letterSpacing: 0, lineHeight: 1.2, paint: block.style.paint)
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

    private func exit(named name: ByteString) -> Choreography.ExitPolicy {
        switch name {
        case "between": return .between
        case "auto": return .auto
        case "none": return .none
        default:
            guard let effect = try? schema.effects[name]?.effect() else { return .between }
            return .effect(effect)
        }
    }

    private func emphasis(of scene: SceneParameters) -> Choreography.Emphasis? {
        var values: [ByteString: ParameterValue] = [:]
        if let seconds = scene.emphasisDuration { values["duration"] = .number(seconds) }
        if let rate = scene.emphasisRate { values["rate"] = .number(rate) }
        guard !scene.emphasis.isSame(as: "none"),
            let effect = try? schema.effects[ByteString(scene.emphasis)]?.effect(values)
        else { return nil }
        return Choreography.Emphasis(
            effect, interval: scene.emphasisInterval ?? effect.emphasisInterval)
    }

    /// Returns how gradients move; nil where none does.
    private func paintMotion(
        of scene: SceneParameters, _ blocks: [ReadBlock]
    ) -> Choreography.PaintTurn? {
        guard let motion = scene.paintMotion else { return nil }
        let moves =
            motion.kind.moves(scene.card.background, dark: scene.card.darkBackground)
            || blocks.contains { block in
                let paint = block.parameters.paint
                return motion.kind.moves(paint.fill, dark: paint.darkFill)
            }
        return moves ? motion : nil
    }

    // MARK: The request

    private func makeRequest(
        _ blocks: [ReadBlock], scene: SceneParameters, _ titleBar: TitleBar?,
        format: FormatCatalog.Entry?
    ) -> RenderRequest {
        let canvas = CanvasRequest(
            width: scene.width, height: scene.height, maximumWidth: scene.maximumWidth,
            padding: scene.padding,
            alignment: scene.alignment, verticalAlignment: scene.verticalAlignment,
            spacing: scene.spacing, flow: scene.flow, firstOverlaid: scene.sequence.firstOverlaid,
            maximumSide: limits.canvasSide, fit: scene.fit,
            room: scene.room, titleBar: titleBar, sideBar: scene.sideBar)
        let exit = exit(named: ByteString(scene.exit))
        let emphasis = emphasis(of: scene)
        var choreography = Choreography(
            blocks: blocks.map { block in
                Choreography.Block(
                    effect: block.effect, named: block.effectName, cursor: block.cursor.shape,
                    cursorBlink: block.parameters.cursorBlink, cursorStay: block.cursor.stay,
                    paint: block.parameters.paint)
            },
            sequence: scene.sequence, exit: exit, emphasis: emphasis,
            paintMotion: paintMotion(of: scene, blocks), gap: scene.gap,
            delay: scene.delay, hold: scene.hold, pace: scene.pace, loop: scene.loop,
            isAnimated: scene.isAnimated, cardMotion: scene.cardMotion)
        choreography.mostSeconds = scene.mostSeconds
        func exitCharacters(for text: String) -> [String] {
            if case .effect(let effect) = exit { effect.characters(for: text) } else { [] }
        }
        func axes(of effect: any Effect) -> [AxisMotion] {
            guard scene.isAnimated else { return [] }
            var motions: [AxisMotion] = []
            func add(_ motion: AxisMotion?) {
                if let motion, !motions.contains(motion) { motions.append(motion) }
            }
            add(effect.axes)
            if case .effect(let effect) = exit { add(effect.axes) }
            add(emphasis?.effect.axes)
            return motions
        }
        return RenderRequest(
            texts: blocks.map { block in
                BlockText(
                    block.text, words: block.parameters.words,
                    characters: block.effect.characters(for: block.text.text),
                    exitCharacters: exitCharacters(for: block.text.text),
                    axes: axes(of: block.effect), cursor: block.cursor.shape,
                    margins: block.parameters.paint.margins,
                    numbering: block.parameters.code.numbering, path: block.parameters.path)
            },
            canvas: canvas, choreography: choreography, card: scene.card, title: scene.title,
            seed: scene.seed,
            values: top,
            format: format,
            canonical: CanonicalRequest(
                top: top, blocks: blocks.map(\.canonical), parameters: schema.byName
            ).text,
            sources: sources(of: blocks, scene), target: target)
    }

    /// Returns the definitions of the operator's effects that blocks, the exit, and the emphasis
    /// name, the sources of the operator's pictures in the texts, the version of ICU if words or
    /// lines of a block go by it, and a word for letter spacing that is not worth a warning.
    private func sources(of blocks: [ReadBlock], _ scene: SceneParameters) -> [String] {
        var sources: [String] = []
        if schema.effects.hasSources {
            let all =
                blocks.map(\.canonical.effect.source)
                + [scene.exit, scene.emphasis].map { schema.effects[ByteString($0)]?.source }
            for case let source? in all where !sources.includes(source) { sources.append(source) }
        }
        for block in blocks {
            let all = block.text.pictures.map { schema.pictures.source(of: $0.picture) }
            for case let source? in all where !sources.includes(source) { sources.append(source) }
        }
        let needsDictionary = blocks.contains { block in
            block.parameters.words.needDictionary(for: block.text.text)
        }
        if needsDictionary, let version = UnicodeWords.version {
            sources.append("ICU \(version)")
        }
        let isUnspaced = blocks.contains { block in
            let style = block.parameters.style
            return style.letterSpacing != 0 && !style.isSpacingAskedFor
                && block.text.hasJoiningLetters
        }
        if isUnspaced { sources.append("letterSpacing of a preset") }
        return sources
    }

    // MARK: Blocks

    /// A checked block.
    private struct ReadBlock {
        var text: StyledText
        var effect: any Effect
        var effectName: (name: String, title: String)
        var canonical: CanonicalRequest.Block
        var parameters: BlockParameters

        /// Its cursor, and the seconds for which it stays; nil for as long as it may.
        var cursor: (shape: CursorShape, stay: Double?) { parameters.cursor.cursor(with: effect) }
        /// True if its lines may be wrapped although the request does not ask for it.
        var wraps: Bool {
            parameters.path == nil && parameters.code.language == nil && !(effect is Marquee)
        }
    }

    private mutating func readBlocks() -> [ReadBlock] {
        if let blocks = raw.values["blocks"] {
            if case .text = blocks {
                fault("blocks", "can be given in a JSON body only")
                return []
            }
            guard raw.texts.isEmpty else {
                fault("blocks", "must not be given together with text")
                return []
            }
            let most = RequestSchema.mostTexts
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
        guard !raw.texts.isEmpty else {
            fault("text", "is required")
            return []
        }
        guard raw.texts.count <= mostTexts else {
            fault("text", "must be given at most \(mostTexts) times; got \(raw.texts.count)")
            return []
        }
        return raw.texts.enumerated().compactMap { index, text in
            readBlock(index == 0 ? [:] : subtitle(index - 1), text: text, at: "")
        }
    }

    /// Returns the values of its own that a text after the first has in the look of the request: it
    /// stands beneath the first one as a subtitle.
    private func subtitle(_ number: Int) -> [ByteString: RawValue] {
        let subtitles = presetValues.subtitles
        guard top["sequence"] != .string("replace"),
            let subtitle = number < subtitles.count ? subtitles[number] : subtitles.last
        else { return [:] }
        var reader = ParameterReader(top)
        let size = BlockParameters(&reader).style.size * subtitle.size
        var values = subtitle.values
        // With another effect than the look's, its parameters are not the look's either.
        if values["effect"] == nil {
            for name in schema.effectNames { values[name] = nil }
        }
        values["size"] = .number(max((size * 4).rounded() / 4, 4))
        return values
    }

    private mutating func readBlock(
        _ own: [ByteString: RawValue], text: RawValue?, at path: String
    ) -> ReadBlock? {
        var ownValues: [ByteString: ParameterValue] = [:]
        for (name, raw) in own.sorted(by: { $0.key < $1.key })
        where schema.blockNames.contains(name) && name != "text" {
            guard let parameter = schema.byName[name] else { continue }
            ownValues[name] = value(raw, parameter, at: path)
        }
        if let scheme {
            ownValues = scheme.colors.values(
                of: ownValues, inheriting: scheme.inherited, isDark: scheme.isDark)
        }
        let values = top.merging(ownValues) { $1 }
        // An unknown effect is a fault already, and its parameters are unknown.
        let effectGiven = own["effect"] ?? raw.values["effect"]
        guard effectGiven == nil || values["effect"] != nil else { return nil }
        let entry = effect(of: values)
        let effectValues = readEffect(entry, own, at: path)
        noteUnknownNames(own, entry, at: path)
        var reader = ParameterReader(UsualInk.resolved(values))
        var parameters = BlockParameters(&reader)
        parameters.style.isSpacingAskedFor =
            ownValues["letterSpacing"] != nil || presetOfName["letterSpacing"] == nil
        let prompt = effectValues["prompt"]
        guard let text = readText(text, parameters, prompt: prompt, at: path) else { return nil }
        do {
            let effect = try entry.effect(effectValues)
            checkGradients(parameters.paint, effect, own, at: path)
            checkPath(parameters, text.styled, at: path)
            let canonical = CanonicalRequest.Block(
                text: text.source, values: ownValues, effect: entry, effectValues: effectValues)
            return ReadBlock(
                text: text.styled, effect: effect, effectName: (entry.name, entry.title),
                canonical: canonical, parameters: parameters)
        } catch {
            // An invalid value is a fault already; it counts as not given.
            let key = ByteString(error.parameter)
            if own[key] ?? topEffectValues[key] == nil
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
            guard case .string(let other)? = top[parameter],
                let change = (try? schema.effects[other]?.effect())?.colorChange(in: kind),
                change != .none
            else { continue }
            fault(
                parameter.text,
                "must not be \"\(other)\", which changes colours: \(name.text) is a gradient")
        }
        guard effect.colorChange(in: .entrance) == .other else { return }
        if own["keyframes"] != nil || topEffectValues["keyframes"] != nil {
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
                if topEffectValues[key] != nil { usedEffectNames.insert(key) }
                values[key] = value(raw, parameter, at: path)
            } else if let raw = topEffectValues[key] {
                usedEffectNames.insert(key)
                values[key] = topValue(raw, parameter, of: effect)
            } else if hasEarlierDefaults {
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
            presetOfName[parameter.key] == nil
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
                fault(path + name.text, "is not a parameter of the effect \"\(effect.name)\"")
            } else if schema.topNames.contains(name) {
                fault(path + name.text, "cannot be set for one block; set it at the top")
            } else {
                faults.addUnknown(
                    name.text, at: path,
                    among: schema.blockNames.sorted().map(\.text) + effect.parameters.map(\.name))
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
            fault(path + "text", "must be a string; got \(raw.description)")
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
            if parameters.isMarkup, self.raw.values["pictures"] != nil, top["pictures"] == nil {
                return nil
            }
            for found in RenderingError(error, parameter: path + "text").faults {
                fault(found.parameter, found.message)
            }
            return nil
        }
    }
}
