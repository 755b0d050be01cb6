import Bytes
import Encoders
import Motion
import Typesetting

/// A block whose parameters are checked: an object, because it is large and read many times.
final class ReadBlock {
    let text: StyledText
    let effect: any Effect
    let canonical: CanonicalRequest.Block
    let parameters: BlockParameters
    /// The offset in the text at which each of its words that have times starts.
    let wordOffsets: [Int]

    init(
        _ text: StyledText, _ effect: any Effect, _ parameters: BlockParameters,
        wordOffsets: [Int], canonical: CanonicalRequest.Block
    ) {
        self.wordOffsets = wordOffsets
        self.text = text
        self.effect = effect
        self.parameters = parameters
        self.canonical = canonical
    }

    /// Its cursor, and the seconds for which it stays; nil for as long as it may.
    var cursor: (shape: CursorShape, stay: Double?) { parameters.cursor.cursor(with: effect) }
    /// True if its lines may be wrapped although the request does not ask for it.
    var wraps: Bool {
        parameters.path == nil && parameters.code.language == nil && !(effect is Marquee)
            && (effect as? Scroll)?.isUpright != false
    }
}

/// A request whose parameters are checked.
struct ReadRequest {
    let schema: RequestSchema
    /// The values at the top.
    let values: [ByteString: ParameterValue]
    /// The place that the file goes to.
    let target: Target?
    let scene: SceneParameters
    /// At least one.
    let blocks: [ReadBlock]
    /// The bar above the text; nil for none.
    let titleBar: TitleBar?
    let format: FormatCatalog.Entry?
    /// The captions whose cues are the blocks; nil for none.
    let captions: Captions?

    /// Returns the request for the renderer, whose canvas has sides of a length at most.
    func renderRequest(maximumSide: Double) -> RenderRequest {
        var canvas = scene.canvas
        canvas.maximumSide = maximumSide
        canvas.titleBar = titleBar
        let times = scene.sequence == .timed ? times : []
        let choreography = choreography(times)
        var canonical = CanonicalRequest(
            top: values, blocks: blocks.map(\.canonical), parameters: schema.byName)
        // A preset may have them; a request itself may not.
        if !times.isEmpty { canonical.leaveOut(RequestReader.untimed) }
        if let captions { canonical.use(captions.track.node) }
        var request = RenderRequest(
            texts: blocks.indices.map { index in
                var text = text(of: blocks[index], in: choreography)
                if !times.isEmpty { addTimes(times[index], of: blocks[index], to: &text) }
                return text
            }, canvas: canvas,
            choreography: choreography, card: scene.card, title: scene.title, seed: scene.seed,
            values: values, format: format, canonical: canonical.text, sources: sources,
            target: target)
        request.captions = captions
        if let count = captions?.track.mendedCount, count > 0 {
            request.sources.append("captions-mended \(count)")
        }
        return request
    }

    private func choreography(_ times: [BlockTime]) -> Choreography {
        var choreography = Choreography(
            blocks: blocks.indices.map { index in
                let block = blocks[index]
                var own = Choreography.Block(
                    effect: block.effect,
                    named: (block.canonical.effect.name, block.canonical.effect.title),
                    cursor: block.cursor.shape, cursorBlink: block.parameters.cursorBlink,
                    cursorStay: block.cursor.stay, paint: block.parameters.paint)
                if !times.isEmpty { own.time = times[index] }
                return own
            },
            sequence: scene.sequence, exit: exit, timing: scene.timing, loop: scene.loop,
            isAnimated: scene.isAnimated)
        choreography.emphasis = emphasis
        choreography.paintMotion = paintMotion
        choreography.cardMotion = scene.cardMotion
        return choreography
    }

    /// The times of the blocks of a timed sequence.
    private var times: [BlockTime] {
        let starts = blocks.map { $0.parameters.at ?? $0.parameters.times.first?.at ?? 0 }
        return blocks.indices.map { index in
            let next = starts[index...].first { $0 > starts[index] }
            let end = blocks[index].parameters.until ?? next
            let spoken = blocks[index].parameters.spoken
            return BlockTime(
                from: shifted(starts[index]), to: end.map(shifted),
                spoken: spoken.changesNothing ? nil : spoken)
        }
    }

    /// Returns a time moved by the offset of the scene, which begins at 0.
    private func shifted(_ seconds: Double) -> Double {
        max(Instant(seconds: seconds + scene.offset).seconds, 0)
    }

