/// Names that do not clash when several renderings are inlined in one page.
struct SVGNames {
    /// A letter and five base-36 digits of the request's digest.
    let prefix: String

    init(digest: UInt64) {
        let digits = Array("0123456789abcdefghijklmnopqrstuvwxyz".utf8)
        var bytes = [UInt8(ascii: "t")]
        var rest = digest
        for _ in 0..<5 {
            bytes.append(digits[Int(rest % 36)])
            rest /= 36
        }
        prefix = String(decoding: bytes, as: UTF8.self)
    }

    /// The n-th name: letters only, short ones first.
    static func letters(_ number: Int) -> String {
        var text = ""
        var rest = number
        repeat {
            text = String(UnicodeScalar(UInt8(97 + rest % 26))) + text
            rest = rest / 26 - 1
        } while rest >= 0
        return text
    }
}
