import Bytes
import CPango
import Glibc
import Raster
import Synchronization

/// One reading of fontconfig's configuration and of the fonts that it lists.
///
/// `@unchecked Sendable`: nothing changes the configuration after `init`, and fontconfig counts
/// references atomically.
final class FontConfiguration: @unchecked Sendable {
    let pointer: OpaquePointer
    /// Differs from every other reading's in the process.
    let number: Int
    /// The operator's own fonts, whose files stay open while one may be read.
    private let files: [OwnFontFile]

    private static let readings = Atomic(0)

    /// Reads the configuration and the fonts as they are now, with an operator's own in `files`.
    ///
    /// Fontconfig silently skips a file that it cannot open, and other fonts would be chosen from
    /// then on. Therefore two readings in a row must hold the same.
    ///
    /// - Throws: `LibraryFault.fonts`, or `LibraryFault.fontFiles` if a file is not a font.
    static func read(with files: [OwnFontFile] = []) throws(LibraryFault) -> FontConfiguration {
        guard canBeParsed else {
            throw .fonts("fontconfig's configuration cannot be read")
        }
        let (one, other) = (try FontConfiguration(with: files), try FontConfiguration(with: files))
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

    private init(with files: [OwnFontFile]) throws(LibraryFault) {
        guard let pointer = FcInitLoadConfigAndFonts() else {
            throw .fonts("fontconfig's configuration cannot be read")
        }
        self.pointer = pointer
        self.files = files
        number = Self.readings.wrappingAdd(1, ordering: .relaxed).newValue
        // Fonts change when they are read anew, not by themselves in the middle of the day.
        FcConfigSetRescanInterval(pointer, 0)
        let broken = files.filter {
            FcConfigAppFontAddFile(pointer, $0.location) == FcFalse
        }
        guard broken.isEmpty else {
            throw .fontFiles(
                broken.map { "\($0.path) is not a usable font" }, areUnreadable: false)
        }
        hideInstalledNamesakes()
    }

    /// Removes the installed fonts of each family that the operator has too.
    ///
    /// If two fonts match equally well, fontconfig would take the installed one.
    private func hideInstalledNamesakes() {
        guard let own = FcConfigGetFonts(pointer, FcSetApplication),
            let installed = FcConfigGetFonts(pointer, FcSetSystem)
        else { return }
        let names = Set(own.pointee.patterns.compactMap { $0.map { FontPattern($0).familyKey } })
        var kept: Int32 = 0
        for pattern in installed.pointee.patterns {
            if let pattern, names.contains(FontPattern(pattern).familyKey) {
                FcPatternDestroy(pattern)
            } else {
                installed.pointee.fonts[Int(kept)] = pattern
                kept += 1
            }
        }
        installed.pointee.nfont = kept
    }

    deinit { FcConfigDestroy(pointer) }

    /// Returns the path at which a font was found that libraries open by another one.
    func path(of location: String) -> String {
        files.first { $0.location.isSame(as: location) }?.path ?? location
    }

    /// Returns the files of the configuration, without their names, which differ between machines.
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

    /// The versions of all libraries that decide how fonts draw.
    static var libraryVersions: [String] {
        [
            String(cString: pango_version_string()), String(cString: cairo_version_string()),
            String(cString: hb_version_string()), "\(FcGetVersion())",
        ]
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

    /// True if the configuration is there and well-formed; otherwise fontconfig would go on with a
    /// configuration of its own.
    private static var canBeParsed: Bool {
        guard let trial = FcConfigCreate() else { return false }
        defer { FcConfigDestroy(trial) }
        return FcConfigParseAndLoad(trial, nil, FcTrue) != FcFalse
    }

    /// The result of a reading: rules by their files, fonts by their files and properties.
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
        for set in [FcSetSystem, FcSetApplication] {
            guard let fonts = FcConfigGetFonts(pointer, set) else { continue }
            for case let pattern? in fonts.pointee.patterns {
                let file = FontPattern(pattern).string(FC_FILE) ?? ""
                content.fonts.append("\(file) \(FcPatternHash(pattern))")
            }
        }
        return content
    }
}

extension FcFontSet {
    /// The fonts, which belong to the set.
    fileprivate var patterns: UnsafeBufferPointer<OpaquePointer?> {
        UnsafeBufferPointer(start: fonts, count: Int(nfont))
    }
}

/// One font in fontconfig's list, installed or an operator's own.
struct InstalledFont {
    /// The family's names; users see the first.
    var families: [String]
    var isMonospace: Bool
    /// Several for a variable font: the hundreds that it covers.
    var weights: [Int]
    /// Names, version and index, without the path, which differs between machines.
    var identity: String
    var file: String
    /// The face's number in the file.
    var face: Int
    /// True if it has all letters from A to Z and from a to z.
    var isLatin: Bool

    /// - Throws: `LibraryFault.memory`.
    static func all(
        in configuration: FontConfiguration
    ) throws(LibraryFault) -> [InstalledFont] {
        guard let pattern = FcPatternCreate(), let properties = FcObjectSetCreate() else {
            throw .memory
        }
        defer {
            FcPatternDestroy(pattern)
            FcObjectSetDestroy(properties)
        }
        for name in [
            FC_FAMILY, FC_STYLE, FC_WEIGHT, FC_SPACING, FC_FONTVERSION, FC_INDEX, FC_FILE,
            FC_CHARSET,
        ] {
            FcObjectSetAdd(properties, name)
        }
        guard let list = FcFontList(configuration.pointer, pattern, properties) else {
            throw .memory
        }
        defer { FcFontSetDestroy(list) }
        return list.pointee.patterns.compactMap { $0.map(InstalledFont.init) }
    }

