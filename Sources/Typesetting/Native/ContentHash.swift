import CPango

/// SHA-256 (FIPS 180-4), computed by GLib: no two contents can be found that have the same.
enum ContentHash {
    /// Returns the 64 hexadecimal digits that stand for bytes.
    static func text(of bytes: [UInt8]) -> String {
        let text = g_compute_checksum_for_data(G_CHECKSUM_SHA256, bytes, gsize(bytes.count))
        defer { g_free(text) }
        return text.map { String(cString: $0) } ?? ""
    }
}
