import Bytes

extension EditList {
    /// Returns the clips of a track, from 0, as an edit decision list (CMX 3600), which has one track of video.
    package func decisions(ofTrack track: Int) -> [UInt8] {
        var sink = ByteSink()
        sink.append(text: "TITLE: \(title)\n")
        sink.append(text: "FCM: \(start.dropsFrames ? "" : "NON-")DROP FRAME\n")
        let first = start.frame(at: rate)
        for (index, clip) in clips.filter({ $0.track == track }).enumerated() {
            let source = sourceStart(of: clip)
            let times = [
                source, source + clip.frames.count, first + clip.frames.lowerBound,
                first + clip.frames.upperBound,
            ]
            let number = NumberText.padded("\(index + 1)", to: 3)
            // A source that has no reel.
            sink.append(text: "\n\(number)  AX       V     C        ")
            sink.append(text: times.map { counted($0).text }.joined(separator: " "))
            sink.append(text: "\n* FROM CLIP NAME: \(clip.name)\n")
        }
        return sink.bytes()
    }
}
