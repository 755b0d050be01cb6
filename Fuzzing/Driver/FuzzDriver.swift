import Fuzzing
import Glibc

/// `fuzz --target=json …`: libFuzzer with one of the targets; all other arguments are its own.
@main enum FuzzDriver {
    /// libFuzzer passes over arguments with two hyphens, and hands them to its own processes.
    private static let prefix = "--target="

    /// Runs libFuzzer, which never returns.
    ///
    /// SwiftPM makes its own symbol the executable's `main`, so that libFuzzer's is not reached.
    static func main() {
        let name = CommandLine.arguments.first { $0.hasPrefix(prefix) }?.dropFirst(prefix.count)
        target = name.flatMap { FuzzTargets.all[String($0)] }
        guard target != nil else {
            fatalError("\(prefix) takes one of \(FuzzTargets.all.keys.sorted())")
        }
        var count = CommandLine.argc
        var arguments = CommandLine.unsafeArgv
        exit(runDriver(&count, arguments: &arguments, takeOneInput: takeOneInput))
    }
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
