import Bytes

extension ByteSink {
    /// Appends the `data:` URL of a PNG or WebP file (RFC 2397).
    mutating func append(addressOfImage file: [UInt8]) {
        append(file.isWebP ? "data:image/webp;base64," : "data:image/png;base64,")
        append(Base64.standard.encoded(file))
    }
}

extension [UInt8] {
    /// True for a WebP file, false for a PNG file, which begins with another byte.
    var isWebP: Bool { first == UInt8(ascii: "R") }
}
