import Glibc

/// A function that libFuzzer tests: no input may crash it or break a rule that it checks.
///
/// A new one is a conforming type marked `@main` in a directory of `Fuzzing`, an entry in
/// `Package.swift` and the `Makefile`, and a few inputs in `Corpus`.
package protocol FuzzTarget {
    /// Takes one input; ends the process where a rule is broken.
    static func take(_ input: [UInt8])
}

extension FuzzTarget {
    /// Runs libFuzzer, which reads the command's arguments and never returns.
    ///
    /// SwiftPM makes its own symbol the executable's `main`, so that libFuzzer's is not reached.
    package static func main() {
        target = Self.self
        var count = CommandLine.argc
        var arguments = CommandLine.unsafeArgv
        exit(runDriver(&count, arguments: &arguments, takeOneInput: takeOneInput))
    }
}

/// Ends the process, which libFuzzer reports with the input, unless a rule holds.
package func check(_ holds: Bool, _ rule: @autoclosure () -> String) {
    guard holds else { fatalError("broken: \(rule())") }
}

/// Set once, before libFuzzer runs; a C function cannot capture it.
nonisolated(unsafe) private var target: (any FuzzTarget.Type)?

@_cdecl("LLVMFuzzerTestOneInput")
func takeOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    target?.take(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}

@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    takeOneInput: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt
