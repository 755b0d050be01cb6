/// A function that libFuzzer tests: no input may crash it or break a rule that it checks.
///
/// A new one is a conforming type in a directory of `Fuzzing`, a line in `FuzzTargets`, and a
/// directory of `Corpus` with a few inputs.
package protocol FuzzTarget: SendableMetatype {
    /// Takes one input; ends the process where a rule is broken.
    static func take(_ input: [UInt8])
}

/// All targets.
package enum FuzzTargets {
    /// The targets by the names of their directories in `Corpus`.
    package static let all: [String: any FuzzTarget.Type] = [
        "asciicast": FuzzAsciicast.self,
        "batch": FuzzBatch.self,
        "captions": FuzzCaptions.self,
        "code": FuzzCode.self,
        "json": FuzzJSON.self,
        "markup": FuzzMarkup.self,
        "path": FuzzPath.self,
        "permalink": FuzzPermalink.self,
        "query": FuzzQuery.self,
        "request": FuzzRequest.self,
        "text": FuzzText.self,
    ]
}

/// Ends the process, which libFuzzer reports with the input, unless a rule holds.
func check(_ holds: Bool, _ rule: @autoclosure () -> String) {
    guard holds else { fatalError("broken: \(rule())") }
}
