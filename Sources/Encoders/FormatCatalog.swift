/// Every format there is, the preferred first; the one place that names them.
package enum FormatCatalog {
    package static let all: [any OutputFormat.Type] = [
        SVGFormat.self,
        JSONFormat.self,
        GIFFormat.self,
        APNGFormat.self,
        PNGFormat.self,
        LottieFormat.self,
    ]

    package static let standard: any OutputFormat.Type = SVGFormat.self

    package static func format(named name: String) -> (any OutputFormat.Type)? {
        all.first { $0.name == name }
    }

    package static func format(withExtension fileExtension: String) -> (any OutputFormat.Type)? {
        all.first { $0.fileExtension == fileExtension }
    }
}
