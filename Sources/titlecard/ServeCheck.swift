import Bytes
import Encoders
import HTTP
import Processes
import Rendering
import Service

extension Serve {
    /// Prints what would be served, by files that were read and options that are right; the addresses
    /// last, since a service that runs has them.
    ///
    /// - Throws: The exit status of a start that cannot bind an address.
    static func report(
        _ values: ServeValues, _ configured: ConfigurationSource.Configured, _ addresses: Addresses
    ) throws {
        for (name, text) in lines(values, configured) { try line(name, text) }
        for (name, address) in [("address", addresses.service), ("metrics", addresses.metrics)] {
            guard let address else { continue }
            let bound = try failing { try address.check() }
            try line(name, bound.joined(separator: ", "))
        }
        LogLines.standardError.finish()
    }

    private static func line(_ name: String, _ text: String) throws {
        let space = String(repeating: " ", count: max(13 - name.count, 1))
        try StandardStreams.print(name + space + text)
    }

    private static func lines(
        _ values: ServeValues, _ configured: ConfigurationSource.Configured
    ) -> [(String, String)] {
        let (settings, files, limits) = (values.settings, configured.files, ContainerLimits())
        func count(_ kind: OperatorFile.Kind) -> String {
            let count = files.files(of: kind).count
            return count == 0 ? "none" : "\(count) file\(count == 1 ? "" : "s")"
        }
        let formats = configured.configuration.schema.formats.examined()
        let videos = formats.entries.filter { $0.type.isVideo }.map { $0.name }
        let memory = (settings.rendering.memoryBytes * values.processes) >> 20
        let container = limits.memoryBytes.map { "; the container may take \($0 >> 20)" }
        let cores = limits.cores.map { "; the container may take \(NumberText.of($0)) cores" }
        return [
            ("options", values.places.options?.path ?? "no file"),
            ("memory", "\(memory) MiB, processes: \(values.processes)\(container ?? "")"),
            (
                "threads",
                "\(settings.rendering.workers) that render, \(values.loops) loops\(cores ?? "")"
            ),
            (
                "connections",
                "\(settings.http.maximumConnections), descriptors: \(DescriptorLimit.soft)"
            ),
            ("fonts", "\(count(.font)) besides the installed ones"),
            ("effects", count(.effect)), ("presets", count(.presets)),
            ("pictures", count(.picture)),
        ] + guards(settings) + [
            ("page", settings.publicDirectory ?? "none"),
            (
                "videos",
                videos.isEmpty
                    ? "none: " + formats.missing.map { $0.reason }.prefix(1).joined()
                    : videos.joined(separator: ", ")
            ),
        ]
    }

    /// What clients may do.
    private static func guards(_ settings: ServiceSettings) -> [(String, String)] {
        let hasKeys = settings.signer != nil
        let signed = settings.onlyPresets ? "all but texts and presets" : "GET and HEAD"
        let post =
            switch (settings.allowsPost, settings.onlyPresets) {
            case (false, _): "not allowed"
            case (true, false): "allowed"
            case (true, true): "needs a signature" + (hasKeys ? "" : ", and there is no key")
            }
        let rate = settings.rateLimit.map {
            "\(NumberText.of($0.perSecond)) requests a second of one address, "
                + "\(NumberText.of($0.burst)) at once"
        }
        return [
            ("keys", hasKeys ? "\(signed) need a signature" : "none"),
            ("clients", settings.onlyPresets ? "texts and presets only" : "all parameters"),
            ("POST", post),
            ("rate", rate ?? "no limit"),
            ("proxies", settings.trustedProxies == AddressRanges() ? "none" : "some are trusted"),
            ("assistants", settings.answersMCP ? "POST /mcp" : "none"),
        ]
    }
}
