import Bytes
import Typesetting

/// Reads Timed Text Markup Language (`.ttml`, `.dfxp`; w3.org/TR/ttml2): the texts, times, and places of paragraphs, and
/// the times of spans, which are the words of Apple's lyrics. Other styles are passed over.
struct TimedText {
    /// What an element has of those around it.
    private struct Context {
        /// Ticks of an instant.
        var begin: Int?
        var end: Int?
        var place = TimedTextPlace()
        var keepsSpaces = false
    }

    private let clock: TimedTextClock
    private let styles: TimedTextStyles
    /// True if times do not count from those of the element around them, as in Apple's lyrics, which declare
    /// `xmlns:itunes`.
    private let isAbsolute: Bool
    private var cues: [FileCue] = []
    /// The voices behind those of the paragraph that is read.
    private var backgrounds: [FileCue] = []

    static func cues(in file: CaptionLines) throws(RenderingError) -> [FileCue] {
        let text = String(decoding: file.bytes, as: UTF8.self)
        let root = try RenderingError.catching({ (fault: ValueFault) in
            .invalid("captions", fault.message)
        }) { () throws(ValueFault) in
            try XMLElement.root(of: text, as: "TTML")
        }
        guard root.isNamed("tt") else {
            throw .invalid("captions", "must be TTML, which is <tt>; got <\(root.shownName)>")
        }
        var reader = TimedText(root)
        try reader.read(root, in: Context())
        return reader.cues
    }

    private init(_ root: XMLElement) {
        clock = TimedTextClock(root)
        styles = TimedTextStyles(root)
        isAbsolute =
            root["timing"] != nil || root["itunes"] != nil
            || Self.outlasts(root, from: 0, to: nil, clock)
    }

    // MARK: Times

    /// Returns true if something would begin after the end of the element around it unless times counted from 0.
    private static func outlasts(
        _ element: XMLElement, from start: Int, to end: Int?, _ clock: TimedTextClock
    ) -> Bool {
        var (begin, last) = (start, end)
        if let own = element["begin"].flatMap(clock.ticks) {
            begin = start + own
            if let end, begin >= end, own >= start, own < end { return true }
        }
        if let own = element["end"].flatMap(clock.ticks) { last = start + own }
        if let length = element["dur"].flatMap(clock.ticks) {
            last = min(last ?? .max, begin + length)
        }
        return element.elements.contains { outlasts($0, from: begin, to: last, clock) }
    }

    /// Returns the time that an attribute has, if it is there.
    private func ticks(
        _ name: String, of element: XMLElement
    ) throws(RenderingError) -> Int? {
        guard let text = element[name] else { return nil }
        guard let ticks = clock.ticks(text) else {
            throw .invalid(
                "captions",
                "cue \(cues.count + 1) must have times such as 00:00:01.500, 1.5s, or 36f; "
                    + "got \(name)=\"\(text.shortened(to: 40))\"")
        }
        return ticks
    }

    /// Returns the start and the end that an element has itself.
    private func times(
        of element: XMLElement, in context: Context
    ) throws(RenderingError) -> Times {
        let start = isAbsolute ? 0 : context.begin ?? 0
        let begin = try ticks("begin", of: element).map { start + $0 }
        var end = try ticks("end", of: element).map { start + $0 }
        if let length = try ticks("dur", of: element) {
            end = min(end ?? .max, (begin ?? context.begin ?? 0) + length)
        }
        return (begin, end)
    }

    // MARK: Elements

    private mutating func read(
        _ element: XMLElement, in context: Context
    ) throws(RenderingError) {
        if element.isNamed("head") { return }
        if element.isNamed("p") { return try readParagraph(element, in: context) }
        var inner = self.context(of: element, try times(of: element, in: context), in: context)
        inner.place = styles.place(of: element, in: context.place)
        for child in element.elements { try read(child, in: inner) }
    }

    private typealias Times = (begin: Int?, end: Int?)

    /// Returns what elements in an element have of it, but for the place.
    private func context(of element: XMLElement, _ times: Times, in context: Context) -> Context {
        var inner = context
        inner.begin = times.begin ?? context.begin
        inner.end = times.end ?? context.end
        if let space = element["space"] { inner.keepsSpaces = space.isSame(as: "preserve") }
        return inner
    }

