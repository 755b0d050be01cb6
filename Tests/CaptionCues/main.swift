import Foundation
import Motion
import Rendering
import Typesetting

// For each file, one line of JSON: its cues with times in milliseconds, or an object with its fault.
let arguments = CommandLine.arguments.dropFirst()
guard let format = arguments.first.flatMap(CaptionFormat.init) else {
    fatalError("usage: caption-cues FORMAT FILE...")
}
for path in arguments.dropFirst() {
    let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
    let value: Any
    do {
        let track = try CaptionReader.track(
            of: CaptionEncoding.text(of: bytes), as: format, unit: .auto)
        value = track.cues.map { cue in
            let text = Array(cue.text.utf8)
            let words = cue.words.map { word in
                [
                    "text": String(decoding: text[word.range], as: UTF8.self),
                    "at": Double(word.at.ticks) / 10, "until": Double(word.until.ticks) / 10,
                ] as [String: Any]
            }
            return [
                "at": Double(cue.at.ticks) / 10,
                "until": cue.until.map { Double($0.ticks) / 10 } ?? -1,
                "text": cue.text, "words": words, "align": cue.alignment?.rawValue ?? "",
                "valign": cue.verticalAlignment?.rawValue ?? "", "endsPage": cue.endsPage,
            ] as [String: Any]
        }
    } catch {
        value = ["fault": "\(error)"]
    }
    let line = try JSONSerialization.data(withJSONObject: value, options: [.sortedKeys])
    print(String(decoding: line, as: UTF8.self))
}
