import Bytes
package import Motion
import Raster
import Typesetting

/// The pictures of an operator that texts may have, in the order in which they are listed.
package struct PictureCatalog: Sendable {
    package let entries: [TextPicture]
    /// By name.
    let byName: [ByteString: TextPicture]
    /// The text that stands for a picture's content in the identity of requests, by name.
    private let sources: [ByteString: String]

    package static let empty = PictureCatalog([])

    /// - Parameter entries: The pictures; their names differ.
    package init(_ entries: [TextPicture]) {
        self.entries = entries
        byName = Dictionary(uniqueKeysWithValues: entries.map { ($0.name, $0) })
        sources = byName.mapValues { "picture \($0.name.text) \(Digest([$0.file]).text)" }
    }

    /// Returns the text that stands for a picture's content; nil for a picture of a request.
    func source(of picture: TextPicture) -> String? {
        byName[picture.name] == picture ? sources[picture.name] : nil
    }
}

/// The reader of an operator's own picture, which is a PNG or WebP file, or an SVG of shapes.
package enum PictureFile {
    package enum Kind: Sendable {
        /// PNG or WebP.
        case pixels
        /// It is drawn once, at the start, as pixels.
        case svg
    }

    /// Pixels of the longer side of an SVG, at which text of 400 px an em still has more than its own.
    private static let longerSide = 1024

    /// Returns the picture in the bytes of a file.
    ///
    /// - Parameters:
    ///   - bytes: The bytes of the file.
    ///   - kind: The kind of the file.
    ///   - name: The name of the picture.
    /// - Returns: The picture, which can be decoded.
    /// - Throws: Its fault, which is of the file as a whole.
    package static func picture(
        in bytes: [UInt8], as kind: Kind, named name: String
    ) throws(RenderingError) -> TextPicture {
        guard PicturesGrammar.isName(name) else {
            throw .invalid(
                "", "must have a name of lower-case letters, digits and hyphens; got \"\(name)\"")
        }
        var file = bytes
        if kind == .svg {
            let drawing = try RenderingError.catching(fault) { () throws(ValueFault) in
                try SVGReader.picture(in: bytes)
            }
            file = try RenderingError.catching { () throws(LibraryFault) in
                try drawing.png(longerSide: longerSide)
            }
        }
        let picture = try RenderingError.catching(fault) { () throws(ValueFault) in
            try PictureReader.picture(in: file, named: ByteString(name))
        }
        guard try RenderingError.catching(picture.isIntact) else {
            throw fault(PictureReader.damaged)
        }
        return picture
    }

    private static func fault(_ fault: ValueFault) -> RenderingError {
        .invalid("", fault.message)
    }
}
