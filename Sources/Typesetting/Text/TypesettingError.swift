import Motion
package import Raster

/// The reason for which a text cannot be laid out.
package enum TypesettingError: LibraryError, Equatable, Sendable {
    /// The text holds a control character other than a line break or a tab.
    case controlCharacter(Unicode.Scalar)
    /// The text is empty or white space.
    case blank
    /// The markup is malformed or not supported; the message.
    case markup(String)
    /// An automatic canvas would be larger than the limit, in CSS pixels.
    case canvasTooLarge(name: String, length: Double, limit: Double)
    /// A font has nothing but colour drawings of a character, none of them a picture; its family.
    case colorGlyphs(font: String)
    /// A grapheme has more characters than can be set in bounded time; their number.
    case graphemeTooLong(count: Int, limit: Int)
    /// Embeddings and isolates of directions are nested deeper than can be resolved.
    case directionsTooDeep(limit: Int)
    /// Markup asks for more different fonts than can be loaded in bounded time; their number.
    case tooManyFonts(count: Int, limit: Int)
    /// A picture cannot be decoded.
    case damagedPicture(name: String)
    /// The pictures in the texts would be more work to scale than a rendering may take, in megapixels
    /// that take as long to compose.
    case tooMuchWork(megapixels: Double, limit: Double)
    /// A path is shorter than its text, or ends before it; the text's length, and the missing
    /// length, in CSS pixels.
    case longerThanPath(length: Double, overflow: Double)
    /// A font lacks an axis that an effect changes; its family, and the tags of the axes that it has.
    case noAxis(String, font: String, axes: [String])
    /// Axes change in more steps than can be drawn in bounded time.
    case tooManyInstances
    /// The time that the layout may take is over.
    case deadline
    /// A library failed.
    case library(LibraryFault)
}

extension WorkDeadline {
    /// Checks the clock, one time of `stride`.
    ///
    /// - Throws: `TypesettingError.deadline`.
    func look(every stride: Int = 1) throws(TypesettingError) {
        if hasPassed(every: stride) { throw .deadline }
    }
}
