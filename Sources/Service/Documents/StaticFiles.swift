import Bytes
import Glibc
import HTTP
import Raster

package enum StaticFilesError: Error, Equatable, Sendable, CustomStringConvertible {
    case unreadableDirectory(String)
    case unreadableFile(String)

    package var description: String {
        switch self {
        case .unreadableDirectory(let path):
            "cannot read the directory \(path) of the preview page"
        case .unreadableFile(let path): "cannot read the file \(path) of the preview page"
        }
    }
}

/// The files of the public directory.
///
/// They are read once, so that no path of a request reaches the file system.
struct StaticFiles: Sendable {
    /// The largest file that is read.
    private static let maximumBytes = 16 << 20

    private var documents: [ByteString: DeferredDocument] = [:]

    /// Makes an empty collection.
    init() {}

    /// Reads all files below a directory but hidden ones; `index.html` is its directory's document too.
    ///
    /// They are compressed when they are first asked for.
    init(directory: String) throws(StaticFilesError) {
        guard let names = Directory.files(below: directory) else {
            throw StaticFilesError.unreadableDirectory(directory)
        }
        for name in names {
            guard let type = Self.mediaType(of: name) else { continue }
            let path = "\(directory)/\(name)"
            guard let contents = Directory.contents(of: path, limit: Self.maximumBytes) else {
                throw StaticFilesError.unreadableFile(path)
            }
            func file(_ cacheControl: String) -> DeferredDocument {
                DeferredDocument { () throws(LibraryFault) in
                    try Document(
                        bytes: contents, mediaType: type.name, isText: type.isText,
                        cacheControl: cacheControl, policy: Self.policy)
                }
            }
            let document = file("no-cache")
            documents[ByteString("/" + name)] = document
            if name.isSame(as: "titlecard.js") {
                // Pages that name the version, and the hash of the file, always get the same bytes.
                documents[ByteString("/titlecard.\(Release.version).js")] = file(
                    "public, max-age=31536000, immutable")
            }
            if name.isSame(as: "index.html") || name.ends(with: "/index.html") {
                let folder = name.dropping(last: "index.html".utf8.count)
                documents[ByteString("/" + folder)] = document
            }
        }
    }

    /// Returns the file at a request's path, percent-encoded or not.
    func file(at path: String) -> DeferredDocument? {
        if let document = documents[ByteString(path)] { return document }
        guard path.utf8.contains(UInt8(ascii: "%")),
            let plain = try? PercentEncoding.decode(path, plusIsSpace: false)
        else { return nil }
        return documents[ByteString(plain)]
    }

    /// True if a path and a slash are the path of a directory with a document.
    func hasFolder(at path: String) -> Bool { documents[ByteString(path + "/")] != nil }

    /// The page's policy: it loads only its own files and renderings, and runs no inline script.
    /// A recording that someone drops on it is a blob.
    ///
    /// Browsers treat an SVG in an `<object>` as a frame.
    static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
        + "media-src blob:; object-src 'self'; frame-src 'self'; connect-src 'self'; "
        + "font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"

    private static func mediaType(of name: String) -> (name: String, isText: Bool)? {
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return nil }
        return switch ByteString(name[dot...].lowercasedASCII) {
        case ".html": ("text/html; charset=utf-8", true)
        case ".css": ("text/css; charset=utf-8", true)
        case ".js", ".mjs": ("text/javascript; charset=utf-8", true)
        case ".json": ("application/json", true)
        case ".svg": ("image/svg+xml", true)
        case ".txt", ".ts": ("text/plain; charset=utf-8", true)
        case ".webmanifest": ("application/manifest+json", true)
        case ".png": ("image/png", false)
        case ".gif": ("image/gif", false)
        case ".ico": ("image/x-icon", false)
        case ".woff2": ("font/woff2", false)
        default: nil
        }
    }
}

/// Functions that read directories and files.
private enum Directory {
    /// Returns the sorted paths of all files below a directory; nil if one cannot be read.
    ///
    /// Hidden files and directories are left out, links to directories are not followed.
    static func files(below folder: String) -> [String]? {
        guard let names = DirectoryNames.sorted(in: folder) else { return nil }
        var paths: [String] = []
        for name in names {
            guard isFolder("\(folder)/\(name)") else {
                paths.append(name)
                continue
            }
            guard let below = files(below: "\(folder)/\(name)") else { return nil }
            paths += below.map { "\(name)/\($0)" }
        }
        return paths
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Returns a file's bytes; nil if it cannot be read or has more than `limit`.
    static func contents(of path: String, limit: Int) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count >= 0, bytes.count + count <= limit else { return nil }
            guard count > 0 else { return bytes }
            bytes += buffer.prefix(count)
        }
    }
}
