import HTTP
import Raster
import Synchronization

/// The documents of a path: for programs, and for people who open it in a browser.
struct CatalogDocument: Sendable {
    let json: DeferredDocument
    var page: DeferredDocument?

    /// Returns the page if the request prefers one.
    func document(for request: HTTP.Request) -> DeferredDocument {
        guard let page else { return json }
        let accept = AcceptField(request.fields.combined("Accept"))
        let prefersPage = accept.quality(of: "text/html") > accept.quality(of: "application/json")
        return prefersPage ? page : json
    }
}

/// A document that is made when it is first asked for, and kept.
///
/// The documents of the catalogues, of the fonts, and of the preview page took half of the
/// instructions of a start, and few clients want them.
final class DeferredDocument: Sendable {
    private let make: @Sendable () throws(LibraryFault) -> Document
    private let kept = Mutex<Document?>(nil)
    /// Held while the document is made, so that it is made once.
    private let lock = Mutex(())

    /// - Parameter make: Makes the document; it is called again after a fault.
    init(_ make: @escaping @Sendable () throws(LibraryFault) -> Document) {
        self.make = make
    }

    /// The document if it has been made; nil while it is being made.
    var made: Document? { kept.withLock { $0 } }

    /// Returns the document, which takes milliseconds the first time.
    ///
    /// - Throws: The fault of its sources.
    func document() throws(LibraryFault) -> Document {
        try lock.withLock { _ throws(LibraryFault) in
            if let made { return made }
            let document = try make()
            kept.withLock { $0 = document }
            return document
        }
    }
}
