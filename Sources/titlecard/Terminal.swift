import Glibc

/// The terminal that standard output may be.
enum Terminal {
    private static let usualColumns = 80

    /// The columns that text may take: the variable COLUMNS, or else the terminal's, or else 80.
    static var columns: Int {
        if let text = getenv("COLUMNS"), let columns = Int(String(cString: text)), columns > 0 {
            return columns
        }
        var size = winsize()
        let isKnown = ioctl(1, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        return isKnown ? Int(size.ws_col) : usualColumns
    }

    /// True if standard output is a terminal.
    static var isOutput: Bool { isatty(1) == 1 }
}
