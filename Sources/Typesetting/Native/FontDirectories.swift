import Bytes
import Glibc
import Raster

/// The search for an operator's own fonts.
struct FontDirectories {
    private static let extensions = [".ttf", ".otf", ".ttc", ".otc"]
    /// More are taken for a mistake in the directory's name.
    private static let maximumFiles = 1000

    private var files: [String] = []
    /// The directories that were searched; links may lead to one again.
    private var searched: Set<DirectoryIdentity> = []
    private var faults: [String] = []
    private var isUnreadable = false

    private struct DirectoryIdentity: Hashable {
        let device: dev_t
        let inode: ino_t
    }

    /// Returns the paths of all fonts in directories and in their subdirectories, in the order of
    /// their names.
    ///
    /// Other files, and names that begin with a dot, are passed over; links are followed.
    ///
    /// - Throws: `LibraryFault.fontFiles` with all directories that cannot be read.
    static func files(in directories: [String]) throws(LibraryFault) -> [String] {
        var search = FontDirectories()
        for directory in directories { search.add(directory) }
        guard search.files.count <= maximumFiles else {
            throw .fontFiles(
                ["more than \(maximumFiles) fonts in \(directories.joined(separator: ", "))"],
                areUnreadable: false)
        }
        try search.checkFaults()
        return search.files
    }

    /// Checks that files are fonts.
    ///
    /// - Throws: `LibraryFault.fontFiles` with all that are not, or cannot be read.
    static func check(_ files: [OwnFontFile]) throws(LibraryFault) {
        var search = FontDirectories()
        for file in files { search.check(file) }
        try search.checkFaults()
    }

    private func checkFaults() throws(LibraryFault) {
        guard faults.isEmpty else { throw .fontFiles(faults, areUnreadable: isUnreadable) }
    }

    private mutating func add(_ directory: String) {
        var status = stat()
        guard stat(directory, &status) == 0, let names = DirectoryNames.sorted(in: directory)
        else {
            isUnreadable = true
            let reason = String(cString: strerror(errno))
            return faults.append("cannot read the directory \(directory): \(reason)")
        }
        let identity = DirectoryIdentity(device: status.st_dev, inode: status.st_ino)
        guard searched.insert(identity).inserted else { return }
        for name in names where files.count <= Self.maximumFiles {
            let path = directory.hasSuffix("/") ? directory + name : "\(directory)/\(name)"
            if Self.extensions.contains(where: name.lowercased().hasSuffix) {
                files.append(path)
            } else if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
                add(path)
            }
        }
    }

    private mutating func check(_ file: OwnFontFile) {
        do throws(FontFile.Fault) {
            _ = try FontFile(at: file.location)
        } catch {
            isUnreadable = isUnreadable || error.isUnreadable
            faults.append("\(file.path) \(error.message)")
        }
    }
}
