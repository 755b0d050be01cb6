package import Motion

/// A form that a scene can be given.
///
/// To add one: a folder beside this file with a type that conforms, and one line in
/// `FormatCatalog.swift`. Content negotiation, file extensions, the command line, the preview
/// page's menu and the format tests read the catalogue.
package protocol OutputFormat: Sendable {
    /// What requests call it.
    static var name: String { get }
    static var mediaType: String { get }
    /// Without the dot.
    static var fileExtension: String { get }
    /// Whether it compresses well, which pictures do not.
    static var isText: Bool { get }
    /// Whether an `Accept` header can ask for it.
    static var isNegotiable: Bool { get }

    static func encode(
        _ scene: Scene, _ options: OutputOptions, _ workshop: Workshop
    ) throws(PaintingError) -> [UInt8]
}

/// What encoders work with and keep from one rendering to the next.
///
/// Belongs to one worker.
package final class Workshop {
    let painter: any ScenePainter
    let paths = PathTextCache()
    let contours = ContourTextCache()

    package init(painter: any ScenePainter) {
        self.painter = painter
    }
}

/// What a request says of the file rather than of the scene.
package struct OutputOptions: Equatable, Sendable {
    /// Pixels in one CSS pixel.
    package var scale: Double
    /// What a still picture shows.
    package var moment: Moment

    package init(scale: Double = 1, moment: Moment = .finished) {
        self.scale = scale
        self.moment = moment
    }
}
