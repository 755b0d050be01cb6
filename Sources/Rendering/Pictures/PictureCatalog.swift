import Bytes
package import Motion
import Raster
import Typesetting

/// The pictures of an operator that texts may have, in the order in which they are listed.
package struct PictureCatalog: Sendable {
    package let entries: [TextPicture]
    /// By name.
    let byName: [ByteString: TextPicture]
    /// What stands for the content of each in the identity of requests, by name.
    private let sources: [ByteString: String]

    package static let empty = PictureCatalog([])

    /// - Parameter entries: The pictures; their names differ.
    package init(_ entries: [TextPicture]) {
        self.entries = entries
        byName = Dictionary(uniqueKeysWithValues: entries.map { ($0.name, $0) })
        sources = byName.mapValues { "picture \($0.name.text) \(Digest([$0.png]).text)" }
    }

    /// Returns what stands for the content of a picture; nil for one of a request.
    func source(of picture: TextPicture) -> String? {
        byName[picture.name] == picture ? sources[picture.name] : nil
    }
}

/// The reader of an operator's own picture, which is a PNG file.
package enum PictureFile {
    /// Returns the picture in the bytes of a file.
    ///
    /// - Throws: Its fault, which is of the file as a whole.
    package static func picture(
        in bytes: [UInt8], named name: String
    ) throws(RenderingError) -> TextPicture {
        guard PicturesGrammar.isName(name) else {
            throw .invalid(
                "", "must have a name of lower-case letters, digits and hyphens; got \"\(name)\"")
        }
        let picture = try RenderingError.catching({ .invalid("", $0.message) }) {
            () throws(ValueFault) in
            try PNGReader.picture(in: bytes, named: ByteString(name))
        }
        guard try RenderingError.catching(picture.isIntact) else {
            throw .invalid("", PNGReader.damaged.message)
        }
        return picture
    }
}
