import Bytes
import Motion

/// The place where pages of captions end, where they have room.
enum PageBreak: String, CaseIterable, Sendable {
    case sentence, pause, cue
}

/// The parameters of captions: how their file is read, and how they become pages.
struct CaptionParameters: Equatable, Sendable {
    let format: CaptionFormat
    let unit: CaptionUnit
    /// The most words of a page; nil for any number.
    var pageWords: Int?
    /// The most seconds from the first word of a page to the end of its last; nil for any.
    var pageSeconds: Double?
    /// The seconds without a word after which another page begins.
    var pagePause: Double
    var pageBreak: PageBreak

    /// The lines of a page unless the request says otherwise.
    static let usualLines = 2.0
    /// The names of its parameters, and of the captions.
    static let names: [ByteString] =
        ["captions"] + ParameterReader.definitions { _ = Self(&$0) }.map { ByteString($0.name) }

    init(_ parameters: inout ParameterReader) {
        format = parameters.choice(
            "captionFormat", default: .auto,
            "With captions: the format of the file, if it cannot be told by its content.")
        unit = parameters.choice(
            "captionUnit", default: .auto,
            "With captions: the unit of its times, seconds (s) or milliseconds (ms), if it cannot "
                + "be told.")
        pageWords = parameters.optionalInteger(
            "pageWords", in: 1...100, "With captions: the most words of a page.")
        pageSeconds = parameters.optionalNumber(
            "pageSeconds", in: 0.2...60, unit: .seconds,
            "With captions: the most seconds of a page.")
        pagePause = parameters.seconds(
            "pagePause", default: 0.6, in: 0.1...60,
            "With captions: a pause of more seconds starts a page, unless pageBreak is cue.")
        pageBreak = parameters.choice(
            "pageBreak", default: .sentence,
            "With captions: a page ends where a sentence does (sentence), only at pauses (pause), or "
                + "where a cue of the file does (cue). Longer ones are divided where their lines are "
                + "full.")
    }
}
