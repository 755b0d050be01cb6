import Motion
import Testing

@Suite struct ColorTests {
    @Test(
        "colours are read as CSS writes them",
        arguments: [
            ("#24292f", "#24292f"), ("#FFF", "#ffffff"), ("#f008", "#ff000088"),
            ("#12345678", "#12345678"), ("Tomato", "#ff6347"), ("transparent", "transparent"),
            ("#12345600", "transparent"), ("rebeccapurple", "#663399"),
        ])
    func readable(written: String, text: String) {
        #expect(Color(css: written)?.text == text)
    }

    @Test(
        "what is no colour is refused",
        arguments: [
            "", "#", "#12", "#12345", "#1234567", "#123456789", "#ggg", "24292f", "blurple",
        ])
    func unreadable(written: String) {
        #expect(Color(css: written) == nil)
    }

    @Test("the hash is optional where the caller says so")
    func query() {
        #expect(Color(css: "24292f", hashOptional: true)?.text == "#24292f")
        #expect(Color(css: "tan", hashOptional: true)?.text == "#d2b48c")
    }
}
