import Encoders
import HTTP

/// Which format answers: the path's extension, the request's own, the `Accept` field, the standard.
struct Negotiation {
    let format: FormatCatalog.Entry
    /// Whether `Accept` was asked, which caches have to know.
    let dependsOnAccept: Bool

    /// - Throws: 406 when `Accept` asks for no format that we make.
    init(
        extension fileExtension: FormatCatalog.Entry?, requested: FormatCatalog.Entry?,
        accept: String?, _ formats: FormatCatalog
    ) throws(Problem) {
        if let format = fileExtension ?? requested {
            (self.format, dependsOnAccept) = (format, false)
            return
        }
        let field = AcceptField(accept)
        var best: (format: FormatCatalog.Entry, quality: Double)?
        for format in formats.entries where format.type.isNegotiable {
            let quality = field.quality(of: format.type.mediaType)
            if quality > best?.quality ?? 0 { best = (format, quality) }
        }
        guard let best else { throw .notAcceptable(formats) }
        (format, dependsOnAccept) = (best.format, true)
    }
}
