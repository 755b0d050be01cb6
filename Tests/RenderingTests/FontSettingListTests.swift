import Testing

@testable import Rendering

struct FontSettingListTests {
    @Test(
        "equal lists have one spelling, which is read as itself",
        arguments: [
            (FontSettingList.features, "tnum, ss01 = 1 ,liga=0", "liga=0,ss01,tnum"),
            (.features, "cv05=2e0", "cv05=2"),
            (.features, " none ", "none"),
            (.variations, "wght=350.50, wdth = -8e1", "wdth=-80,wght=350.5"),
            (.variations, "slnt=-0", "slnt=0"),
            (.variations, "none", "none"),
        ])
    func spelling(list: FontSettingList, written: String, expected: String) throws {
        #expect(try list.canonical(written) == expected)
        #expect(try list.canonical(expected) == expected)
    }

    @Test(
        "what is no list of settings is refused, in both grammars",
        arguments: [
            "lig", "ligat=1", "liga=1,liga=0", "none=1", "none,liga=1", "=1", "liga=", "liga==1",
            "liga=1;kern=1", "liga=1,", "liga\n=1", "'ga =1", "li\u{0}a=1", "l\u{E9}g=1",
            "liga=Infinity", "liga=1e400", "liga=01", "@liga=1", "-liga", "liga[0:1]=1",
        ])
    func refusal(written: String) {
        for list in [FontSettingList.features, .variations] {
            #expect(throws: ValueFault.self) { try list.canonical(written) }
        }
    }

    @Test("sixteen settings are read, and one more is refused")
    func count() {
        let settings = (10..<27).map { "ss\($0)=2" }
        #expect(throws: Never.self) {
            try FontSettingList.features.canonical(settings.prefix(16).joined(separator: ","))
        }
        #expect(throws: ValueFault.self) {
            try FontSettingList.features.canonical(settings.joined(separator: ","))
        }
    }

    @Test("features are whole numbers that HarfBuzz holds, axes what fonts hold")
    func ranges() {
        for (list, right, wrong) in [
            (FontSettingList.features, ["0", "65535"], ["-1", "65536", "0.5"]),
            (.variations, ["-32768", "32767", "0.5"], ["-32769", "32768"]),
        ] as [(FontSettingList, [String], [String])] {
            for value in right {
                #expect(throws: Never.self) { try list.canonical("aaaa=\(value)") }
            }
            for value in wrong {
                #expect(throws: ValueFault.self) { try list.canonical("aaaa=\(value)") }
            }
        }
    }
}