    /// Gives a text the time in which it is seen, and its words theirs.
    private func addTimes(_ time: BlockTime, of block: ReadBlock, to text: inout BlockText) {
        text.time = time.start...max(time.end ?? .infinity, time.start)
        let words = block.parameters.times
        for (index, (word, offset)) in zip(words, block.wordOffsets).enumerated() {
            let start = shifted(word.at)
            let next = index + 1 < words.count ? shifted(words[index + 1].at) : time.end
            let end = word.until.map(shifted) ?? next ?? start + Self.usualWord
            text.timedWords.append(TextWord(offset: offset, start: start, end: max(end, start)))
        }
    }

    /// The seconds of a last word whose end nothing gives.
    private static let usualWord = 0.5

    private var exit: Choreography.ExitPolicy {
        let name = ByteString(scene.exit)
        switch name {
        case "between": return .between
        case "auto": return .auto
        case "none": return .none
        default:
            guard let effect = try? schema.effects[name]?.effect() else { return .between }
            return .effect(effect)
        }
    }

    private var emphasis: Choreography.Emphasis? {
        var values: [ByteString: ParameterValue] = [:]
        if let seconds = scene.emphasis.duration { values["duration"] = .number(seconds) }
        if let rate = scene.emphasis.rate { values["rate"] = .number(rate) }
        guard !scene.emphasis.effect.isSame(as: "none"),
            let effect = try? schema.effects[ByteString(scene.emphasis.effect)]?.effect(values)
        else { return nil }
        return Choreography.Emphasis(
            effect, interval: scene.emphasis.interval ?? effect.emphasisInterval)
    }

    /// How gradients move; nil where none does.
    private var paintMotion: Choreography.PaintTurn? {
        guard let motion = scene.paintMotion else { return nil }
        let moves =
            motion.kind.moves(scene.card.background, dark: scene.card.darkBackground)
            || blocks.contains { block in
                let paint = block.parameters.paint
                return motion.kind.moves(paint.fill, dark: paint.darkFill)
            }
        return moves ? motion : nil
    }

    /// Returns the text of a block, with the characters and the axes that its motions show.
    private func text(of block: ReadBlock, in choreography: Choreography) -> BlockText {
        var text = BlockText(block.text)
        text.words = block.parameters.words
        text.characters = block.effect.characters(for: block.text.text)
        if case .effect(let exit) = choreography.exit {
            text.exitCharacters = exit.characters(for: block.text.text)
        }
        text.axes = axes(of: block, in: choreography)
        text.cursor = block.cursor.shape
        text.margins = block.parameters.paint.margins
        text.numbering = block.parameters.code.numbering
        text.path = block.parameters.path
        if block.parameters.alignment != scene.canvas.alignment {
            text.alignment = block.parameters.alignment
        }
        if block.parameters.verticalAlignment != scene.canvas.verticalAlignment {
            text.verticalAlignment = block.parameters.verticalAlignment
        }
        return text
    }

    /// Returns the motions of axes that the text of a block goes through, each once.
    private func axes(of block: ReadBlock, in choreography: Choreography) -> [AxisMotion] {
        guard choreography.isAnimated else { return [] }
        var motions: [AxisMotion] = []
        func add(_ motion: AxisMotion?) {
            if let motion, !motions.contains(motion) { motions.append(motion) }
        }
        add(block.effect.axes)
        if case .effect(let exit) = choreography.exit { add(exit.axes) }
        add(choreography.emphasis?.effect.axes)
        if !block.wordOffsets.isEmpty { add(block.parameters.spoken.axes) }
        return motions
    }

    /// The definitions of the operator's effects that blocks, the exit, and the emphasis name, the
    /// sources of the operator's pictures in the texts and behind them, the version of ICU if words or lines of a
    /// block go by it, and a word for letter spacing that is not worth a warning.
    private var sources: [String] {
        var sources: [String] = []
        if schema.effects.hasSources {
            let all =
                blocks.map(\.canonical.effect.source)
                + [scene.exit, scene.emphasis.effect].map { schema.effects[ByteString($0)]?.source }
            for case let source? in all where !sources.includes(source) { sources.append(source) }
        }
        let pictures =
            blocks.flatMap { $0.text.pictures.map(\.picture) }
            + [scene.canvas.backdrop?.picture].compactMap { $0 }
        for case let source? in pictures.map(schema.pictures.source)
        where !sources.includes(source) {
            sources.append(source)
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
}
