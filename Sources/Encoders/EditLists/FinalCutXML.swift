import Bytes
import Raster

extension EditList {
    /// The timeline as XML of Final Cut Pro (FCPXML 1.8), which DaVinci Resolve reads too.
    ///
    /// The clips lie above an empty storyline, where the film goes: those of the first track on lane 1. Their files
    /// are beside it. Each of them has what it shows as its note.
    package var finalCutXML: [UInt8] {
        var sink = ByteSink(capacity: 2048 + 512 * clips.count)
        sink.append(
            text: """
                <?xml version="1.0" encoding="UTF-8"?>
                <!DOCTYPE fcpxml>
                <fcpxml version="1.8">
                <resources>
                <format id="r1" frameDuration="\(rate.denominator)/\(rate.numerator)s" \
                width="\(size.width)" height="\(size.height)" colorSpace="1-1-1 (Rec. 709)"/>

                """)
        for (index, clip) in clips.enumerated() {
            // A picture has no length of its own.
            let duration = hasVideos ? clip.frames.count : 0
            sink.append(
                text: #"<asset id="\#(id(of: index))" name="\#(clip.name)" src="./\#(clip.name)" "#
                    + #"start="\#(time(sourceStart(of: clip)))" duration="\#(time(duration))" "#
                    + #"hasVideo="1" format="r1"/>"# + "\n")
        }
        let first = time(start.frame(at: rate))
        sink.append(text: "</resources>\n<library>\n<event name=\"")
        sink.append(xml: title)
        sink.append(text: "\">\n<project name=\"")
        sink.append(xml: title)
        sink.append(
            text: """
                ">
                <sequence format="r1" duration="\(time(length))" tcStart="\(first)" \
                tcFormat="\(start.dropsFrames ? "DF" : "NDF")">
                <spine>
                <gap name="Gap" offset="\(first)" start="0s" duration="\(time(length))">

                """)
        for (index, clip) in clips.enumerated() { append(clip, id(of: index), to: &sink) }
        sink.append(
            "</gap>\n</spine>\n</sequence>\n</project>\n</event>\n</library>\n</fcpxml>\n")
        return sink.bytes()
    }

    private func append(_ clip: Clip, _ id: String, to sink: inout ByteSink) {
        let duration = time(clip.frames.count)
        let place =
            #"name="\#(clip.name)" lane="\#(clip.track + 1)" "#
            + #"offset="\#(time(clip.frames.lowerBound))" duration="\#(duration)""#
        let tag = hasVideos ? "asset-clip" : "clip"
        sink.append(text: "<\(tag) \(place)")
        if hasVideos {
            sink.append(text: #" ref="\#(id)" format="r1" start="\#(time(sourceStart(of: clip)))""#)
        }
        sink.append("><note>")
        sink.append(xml: clip.title)
        sink.append("</note>")
        if !hasVideos {
            sink.append(text: #"<video ref="\#(id)" offset="0s" duration="\#(duration)"/>"#)
        }
        sink.append(text: "</\(tag)>\n")
    }

    private func id(of clip: Int) -> String { "r\(clip + 2)" }

    /// Returns the time of so many frames as a fraction of a second.
    private func time(_ frames: Int) -> String {
        frames == 0 ? "0s" : "\(frames * rate.denominator)/\(rate.numerator)s"
    }
}
