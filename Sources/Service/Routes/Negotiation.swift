import Encoders
import HTTP

/// Which format answers: the path's extension, the request's own, the `Accept` field, the standard.
struct Negotiation {
    let format: any OutputFormat.Type
    /// Whether `Accept` was asked, which caches have to know.
    let dependsOnAccept: Bool

    /// - Throws: 406 when `Accept` asks for no format that we make.
    init(
        extension fileExtension: (any OutputFormat.Type)?, requested: (any OutputFormat.Type)?,
        accept: String?
    ) throws(Problem) {
        if let format = fileExtension ?? requested {
            (self.format, dependsOnAccept) = (format, false)
            return
        }
        let field = AcceptField(accept)
        var best: (format: any OutputFormat.Type, quality: Double)?
        for format in FormatCatalog.all where format.isNegotiable {
            let quality = field.quality(of: format.mediaType)
            if quality > best?.quality ?? 0 { best = (format, quality) }
        }
        guard let best else { throw .notAcceptable(accept ?? "") }
        (format, dependsOnAccept) = (best.format, true)
    }
}
