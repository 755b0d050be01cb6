import Bytes
import Encoders
import HTTP

/// The choice of a format by the path's extension, the request's `format`, the `Accept` field, or the
/// default, in this order.
struct Negotiation {
    let format: FormatCatalog.Entry
    /// True if the `Accept` field made the choice, so that `Vary` names it.
    let dependsOnAccept: Bool

    /// - Throws: 406 if `Accept` allows no format.
    init(
        extension fileExtension: FormatCatalog.Entry?, requested: FormatCatalog.Entry?,
        accept: String?, formats: FormatCatalog
    ) throws(Problem) {
        if let format = fileExtension ?? requested {
            (self.format, dependsOnAccept) = (format, false)
            return
        }
        let field = AcceptField(accept)
        var best: (format: FormatCatalog.Entry, quality: Double)?
        for format in formats.entries where format.type.isNegotiable {
            // What takes `video/*` takes MP4; Lottie is a video by its media type only.
            let isOtherVideo =
                format.type.mediaType.begins(with: "video/") && !(format.type is MP4Format.Type)
            let quality = field.quality(of: format.type.mediaType, byKind: !isOtherVideo)
            if quality > best?.quality ?? 0 { best = (format, quality) }
        }
        guard let best else { throw .notAcceptable(formats) }
        (format, dependsOnAccept) = (best.format, true)
    }
}
