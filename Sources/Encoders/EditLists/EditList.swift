package import Bytes
package import Motion
import Raster

/// Clips at their places on a timeline, as files that editors open.
///
/// Each clip is as large as the timeline, and so stands at its origin. Those that are seen together lie on
/// tracks of their own.
package struct EditList {
    struct Clip {
        /// The name of its file.
        let name: String
        /// What it shows, for people.
        let title: String
        /// The frames of the timeline in which it is seen.
        let frames: Range<Int>
        let track: Int
    }

    let title: String
    package let rate: FrameRate
    /// Pixels of the timeline.
    let size: PixelSize
    /// The timecode of the timeline's first frame.
    let start: Timecode
    /// True if the first frame of each clip has the timecode of its place.
    package let numbersClips: Bool
    /// True if the clips are videos; false for files of which one may stand for any time.
    let hasVideos: Bool
    private(set) var clips: [Clip] = []
    private let fileExtension: String
    /// The frame at which the last clip of each track ends.
    private var ends: [Int] = []
    /// How many clips have each timecode.
    private var counts: [String: Int] = [:]

    /// - Parameters:
    ///   - title: The name of the timeline: one line of XML's characters.
    ///   - format: The format of the clips.
    ///   - values: The values of its parameters.
    ///   - width: CSS pixels of the timeline.
    ///   - height: CSS pixels of the timeline.
    /// - Throws: The fault of a timecode that no frame has.
    package init(
        titled title: String, of format: any OutputFormat.Type,
        _ values: [ByteString: ParameterValue], width: Double, height: Double
    ) throws(ParameterFault) {
        var reader = ParameterReader(values)
        rate = FrameRate(reader.framesPerSecond())
        let timecode = try reader.timecode(at: rate)
        start = timecode ?? Timecode(ofFrame: 0, at: rate, dropsFrames: false)
        numbersClips = timecode != nil && format is MOVFormat.Type
        let pixels = PixelSize(width: width, height: height, scale: reader.scale())
        let isEven = (format as? any VideoFormat.Type)?.isEven ?? false
        size = isEven ? pixels.even : pixels
        (self.title, hasVideos, fileExtension) = (title, format.isVideo, format.fileExtension)
    }

    /// Adds a clip, which does not begin before the one that was added last.
    ///
    /// - Returns: The name of its file, and the timecode of its first frame: the name is that, and a number
    ///   if others have it.
    package mutating func add(
        _ title: String, at frames: Range<Int>
    ) -> (name: String, timecode: String) {
        let timecode = counted(start.frame(at: rate) + frames.lowerBound).text
        let count = counts[timecode, default: 0] + 1
        counts[timecode] = count
        let digits = timecode.map { $0 == ":" || $0 == ";" ? "-" : $0 }
        let name = String(digits) + (count > 1 ? "_\(count)" : "") + ".\(fileExtension)"
        let track = ends.firstIndex { $0 <= frames.lowerBound } ?? ends.count
        if track == ends.count { ends.append(0) }
        ends[track] = frames.upperBound
        clips.append(Clip(name: name, title: title, frames: frames, track: track))
        return (name, timecode)
    }

    package var trackCount: Int { ends.count }

    /// The frames from the start of the timeline to the end of the last clip.
    var length: Int { ends.max() ?? 0 }

    /// Returns the timecode of a frame that is counted from midnight.
    func counted(_ number: Int) -> Timecode {
        Timecode(ofFrame: number, at: rate, dropsFrames: start.dropsFrames)
    }

    /// Returns the number of the frame at which the file of a clip begins, counted from midnight.
    func sourceStart(of clip: Clip) -> Int {
        numbersClips ? start.frame(at: rate) + clip.frames.lowerBound : 0
    }
}
