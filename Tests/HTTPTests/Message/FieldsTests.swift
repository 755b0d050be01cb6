import Testing

@testable import HTTP

@Suite struct FieldsTests {
    @Test("names are compared without case and keep their order")
    func names() {
        var fields: Fields = ["Vary": "Accept", "ETag": "\"a\""]
        fields.add("vary", "Accept-Encoding")
        #expect(fields["VARY"] == "Accept")
        #expect(fields.all("Vary") == ["Accept", "Accept-Encoding"])
        #expect(fields.combined("Vary") == "Accept, Accept-Encoding")
        #expect(fields["Var"] == nil)
        #expect(fields.map { $0.name } == ["Vary", "ETag", "vary"])
        #expect(fields.count == 3)
    }

    @Test("setting a name replaces all its values, setting nil removes them")
    func replacing() {
        var fields: Fields = ["A": "1", "B": "2", "a": "3"]
        fields["A"] = "4"
        #expect(fields == ["B": "2", "A": "4"])
        fields["b"] = nil
        #expect(fields == ["A": "4"])
    }

    @Test("the fields of one head go behind those of another")
    func joining() {
        var fields: Fields = ["A": "1", "B": "2"]
        fields.add(["C": "3", "a": "4"])
        #expect(fields == ["A": "1", "B": "2", "C": "3", "a": "4"])
        #expect(fields.all("A") == ["1", "4"])
        fields.add([:])
        #expect(fields.count == 4)
    }

    @Test("a value cannot end its line", arguments: ["a\r\nB: c", "a\rb", "a\nb", "a\0b", "\r\n"])
    func injection(value: String) {
        var fields = Fields()
        fields.add("A", value)
        fields.add("C", "d")
        #expect(fields.count == 2)
        let lines = fields.wire.split(separator: ASCII.lineFeed)
        #expect(lines.count == 2)
        #expect(lines.allSatisfy { $0.filter { $0 == ASCII.carriageReturn }.count == 1 })
        #expect(!fields.wire.contains(0))
        #expect(fields["B"] == nil)
        #expect(fields["C"] == "d")
    }

    @Test("a value may be any text, without the white space around it")
    func values() {
        var fields = Fields()
        fields.add("A", "grüße\t👻  ")
        #expect(fields["A"] == "grüße\t👻")
        #expect(fields.wire.elementsEqual("A: grüße\t👻\r\n".utf8))
    }
}

@Suite struct RequestTests {
    @Test("a request made by hand splits its target")
    func target() {
        let request = Request(target: "/render.svg?text=a%20b?c")
        #expect(request.path == "/render.svg")
        #expect(request.query == "text=a%20b?c")
        #expect(Request(target: "/a").query == nil)
        #expect(!Request(method: .post).declaresContent)
        #expect(Request(fields: ["content-length": "0"]).declaresContent)
    }
}
