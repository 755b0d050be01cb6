import Bytes

/// The letters of a script that stand in for its glyphs.
///
/// Scripts whose letters join have no alphabet, and neither has Latin, whose letters stand in for
/// all others.
struct DecoyAlphabet {
    /// The code points that a glyph of the script begins with.
    let scalars: [ClosedRange<UInt32>]
    /// The capitals, or the letters of a script without case. Each is one glyph.
    let capitals: [String]
    /// Empty for a script without case.
    let smallLetters: [String]

    /// - Parameters:
    ///   - scalars: The code points that a glyph of the script begins with.
    ///   - capitals: As the property, with spaces between the letters.
    ///   - smallLetters: As the property, with spaces between the letters.
    private init(
        _ scalars: [ClosedRange<UInt32>], _ capitals: String, _ smallLetters: String = ""
    ) {
        self.scalars = scalars
        self.capitals = capitals.split(separator: " ").map(String.init)
        self.smallLetters = smallLetters.split(separator: " ").map(String.init)
    }

    /// All letters, capitals first.
    var letters: [String] { capitals + smallLetters }

    /// The alphabets in the order in which they follow Latin's letters.
    private static let all = [
        // Greek, without Coptic.
        DecoyAlphabet(
            [0x370...0x3E1, 0x3F0...0x3FF, 0x1F00...0x1FFF],
            "Α Β Γ Δ Ε Ζ Η Θ Ι Κ Λ Μ Ν Ξ Ο Π Ρ Σ Τ Υ Φ Χ Ψ Ω",
            "α β γ δ ε ζ η θ ι κ λ μ ν ξ ο π ρ σ τ υ φ χ ψ ω"),
        // Cyrillic.
        DecoyAlphabet(
            [0x400...0x52F],
            "А Б В Г Д Е Ж З И Й К Л М Н О П Р С Т У Ф Х Ц Ч Ш Щ Ъ Ы Ь Э Ю Я",
            "а б в г д е ж з и й к л м н о п р с т у ф х ц ч ш щ ъ ы ь э ю я"),
        // Hebrew, without final forms.
        DecoyAlphabet(
            [0x591...0x5F4, 0xFB1D...0xFB4F],
            "א ב ג ד ה ו ז ח ט י כ ל מ נ ס ע פ צ ק ר ש ת"),
        // Devanagari: clusters with and without signs.
        DecoyAlphabet(
            [0x900...0x97F],
            "अ इ उ ए क ख ग घ च छ ज ट ठ ड त थ द ध न प फ ब भ म य र ल व श ष स ह "
                + "का कि के को गी चा टी ती दे नि पा बो मी मु रा रे लो वि सु हो क्ष त्र ज्ञ श्र स्त"),
        // Thai.
        DecoyAlphabet(
            [0xE01...0xE5B],
            "ก ข ค ฆ ง จ ฉ ช ซ ญ ด ต ถ ท ธ น บ ป ผ ฝ พ ฟ ภ ม ย ร ล ว ศ ษ ส ห ฬ อ ฮ ะ า เ แ โ ใ ไ"),
        // Hiragana.
        DecoyAlphabet(
            [0x3041...0x309F],
            "あ い う え お か き く け こ さ し す せ そ た ち つ て と な に ぬ ね の は ひ ふ へ ほ ま み む め も や ゆ よ "
                + "ら り る れ ろ わ を ん"),
        // Katakana.
        DecoyAlphabet(
            [0x30A1...0x30FF],
            "ア イ ウ エ オ カ キ ク ケ コ サ シ ス セ ソ タ チ ツ テ ト ナ ニ ヌ ネ ノ ハ ヒ フ ヘ ホ マ ミ ム メ モ ヤ ユ ヨ "
                + "ラ リ ル レ ロ ワ ヲ ン"),
        // Hangul.
        DecoyAlphabet(
            [0x1100...0x11FF, 0x3131...0x318E, 0xAC00...0xD7A3],
            "가 나 다 라 마 바 사 아 자 차 카 타 파 하 고 노 도 로 모 보 소 오 조 호 구 누 두 루 무 부 수 우 주 후 기 니 디 "
                + "리 미 비 시 이 지 강 눈 달 말 밤 산 원 집 한 글"),
    ]

    /// Returns the alphabets of the scripts in a text, in their order.
    static func all(in text: String) -> [DecoyAlphabet] {
        let scalars = Set(text.unicodeScalars.lazy.map(\.value).filter { $0 >= first })
        guard !scalars.isEmpty else { return [] }
        return all.filter { alphabet in scalars.contains { alphabet.contains($0) } }
    }

    /// Returns the alphabet that begins with a letter.
    static func beginning(with letter: String) -> DecoyAlphabet? {
        all.first { $0.capitals[0].isSame(as: letter) }
    }

    /// The least code point of all.
    private static let first: UInt32 = 0x370

    /// Returns true if a glyph that begins with a code point is of the script.
    func contains(_ scalar: UInt32) -> Bool {
        scalars.contains { $0.contains(scalar) }
    }
}
