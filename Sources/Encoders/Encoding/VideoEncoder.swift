/// A program that encodes videos.
///
/// Formats start no processes and read no clock, so the program that uses them passes a value of a
/// conforming type, in a `FormatCatalog`.
package protocol VideoEncoder: Sendable {
    /// A text that changes with everything besides arguments that decides the bytes of videos.
    var fingerprint: String { get }

    /// Starts to encode a video.
    ///
    /// - Parameters:
    ///   - arguments: The arguments of ffmpeg, besides the arguments that name the file. Frames come
    ///     from its standard input.
    ///   - memory: The bytes that it is expected to take besides its libraries.
    ///   - fileLimit: The most bytes of the file.
    /// - Returns: The video, whose frames are still to be written.
    /// - Throws: `EncodingError.videoEncoder` where it cannot be started.
    func start(
        _ arguments: [String], memory: Int, fileLimit: Int
    ) throws(EncodingError) -> any EncoderProcess
}

extension EncodingError {
    /// The reason for the lack of videos where the program is not found.
    package static let absenceOfVideoEncoder = "ffmpeg is not installed"
}

/// A video that a `VideoEncoder` encodes, which ends with the value.
package protocol EncoderProcess: Sendable {
    /// Writes bytes of frames as fast as they are read.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - check: Called now and then; the error that it throws ends the attempt.
    /// - Throws: `EncodingError.videoEncoder` where the encoder has ended, `.videoTooLong` where
    ///   its file has reached the limit, or the error of `check`.
    func write(
        _ bytes: [UInt8], check: () throws(EncodingError) -> Void
    ) throws(EncodingError)

    /// Tells the encoder that there are no more frames, and waits until it has ended.
    ///
    /// - Parameter check: As in `write`.
    /// - Returns: Its file.
    /// - Throws: `EncodingError.videoEncoder` where the encoder has failed, `.videoTooLong` where
    ///   its file has reached the limit, or the error of `check`.
    func finish(check: () throws(EncodingError) -> Void) throws(EncodingError) -> [UInt8]
}