    private init(_ pointer: OpaquePointer) {
        let pattern = FontPattern(pointer)
        families = pattern.strings(FC_FAMILY)
        isMonospace = pattern.integer(FC_SPACING).map { $0 >= FC_MONO } ?? false
        weights = pattern.weights
        let styles = pattern.strings(FC_STYLE)
        let version = pattern.integer(FC_FONTVERSION) ?? 0
        let index = pattern.integer(FC_INDEX) ?? 0
        file = pattern.string(FC_FILE) ?? ""
        // The upper half is the number of a variable font's instance.
        face = index & 0xFFFF
        isLatin = pattern.hasLatinLetters
        identity = ((families + styles) + ["\(version)", "\(index)"]).joined(separator: "\u{1F}")
    }
}

/// The characters that the fonts of a family have, each in one of them at least.
final class FontCharacters {
    private let set: OpaquePointer?

    /// Reads the characters of all fonts of a family; none if it is not installed, or memory is
    /// short.
    init(ofFamily family: String, in configuration: FontConfiguration) {
        set = FcCharSetCreate()
        guard let pattern = FcPatternCreate(), let properties = FcObjectSetCreate() else { return }
        defer {
            FcPatternDestroy(pattern)
            FcObjectSetDestroy(properties)
        }
        FcPatternAddString(pattern, FC_FAMILY, family)
        FcObjectSetAdd(properties, FC_CHARSET)
        guard let list = FcFontList(configuration.pointer, pattern, properties) else { return }
        defer { FcFontSetDestroy(list) }
        for case let font? in list.pointee.patterns {
            var own: OpaquePointer?
            if FcPatternGetCharSet(font, FC_CHARSET, 0, &own) == FcResultMatch {
                FcCharSetMerge(set, own, nil)
            }
        }
    }

    deinit { FcCharSetDestroy(set) }

    func contains(_ character: UInt32) -> Bool { FcCharSetHasChar(set, character) != FcFalse }
}

/// Properties of a font as fontconfig describes it.
struct FontPattern {
    /// Belongs to whoever made the pattern.
    private let pointer: OpaquePointer?

    init(_ pointer: OpaquePointer) {
        self.pointer = pointer
    }

    /// The pattern of a font that Pango chose.
    init(_ font: UnsafeMutablePointer<PangoFont>) {
        pointer = pango_fc_font_get_pattern(
            UnsafeMutableRawPointer(font).assumingMemoryBound(to: PangoFcFont.self))
    }

    func string(_ name: String) -> String? { strings(name).first }

    func strings(_ name: String) -> [String] {
        var result: [String] = []
        var text: UnsafeMutablePointer<FcChar8>?
        while FcPatternGetString(pointer, name, Int32(result.count), &text) == FcResultMatch,
            let text
        {
            result.append(String(cString: text))
        }
        return result
    }

    func integer(_ name: String) -> Int? {
        var value: Int32 = 0
        return FcPatternGetInteger(pointer, name, 0, &value) == FcResultMatch ? Int(value) : nil
    }

    func boolean(_ name: String) -> Bool? {
        var value = FcFalse
        return FcPatternGetBool(pointer, name, 0, &value) == FcResultMatch
            ? value != FcFalse : nil
    }

    func matrix(_ name: String) -> FcMatrix? {
        var value: UnsafeMutablePointer<FcMatrix>?
        return FcPatternGetMatrix(pointer, name, 0, &value) == FcResultMatch ? value?.pointee : nil
    }

    /// The family's first name without case, by which it is told from others.
    var familyKey: String { string(FC_FAMILY)?.lowercased() ?? "" }

    /// True if the font has all letters from A to Z and from a to z.
    var hasLatinLetters: Bool {
        var characters: OpaquePointer?
        guard FcPatternGetCharSet(pointer, FC_CHARSET, 0, &characters) == FcResultMatch else {
            return false
        }
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".unicodeScalars)
        return letters.allSatisfy { FcCharSetHasChar(characters, $0.value) != FcFalse }
    }

    /// The weights that the font covers, as multiples of 100 if it is variable.
    var weights: [Int] {
        var weight = 0.0
        if FcPatternGetDouble(pointer, FC_WEIGHT, 0, &weight) == FcResultMatch {
            return [Int(FcWeightToOpenTypeDouble(weight).rounded())]
        }
        var range: OpaquePointer?
        var (low, high) = (0.0, 0.0)
        guard FcPatternGetRange(pointer, FC_WEIGHT, 0, &range) == FcResultMatch,
            FcRangeGetDouble(range, &low, &high) != 0
        else { return [] }
        let covered =
            FcWeightToOpenTypeDouble(
                low)...max(
                FcWeightToOpenTypeDouble(low), FcWeightToOpenTypeDouble(high))
        return stride(from: 100, through: 1000, by: 100).filter { covered.contains(Double($0)) }
    }
}
