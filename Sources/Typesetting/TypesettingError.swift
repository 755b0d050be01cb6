package import Motion

/// Why a text cannot be set.
package enum TypesettingError: Error, Equatable, Sendable {
    /// The text holds a control character other than a line break or a tab.
    case controlCharacter(Unicode.Scalar)
    /// There is nothing but white space.
    case blank
    /// The markup is malformed, or uses what is not honoured.
    case markup(String)
    /// An automatic canvas would be larger than the limit, in CSS pixels.
    case canvasTooLarge(name: String, length: Double, limit: Double)
    /// A library failed.
    case library(LibraryFault)
}

extension TypesettingError {
    /// Runs a part of typesetting that only a library can make fail.
    static func catching<Result>(
        _ body: () throws(LibraryFault) -> Result
    ) throws(TypesettingError) -> Result {
        do {
            return try body()
        } catch {
            throw .library(error)
        }
    }
}
