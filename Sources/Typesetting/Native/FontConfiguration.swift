import CPango
import Glibc
import Motion
import Synchronization

/// One reading of fontconfig's configuration and of the fonts that it lists.
///
/// `@unchecked Sendable`: nothing changes the configuration after `init`, and fontconfig counts
/// references atomically.
final class FontConfiguration: @unchecked Sendable {
    let pointer: OpaquePointer
    /// Differs from every other reading's in the process.
    let number: Int

    private static let readings = Atomic(0)

    /// Reads the configuration and the fonts as they are now.
    ///
    /// Fontconfig passes over what it cannot open without a word, and other fonts would be chosen
    /// from then on. Two readings in a row tell: both must hold the same.
    ///
    /// - Throws: `LibraryFault.fonts`.
    static func read() throws(LibraryFault) -> FontConfiguration {
        guard canBeParsed else {
            throw .fonts("fontconfig's configuration cannot be read")
        }
        let (one, other) = (try FontConfiguration(), try FontConfiguration())
        guard one.content == other.content else {
            throw .fonts("fontconfig could not open all fonts and rules")
        }
        guard !one.content.fonts.isEmpty else {
            throw .fonts("no font is installed; any will do, such as Debian's fonts-dejavu-core")
        }
        // The default of whoever asks fontconfig without naming one, so that none is read for them.
        FcConfigSetCurrent(one.pointer)
        return one
    }

    private init() throws(LibraryFault) {
        guard let pointer = FcInitLoadConfigAndFonts() else {
            throw .fonts("fontconfig's configuration cannot be read")
        }
        self.pointer = pointer
        number = Self.readings.wrappingAdd(1, ordering: .relaxed).newValue
        // Fonts change when they are read anew, not by themselves in the middle of the day.
        FcConfigSetRescanInterval(pointer, 0)
    }

    deinit { FcConfigDestroy(pointer) }

    /// The files of the configuration, without their names, which differ between machines.
    ///
    /// - Throws: `LibraryFault.fonts` when one cannot be read.
    func rules() throws(LibraryFault) -> [[UInt8]] {
        guard let names = FcConfigGetConfigFiles(pointer) else { throw .memory }
        defer { FcStrListDone(names) }
        var files: [[UInt8]] = []
        while let name = FcStrListNext(names) {
            let path = String(cString: name)
            guard FcFileIsDir(path) == FcFalse else { continue }
            guard let file = Self.contents(of: path) else {
                throw .fonts("fontconfig's rules in \(path) cannot be read")
            }
            files.append(file)
        }
        return files
    }

    private static func contents(of path: String) -> [UInt8]? {
        guard let file = fopen(path, "re") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = fread(&buffer, 1, buffer.count, file)
            bytes += buffer.prefix(count)
            guard count == 0 else { continue }
            return ferror(file) == 0 ? bytes : nil
        }
    }

    /// Whether the configuration is there and well-formed; where it is not, fontconfig would go on
    /// with one of its own.
    private static var canBeParsed: Bool {
        guard let trial = FcConfigCreate() else { return false }
        defer { FcConfigDestroy(trial) }
        return FcConfigParseAndLoad(trial, nil, FcTrue) != FcFalse
    }

    /// What a reading found: rules by their files, fonts by their files and properties.
    private struct Content: Equatable {
        var rules: [String] = []
        var fonts: [String] = []
    }

    private var content: Content {
        var content = Content()
        var iterator = FcConfigFileInfoIter()
        FcConfigFileInfoIterInit(pointer, &iterator)
        repeat {
            var name: UnsafeMutablePointer<FcChar8>?
            var description: UnsafeMutablePointer<FcChar8>?
            var isEnabled: FcBool = FcFalse
            guard
                FcConfigFileInfoIterGet(pointer, &iterator, &name, &description, &isEnabled)
                    != FcFalse
            else { break }
            content.rules.append("\(name.map { String(cString: $0) } ?? "") \(isEnabled)")
            FcStrFree(name)
            FcStrFree(description)
        } while FcConfigFileInfoIterNext(pointer, &iterator) != FcFalse
        guard let fonts = FcConfigGetFonts(pointer, FcSetSystem) else { return content }
        for index in 0..<Int(fonts.pointee.nfont) {
            guard let pattern = fonts.pointee.fonts[index] else { continue }
            var file: UnsafeMutablePointer<FcChar8>?
            FcPatternGetString(pattern, FC_FILE, 0, &file)
            content.fonts.append(
                "\(file.map { String(cString: $0) } ?? "") \(FcPatternHash(pattern))")
        }
        return content
    }
}