    private mutating func readParagraph(
        _ element: XMLElement, in context: Context
    ) throws(RenderingError) {
        let times = try times(of: element, in: context)
        let inner = self.context(of: element, times, in: context)
        let place = styles.place(of: element, in: context.place)
        let voice = (element["agent"] ?? "-").shortened(to: 60)
        var text = TimedTextLine()
        try readSpans(element, into: &text, in: inner, voice)
        for var cue in [cue(of: text, times, in: context, voice)] + backgrounds {
            cue.number = cues.count + 1
            cue.mayRepeat = isAbsolute || !cue.words.isEmpty
            cue.alignment = place.alignment
            cue.verticalAlignment = place.verticalAlignment
            cues.append(cue)
        }
        backgrounds = []
    }

    /// Returns a text that is seen at its times, or else at those of its words, or of the element around it.
    private func cue(
        of text: TimedTextLine, _ times: Times, in context: Context, _ voice: String
    ) -> FileCue {
        var cue = text.cue(at: times.begin, until: times.end)
        if !text.isTimed {
            cue.at = cue.at ?? context.begin ?? 0
            cue.until = cue.until ?? context.end
        }
        cue.voice = Array(voice.utf8)
        return cue
    }

    /// Reads the texts of a paragraph or a span; translations, readings, and metadata are passed over.
    private mutating func readSpans(
        _ element: XMLElement, into text: inout TimedTextLine, in context: Context, _ voice: String
    ) throws(RenderingError) {
        for content in element.contents {
            switch content {
            case .text(let part): text.append(part, keepingSpaces: context.keepsSpaces)
            case .element(let child) where child.isNamed("br"): text.breakLine()
            case .element(let child) where child.isNamed("span"):
                let role = child["role"] ?? ""
                let isHidden = role.begins(with: "x-translation") || role.begins(with: "x-roman")
                guard !isHidden, !styles.isReading(child) else { continue }
                let times = try times(of: child, in: context)
                let inner = self.context(of: child, times, in: context)
                if role.isSame(as: "x-bg") {
                    var background = TimedTextLine()
                    try readSpans(child, into: &background, in: inner, voice)
                    backgrounds.append(cue(of: background, times, in: context, voice + " x-bg"))
                } else if times.begin != nil || times.end != nil {
                    text.begin(at: times.begin, until: times.end)
                    try readSpans(child, into: &text, in: inner, voice)
                    text.end()
                } else {
                    try readSpans(child, into: &text, in: inner, voice)
                }
            case .element: continue
            }
        }
    }
}

/// The text of a paragraph, with the times of its spans.
private struct TimedTextLine {
    private var text: [UInt8] = []
    private var pieces: [FileCue.Piece] = [(0, nil, nil)]
    private var last: Unicode.Scalar?
    /// White space behind the last character, which counts if another one follows.
    private var hasSpace = false
    private var hasNewline = false

    /// True if spans have times.
    var isTimed: Bool { pieces.count > 1 }

    mutating func append(_ part: String, keepingSpaces: Bool) {
        for scalar in part.unicodeScalars {
            switch scalar {
            case "\n" where keepingSpaces: breakLine()
            case " ", "\n":
                hasSpace = true
                hasNewline = hasNewline || scalar == "\n"
            case "\u{202A}"..."\u{202E}":
                if text.last ?? 0x0A == 0x0A { text += CueMarkup.mark(inPlaceOf: scalar.value) }
            case "\u{FEFF}", "\0"..."\u{1F}", "\u{7F}": continue
            default:
                take(scalar)
            }
        }
    }

    private mutating func take(_ scalar: Unicode.Scalar) {
        // Files that are indented have lines between words of Chinese and Japanese.
        let isIndented =
            hasNewline && CaptionLetter.isUnspaced(scalar)
            && last.map(CaptionLetter.isUnspaced) == true
        if hasSpace, text.last ?? 0x0A != 0x0A, !isIndented { text.append(0x20) }
        text += Array(String(scalar).utf8)
        last = scalar
        (hasSpace, hasNewline) = (false, false)
    }

    mutating func breakLine() {
        if text.last ?? 0x0A != 0x0A { text.append(0x0A) }
        (hasSpace, hasNewline) = (false, false)
    }

    mutating func begin(at: Int?, until: Int?) {
        pieces.append((text.count, at, until))
    }

    mutating func end() {
        pieces.append((text.count, nil, nil))
    }

    /// Returns the cue, which has no number yet.
    func cue(at: Int?, until: Int?) -> FileCue {
        var cue = FileCue(number: 0, at: at, until: until)
        cue.text = text.last == 0x0A ? Array(text.dropLast()) : text
        if isTimed { cue.setWords(of: pieces) }
        return cue
    }
}
