/// A failure of a library or of the system while a picture was made.
///
/// The picture is neither sent nor kept: the request ends with 503, the worker opens its fonts again,
/// and `/health` reports the reason until a rendering succeeds.
///
/// The failures that the libraries can report, and the faults that they become:
///
/// | library | failure | noticed by | becomes |
/// |---|---|---|---|
/// | fontconfig | its configuration cannot be parsed | `FcConfigParseAndLoad` | `fonts` |
/// | fontconfig | a file or directory that cannot be opened is passed over in silence | the configuration is read twice, and both readings must agree | `fonts` |
/// | fontconfig | no font at all | an empty list | `fonts` |
/// | fontconfig | a file of `--fonts` is not a font | the tables that it lists, `FcConfigAppFontAddFile` | `fontFiles` |
/// | HarfBuzz | a font file cannot be opened: the face is empty and every character unknown | `hb_face_get_glyph_count` is 0 | `font` |
/// | HarfBuzz | memory is short: inert objects, text that is not shaped | `hb_font_is_immutable`, room for memory before and after a layout | `memory` |
/// | Pango | no font for a run, a run without glyphs | the run's font is nil; messages of GLib's log | `font`, `warning` |
/// | Pango, GLib | anything that they warn of, such as shaping that failed | messages of GLib's log on the same thread | `warning` |
/// | GLib | memory is short, a thread cannot be started | GLib ends the process itself | |
/// | ICU | a text cannot be cut into words | the error code of `ubrk_open` | `memory`, `warning` |
/// | FreeType | an outline cannot be emboldened | `FT_Outline_EmboldenXY` | `drawing` |
/// | cairo | a surface, context or PNG | status of each | `drawing` |
/// | HarfBuzz, libpng by cairo | a colour glyph's picture cannot be read | no PNG where the font has pictures, status | `drawing` |
/// | libdeflate, zlib | no memory for a stream | `libdeflate_alloc_compressor`, `deflateInit2`, `inflateInit`, `inflate` | `memory` |
/// | libwebp | memory is short | the error code of `WebPEncode` | `memory` |
/// | libwebp | a frame cannot be encoded; another version than its header | the same, `WebPConfigInit`, `WebPPictureInit` | `drawing` |
/// | pthreads | a render thread cannot be started | `pthread_create` | `thread` |
/// | Swift | memory is short | Swift ends the process itself | |
package enum LibraryFault: Error, Equatable, Sendable {
    /// The installed fonts cannot be read; the reason.
    case fonts(String)
    /// Fonts of the operator's own cannot be used; the reasons by file or directory, and whether
    /// one of these cannot be read at all.
    case fontFiles([String], areUnreadable: Bool)
    /// A font could not be opened or chosen; its family if it is known.
    case font(String?)
    /// Memory is short.
    case memory
    /// The graphics library failed; its message.
    case drawing(String)
    /// A library warned; its message.
    case warning(String)
    /// A render thread could not be started; the system's message.
    case thread(String)

    /// The libraries whose faults are told apart.
    package enum Library: String, CaseIterable, Sendable {
        case fontconfig, pango, cairo
        /// The allocator, of any library.
        case memory
        /// The operating system.
        case system
    }

    package var library: Library {
        switch self {
        case .fonts, .fontFiles, .font: .fontconfig
        case .memory: .memory
        case .drawing: .cairo
        case .warning: .pango
        case .thread: .system
        }
    }

    /// True if fonts of the operator's own are at fault.
    package var isOfOwnFonts: Bool { if case .fontFiles = self { true } else { false } }
}

/// An error of work that a library may fail.
///
/// To add one, write an enum with a case `library`.
package protocol LibraryError: Error {
    static func library(_ fault: LibraryFault) -> Self
}

extension LibraryError {
    /// Runs a part of the work that fails only where a library does.
    package static func catching<Result>(
        _ body: () throws(LibraryFault) -> Result
    ) throws(Self) -> Result {
        do {
            return try body()
        } catch {
            throw .library(error)
        }
    }
}

extension LibraryFault: CustomStringConvertible {
    package var description: String {
        switch self {
        case .fonts(let reason): reason
        case .fontFiles(let reasons, _): reasons.joined(separator: "; ")
        case .font(let family?): "the font \"\(family)\" could not be opened"
        case .font(nil): "a font could not be opened"
        case .memory: "there is not enough memory"
        case .drawing(let reason): "drawing failed: \(reason)"
        case .warning(let reason): "typesetting failed: \(reason)"
        case .thread(let reason): "a render thread could not be started: \(reason)"
        }
    }
}
