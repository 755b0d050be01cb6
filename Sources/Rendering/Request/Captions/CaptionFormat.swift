/// The formats of files of captions; `auto` for the one that its content shows.
package enum CaptionFormat: String, CaseIterable, Sendable {
    case auto, srt, vtt, ass, lrc, sbv, ttml, captions, whisper
    case whisperCpp = "whisper-cpp"
    case whisperx, openai, deepgram, assemblyai, elevenlabs, amazon, google, gladia, json3, remotion
    case hyperframes, editframe
}

/// The unit of times in a file of captions; `auto` where its format decides.
package enum CaptionUnit: String, CaseIterable, Sendable {
    case auto
    case seconds = "s"
    case milliseconds = "ms"
}
