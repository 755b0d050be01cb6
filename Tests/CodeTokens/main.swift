import Foundation
import Highlighting

// For each file named after a language, one line: `LENGTH KIND` for each token, in order, with
// commas between them.
let arguments = CommandLine.arguments.dropFirst()
guard let language = arguments.first.flatMap(CodeLanguage.init) else {
    fatalError("usage: code-tokens LANGUAGE FILE...")
}
for path in arguments.dropFirst() {
    let source = try Array(Data(contentsOf: URL(fileURLWithPath: path)))
    var start = 0
    let tokens = language.tokens(of: source).map { token in
        defer { start = token.end }
        return "\(token.end - start) \(token.kind)"
    }
    print(tokens.joined(separator: ","))
}
